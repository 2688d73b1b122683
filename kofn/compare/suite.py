"""All models over the datasets that all of them ran on: what the page draws and lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from charts.differences import Gap
from kofn.compare.figures import gap
from kofn.standings.lines import lines_of
from kofn.standings.suite import Suite
from kofn.writing.columns import Column, Columns, at
from kofn.writing.kinds import DIFFERENCE, ESTIMATE, FLAG, NAME
from kofn.writing.layout import named
from metrics import Difference, Estimate
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class Line:
    """A model over all datasets.

    Attributes
    ----------
    name : str
    estimate : Estimate
    behind : Difference or None
        By how much the first is better; None of the first itself.
    apart : bool or None
        Whether that is sure, with all pairs of models in view; None of the first itself.
    """

    name: str
    estimate: Estimate
    behind: Difference | None
    apart: bool | None


def lines(suite: Suite) -> tuple[Line, ...]:
    """Return the models of a suite, the best first."""
    found = suite.standing
    return tuple(
        Line(
            name,
            estimate,
            found.ahead.get(name),
            None if name == found.first else name not in found.leaders,
        )
        for name, estimate in found.estimates.items()
    )


COLUMNS: Columns[Line] = (
    Column("model", Text("Model"), NAME, at("name")),
    Column(("mean", "low", "high"), Text("Mean"), ESTIMATE, at("estimate")),
    Column(("behind", "b", "c"), Text("Behind the first"), DIFFERENCE.optional, at("behind")),
    Column("different", Text("Different"), FLAG, at("apart")),
)


def gaps(suite: Suite, runs: Mapping[str, Run], numbers: Mapping[str, int]) -> tuple[Gap, ...]:
    """Return by how much the first model is better than each other one."""
    keys = {line: next(iter(found.values())) for line, found in lines_of(runs).items()}
    return tuple(
        gap("", named(line.name), (line.behind, None), numbers[keys[line.name]])
        for line in lines(suite)
        if line.behind is not None
    )


def gap_title(suite: Suite) -> Text:
    """Name the axis of these differences."""
    found = suite.standing
    return Text(
        "{first} better by, in points of {metric}",
        first=named(found.first),
        metric=find_metric(found.metric).label(found.k),
    )
