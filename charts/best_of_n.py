"""What k candidates are worth, by who picks one: an oracle, a signal, a vote, nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from charts.axes import double, percents
from charts.line_ends import End, name_ends
from charts.theme import Stretch, band, colour, error_bars, hints, line, symbol
from metrics.data.words import Text, plain

_HEIGHT, _TOP, _BOTTOM = 440, 20, 60
_STRONG, _CLEAR, _SHEER = 0.22, 0.1, 0.06
_DASHES = ("solid", "solid", "dash", "dot", "dashdot")


@dataclass(frozen=True, eq=False)
class Course:
    """One way of using k candidates."""

    name: Text
    number: int
    points: Stretch  # Fractions over k.
    strong: bool  # Whether it is the one that matters.


def best_of_n(
    courses: Sequence[Course],
    title: Text,
    *,
    k_axis: Text,
) -> go.Figure:
    """Draw quality against the number of candidates, a line for each way, named at its end.

    title: Of the vertical axis.
    Percent on the vertical axis; k doubles at equal steps.
    """
    figure = go.Figure()
    for course in courses:
        points, hue = course.points, colour(course.number)
        opacity = _STRONG if course.strong else _SHEER if course.number else _CLEAR
        figure.add_trace(band(points.x, 100 * points.low, 100 * points.high, hue, opacity))
    for course in courses:
        figure.add_trace(_line(course))
    last = max(int(course.points.x.max()) for course in courses)
    double(figure, last)
    ends = [end for course in courses for end in (course.points.low, course.points.high)]
    ends += [course.points.value for course in courses]
    percents(figure, ends, plain(title))
    figure.update_xaxes(title=plain(k_axis), showgrid=True)
    figure.update_xaxes(zeroline=False)
    figure.update_layout(
        height=_HEIGHT,
        margin={"t": _TOP, "b": _BOTTOM},
        hovermode="closest",
        showlegend=False,
    )
    reach = tuple(figure.layout.yaxis.range)
    name_ends(figure, [_end(each) for each in courses], reach, _HEIGHT - _TOP - _BOTTOM)
    return figure


def _line(course: Course) -> go.Scatter:
    points, hue = course.points, colour(course.number)
    drawn = line(
        points.x,
        100 * points.value,
        hue,
        hints(points),
        marked=symbol(course.number),
        dash=_DASHES[course.number % len(_DASHES)],
        width=3.5 if course.strong else 2,
    )
    drawn.name = plain(course.name)
    if len(points.x) == 1:  # a band of one point has no width
        ends = (100 * part for part in (points.value, points.low, points.high))
        drawn.update(error_y=error_bars(*ends, width=6))
    return drawn


def _end(course: Course) -> End:
    height = 100 * float(course.points.value[-1])
    return End(plain(course.name), height, colour(course.number), course.strong)
