"""What more samples buy: measured, extrapolated, and as if all questions were equally hard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.axes import double, percents
from charts.labels import label
from charts.line_ends import End, name_ends
from charts.rows import NEUTRAL
from charts.theme import Stretch, band, colour, error_bars, hints, key, line, symbol
from metrics.data.words import Text, plain

FAINT = 0.35
"""The opacity of a model's line where much else is possible."""
_HEIGHT, _TOP, _BOTTOM = 480, 40, 60
_STRONG, _SHEER = 0.2, 0.05
"""The opacity of a band around what is measured or possible, and around a faint line."""


class SaturationWords(NamedTuple):
    """What the figure says."""

    k_axis: Text
    forecast: Text
    limits: Text  # Of what is possible.
    equally_hard: Text  # The curve if all questions were.


@dataclass(frozen=True, eq=False)
class Growth:
    """The curves of one run over k, as fractions."""

    name: str
    number: int
    measured: Stretch  # Up to the samples there are.
    model: Stretch  # Beyond them, by a model.
    bounds: Stretch  # Beyond them, what holds without a model; its value is NaN.
    alike: Stretch  # As if all questions were equally hard; its band is NaN.
    firm: NDArray[np.bool_]  # Of each point of `model`, whether little else is possible.
    # Whether more than its line is drawn: bands, what is possible, and as if all were alike.
    banded: bool


def saturation(
    growths: Sequence[Growth],
    title: Text,
    *,
    logarithmic: bool,
    words: SaturationWords,
) -> go.Figure:
    """Draw a metric over the number of tries, for several runs.

    title: Of the vertical axis: the metric, and what its bands are.
    logarithmic: Whether equal steps double k.
    Percent on the vertical axis.
    """
    figure = go.Figure()
    for place, growth in enumerate(growths):
        _add(figure, growth, place)
    figure.add_traces(list(_keys([growth for growth in growths if growth.banded], words)))
    figure.update_xaxes(title=plain(words.k_axis), showgrid=True, zeroline=False)
    if logarithmic:
        double(figure, max((int(part.x.max()) for g in growths for part in _parts(g)), default=2))
    ends = (end for g in growths for part in _parts(g) for end in (part.value, part.low, part.high))
    percents(figure, ends, plain(title))
    figure.update_layout(
        height=_HEIGHT,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    reach = tuple(figure.layout.yaxis.range)
    name_ends(figure, list(map(_end, growths)), reach, _HEIGHT - _TOP - _BOTTOM)
    return figure


def _parts(growth: Growth) -> Iterator[Stretch]:
    """Yield the parts that are drawn; of those without bands only the lines."""
    parts = [growth.measured, growth.model]
    if growth.banded:
        parts += [growth.bounds, growth.alike]
    else:
        parts = [replace(part, low=part.value, high=part.value) for part in parts]
    return (part for part in parts if len(part.x))


def _end(growth: Growth) -> End:
    """Return where the line of a run ends."""
    line = growth.model if len(growth.model.x) else growth.measured
    height = 100 * float(line.value[-1])
    return End(growth.name, height, colour(growth.number), growth.banded)


def _add(figure: go.Figure, growth: Growth, place: int) -> None:
    measured, model = growth.measured, growth.model
    name, hue = label(growth.name), colour(growth.number)
    solid = line(
        measured.x,
        100 * measured.value,
        hue,
        hints(measured),
        marked=symbol(growth.number),
    )
    firm = np.where(growth.firm, 100 * model.value, np.nan)
    traces = [
        *(_bands(growth, hue) if growth.banded else ()),
        line(model.x, 100 * model.value, hue, hints(model), dash="dash", opacity=FAINT),
        line(model.x, firm, hue, dash="dash"),
        solid,
    ]
    traces = [trace for trace in traces if len(trace.x)]  # a browser takes long for empty ones too
    for trace in traces:
        trace.update(name=name)
        if trace.hovertext:
            trace.update(customdata=[place] * len(trace.x))
    if growth.banded and len(measured.x) == 1:  # a band of one point has no width
        ends = (100 * part for part in (measured.value, measured.low, measured.high))
        solid.update(error_y=error_bars(*ends, width=6))
    figure.add_traces(traces)


def _bands(growth: Growth, hue: str) -> Iterator[go.Scatter]:
    """Yield what is possible, strongest; how sure the rest is; and as if all were alike."""
    measured, model, bounds, alike = growth.measured, growth.model, growth.bounds, growth.alike
    yield band(bounds.x, 100 * bounds.low, 100 * bounds.high, hue, _STRONG)
    yield band(model.x, 100 * model.low, 100 * model.high, hue, _SHEER)
    sure = growth.firm
    yield band(model.x[sure], 100 * model.low[sure], 100 * model.high[sure], hue, _STRONG)
    yield band(measured.x, 100 * measured.low, 100 * measured.high, hue, _STRONG)
    yield line(alike.x, 100 * alike.value, hue, width=1, opacity=0.5)
    yield line(bounds.x, 100 * bounds.high, hue, hints(bounds), dash="dot", width=2)
    yield line(bounds.x, 100 * bounds.low, hue, dash="dot", width=2)


def _keys(growths: Sequence[Growth], words: SaturationWords) -> Iterator[go.Scatter]:
    if any(len(growth.model.x) for growth in growths):
        yield key(plain(words.forecast), NEUTRAL, dash="dash", width=2.5)
    if any(len(growth.bounds.x) for growth in growths):
        yield key(plain(words.limits), NEUTRAL, dash="dot", width=1.5)
    if any(len(growth.alike.x) for growth in growths):
        yield key(plain(words.equally_hard), NEUTRAL, width=1)
