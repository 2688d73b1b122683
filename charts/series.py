"""A metric along runs in an order, with its interval, and where it surely changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from charts.axes import percents
from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour, error_bars, line, symbol
from metrics.data.results import Interval
from metrics.data.words import Text, plain

_HEIGHT = 380
_APART = 1 / 40
"""Neighbours that are nearer than this share of the whole would hide one another."""
_LABELS = 12


@dataclass(frozen=True, slots=True)
class Stop:
    """A run on the way."""

    name: str  # What it has along the order, such as "3000".
    place: float | None  # The same as a number; None where it is none.
    value: float
    interval: Interval | None
    sure: bool  # Whether it surely differs from what it is set against.
    detail: Text


def series(
    stops: Sequence[Stop],
    titles: tuple[Text, Text],
    reference: float | None = None,
) -> go.Figure:
    """Draw a metric along an order; filled points are those that surely changed.

    Numbers that lie far enough apart are drawn to scale, anything else at even distances.

    titles: Of the horizontal and of the vertical axis.
    reference: The value that they are set against, which gets a dotted line.
    Percent on the vertical axis.
    """
    x, to_scale = _places(stops)
    value = np.array([stop.value for stop in stops])
    low, high = np.array([stop.interval or (stop.value, stop.value) for stop in stops]).T
    figure = go.Figure(line(x, 100 * value, colour(0), opacity=0.5, width=1.5))
    for sure in (True, False):
        own = np.array([stop.sure == sure for stop in stops])
        figure.add_trace(
            go.Scatter(
                x=x[own],
                y=100 * value[own],
                error_y=error_bars(100 * value[own], 100 * low[own], 100 * high[own]),
                mode="markers",
                marker={"color": colour(0), "size": 11, "symbol": symbol(0, filled=sure)},
                hovertext=[label(plain(stop.detail), 400) for stop in stops if stop.sure == sure],
                hoverinfo="text",
                showlegend=False,
            )
        )
    if reference is not None:
        figure.add_hline(100 * reference, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    percents(figure, (low, high), plain(titles[1]))
    figure.update_xaxes(title=plain(titles[0]), zeroline=False)
    if not to_scale:
        shown = range(0, len(stops), 1 + len(stops) // _LABELS)
        names = [label(stops[place].name) for place in shown]
        figure.update_xaxes(tickvals=list(shown), ticktext=names)
    return figure.update_layout(
        height=_HEIGHT, margin={"t": 20, "b": 60, "r": 20}, hovermode="closest"
    )


def _places(stops: Sequence[Stop]) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], bool]:
    """Return where the runs stand, and whether that is to scale."""
    even = np.arange(len(stops), dtype=np.float64)
    places = np.array([np.nan if stop.place is None else stop.place for stop in stops])
    if not np.isfinite(places).all() or len(places) < 2:
        return even, False
    steps = np.diff(places)
    return (places, True) if steps.min() >= _APART * steps.sum() else (even, False)
