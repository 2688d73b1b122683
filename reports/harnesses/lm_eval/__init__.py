"""Samples logged by lm-evaluation-harness, and the results beside them.

A line is one filter's verdict on one question, so that a file has as many lines as questions times
filters, and a filter is chosen. Where a question was asked several times, a line holds all answers
and one verdict: of the first answer, of a vote, or a mean.
"""

from __future__ import annotations

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.harnesses.lm_eval.logs import logs_of, results_of
from reports.harnesses.lm_eval.runs import parts_of
from reports.known_tool import KnownTool
from reports.run.report import Report
from reports.samples.reading import report
from reports.told import Told

TOOL = KnownTool(
    "lm-evaluation-harness",
    Text("samples_TASK_DATE.jsonl, and results_DATE.json beside it"),
    "0.4",
    Text(
        "real files of 0.4.13: two tasks of 26 questions with 4 repeats, two models; a task of 24 "
        "questions with 3 seeds"
    ),
    Text("--log_samples writes the samples of each task beside the means."),
    columns=frozenset({"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"}),
)


def sniff(tree: Tree) -> bool:
    """Whether a tree holds samples or results of the tool."""
    return any(logs_of(tree, TOOL.columns)) or any(results_of(tree))


def read(tree: Tree, columns: Told | None = None) -> Report:
    """Read every task of a tree.

    Parameters
    ----------
    tree : Tree
    columns : Told, optional
        ``filter`` says which filter's verdicts are meant, ``correct`` which metric's.

    Raises
    ------
    LoadError
        If there are no samples, or none can be read; what fails beside others that load is a Note.
    """
    logs = list(logs_of(tree, TOOL.columns))
    if not logs:
        raise LoadError(
            tree.name,
            Text("holds means of whole tasks, and no samples"),
            Text(
                "Load samples_*.jsonl too, which lm_eval writes with --log_samples (and "
                "--output_path)."
            ),
            next(results_of(tree)),
        )
    return report(tree, Text("samples of lm-evaluation-harness"), parts_of(tree, logs, columns))
