"""Runs as points between two metrics, with both intervals and the feasible region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour, error_bars, sheer, symbol
from metrics.data.results import Interval
from metrics.data.words import Text, plain

Corners = Sequence[tuple[float, float]]

HEIGHT = 500
AXIS = {"range": [-5, 105], "tickvals": list(range(0, 101, 20)), "showgrid": True}
NAMED = 12
"""More series have no legend, which would push the picture aside; the pointer names them."""
_LETTERS = 22
_BELOW, _LINE = 60, 19
"""Pixels of the labels and the title of an axis, and of a line of the legend: two names on a
phone."""
_FAINT = 0.14
"""How much of the ground all regions together cover."""


class ScatterWords(NamedTuple):
    """What the figure says."""

    possible: Text  # The area of what is possible at all.
    equal: Text  # The diagonal.


@dataclass(frozen=True, slots=True)
class Spot:
    """One point of a scatter plot; all numbers are fractions."""

    series: str  # What its colour and marker stand for, such as a model: untrusted text.
    number: int  # Of the series, for both.
    x: float
    y: float
    x_interval: Interval | None
    y_interval: Interval | None
    detail: Text
    part: bool = False  # Whether it is a part of a run, such as a segment, and drawn smaller.
    region: Corners = ()  # Corners of a joint region; empty for none.


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies below the points."""

    # Titles of the axes.
    x: Text
    y: Text
    possible: Sequence[Corners] = ()  # Regions outside of which no point can lie.
    # Names of both sides of the diagonal.
    above: Text | None = None
    below: Text | None = None


def scatter(
    spots: Sequence[Spot],
    ground: Ground,
    *,
    words: ScatterWords,
) -> go.Figure:
    """Draw points with two intervals each, on equal axes with their diagonal.

    Percent on both axes; the custom data of a point is its place in `spots`.
    """
    figure = go.Figure()
    faint = f"rgba(128, 128, 128, {_FAINT / max(1, len(ground.possible)):.3f})"
    for corners in ground.possible:
        figure.add_trace(_area(corners, NEUTRAL, faint, name=plain(words.possible)))
    figure.add_trace(_diagonal(plain(words.equal)))
    for name, number in dict.fromkeys((spot.series, spot.number) for spot in spots):
        own = [(place, spot) for place, spot in enumerate(spots) if spot.series == name]
        hue = colour(number)
        regions = [spot.region for _, spot in own if spot.region]
        figure.add_traces([_area(corners, hue, sheer(hue, 0.18)) for corners in regions])
        figure.add_traces(list(_points(name, own, number)))
    for text, x, y in ((ground.above, 4, 96), (ground.below, 96, 4)):
        if text is not None:
            side = "left" if x < y else "right"
            figure.add_annotation(
                text=plain(text), x=x, y=y, xanchor=side, align=side, showarrow=False, opacity=0.75
            )
    unique_legend(figure)
    square(figure, plain(ground.x), plain(ground.y))
    named = sum(trace.showlegend for trace in figure.data)
    few = len({spot.series for spot in spots}) <= NAMED
    below = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"}
    room = _BELOW + _LINE * ceil(named / 2) if few else _BELOW
    return figure.update_layout(showlegend=few, legend=below, margin={"t": 20, "b": room})


def square(figure: go.Figure, x_title: str, y_title: str) -> go.Figure:
    """Give a figure two percent axes of one scale."""
    figure.update_xaxes(title=x_title, constrain="domain", zeroline=False, **AXIS)
    figure.update_yaxes(title=y_title, constrain="domain", scaleanchor="x", zeroline=False, **AXIS)
    return figure.update_layout(
        height=HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )


def unique_legend(figure: go.Figure) -> None:
    """Name each series once."""
    seen: set[str] = set()
    for trace in figure.data:
        trace.showlegend = bool(trace.name) and trace.name not in seen
        seen.add(trace.name)


def _points(name: str, placed: Sequence[tuple[int, Spot]], number: int) -> Iterator[go.Scatter]:
    for part in (False, True):
        drawn = [spot for _, spot in placed if spot.part == part]
        if drawn:
            yield go.Scatter(
                name=label(name, _LETTERS),
                legendgroup=label(name),
                x=[100 * spot.x for spot in drawn],
                y=[100 * spot.y for spot in drawn],
                error_x=_bars([(spot.x, spot.x_interval) for spot in drawn], part),
                error_y=_bars([(spot.y, spot.y_interval) for spot in drawn], part),
                mode="markers",
                marker={
                    "color": colour(number),
                    "size": 7 if part else 10,
                    "symbol": symbol(number, filled=not part),
                },
                hovertext=[label(plain(spot.detail), 400) for spot in drawn],
                hoverinfo="text",
                customdata=[place for place, spot in placed if spot.part == part],
            )


def _bars(values: Sequence[tuple[float, Interval | None]], part: bool) -> dict[str, object]:
    ends = [(value, *(interval or (value, value))) for value, interval in values]
    return error_bars(*100 * np.array(ends).T, thickness=1 if part else 2)


def _area(corners: Corners, hue: str, fill: str, name: str = "") -> go.Scatter:
    closed = [*corners, corners[0]]
    return go.Scatter(
        x=[100 * x for x, _ in closed],
        y=[100 * y for _, y in closed],
        name=name,
        mode="lines",
        line={"color": hue, "width": 1},
        fill="toself",
        fillcolor=fill,
        hoverinfo="skip",
    )


def _diagonal(name: str) -> go.Scatter:
    return go.Scatter(
        x=[0, 100],
        y=[0, 100],
        name=name,
        mode="lines",
        line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
    )
