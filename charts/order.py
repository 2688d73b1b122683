"""The ranks of runs by a metric as k grows: who is first, and where that is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.axes import double
from charts.labels import label
from charts.line_ends import End, name_ends
from charts.theme import band, colour, line
from metrics.data.words import Text, plain

_ROW, _LEAST, _MOST, _TOP, _BOTTOM = 24, 180, 620, 20, 60
_FAINT, _SURE = 0.65, 15


class OrderWords(NamedTuple):
    """What the figure says."""

    place_axis: Text
    k_axis: Text


@dataclass(frozen=True, slots=True)
class Climb:
    """The places of a run, k by k."""

    name: str
    number: int
    places: Sequence[int]  # By its values.
    ranks: Sequence[tuple[int, int]]  # Which it may have.
    first: Sequence[bool]  # Where it surely leads.
    details: Sequence[Text]


def order(
    climbs: Sequence[Climb],
    ks: Sequence[int],
    chosen: int | None = None,
    *,
    words: OrderWords,
) -> go.Figure:
    """Draw the places of runs over k, the first on top; a star is where one surely leads.

    chosen: The place in `climbs` of the run of which the places that it may have are drawn.
    """
    figure, x = go.Figure(), np.array(ks)
    count = len(climbs)
    height = min(_MOST, max(_LEAST, _ROW * count)) + _TOP + _BOTTOM
    for place, climb in enumerate(climbs):
        hue, strong = colour(climb.number), place == chosen or any(climb.first)
        if place == chosen:
            low, high = np.array(climb.ranks, dtype=float).T
            figure.add_trace(band(x, low - 0.4, high + 0.4, hue, 0.2))
        hints = [label(plain(text), 160) for text in climb.details]
        drawn = line(x, np.array(climb.places, dtype=float), hue, hints, marked="circle")
        drawn.update(
            opacity=1.0 if strong or count <= 5 else _FAINT,
            marker={
                "symbol": ["star" if sure else "circle" for sure in climb.first],
                "size": [_SURE if sure else 8 for sure in climb.first],
                "opacity": 1.0,
                "maxdisplayed": 0,
            },
            cliponaxis=False,
        )
        figure.add_trace(drawn)
    span = 0.5, count + 0.5
    ends = [End(c.name, c.places[-1], colour(c.number), c.first[-1]) for c in climbs]
    name_ends(figure, ends, span, height - _TOP - _BOTTOM)
    figure.update_yaxes(
        range=span[::-1],
        title=plain(words.place_axis),
        tick0=1,
        dtick=max(1, round(count / 10)),
        showgrid=True,
        zeroline=False,
    )
    figure.update_xaxes(title=plain(words.k_axis), showgrid=True)
    double(figure, ks[-1])
    return figure.update_layout(
        height=height,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        showlegend=False,
    )
