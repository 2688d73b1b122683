"""A figure in the size and fonts of a paper."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import plotly.graph_objects as go

POINTS = 8
"""The size of type on paper."""
_DRAWN = 12
"""The size of type that charts are laid out with, in pixels."""
_HEIGHT, _LEFT = 360, 10
_PER_INCH = 96
_NARROW = 5
"""Inches below which a figure has the room of one column."""
_SMALLER = 0.65
"""What there becomes of the size of a marker."""
_LETTER, _LINE, _SIGN = 5.8, 18, 46
"""Pixels of a letter, of a line of a legend, and of the sign and the space beside a name."""
_BELOW = 62
"""Pixels of the labels and the title of an axis."""
SCALE = POINTS / 72 * _PER_INCH / _DRAWN
"""What makes of it the size on paper."""


def for_paper(figure: go.Figure, inches: float) -> go.Figure:
    """Return a copy of a figure on white, in black serif type, of this width.

    It is laid out in pixels; `SCALE` times them it has the size of the paper at 96 an inch.
    """
    made = go.Figure(figure)
    made.update_layout(
        template="plotly_white",
        width=round(inches * _PER_INCH / SCALE),
        height=figure.layout.height or _HEIGHT,
        font={"family": "Times New Roman, Times, Liberation Serif, serif", "size": _DRAWN},
    )
    made.update_layout(font={"color": "black"}, paper_bgcolor="white", plot_bgcolor="white")
    if figure.layout.margin.l is None:
        made.update_layout(margin={"l": _LEFT})
    for axes in (made.update_xaxes, made.update_yaxes):
        axes(automargin=True, title={"font": {"size": _DRAWN}})
    if inches < _NARROW:
        _tighten(made)
    return made


def _tighten(figure: go.Figure) -> None:
    """Put names below the lines, break titles and draw smaller, for the width of one column."""
    _put_names_below(figure)
    margin = figure.layout.margin
    letters = int((figure.layout.width - (margin.l or _LEFT) - (margin.r or _LEFT)) / _LETTER)
    for axis in figure.select_xaxes():
        axis.autotickangles = [0, 90]
        if axis.title.text:
            axis.title.text = "<br>".join(wrap(axis.title.text, letters))
    for trace in figure.data:
        size = getattr(trace, "marker", None) and trace.marker.size
        if size is not None:
            several = not isinstance(size, int | float)
            trace.marker.size = [_SMALLER * one for one in size] if several else _SMALLER * size


def _put_names_below(figure: go.Figure) -> None:
    """Make a legend below a figure of the names at the right ends of its lines."""
    ends = [each for each in figure.layout.annotations if _is_end(each)]
    if not ends:
        return
    figure.layout.annotations = [each for each in figure.layout.annotations if not _is_end(each)]
    figure.add_traces([_sign(figure, each) for each in reversed(ends)])
    longest = max(len(_name(each)) for each in ends)
    a_row = max(1, int(figure.layout.width / (_LETTER * longest + _SIGN)))
    below = _LINE * -(-len(ends) // a_row)
    wide = figure.layout.width
    figure.update_layout(
        height=min(figure.layout.height, wide) + below,
        margin={"r": _LEFT, "b": _BELOW + below},
        legend2={
            "orientation": "h",
            "x": 0,
            "xref": "container",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
        },
    )


def _is_end(note: go.layout.Annotation) -> bool:
    """Return whether a note is a name at the right end of a line."""
    return (note.xref, note.x, note.xanchor) == ("paper", 1, "left")


def _name(end: go.layout.Annotation) -> str:
    """Return the name at the end of a line in one line."""
    return str(end.text).replace("<br>", "")


def _sign(figure: go.Figure, end: go.layout.Annotation) -> go.Scatter:
    """Return an entry of a legend that looks as the line of a name does."""
    hue = end.font.color
    line = go.Scatter(line={"color": hue})
    like = max(_lines(figure, hue), key=lambda each: each.marker.symbol is not None, default=line)
    return go.Scatter(
        x=[None],
        y=[None],
        mode="lines+markers" if like.marker.symbol is not None else "lines",
        line={"color": hue, "dash": like.line.dash},
        marker={"color": hue, "symbol": like.marker.symbol, "size": _DRAWN / 2},
        name=_name(end),
        legend="legend2",
        showlegend=True,
    )


def _lines(figure: go.Figure, hue: str) -> Iterator[go.Scatter]:
    for trace in figure.data:
        if trace.type == "scatter" and trace.line.color == hue and trace.mode is not None:
            yield trace
