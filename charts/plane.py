"""Runs plotted by any two numbers, with both intervals and those that no other beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
import plotly.graph_objects as go

from charts.axes import amounts
from charts.labels import label
from charts.line_ends import on_two_lines, told_apart
from charts.rows import NEUTRAL
from charts.theme import colour, error_bars, sheer, symbol
from metrics.data.results import Interval
from metrics.data.words import Text, plain, shortened

CROSSES = 12
"""The most runs of which all have their intervals drawn."""
_HEIGHT = 480
_SPREAD = 12
"""Costs that differ by more than this factor are drawn on a scale that doubles."""
_FAR = 0.5
"""Costs that are all more than this share of the greatest are drawn from near the least on."""
_FAINT = 0.55
_LETTERS = 22


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows."""

    title: Text
    percent: bool  # Whether its numbers are fractions.
    less: bool  # Whether less is better.


@dataclass(frozen=True, slots=True)
class Dot:
    """A run."""

    name: str
    number: int
    at: tuple[float, float]  # Its numbers on both axes.
    intervals: tuple[Interval | None, Interval | None]  # Around them.
    detail: Text
    best: bool  # Whether no other beats it on both.


def plane(
    dots: Sequence[Dot],
    axes: tuple[Axis, Axis],
    chosen: int | None = None,
    *,
    front: Text,
) -> go.Figure:
    """Draw runs as points; those on the front are joined, and named beside the picture.

    axes: Horizontal and vertical.
    chosen: The place of the run whose intervals are drawn where there are more than `CROSSES`.
    The custom data of a point is its place in `dots`.
    """
    figure = go.Figure()
    scales = [100.0 if axis.percent else 1.0 for axis in axes]
    few = len(dots) <= CROSSES
    shown = [_axis_values(dots, place, few, chosen) for place in range(2)]
    called = told_apart([dot.name for dot in dots], _LETTERS)
    order = sorted(range(len(dots)), key=lambda place: -dots[place].at[1])
    best = sorted(dot.at for dot in dots if dot.best)
    if len(best) > 1:
        figure.add_trace(_front(best, axes, scales, plain(front)))
    for place, dot in enumerate(dots):
        picked = place == chosen
        strong = dot.best or picked
        trace = _point(place, dot, called[place], 1 + order.index(place), scales)
        trace.update(
            showlegend=strong or few,
            marker={"size": 14 if picked else 11, "opacity": 1.0 if strong else _FAINT},
        )
        if few or picked:
            trace.update(_cross(dot, scales, 1.0 if strong else _FAINT))
        figure.add_trace(trace)
    for place, update in enumerate((figure.update_xaxes, figure.update_yaxes)):
        update(
            title=plain(axes[place].title),
            showgrid=True,
            zeroline=False,
            **_scale(shown[place], axes[place]),
        )
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 30, "b": 60, "r": 20},
        hovermode="closest",
        showlegend=True,
        legend={"itemsizing": "constant"},
    )


def _point(
    place: int,
    dot: Dot,
    name: str,
    rank: int,
    scales: Sequence[float],
) -> go.Scatter:
    return go.Scatter(
        name=label(on_two_lines(shortened(name, _LETTERS))).replace("\n", "<br>"),
        legendrank=rank,
        mode="markers",
        x=[scales[0] * dot.at[0]],
        y=[scales[1] * dot.at[1]],
        marker={"color": colour(dot.number), "symbol": symbol(dot.number)},
        cliponaxis=False,
        hovertext=[label(plain(dot.detail), 400)],
        hoverinfo="text",
        customdata=[place],
    )


def _cross(dot: Dot, scales: Sequence[float], opacity: float) -> dict[str, object]:
    return {
        f"error_{letter}": error_bars(
            *(np.array([scale * end]) for end in (value, *(interval or (value, value)))),
            thickness=1.5,
        )
        | {"color": sheer(colour(dot.number), opacity)}
        for letter, value, interval, scale in zip("xy", dot.at, dot.intervals, scales, strict=True)
    }


def _front(
    best: Sequence[tuple[float, float]], axes: Sequence[Axis], scales: Sequence[float], name: str
) -> go.Scatter:
    """Join the best by steps: what lies on the worse side of them is beaten by one of them."""
    x, y = (
        scale * np.array(each) for scale, each in zip(scales, zip(*best, strict=True), strict=True)
    )
    return go.Scatter(
        x=x,
        y=y,
        name=name,
        showlegend=False,
        mode="lines",
        line={"color": NEUTRAL, "width": 6, "shape": "hv" if axes[0].less else "vh"},
        opacity=0.4,
        hoverinfo="skip",
    )


def _axis_values(dots: Sequence[Dot], place: int, few: bool, chosen: int | None) -> list[float]:
    """Return what an axis must reach: the numbers, and the ends of the intervals drawn."""
    drawn = dots if few else [] if chosen is None else [dots[chosen]]
    ends = (end for dot in drawn for end in dot.intervals[place] or ())
    return [*(dot.at[place] for dot in dots), *ends]


def _scale(values: Sequence[float], axis: Axis) -> dict[str, object]:
    """Return what an axis shows: percent by tens, or amounts, doubling if they spread."""
    low, high = _span(values, axis)
    if axis.percent:
        return {"range": [low, high], "tickmode": "auto"}
    if _doubles(values, axis):
        ticks, written = amounts(10**low, 10**high)
        return {"type": "log", "tickvals": ticks, "ticktext": written, "range": [low, high]}
    return {"range": [low, high], "tickformat": ",.12~g", "nticks": 8}


def _span(values: Sequence[float], axis: Axis) -> tuple[float, float]:
    """Return where an axis begins and ends, in its own units."""
    least, most = min(values, default=0.0), max(values, default=1.0)
    if axis.percent:
        low, high = 10 * floor(10 * least), 10 * ceil(10 * most)
        return max(min(low, high - 20), 0) - 3, high + 3
    if _doubles(values, axis):
        return log10(least / 1.3), log10(most * 1.3)
    room = 0.15 * (most - least) or 0.05 * most or 1.0
    return (least - room if least > _FAR * most else 0.0), most + room


def _doubles(values: Sequence[float], axis: Axis) -> bool:
    least, most = min(values, default=0.0), max(values, default=1.0)
    return not axis.percent and least > 0 and most > _SPREAD * least
