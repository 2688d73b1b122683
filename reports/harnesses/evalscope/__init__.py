"""Outputs of EvalScope: reviews hold the score of each generation.

Beside them lie predictions, reports and the configuration of the run. The subsets of a benchmark
are one run, as in the tool's reports.
"""

from __future__ import annotations

from functools import partial

from metrics.data.words import Text
from reports.column_mapping import Told
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import REPORT, benchmarks
from reports.harnesses.evalscope.runs import REVIEWS, runs_of
from reports.known_tool import KnownTool, Lacking, having
from reports.run.report import Report
from reports.samples.asking import Asking
from reports.samples.reading import Part, report

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


def sniff(tree: Tree) -> bool:
    """Whether a tree holds outputs of the tool."""
    return any(each.reviews or each.report for each in benchmarks(tree))


def read(tree: Tree, columns: Told | None = None) -> Report:
    """Read every benchmark of every run of a tree.

    Parameters
    ----------
    tree : Tree
    columns : Told, optional
        ``correct`` says which score decides; without it, the one that does for the tool.

    Raises
    ------
    LoadError
        If none can be read; what fails beside others that load is a Note.
    """
    asking = Asking(columns)
    parts = (
        Part(each.path, partial(runs_of, tree, each, asking), each.files)
        for each in benchmarks(tree)
    )
    return report(tree, Text("EvalScope outputs"), parts, asking)
