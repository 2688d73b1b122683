"""Rows under headings with a ring and a dot in each, which several figures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import plotly.graph_objects as go

from charts.labels import label
from charts.theme import colour

NEUTRAL = "rgba(128, 128, 128, 0.7)"
"""Seen on a light and on a dark background."""
_ROW_HEIGHT = 24
_DENSE_ROW_HEIGHT = 17
_MANY_ROWS = 60
_MARGIN = 110


@dataclass(frozen=True, slots=True)
class FigureRows:
    """Where each row of a figure stands, counted from the top."""

    positions: tuple[int, ...]  # Of each row.
    # Each block's heading and position; a block without a name has none.
    headings: tuple[tuple[str, int], ...]
    height: int  # Positions in all.


def arrange(blocks: Sequence[str]) -> FigureRows:
    """Give each row a position, and one to the heading of each block.

    blocks: The block of each row; rows of a block follow one another.

    Examples
    --------
    >>> arrange(["pass@4", "pass@4", "avg@n"])
    FigureRows(positions=(1, 2, 4), headings=(('pass@4', 0), ('avg@n', 3)), height=5)
    """
    positions: list[int] = []
    headings: list[tuple[str, int]] = []
    following = 0
    for block, members in groupby(blocks):
        if block:
            headings.append((block, following))
            following += 1
        for _ in members:
            positions.append(following)
            following += 1
    return FigureRows(tuple(positions), tuple(headings), following)


def lay_out(figure: go.Figure, rows: FigureRows, names: Sequence[str], axis_title: str) -> None:
    """Give a figure a percent axis, row labels, headings and the height they need.

    figure: Changed in place.
    rows: From `arrange`.
    names: The label of each row: untrusted text.
    axis_title: Of the horizontal axis.
    """
    figure.layout.annotations += tuple(
        {
            "text": f"<b>{label(heading, 80)}</b>",
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": position,
            "showarrow": False,
        }
        for heading, position in rows.headings
    )
    figure.update_xaxes(
        range=[-2, 102], tickvals=list(range(0, 101, 20)), title=axis_title, showgrid=True
    )
    figure.update_yaxes(
        range=[rows.height - 0.5, -0.5],
        tickvals=list(rows.positions),
        ticktext=[label(name) for name in names],
        automargin=True,
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    row_height = _ROW_HEIGHT if rows.height <= _MANY_ROWS else _DENSE_ROW_HEIGHT
    figure.update_layout(
        height=_MARGIN + row_height * rows.height,
        margin={"t": 40, "b": 60, "r": 20},
        hovermode="closest",
    )


class RowMarks(NamedTuple):
    """One mark in each row."""

    name: str  # In the legend.
    values: Sequence[float]
    error: Mapping[str, Any] | None = None  # As plotly takes error bars.


def ring_and_dot(
    figure: go.Figure, rows: FigureRows, ring: RowMarks, dot: RowMarks, details: Sequence[str]
) -> None:
    """Draw a ring and a dot in each row, with a legend above.

    figure: Changed in place.
    details: What the pointer shows in each row; plotly's markup.
    """
    ringed = {"symbol": "circle-open", "size": 15, "line": {"width": 2}, "color": colour(0)}
    dotted = {"symbol": "circle", "size": 8, "color": colour(1)}
    for marks, marker in ((ring, ringed), (dot, dotted)):
        figure.add_trace(
            go.Scatter(
                name=marks.name,
                x=[100 * value for value in marks.values],
                y=rows.positions,
                mode="markers",
                marker=marker,
                error_x=marks.error,
                hovertext=details,
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"})


def add_spans(
    figure: go.Figure,
    rows: FigureRows,
    spans: Sequence[tuple[float, float]],
    width: float,
    opacity: float,
) -> None:
    """Draw a line below the marks of each row, from one fraction to another."""
    figure.layout.shapes += tuple(
        {
            "type": "line",
            "x0": 100 * start,
            "x1": 100 * end,
            "y0": position,
            "y1": position,
            "line": {"color": NEUTRAL, "width": width},
            "opacity": opacity,
            "layer": "below",
        }
        for (start, end), position in zip(spans, rows.positions, strict=True)
    )
