"""A difference as a function of k, with its band and the line at 0."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import plotly.graph_objects as go

from charts.axes import double
from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import Stretch, band, colour, error_bars, hints, line
from metrics.data.words import Text, plain

_HEIGHT = 400
_ROOM = 0.06


def lead_over_k(
    gap: Stretch,
    number: int,
    title: Text,
    sides: tuple[Text, Text],
    *,
    k_axis: Text,
) -> go.Figure:
    """Draw a difference over k; above 0 one is better, below it the other.

    gap: Differences of fractions, over k.
    number: Of the run that is better above 0, for its colour.
    title: Of the vertical axis.
    sides: What it means to lie above 0, and below it.
    Points on the vertical axis; k doubles at equal steps.
    """
    hue, value = colour(number), 100 * gap.value
    low, high = 100 * gap.low, 100 * gap.high
    solid = line(gap.x, value, hue, hints(gap), marked="circle")
    figure = go.Figure([band(gap.x, low, high, hue, 0.2), solid])
    if len(gap.x) == 1:  # a band of one point has no width
        solid.update(error_y=error_bars(value, low, high, width=6))
        figure = go.Figure([solid])
    figure.add_hline(0, line={"color": NEUTRAL, "width": 2})
    ends = np.concatenate([low, high, value, [0.0]])
    ends = ends[np.isfinite(ends)]
    reach = max(float(np.ptp(ends)), 1.0)
    span = floor(ends.min() - _ROOM * reach), ceil(ends.max() + _ROOM * reach)
    for text, height, anchor in ((sides[0], 1.0, "top"), (sides[1], 0.0, "bottom")):
        figure.add_annotation(
            text=label(plain(text), 60),
            x=1,
            xref="paper",
            xanchor="right",
            y=height,
            yref="paper",
            yanchor=anchor,
            showarrow=False,
            opacity=0.75,
        )
    figure.update_yaxes(range=span, title=plain(title), showgrid=True, zeroline=False)
    figure.update_xaxes(title=plain(k_axis), showgrid=True, zeroline=False)
    double(figure, int(gap.x.max()))
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 20, "b": 60, "r": 20},
        hovermode="closest",
        showlegend=False,
    )
