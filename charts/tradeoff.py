"""Quality against cost: what each n of each run buys, which is chosen, and the best overall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from charts.axes import amounts, percents
from charts.labels import label
from charts.line_ends import End, name_ends
from charts.rows import NEUTRAL
from charts.theme import Stretch, band, colour, error_bars, hints, key, line, symbol
from metrics.data.results import Interval
from metrics.data.words import Text, plain

_HEIGHT, _TOP, _BOTTOM = 420, 30, 60
_SPREAD = 4
"""Costs that differ by more than this factor are drawn on a scale that doubles."""
_FAINT = 0.65
_WORD = 0.08
"""The height of a word above its point, as a share of the axis."""


@dataclass(frozen=True, slots=True)
class PickedPoint:
    """A point at an n to use, with its uncertainty."""

    name: str  # Such as "n = 12".
    x: float
    y: float
    x_range: Interval
    y_range: Interval
    taken: bool  # Whether it is the one to take of all.


@dataclass(frozen=True, eq=False)
class PricedRun:
    """What a run solves at what cost."""

    name: str
    number: int
    points: Stretch  # Quality as fractions over the cost of a question, n by n.
    labels: Sequence[str]  # A word at each point, such as its n; mostly empty.
    pick: PickedPoint | None  # The n to use.
    dashed: bool = False  # Whether it is another way to spend the samples of a run.

    @property
    def strong(self) -> bool:
        """Whether it stands out: it is the one to take."""
        return self.pick is not None and self.pick.taken


@dataclass(frozen=True, slots=True)
class AimLine:
    """A line across the figure: the aim."""

    name: Text
    # Where it lies: one of both.
    quality: float | None = None
    cost: float | None = None


def tradeoff(
    offers: Sequence[PricedRun],
    frontier: Sequence[tuple[float, float]],
    axes: tuple[Text, Text],
    mark: AimLine | None = None,
    *,
    best: Text,
) -> go.Figure:
    """Draw what each run solves at what cost, n by n, with its name at the end of its line.

    frontier: Sequence of (cost, quality). What no other offer beats, in the order of cost; empty
        for none.
    axes: Titles: cost with its unit, quality.
    Percent on the vertical axis.
    """
    figure = go.Figure()
    if frontier:
        figure.add_trace(_best(frontier))
    ends = (end for offer in offers for end in (offer.points.low, offer.points.high))
    percents(figure, ends, plain(axes[1]))
    span = figure.layout.yaxis.range
    for offer in offers:
        figure.add_traces(_traces(offer, span))
    for offer in offers:
        if offer.pick is not None:
            figure.add_trace(_chosen(offer, offer.pick, span))
    if frontier:
        figure.add_trace(key(plain(best), NEUTRAL, width=9))
    costs = np.concatenate([offer.points.x for offer in offers] or [np.ones(1)])
    _lay_costs(figure, costs, plain(axes[0]))
    if mark is not None:
        _mark(figure, mark)
    figure.update_layout(
        height=_HEIGHT,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    aims = (
        [End(plain(mark.name), 100 * mark.quality, NEUTRAL)]
        if mark and mark.quality is not None
        else []
    )
    pixels = _HEIGHT - _TOP - _BOTTOM
    name_ends(figure, [_end(offer) for offer in offers], span, pixels, aims)
    return figure


def _lay_costs(figure: go.Figure, costs: np.ndarray, title: str) -> None:
    low, high = float(costs.min()), float(costs.max())
    figure.update_xaxes(title=title, showgrid=True, zeroline=False)
    if not (low > 0 and high / low > _SPREAD):
        figure.update_xaxes(type="linear", exponentformat="none", nticks=8)
        return
    ticks, written = amounts(low, high)
    edge = 0.03 * np.log10(high / low)
    span = [np.log10(low) - edge, np.log10(high) + edge]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=written, range=span)


def _mark(figure: go.Figure, mark: AimLine) -> None:
    line = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    if mark.quality is not None:
        figure.add_hline(100 * mark.quality, line=line)
    if mark.cost is not None:
        style = {
            "annotation_text": label(plain(mark.name), 80),
            "annotation_position": "bottom left",
        }
        figure.add_vline(mark.cost, line=line, **style)


def _end(offer: PricedRun) -> End:
    return End(offer.name, 100 * float(offer.points.value[-1]), colour(offer.number), offer.strong)


def _best(frontier: Sequence[tuple[float, float]]) -> go.Scatter:
    costs, qualities = np.array(frontier).T
    trace = line(costs, 100 * qualities, NEUTRAL, opacity=0.5, width=9)
    return trace.update(line={"shape": "hv"})


def _text_position(quality: float, span: tuple[float, float]) -> str:
    """Return where points have their words, which must not leave the figure at the top."""
    return "bottom right" if 100 * quality + _WORD * (span[1] - span[0]) > span[1] else "top left"


def _traces(offer: PricedRun, span: tuple[float, float]) -> list[go.Scatter]:
    """Return the line of a run, with its band where it is the one to take."""
    points, name, hue = offer.points, label(offer.name), colour(offer.number)
    hovers = hints(points)
    labelled = [float(y) for y, word in zip(points.value, offer.labels, strict=True) if word]
    stroke: dict[str, Any] = {"dash": "dot"} if offer.dashed else {}
    drawn = line(points.x, 100 * points.value, hue, hovers, marked=symbol(offer.number), **stroke)
    drawn.update(
        mode="lines+markers+text",
        marker={"size": [8 if word else 4 for word in offer.labels], "maxdisplayed": 0},
        opacity=1.0 if offer.strong else _FAINT,
        text=list(offer.labels),
        textposition=_text_position(max(labelled, default=0.0), span),
        textfont={"color": hue},
    )
    traces = [drawn]
    if offer.strong:
        traces.insert(0, band(points.x, 100 * points.low, 100 * points.high, hue, 0.16))
    return [trace.update(name=name, legendgroup=name) for trace in traces]


def _chosen(offer: PricedRun, pick: PickedPoint, span: tuple[float, float]) -> go.Scatter:
    hue = colour(offer.number)

    def bar(*value_and_ends: float) -> dict[str, object]:
        return error_bars(*(np.array([each]) for each in value_and_ends), width=6)

    trace = go.Scatter(
        x=[pick.x],
        y=[100 * pick.y],
        mode="markers",
        marker={"symbol": "diamond", "size": 14 if pick.taken else 9, "color": hue},
        legendgroup=label(offer.name),
        hoverinfo="skip",
        showlegend=False,
    )
    if pick.taken:
        trace.update(
            mode="markers+text",
            error_x=bar(pick.x, *pick.x_range),
            error_y=bar(*(100 * y for y in (pick.y, *pick.y_range))),
            text=[f"<b>{label(pick.name)}</b>"],
            textposition=_text_position(pick.y, span),
            textfont={"color": hue, "size": 14},
        )
    return trace
