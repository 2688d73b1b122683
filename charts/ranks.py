"""The ranks that each run may have, from the best to the worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import arrange, lay_out
from charts.theme import colour
from metrics.data.words import Text, plain

ROWS = 120
"""The most runs that are drawn: more would be too tall to read."""
_TICKS = 12


@dataclass(frozen=True, slots=True)
class RankRow:
    """The places that a run may have."""

    name: str
    first: int
    last: int
    measured: int  # Its place by the values as measured.
    detail: Text
    number: int
    base: bool  # Whether it is the baseline.


def ranks(places: Sequence[RankRow], title: Text) -> go.Figure:
    """Draw a bar over the places that each run may have, and a dot where it was measured.

    places: Drawn in this order, no more than `ROWS`.
    title: Of the horizontal axis.
    The height grows with the rows.
    """
    drawn = places[:ROWS]
    layout = arrange([""] * len(drawn))
    traces = []
    for place, position in zip(drawn, layout.positions, strict=True):
        hue = colour(place.number)
        hover = label(plain(place.detail), 400)
        traces.append(
            go.Scatter(
                x=[place.first - 0.18, place.last + 0.18],
                y=[position, position],
                mode="lines",
                line={"color": hue, "width": 9},
                opacity=0.45,
                hovertext=[hover] * 2,
                hoverinfo="text",
            )
        )
        traces.append(
            go.Scatter(
                x=[place.measured],
                y=[position],
                mode="markers",
                marker={
                    "color": hue,
                    "size": 12,
                    "symbol": "diamond" if place.base else "circle",
                },
                hovertext=[hover],
                hoverinfo="text",
            )
        )
    figure = go.Figure(traces)
    lay_out(figure, layout, [place.name for place in drawn], plain(title))
    last = len(places)
    step = max(1, -(-last // _TICKS))
    figure.update_xaxes(range=[0.4, last + 0.6], tickvals=list(range(1, last + 1, step)))
    return figure.update_layout(showlegend=False)
