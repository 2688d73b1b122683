"""Outputs of EvalScope: reviews hold the score of each generation.

Beside them lie predictions, reports and the configuration of the run. The subsets of a benchmark
are one run, as in the tool's reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import REPORT, benchmarks
from reports.harnesses.evalscope.runs import REVIEWS, runs_of
from reports.known_tool import KnownTool, Lacking, having
from reports.samples.reading import Part, PartsReader
from reports.samples.verdict_choice import VerdictChooser

__all__ = ["TOOL", "read", "sniff"]

TOOL = KnownTool(
    "EvalScope",
    Text(
        "a folder of outputs/ with reviews/, predictions/, reports/ and configs/, or reviews alone"
    ),
    "0.8 to 1.14",
    Text(
        "real outputs of 1.14.1 and 1.1.1, six runs; 0.x on a file made from the source code of "
        "0.17.1"
    ),
    Text("collect_perf=True writes tokens and seconds of each generation into the reviews."),
    frozenset({"index", "sample_score"}),
    (
        Lacking(
            Text("holds only means of EvalScope, not the single generations"),
            REVIEWS,
            having(*REPORT),
        ),
        Lacking(
            Text("holds predictions of EvalScope, but no scores"),
            REVIEWS,
            having("index", "model_output"),
        ),
    ),
    asks=("correct",),
    newest="1.14.1",
)


def _parts(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    for each in benchmarks(tree):
        yield Part(each.path, partial(runs_of, tree, each, asking), each.files)


_READER = PartsReader(Text("EvalScope outputs"), _parts)
sniff, read = _READER.sniff, _READER.read
