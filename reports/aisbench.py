"""Reports of AISBench: a folder, a zip of one, many runs, or a single results file.

Evaluations of OpenCompass that lie beside those of AISBench are read with them, each in its way.
"""

from __future__ import annotations

from metrics.data.words import Text
from reports.evaluations import reader
from reports.evaluations.performance.layout import find_performances
from reports.files.tree import Tree
from reports.known_tool import KnownTool
from reports.run.report import Report

__all__ = ["TOOL", "read", "sniff"]

TOOL = KnownTool(
    "AISBench",
    Text("a run's folder, results/, predictions/, performances/ or a single results file"),
    "3.x",
    Text("real reports of 3.1.20260630; performances/ on files written after its source"),
    Text(
        "ais_bench --mode eval --reuse RUN --dump-eval-details writes the verdict of each sample."
    ),
)


def sniff(tree: Tree) -> bool:
    """Return whether a tree holds runs of either tool, or what AISBench measured of speed."""
    return reader.sniff(tree) or bool(find_performances(tree))


def read(tree: Tree) -> Report:
    """Read every run of every report in a tree.

    Raises
    ------
    LoadError
        If nothing in it can be read; what fails beside others that load is a Note.
    """
    return reader.read(tree, Text("AISBench report"))
