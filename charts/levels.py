"""A histogram of scores by level, with the threshold between wrong and right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour, symbol
from metrics.data.arrays import Vector
from metrics.data.words import Text, plain

_HEIGHT = 340
_WIDEST = 0.05
_SPACED = 0.85
_LIFT = 3
"""Percent of the highest bar that a marker stands above its own."""
_PALE = 0.45


class LevelsWords(NamedTuple):
    """What the figure says."""

    score_axis: Text
    samples_axis: Text


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The scores of one run."""

    name: str
    number: int
    score: Vector  # Ascending, in [0, 1]. Shape (L,).
    share: Vector  # Of the samples. Shape (L,).
    right: NDArray[np.bool_]  # Whether each counts as right. Shape (L,).
    details: Sequence[Text]  # Of each score, for whoever points at it.


def levels(
    spectra: Sequence[Spectrum],
    marks: Mapping[float, Text],
    *,
    words: LevelsWords,
) -> go.Figure:
    """Draw the share of samples at each score: solid where it counts as right, pale where wrong.

    Of several runs each bar has the marker of its run above it.

    spectra: Drawn beside one another.
    marks: Thresholds that get a line, and what to call them.
    Percent on the vertical axis, the score on the horizontal one.
    """
    figure = go.Figure()
    width = _width([spectrum.score for spectrum in spectra])
    lift = _LIFT * max((float(spectrum.share.max(initial=0)) for spectrum in spectra), default=0)
    for place, spectrum in enumerate(spectra):
        offset, hue = width * (place - len(spectra) / 2), colour(spectrum.number)
        group = {"name": label(spectrum.name), "legendgroup": str(place)}
        figure.add_trace(
            go.Bar(
                **group,
                x=spectrum.score,
                y=100 * spectrum.share,
                width=width,
                offset=offset,
                marker={
                    "color": hue,
                    "opacity": np.where(spectrum.right, 1.0, _PALE),
                    "line": {"width": 0},
                },
                hovertext=[label(plain(detail), 400) for detail in spectrum.details],
                hoverinfo="text",
                showlegend=False,
            )
        )
        if len(spectra) > 1:
            figure.add_trace(
                go.Scatter(
                    **group,
                    x=spectrum.score + offset + width / 2,
                    y=100 * spectrum.share + lift,
                    mode="markers",
                    marker={"color": hue, "symbol": symbol(spectrum.number), "size": 8},
                    hoverinfo="skip",
                )
            )
    mark_thresholds(figure, marks)
    figure.update_xaxes(range=[-0.06, 1.06], title=plain(words.score_axis))
    figure.update_yaxes(title=plain(words.samples_axis), rangemode="tozero")
    return figure.update_layout(
        height=_HEIGHT,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 1.08, "yanchor": "bottom"},
    )


def mark_thresholds(figure: go.Figure, marks: Mapping[float, Text]) -> None:
    """Draw thresholds over the whole height of a figure that has scores below."""
    for threshold, name in marks.items():
        figure.add_shape(
            type="line",
            x0=threshold,
            x1=threshold,
            y0=0,
            y1=1,
            yref="paper",
            line={"color": NEUTRAL, "width": 1.5, "dash": "dash"},
        )
        others = [other for other in marks if other != threshold]
        figure.add_annotation(
            text=label(plain(name)),
            x=threshold,
            xanchor="left" if others and threshold > max(others) else "right" if others else None,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
        )


def _width(scores: Sequence[Vector]) -> float:
    steps = np.diff(np.unique(np.concatenate([np.empty(0), *scores]).round(6)))
    return float(_SPACED * min(_WIDEST * 2, steps.min(initial=1.0)) / max(1, len(scores)))
