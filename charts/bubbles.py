"""Questions as bubbles on two shares; a bubble is larger for more questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL
from charts.scatter import square
from charts.theme import colour
from metrics.data.words import Text, plain

_LARGEST = 42.0
_SMALLEST = 4.0


@dataclass(frozen=True, slots=True)
class Bubble:
    """Questions at one place."""

    series: Text  # What its colour stands for.
    number: int | None  # Of the run whose colour it has; None for grey.
    x: float
    y: float
    questions: int  # How many; its area.
    detail: Text
    reach: float = 0.0  # How far from the place its questions may be, as a fraction.


@dataclass(frozen=True, slots=True)
class Path:
    """A line through a bubble chart, by fractions; `dash` is plotly's."""

    name: Text
    x: Sequence[float]
    y: Sequence[float]
    dash: str = "solid"


def bubbles(
    drawn: Sequence[Bubble],
    x_title: Text,
    y_title: Text,
    paths: Sequence[Path] = (),
) -> go.Figure:
    """Draw bubbles whose area is the number of questions, and lines to compare them with.

    x_title, y_title: Of the axes.
    Percent on both axes; the custom data of a bubble is its place in `drawn`.
    """
    figure = go.Figure()
    for path in paths:
        figure.add_trace(
            go.Scatter(
                name=plain(path.name),
                x=[100 * x for x in path.x],
                y=[100 * y for y in path.y],
                mode="lines",
                line={"color": NEUTRAL, "width": 2, "dash": path.dash},
                hoverinfo="skip",
            )
        )
    most = max((bubble.questions for bubble in drawn), default=1)
    for series, number in dict.fromkeys((bubble.series, bubble.number) for bubble in drawn):
        places = [place for place, bubble in enumerate(drawn) if bubble.series == series]
        own = [drawn[place] for place in places]
        figure.add_trace(
            go.Scatter(
                name=plain(series),
                x=[100 * bubble.x for bubble in own],
                y=[100 * bubble.y for bubble in own],
                mode="markers",
                marker={
                    "color": NEUTRAL if number is None else colour(number),
                    "opacity": 0.75,
                    "size": [bubble.questions for bubble in own],
                    "sizemode": "area",
                    "sizeref": 2 * most / _LARGEST**2,
                    "sizemin": _SMALLEST,
                },
                hovertext=[label(plain(bubble.detail), 400) for bubble in own],
                hoverinfo="text",
                customdata=places,
                cliponaxis=False,
            )
        )
    figure.update_layout(legend={"itemsizing": "constant"})
    return square(figure, plain(x_title), plain(y_title))
