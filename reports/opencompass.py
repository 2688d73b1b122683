"""Reports of OpenCompass, whose files AISBench inherited: results, predictions in JSON, G-Pass@k.

Predictions are numbered replica by replica, perhaps cut into parts; details are grouped by question
as they should be. Everything else is read as for AISBench.
"""

from __future__ import annotations

from metrics.data.words import Text
from reports.evaluations import reader
from reports.evaluations.files.tool import OPENCOMPASS
from reports.files.tree import Tree
from reports.known_tool import KnownTool
from reports.run.report import Report

TOOL = KnownTool(
    "OpenCompass",
    Text("a run's folder, results/, predictions/ or a single results file"),
    "0.5",
    Text("real reports of 0.5.4"),
    Text("--dump-eval-details writes the verdict of each sample."),
    frozenset({"origin_prompt", "prediction", "gold"}),
    newest="0.5.4",
)


def sniff(tree: Tree) -> bool:
    """Return whether a tree holds reports of the tool and of no other."""
    return reader.sniff(tree) and {*reader.tools(tree)} <= {OPENCOMPASS}


def read(tree: Tree) -> Report:
    """Read every run of every report in a tree."""
    return reader.read(tree, Text("OpenCompass report"))
