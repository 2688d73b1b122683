"""What the n-th sample adds, over n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

import numpy as np
import plotly.graph_objects as go

from charts.axes import amounts, double
from charts.labels import label
from charts.line_ends import End, name_ends
from charts.rows import NEUTRAL
from charts.theme import Stretch, colour, hints, key, line, symbol
from metrics.data.words import Text, plain

_HEIGHT, _TOP, _BOTTOM = 380, 40, 60


@dataclass(frozen=True, eq=False)
class Margin:
    """What the n-th sample adds for one run."""

    name: str
    number: int
    measured: Stretch  # Over n; above 0, or NaN.
    compared: Stretch | None  # The same by a formula.
    chosen: int | None  # The n that is chosen.


def margins(
    runs: Sequence[Margin],
    title: Text,
    compared: Text | None = None,
    limit: tuple[float, Text] | None = None,
    *,
    n_axis: Text,
) -> go.Figure:
    """Draw what the n-th sample adds, both axes doubling at equal steps.

    title: Of the vertical axis, with its unit.
    compared: What the faint curves are.
    limit: A height to mark, and its name.
    """
    figure = go.Figure()
    for run in runs:
        figure.add_traces(_traces(run))
    if compared is not None:
        figure.add_trace(key(plain(compared), NEUTRAL, width=1.5, dash="dot"))
    if limit is not None:
        height, name = limit
        stroke = {"color": NEUTRAL, "width": 2, "dash": "dash"}
        figure.add_hline(height, line=stroke)
        figure.add_trace(key(label(plain(name)), NEUTRAL, width=2, dash="dash"))
    figure.update_xaxes(title=plain(n_axis), showgrid=True)
    double(figure, max((int(run.measured.x.max()) for run in runs), default=2))
    heights = np.concatenate([run.measured.value for run in runs] or [np.ones(1)])
    heights = np.append(heights[np.isfinite(heights)], [] if limit is None else limit[0])
    if len(heights):
        low, high = log10(heights.min()) - 0.15, log10(heights.max()) + 0.15
        ticks, written = amounts(10**low, 10**high)
        figure.update_yaxes(range=[low, high], tickvals=ticks, ticktext=written)
    figure.update_yaxes(type="log", title=plain(title), showgrid=True)
    figure.update_layout(
        height=_HEIGHT,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    ends = [end for run in runs if (end := _end(run)) is not None]
    if ends:
        name_ends(figure, ends, figure.layout.yaxis.range, _HEIGHT - _TOP - _BOTTOM)
    return figure


def _end(run: Margin) -> End | None:
    """Return where the line of a run ends; None where it has no point."""
    heights = run.measured.value[np.isfinite(run.measured.value)]
    return End(run.name, log10(heights[-1]), colour(run.number)) if len(heights) else None


def _traces(run: Margin) -> list[go.Scatter]:
    measured, name, hue = run.measured, label(run.name), colour(run.number)
    hovers = hints(measured)
    traces = [line(measured.x, measured.value, hue, hovers, marked=symbol(run.number))]
    if run.compared is not None:
        traces.insert(0, line(run.compared.x, run.compared.value, hue, width=1.5, dash="dot"))
    at = np.flatnonzero(measured.x == run.chosen)
    traces.append(
        go.Scatter(
            x=measured.x[at],
            y=measured.value[at],
            mode="markers",
            marker={"symbol": "diamond", "size": 14, "color": hue},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    return [trace.update(name=name, legendgroup=name) for trace in traces]
