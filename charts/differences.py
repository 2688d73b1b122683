"""A forest plot of differences: point and interval of each, and the line at 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL, arrange, lay_out
from charts.theme import colour, error_bars
from metrics.data.results import Interval
from metrics.data.words import Text, plain

ROWS = 120
"""The most differences that are drawn: more would be too tall to read."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One row."""

    block: str  # The heading it stands under; empty for none.
    name: str
    value: float | None  # A difference of two fractions; None where there is none.
    interval: Interval | None
    detail: Text  # What the pointer shows, or what stands in place of a mark.
    number: int

    @property
    def sure(self) -> bool:
        """Whether its interval leaves out 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def differences(gaps: Sequence[Gap], title: Text) -> go.Figure:
    """Draw differences with their intervals; those that leave out 0 are filled.

    gaps: Drawn in this order, no more than `ROWS`.
    title: Of the horizontal axis.
    Points on the horizontal axis; the height grows with the rows.
    """
    drawn = gaps[:ROWS]
    layout = arrange([gap.block for gap in drawn])
    traces = []
    known = [
        (gap, gap.value, gap.interval or Interval(gap.value, gap.value), position)
        for gap, position in zip(drawn, layout.positions, strict=True)
        if gap.value is not None
    ]
    ends = 100 * np.array([(value, *interval) for _, value, interval, _ in known]).reshape(-1, 3).T
    hues = [colour(gap.number) for gap, *_ in known]
    for place, (gap, _value, _interval, position) in enumerate(known):
        traces.append(
            go.Scatter(
                x=ends[0, [place]],
                y=[position],
                error_x=error_bars(*ends[:, [place]], thickness=2.5),
                mode="markers",
                marker={
                    "color": hues[place],
                    "symbol": "circle" if gap.sure else "circle-open",
                    "size": 11,
                    "line": {"width": 2, "color": hues[place]},
                },
                hovertext=[label(plain(gap.detail), 400)],
                hoverinfo="text",
            )
        )
    figure = go.Figure(traces)
    lay_out(figure, layout, [gap.name for gap in drawn], plain(title))
    reach = 1.06 * max(1.0, np.abs(ends).max(initial=1.0))
    figure.update_xaxes(range=[-reach, reach], tickvals=None, nticks=9, zeroline=False)
    figure.add_vline(0, line={"color": NEUTRAL, "width": 1.5}, layer="below")
    for gap, position in zip(drawn, layout.positions, strict=True):
        if gap.value is None:
            figure.add_annotation(
                text=label(plain(gap.detail), 90),
                x=0,
                xref="x domain",
                xanchor="left",
                y=position,
                showarrow=False,
            )
    return figure.update_layout(showlegend=False)
