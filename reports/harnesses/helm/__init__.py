"""Runs of HELM: what each instance scored, and what was said."""

from __future__ import annotations

from functools import partial

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.helm.folder import folders
from reports.harnesses.helm.runs import runs_of
from reports.known_tool import KnownTool
from reports.run.report import Report
from reports.samples.reading import Part, report
from reports.told import Told

TOOL = KnownTool(
    "HELM",
    Text(
        "the folder of a run: per_instance_stats.json or display_predictions.json, with run_spec, "
        "scenario_state and stats beside"
    ),
    "0.5",
    Text(
        "two real runs of 0.5.16: 10 instances by 4 completions, and 4 by 2 train trials, each "
        "also with perturbed texts"
    ),
    Text("helm-run writes all that is needed; helm-summarize adds display_predictions.json."),
)


def sniff(tree: Tree) -> bool:
    """Whether a tree holds runs of the tool."""
    return any(folders(tree))


def read(tree: Tree, columns: Told | None = None) -> Report:
    """Read every run of a tree.

    Parameters
    ----------
    tree : Tree
    columns : Told, optional
        ``correct`` says which metric's verdicts are meant.

    Raises
    ------
    LoadError
        If none can be read; what fails beside others that load is a Note.
    """
    parts = (
        Part(folder.main, partial(runs_of, folder, columns), tuple(folder.paths.values()))
        for folder in folders(tree)
    )
    return report(tree, Text("HELM runs"), parts)
