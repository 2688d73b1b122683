"""Details of LightEval: a row of Parquet for each question, with all its answers."""

from __future__ import annotations

from functools import partial

from metrics.data.words import Text
from reports.column_mapping import Told
from reports.files.tree import Tree
from reports.harnesses.lighteval.files import NEW, RESULTS, details_of, results_of, stating
from reports.harnesses.lighteval.runs import runs_of
from reports.known_tool import KnownTool, Lacking, having
from reports.run.report import Report
from reports.samples.asking import Asking
from reports.samples.reading import Part, report

TOOL = KnownTool(
    "LightEval",
    Text("details_TASK_DATE.parquet, and results_DATE.json for the model and its settings"),
    "0.13, and 0.6 to 0.8",
    Text(
        "two real runs of 0.13.0, 26 questions by 4 samples; the columns of 0.6 to 0.8 on files "
        "made from the tool's source code"
    ),
    Text("--save-details writes the answers beside the means; avg@n says how many are right."),
    NEW,
    (
        Lacking(
            Text("holds only means of whole tasks, not the answers"),
            Text("Load the folder details/ too, which lighteval writes with --save-details."),
            having(*RESULTS),
        ),
    ),
    asks=("correct",),
    newest="0.13.0",
)


def sniff(tree: Tree) -> bool:
    """Whether a tree holds details of the tool."""
    return any(details_of(tree))


def read(tree: Tree, columns: Told | None = None) -> Report:
    """Read every task of a tree.

    Parameters
    ----------
    tree : Tree
    columns : Told, optional
        ``correct`` says which metric is meant.

    Raises
    ------
    LoadError
        If none can be read; what fails beside others that load is a Note.
    """
    results = tuple(results_of(tree))
    stated = stating(tree, results)
    asking = Asking(columns)
    parts = (
        Part(path, partial(runs_of, tree, path, stated, asking), results)
        for path in details_of(tree)
    )
    return report(tree, Text("LightEval details"), parts, asking)
