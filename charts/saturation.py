"""What more samples buy: measured, carried beyond the samples, and as if all were equally hard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.axes import double, percents
from charts.labels import label
from charts.rows import NEUTRAL
from charts.strokes import Stretch, band, colour, error_bars, hints, key, line, symbol
from metrics.data.words import Text

APART = 0.15
"""How far what is possible may reach for a model's line to be drawn strong."""
FAINT = 0.35
_HEIGHT = 480


@dataclass(frozen=True, eq=False)
class Growth:
    """The curves of one run over k, as fractions.

    Attributes
    ----------
    name : str
        The run: untrusted text.
    number : int
        Of the run, for its colour and marker.
    measured : Stretch
        Up to the samples there are.
    model : Stretch
        Beyond them, by a model.
    bounds : Stretch
        Beyond them, what holds without a model; its value is NaN.
    alike : Stretch
        As if all questions were equally hard; its band is NaN.
    """

    name: str
    number: int
    measured: Stretch
    model: Stretch
    bounds: Stretch
    alike: Stretch


def saturation(
    growths: Sequence[Growth],
    title: Text,
    *,
    logarithmic: bool,
    render: Callable[[Text], str] = str,
) -> go.Figure:
    """Draw a metric over the number of tries, for several runs.

    Parameters
    ----------
    growths : sequence of Growth
    title : Text
        Of the vertical axis: the metric, and what its bands are.
    logarithmic : bool
        Whether equal steps double k.
    render : callable, optional
        From Text to the reader's language.

    Returns
    -------
    plotly.graph_objects.Figure
        Percent on the vertical axis.
    """
    figure = go.Figure()
    for growth in growths:
        _add(figure, growth, render)
    figure.add_traces(list(_keys(growths, render)))
    figure.update_xaxes(title=render(Text("k, tries at a question")), showgrid=True, zeroline=False)
    if logarithmic:
        double(figure, max((int(part.x.max()) for g in growths for part in _drawn(g)), default=2))
    ends = (end for g in growths for part in _drawn(g) for end in (part.value, part.low, part.high))
    percents(figure, ends, render(title))
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )


def describe_saturation(growths: Sequence[Growth], metric: str) -> Text:
    """Say in words what `saturation` shows, for those who do not see it."""
    measured = [growth for growth in growths if len(growth.measured.x)]
    if not measured:
        return Text("{metric} over k, without any run to draw.", metric=metric)
    best = max(measured, key=lambda growth: float(growth.measured.value[-1]))
    return Text(
        "{metric} over k for {count} run: from {first:.1%} at k = {low} to {last:.1%} at k = "
        "{high}. The table has the same numbers.",
        "{metric} over k for {count} runs. Highest in the end is {name}: from {first:.1%} at k = "
        "{low} to {last:.1%} at k = {high}. The table has the same numbers.",
        metric=metric,
        count=len(measured),
        name=best.name,
        first=float(best.measured.value[0]),
        last=float(best.measured.value[-1]),
        low=int(best.measured.x[0]),
        high=int(best.measured.x[-1]),
    )


def _drawn(growth: Growth) -> Iterator[Stretch]:
    parts = (growth.measured, growth.model, growth.bounds, growth.alike)
    return (part for part in parts if len(part.x))


def _add(figure: go.Figure, growth: Growth, render: Callable[[Text], str]) -> None:
    measured, model, bounds, alike = growth.measured, growth.model, growth.bounds, growth.alike
    name, hue = label(growth.name), colour(growth.number)
    traces = [
        band(bounds.x, 100 * bounds.low, 100 * bounds.high, hue, 0.07),
        line(alike.x, 100 * alike.value, hue, width=1, opacity=0.5),
        band(model.x, 100 * model.low, 100 * model.high, hue, 0.14),
        band(measured.x, 100 * measured.low, 100 * measured.high, hue, 0.25),
        line(bounds.x, 100 * bounds.high, hue, hints(bounds, render), dash="dot", width=2),
        line(bounds.x, 100 * bounds.low, hue, dash="dot", width=2),
        line(model.x, 100 * model.value, hue, hints(model, render), dash="dash", opacity=FAINT),
        line(model.x, np.where(_narrow(growth), 100 * model.value, np.nan), hue, dash="dash"),
        line(
            measured.x,
            100 * measured.value,
            hue,
            hints(measured, render),
            marked=symbol(growth.number),
        ),
    ]
    for trace in traces:
        trace.update(name=name, legendgroup=name)
    traces[-1].update(showlegend=True)
    if len(measured.x) == 1:  # a band of one point has no width
        ends = (100 * part for part in (measured.value, measured.low, measured.high))
        bar = error_bars(*ends, width=6)
        traces[-1].update(error_y=bar)
    figure.add_traces(traces)


def _narrow(growth: Growth) -> NDArray[np.bool_]:
    """Return where a model hardly matters, because little else is possible."""
    model, bounds = growth.model, growth.bounds
    if not len(bounds.x):
        return np.zeros(len(model.x), dtype=np.bool_)
    apart = dict(zip(bounds.x.tolist(), (bounds.high - bounds.low).tolist(), strict=True))
    return np.array([apart.get(k, 1.0) <= APART for k in model.x.tolist()], dtype=np.bool_)


def _keys(growths: Sequence[Growth], render: Callable[[Text], str]) -> Iterator[go.Scatter]:
    if any(len(growth.model.x) for growth in growths):
        words = Text("by a model (faint where much else is possible)")
        yield key(render(words), NEUTRAL, dash="dash", width=2.5)
    if any(len(growth.bounds.x) for growth in growths):
        yield key(render(Text("what is possible without a model")), NEUTRAL, dash="dot", width=1.5)
    if any(len(growth.alike.x) for growth in growths):
        yield key(render(Text("if all questions were equally hard")), NEUTRAL, width=1)
