"""Quality against cost: what each n of each run buys, which is chosen, and the best of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from charts.axes import percents
from charts.labels import label
from charts.rows import NEUTRAL
from charts.strokes import Stretch, band, colour, error_bars, hints, key, line, symbol
from metrics.data.results import Interval
from metrics.data.words import Text

_HEIGHT = 460
_SPREAD = 12
"""Costs that differ by more than this factor are drawn on a scale that doubles."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen point with its uncertainty.

    Attributes
    ----------
    name : str
        Such as "n = 12".
    x, y : float
    x_range, y_range : Interval
    """

    name: str
    x: float
    y: float
    x_range: Interval
    y_range: Interval


@dataclass(frozen=True, eq=False)
class Offer:
    """What a run solves at what cost.

    Attributes
    ----------
    name : str
        The run: untrusted text.
    number : int
        Of the run, for its colour and marker.
    points : Stretch
        Quality as fractions over the cost of a question, n by n.
    labels : sequence of str
        A word at each point, such as its n; mostly empty.
    pick : Pick or None
        The chosen n.
    """

    name: str
    number: int
    points: Stretch
    labels: Sequence[str]
    pick: Pick | None


def tradeoff(
    offers: Sequence[Offer],
    frontier: Sequence[tuple[float, float]],
    axes: tuple[Text, Text],
    render: Callable[[Text], str] = str,
) -> go.Figure:
    """Draw what each run solves at what cost, n by n.

    Parameters
    ----------
    offers : sequence of Offer
    frontier : sequence of (cost, quality)
        What no other offer beats, in the order of cost; empty for none.
    axes : (Text, Text)
        Titles: cost with its unit, quality.
    render : callable, optional
        From Text to the reader's language.

    Returns
    -------
    plotly.graph_objects.Figure
        Percent on the vertical axis.
    """
    figure = go.Figure()
    if frontier:
        figure.add_trace(_best(frontier))
    for offer in offers:
        figure.add_traces(_traces(offer, render))
    for offer in offers:
        if offer.pick is not None:
            figure.add_trace(_chosen(offer, offer.pick))
    if frontier:
        figure.add_trace(key(render(Text("best for its cost")), NEUTRAL, width=9))
    costs = np.concatenate([offer.points.x for offer in offers] or [np.ones(1)])
    spread = costs.min() > 0 and costs.max() / costs.min() > _SPREAD
    figure.update_xaxes(
        title=render(axes[0]),
        type="log" if spread else "linear",
        dtick="D2" if spread and costs.max() / costs.min() < 1000 else None,
        rangemode="normal" if spread else "tozero",
        exponentformat="none",
        showgrid=True,
        zeroline=False,
    )
    ends = (end for offer in offers for end in (offer.points.low, offer.points.high))
    percents(figure, ends, render(axes[1]))
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "itemsizing": "constant",
        },
    )


def describe_tradeoff(offers: Sequence[Offer]) -> Text:
    """Say in words what `tradeoff` shows, for those who do not see it."""
    picks = [(offer.name, offer.pick) for offer in offers if offer.pick is not None]
    if not picks:
        return Text("Quality against cost, without a choice.")
    name, pick = picks[0]
    return Text(
        "Quality against cost for {all} runs. {name}: {choice} solves {quality:.1%} at a cost of "
        "{cost:.3g}. The table has the same numbers.",
        all=len(offers),
        name=name,
        choice=pick.name,
        quality=pick.y,
        cost=pick.x,
    )


def _best(frontier: Sequence[tuple[float, float]]) -> go.Scatter:
    costs, qualities = np.array(frontier).T
    trace = line(costs, 100 * qualities, NEUTRAL, opacity=0.5, width=9)
    return trace.update(line={"shape": "hv"})


def _traces(offer: Offer, render: Callable[[Text], str]) -> list[go.Scatter]:
    points, name, hue = offer.points, label(offer.name), colour(offer.number)
    told = hints(points, render)
    drawn = line(points.x, 100 * points.value, hue, told, marked=symbol(offer.number))
    drawn.update(
        mode="lines+markers+text",
        marker={"size": [8 if word else 4 for word in offer.labels], "maxdisplayed": 0},
        text=list(offer.labels),
        textposition="bottom right",
        textfont={"color": hue},
        showlegend=True,
    )
    traces = [band(points.x, 100 * points.low, 100 * points.high, hue, 0.16), drawn]
    return [trace.update(name=name, legendgroup=name) for trace in traces]


def _chosen(offer: Offer, pick: Pick) -> go.Scatter:
    hue = colour(offer.number)

    def bar(*value_and_ends: float) -> dict[str, object]:
        return error_bars(*(np.array([each]) for each in value_and_ends), width=6)

    return go.Scatter(
        x=[pick.x],
        y=[100 * pick.y],
        error_x=bar(pick.x, *pick.x_range),
        error_y=bar(*(100 * y for y in (pick.y, *pick.y_range))),
        mode="markers+text",
        marker={"symbol": "diamond", "size": 14, "color": hue},
        text=[f"<b>{label(pick.name)}</b>"],
        textposition="top left",
        textfont={"color": hue, "size": 14},
        legendgroup=label(offer.name),
        hoverinfo="skip",
        showlegend=False,
    )
