"""Questions against samples: contours of what a plan shows, and what a budget pays for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.axes import amounts, double
from charts.labels import label
from charts.line_ends import End, name_ends
from charts.rows import NEUTRAL
from charts.theme import colour, line
from metrics.data.arrays import Vector
from metrics.data.words import Text, plain

_HEIGHT, _TOP, _BOTTOM = 420, 20, 60
_ROOM = 1.3
"""How much farther than its lines the vertical axis reaches."""


class ContoursWords(NamedTuple):
    """What the figure says."""

    samples_axis: Text
    questions_axis: Text
    at: Callable[[int, float], Text]  # So many samples and questions.


@dataclass(frozen=True, eq=False)
class Contour:
    """Questions that are needed with each number of samples, or paid for."""

    name: Text  # Beside the end of the line.
    samples: NDArray[np.int64]  # Shape (S,).
    questions: Vector  # NaN where there is no such number. Shape (S,).
    paid: bool = False  # Whether it is what a bill pays for.


@dataclass(frozen=True, slots=True)
class ContourMark:
    """A number of samples with a number of questions."""

    name: Text
    samples: int
    questions: int
    filled: bool  # Whether it is there, and no proposal.


def contours(
    lines: Sequence[Contour],
    marks: Sequence[ContourMark],
    *,
    words: ContoursWords,
) -> go.Figure:
    """Draw how many questions it takes with each number of samples, both axes doubling."""
    figure = go.Figure()
    ends = []
    for number, each in enumerate(lines):
        known = np.isfinite(each.questions)
        if not known.any():
            continue
        name, hue = plain(each.name), colour(number)
        x, y = each.samples[known], each.questions[known]
        hints = [_hint(name, words.at(*at)) for at in zip(x.tolist(), y.tolist(), strict=True)]
        dash = "dash" if each.paid else "solid"
        figure.add_trace(line(x, y, hue, hints, marked="circle", dash=dash))
        ends.append(End(name, float(np.log10(y[-1])), hue))
    for mark in marks:
        figure.add_trace(_marked(mark, words))
    drawn = [each.questions[np.isfinite(each.questions)] for each in lines]
    every = np.concatenate([*drawn, [mark.questions for mark in marks]])
    low, high = every.min() / _ROOM, every.max() * _ROOM
    ticks, texts = amounts(low, high)
    most = max(
        [int(each.samples.max()) for each in lines] + [mark.samples for mark in marks], default=2
    )
    double(figure, most)
    reach = float(np.log10(low)), float(np.log10(high))
    figure.update_xaxes(title=plain(words.samples_axis), showgrid=True, zeroline=False)
    figure.update_yaxes(
        type="log",
        range=list(reach),
        tickvals=ticks,
        ticktext=texts,
        title=plain(words.questions_axis),
        showgrid=True,
        zeroline=False,
    )
    figure.update_layout(
        height=_HEIGHT,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        showlegend=False,
    )
    name_ends(figure, ends, reach, _HEIGHT - _TOP - _BOTTOM)
    return figure


def _hint(name: str, at: Text) -> str:
    return "<br>".join((label(name, 80), label(plain(at), 80)))


def _marked(mark: ContourMark, words: ContoursWords) -> go.Scatter:
    name = plain(mark.name)
    return go.Scatter(
        x=[mark.samples],
        y=[mark.questions],
        mode="markers+text",
        marker={
            "color": NEUTRAL,
            "size": 14,
            "symbol": "diamond" if mark.filled else "diamond-open",
            "line": {"width": 2},
        },
        text=[label(name)],
        textposition="top right",
        cliponaxis=False,
        hovertext=[_hint(name, words.at(mark.samples, mark.questions))],
        hoverinfo="text",
    )
