"""Logs of Inspect, and the data frames made from them."""

from __future__ import annotations

from itertools import chain

from metrics.data.words import Text
from reports.column_mapping import ColumnMapping
from reports.files.tree import Tree
from reports.harnesses.inspect.frames import EVALS, SAMPLES, by_scorer, find_frames
from reports.harnesses.inspect.logs import find_logs
from reports.harnesses.inspect.runs import Known
from reports.known_tool import KnownTool, Lacking, having
from reports.run.report import Report
from reports.samples.reading import report
from reports.samples.verdict_choice import VerdictChooser

__all__ = ["TOOL", "read", "sniff"]

_WITH_SCORES = Text(
    "Give the log itself, or what inspect_ai.analysis.samples_df makes of it, with its scores."
)
TOOL = KnownTool(
    "Inspect",
    Text(
        ".eval and .json logs, finished or interrupted, alone or in a folder or zip; samples_df as "
        "Parquet or CSV, with evals_df beside it if there is one"
    ),
    "0.3",
    Text("seven real logs of 0.3.120 and 0.3.285, five scorers, up to 30 questions by 5 epochs"),
    Text("inspect eval writes the samples unless --no-log-samples is given."),
    SAMPLES,
    (
        Lacking(
            Text("holds samples of Inspect without their scores"), _WITH_SCORES, having(*SAMPLES)
        ),
        Lacking(
            Text("holds the evaluations of Inspect without their samples"),
            _WITH_SCORES,
            having(*EVALS),
        ),
        *(
            Lacking(
                Text("holds the events of Inspect's samples, not their scores"),
                _WITH_SCORES,
                having(name, "eval_id"),
            )
            for name in ("message_id", "event_id")
        ),
    ),
    asks=("correct",),
    newest="0.3.285",
)


def sniff(tree: Tree) -> bool:
    """Whether a tree holds logs of the tool, or data frames of them."""
    return any(True for _ in chain(find_logs(tree), find_frames(tree)))


def read(tree: Tree, columns: ColumnMapping | None = None) -> Report:
    """Read every log of a tree, and of frames of samples what no log of it holds.

    columns: ``{"correct": "match"}`` says which scorer's values are the outcomes, where there are
        several.
    """
    asking = VerdictChooser(by_scorer(columns or {}))
    known: Known = set()
    logs = (log.part(asking, known) for log in find_logs(tree))
    frames = (frame.part(asking, known) for frame in find_frames(tree))
    return report(tree, Text("Inspect logs"), chain(logs, frames), asking)
