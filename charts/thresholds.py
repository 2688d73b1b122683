"""Hard accuracy at every threshold: steps, and both ways to treat a score that equals it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.levels import mark_thresholds
from charts.rows import NEUTRAL
from charts.theme import band, colour, symbol
from metrics.data.arrays import Vector
from metrics.data.words import Text, plain

_HEIGHT = 420
_MARKED = 24
_BAND = 0.18


class ThresholdsWords(NamedTuple):
    """What the figure says."""

    threshold_axis: Text
    accuracy_axis: Callable[[float], Text]  # By the level of the intervals.
    # A run, its accuracy, and a threshold that a score must reach, or exceed.
    reached: Callable[[str, float, float], Text]
    exceeded: Callable[[str, float, float], Text]
    must_reach: Text
    must_exceed: Text
    soft: Text


@dataclass(frozen=True, eq=False)
class Steps:
    """The accuracies of one run, as fractions."""

    name: str
    number: int
    threshold: Vector  # Ascending, in [0, 1]. Shape (T,).
    # Where a score must exceed the threshold: accuracy, and its interval. Shape (T,).
    above: Vector
    low: Vector
    high: Vector
    reached: Vector  # Accuracy where a score must reach the threshold. Shape (T,).
    start: tuple[float, float, float]  # Accuracy below the lowest threshold, and its interval.
    soft: float  # Soft accuracy.


def thresholds(
    runs: Sequence[Steps],
    marks: Mapping[float, Text],
    confidence_level: float,
    *,
    words: ThresholdsWords,
) -> go.Figure:
    """Draw hard accuracy over the threshold.

    At a threshold that some scores equal, a filled marker is the accuracy if those count as
    right, ``>=``, and an open one if they count as wrong, ``>``. A dotted line is
    soft accuracy, which has no threshold.

    marks: Thresholds that get a line, and what to call them.
    confidence_level: Of the bands, for the axis title.
    Percent on the vertical axis, the threshold on the horizontal one.
    """
    figure = go.Figure()
    for run in runs:
        traces = list(_traces(run, words))
        for trace in traces:
            trace.update(name=label(run.name), legendgroup=label(run.name))
        traces[1].update(showlegend=len(runs) > 1)
        figure.add_traces(traces)
    figure.add_traces(list(_keys(runs, words)))
    mark_thresholds(figure, marks)
    figure.update_xaxes(range=[-0.03, 1.03], title=plain(words.threshold_axis), zeroline=False)
    title = plain(words.accuracy_axis(confidence_level))
    figure.update_yaxes(range=[-2, 102], title=title, zeroline=False)
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.06, "yanchor": "bottom"},
    )


def _traces(run: Steps, words: ThresholdsWords) -> Iterator[go.Scatter]:
    hue = colour(run.number)
    x, (above, low, high) = _stairs(run)
    yield band(x, 100 * low, 100 * high, hue, _BAND)
    yield go.Scatter(
        x=x,
        y=100 * above,
        mode="lines",
        line={"color": hue, "width": 2.5},
        hoverinfo="skip",
        showlegend=False,
    )
    yield go.Scatter(
        x=[0, 1],
        y=[100 * run.soft] * 2,
        mode="lines",
        line={"color": hue, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    for values, filled, detail in (
        (run.reached, True, words.reached),
        (run.above, False, words.exceeded),
    ):
        yield go.Scatter(
            x=run.threshold,
            y=100 * values,
            mode="markers",
            marker={
                "color": hue,
                "symbol": symbol(run.number, filled=filled),
                "size": 8,
                "opacity": 1.0 if len(values) <= _MARKED else 0.0,
                "line": {"width": 2, "color": hue},
            },
            hovertext=[
                label(plain(detail(run.name, float(value), float(mark))), 400)
                for mark, value in zip(run.threshold, values, strict=True)
            ],
            hoverinfo="text",
            showlegend=False,
        )


def _stairs(run: Steps) -> tuple[Vector, list[Vector]]:
    """Hold accuracy and both limits from each threshold to the next, from 0 to 1."""
    x = np.repeat(np.append(run.threshold, 1.0), 2)[1:-1]
    stairs = [np.repeat(curve, 2) for curve in (run.above, run.low, run.high)]
    if run.threshold[0] > 0:
        x = np.concatenate([[0.0, run.threshold[0]], x])
        stairs = [np.append([at] * 2, curve) for at, curve in zip(run.start, stairs, strict=True)]
    return x, stairs


def _keys(runs: Sequence[Steps], words: ThresholdsWords) -> Iterator[go.Scatter]:
    marks: list[tuple[Text, bool, str]] = []
    if any(len(run.threshold) <= _MARKED for run in runs):
        marks = [
            (words.must_reach, True, "markers"),
            (words.must_exceed, False, "markers"),
        ]
    for name, filled, mode in [*marks, (words.soft, True, "lines")]:
        yield go.Scatter(
            x=[None],
            y=[None],
            mode=mode,
            name=plain(name).replace(">", "&gt;"),
            marker={
                "color": NEUTRAL,
                "symbol": symbol(0, filled=filled),
                "size": 8,
                "line": {"width": 2, "color": NEUTRAL},
            },
            line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
        )
