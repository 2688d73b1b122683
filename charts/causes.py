"""What may have moved a number: a bar for each cause, to the left and right of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour, sheer
from metrics.data.words import Text, plain

_ROW_HEIGHT = 30
_MARGIN = 110
_LEAST = 0.4
"""Points to either side that are always seen."""


class CausesWords(NamedTuple):
    """What the figure says."""

    moves: Text  # Causes that surely move the number.
    may_move: Text  # Causes that only could.
    axis: Text
    value: Callable[[float], Text]  # The number, and the one expected.
    expected: Callable[[float], Text]


@dataclass(frozen=True, slots=True)
class CauseBar:
    """A cause."""

    name: Text
    # From where to where it may move the number, as fractions.
    low: float
    high: float
    is_sure: bool  # Whether it surely does.
    detail: Text


def causes(
    bars: Sequence[CauseBar],
    value: float,
    expected: float | None = None,
    *,
    words: CausesWords,
) -> go.Figure:
    """Draw causes around a number, in their order from the top.

    What surely moves it is filled, what only could is outlined.

    value: The number, as a fraction.
    expected: The number that is expected, which is marked.
    """
    figure = go.Figure()
    hue = colour(0)
    for is_sure, name in ((True, words.moves), (False, words.may_move)):
        drawn = [(place, bar) for place, bar in enumerate(bars) if bar.is_sure is is_sure]
        if not drawn:
            continue
        ends = [(min(0.0, bar.low), max(0.0, bar.high)) for _, bar in drawn]
        figure.add_trace(
            go.Bar(
                name=plain(name),
                orientation="h",
                y=[place for place, _ in drawn],
                base=[100 * low for low, _ in ends],
                x=[100 * (high - low) for low, high in ends],
                width=0.55,
                marker={
                    "color": hue if is_sure else sheer(hue, 0.12),
                    "line": {"color": hue, "width": 1.5},
                },
                hovertext=[label(plain(bar.detail), 200) for _, bar in drawn],
                hoverinfo="text",
            )
        )
    side = "center" if expected is None else "right" if expected > value else "left"
    _mark(figure, 0.0, plain(words.value(value)), NEUTRAL, "solid", side)
    if expected is not None:
        sentence = plain(words.expected(expected))
        _mark(figure, 100 * (expected - value), sentence, colour(1), "dot", side)
    _lay_out(figure, bars, value, expected, plain(words.axis))
    return figure


def _mark(figure: go.Figure, at: float, sentence: str, hue: str, dash: str, side: str) -> None:
    """Mark a number by a line through all rows, with what it is above, to one side."""
    figure.add_shape(
        type="line",
        x0=at,
        x1=at,
        yref="paper",
        y0=0,
        y1=1,
        line={"color": hue, "width": 2, "dash": dash},
    )
    figure.add_annotation(
        x=at, y=1, yref="paper", xanchor=side, yanchor="bottom", text=sentence, showarrow=False
    )


def _lay_out(
    figure: go.Figure,
    bars: Sequence[CauseBar],
    value: float,
    expected: float | None,
    axis: str,
) -> None:
    ends = [100 * end for bar in bars for end in (bar.low, bar.high)]
    ends += [] if expected is None else [100 * (expected - value)]
    low, high = min([-_LEAST, *ends]), max([_LEAST, *ends])
    pad = 0.06 * (high - low)
    figure.update_xaxes(
        range=[low - pad, high + pad],
        title=axis,
        zeroline=False,
        showgrid=True,
    )
    figure.update_yaxes(
        range=[len(bars) - 0.5, -0.5],
        tickvals=list(range(len(bars))),
        ticktext=[label(plain(bar.name), 60) for bar in bars],
        automargin=True,
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_layout(
        height=_MARGIN + _ROW_HEIGHT * max(2, len(bars)),
        margin={"t": 50, "b": 60, "r": 20},
        barmode="overlay",
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "yref": "container"},
    )
