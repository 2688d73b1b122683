"""A figure in the size and type of a paper."""

from __future__ import annotations

import plotly.graph_objects as go

POINTS = 8
"""The size of type on paper."""
_DRAWN = 12
"""The size of type that charts are laid out with, in pixels."""
_HEIGHT, _LEFT = 360, 10
_PER_INCH = 96
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
    return made
