"""Reports of AISBench: a folder, a zip of one, many runs, or a single results file.

Evaluations of OpenCompass that lie beside those of AISBench are read with them, each in its way.
"""

from __future__ import annotations

import re

from metrics.data.words import Text
from reports.evaluations import reader
from reports.evaluations.performance.layout import find_performances
from reports.files.tree import Tree
from reports.known_tool import KnownTool, Lacking, having
from reports.run.report import Report

__all__ = ["TOOL", "read", "sniff"]

_SUMMARY = re.compile(rb"dataset\W+version\W+metric\W+mode")
_WHOLE = Text(
    "Load the whole folder of the run: results/ and predictions/ say how every sample fared "
    "(--dump-eval-details writes its verdict)."
)
_OF_SPEED = Text(
    "holds only the averages of a performance run of AISBench, not its single requests"
)
_REQUESTS = Text(
    "Load the whole folder of the run: *_details.jsonl beside it has every request. Which "
    "answers are right is known only from a run of ais_bench --mode all."
)
TOOL = KnownTool(
    "AISBench",
    Text("a run's folder, results/, predictions/, performances/ or a single results file"),
    "3.x",
    Text("real reports of 3.1.20260630; performances/ on files made from the tool's source code"),
    Text(
        "ais_bench --mode eval --reuse RUN --dump-eval-details writes the verdict of each sample."
    ),
    frozenset({"data_abbr", "id", "prediction", "gold"}),
    (
        Lacking(
            Text("is the summary of a report of AISBench or OpenCompass and holds only means"),
            _WHOLE,
            lambda _, found: _SUMMARY.search(found.start) is not None,
        ),
        Lacking(
            Text("lists the failed requests of an AISBench run; none of them has an answer"),
            _WHOLE,
            having("data_abbr", "id", "error_info"),
        ),
        Lacking(_OF_SPEED, _REQUESTS, having("Performance Parameters", "Stage")),
        Lacking(_OF_SPEED, _REQUESTS, having("Total Requests")),
    ),
    newest="3.1.20260630",
)


def sniff(tree: Tree) -> bool:
    """Return whether a tree holds runs of either tool, or what AISBench measured of speed."""
    return reader.sniff(tree) or bool(find_performances(tree))


def read(tree: Tree) -> Report:
    """Read every run of every report in a tree."""
    return reader.read(tree, Text("AISBench report"))
