"""A forest plot: point and interval of each estimate, in blocks that may be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL, arrange, lay_out
from metrics.data.results import Interval
from metrics.data.words import Text

ROWS = 240
"""The most estimates that are drawn: more would be too tall to read."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One row of a forest plot.

    Attributes
    ----------
    block : str
        The heading it stands under, such as "pass@4"; empty for none.
    name : str
        Its label.
    series : str
        What its colour stands for, such as a run or a model.
    value : float or None
        A fraction; None for a row that reads N/A.
    interval : Interval or None
        Fractions.
    detail : Text
        What the pointer shows, or the reason for N/A.
    """

    block: str
    name: str
    series: str
    value: float | None
    interval: Interval | None
    detail: Text


def forest(
    marks: Sequence[Mark], confidence_level: float, render: Callable[[Text], str] = str
) -> go.Figure:
    """Draw point and interval of each estimate.

    A block of several series is a contest: it is sorted by value, and a dotted line marks the
    highest. No more than `ROWS` marks are drawn, and the figure says how many were left out.

    Parameters
    ----------
    marks : sequence of Mark
        Names are untrusted text.
    confidence_level : float
        The level of the intervals, for the axis title.
    render : callable, optional
        From Text to the reader's language.

    Returns
    -------
    plotly.graph_objects.Figure
        Percent on the horizontal axis; the height grows with the rows.
    """
    drawn = _sorted(marks)[:ROWS]
    rows = arrange([mark.block for mark in drawn])
    placed = list(zip(drawn, rows.positions, strict=True))
    figure = go.Figure()
    for series in dict.fromkeys(mark.series for mark in marks):
        own = [(mark, position) for mark, position in placed if mark.series == series]
        figure.add_trace(_points(series, own, render))
    for mark, position in placed:
        if mark.value is None:
            reason = render(Text("N/A: {reason}", reason=render(mark.detail)))
            figure.add_annotation(
                text=label(reason, 120), x=0, xanchor="left", y=position, showarrow=False
            )
    _mark_highest(figure, placed)
    title = Text("Value and {level:.4g}% interval, in percent", level=100 * confidence_level)
    lay_out(figure, rows, [mark.name for mark in drawn], render(title))
    if len(drawn) < len(marks):
        left_out = Text(
            "{count} more estimate is not drawn; choose fewer runs to see it.",
            "{count} more estimates are not drawn; choose fewer runs to see them.",
            count=len(marks) - len(drawn),
        )
        figure.update_layout(title={"text": render(left_out), "font": {"size": 14}})
    return figure.update_layout(showlegend=False)


def describe_forest(marks: Sequence[Mark], confidence_level: float) -> Text:
    """Say in words what `forest` shows, for those who do not see it."""
    values = [mark.value for mark in marks if mark.value is not None]
    if not values:
        return Text("Forest plot without any estimate.")
    return Text(
        "Forest plot of {count} estimate with its {level:.4g}% interval: {low:.1%}.",
        "Forest plot of {count} estimates with their {level:.4g}% intervals, from {low:.1%} to "
        "{high:.1%}. The table has the same numbers.",
        count=len(values),
        level=100 * confidence_level,
        low=min(values),
        high=max(values),
    )


def _sorted(marks: Sequence[Mark]) -> list[Mark]:
    blocks: dict[str, list[Mark]] = {}
    for mark in marks:
        blocks.setdefault(mark.block, []).append(mark)
    return [
        mark
        for block in blocks.values()
        for mark in (sorted(block, key=_rank) if _is_contest(block) else block)
    ]


def _is_contest(block: Sequence[Mark]) -> bool:
    return len({mark.series for mark in block}) > 1


def _rank(mark: Mark) -> float:
    return 1.0 if mark.value is None else -mark.value


def _points(
    series: str, placed: Sequence[tuple[Mark, int]], render: Callable[[Text], str]
) -> go.Scatter:
    points = [
        (100 * mark.value, position, mark.interval or Interval(mark.value, mark.value), mark.detail)
        for mark, position in placed
        if mark.value is not None
    ]
    return go.Scatter(
        name=label(series),
        x=[x for x, *_ in points],
        y=[y for _, y, *_ in points],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [100 * interval.high - x for x, _, interval, _ in points],
            "arrayminus": [x - 100 * interval.low for x, _, interval, _ in points],
            "width": 0,
            "thickness": 2.5,
        },
        mode="markers",
        marker={"size": 9},
        hovertext=[label(render(detail), 400) for *_, detail in points],
        hoverinfo="text",
    )


def _mark_highest(figure: go.Figure, placed: Sequence[tuple[Mark, int]]) -> None:
    blocks: dict[str, list[tuple[Mark, int]]] = {}
    for mark, position in placed:
        if mark.value is not None:
            blocks.setdefault(mark.block, []).append((mark, position))
    for block in blocks.values():
        (highest, top), (_, bottom) = block[0], block[-1]
        if highest.value is not None and _is_contest([mark for mark, _ in block]):
            figure.add_shape(
                type="line",
                x0=100 * highest.value,
                x1=100 * highest.value,
                y0=top - 0.4,
                y1=bottom + 0.4,
                line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
                layer="below",
            )
