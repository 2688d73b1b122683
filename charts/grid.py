"""A grid of cells with a value and its interval in each, to read many at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour
from metrics.data.results import Interval
from metrics.data.words import Text, plain

_ROW, _LOW, _MARGIN = 46, 26, 30
_INSIDE = 0.08
"""Of the width of a cell, left free on either side."""
_BAR, _NUMBER, _HIGHER = 0.24, -0.16, -0.27
"""Below and above the middle of a cell, and above that of a low one."""
_TICK = 11
"""Pixels that the mark of a value is high."""
_NEAR = 30
"""Pixels from a number within which one points at its cell."""
_STEEP = 100
"""Letters in a row; if the names of columns may need more, they are turned."""
_LONGEST = 26
_LETTER, _BESIDE = 6, 20
"""Pixels of a letter of a line's name, and what is free beside it; where they are too few, a
browser draws the axes twice."""
_SLANTED = {"autotickangles": [-40, -90], "tickfont": {"size": 11}}
"""Names upright where they would otherwise lie over one another, as on a phone."""
_UPRIGHT = 12
"""With more columns names stand upright on a phone, and need the room for it; numbers are small, so
that they do not touch."""
_DENSE = 6
"""With more lines they are low, and with more columns numbers are whole: ten models on twenty
datasets fit on a screen."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """What is drawn in a cell."""

    # From the top and from the left.
    line: int
    column: int
    value: float | None  # A fraction; None where there is none.
    interval: Interval | None
    text: str  # The number that is written.
    detail: Text  # For whoever points at it.
    number: int

    @property
    def whole(self) -> str:
        """The number in whole percent, with what follows it in the text."""
        if self.value is None:
            return self.text
        return f"{100 * self.value:.0f}{self.text.partition('%')[2]}"


def grid(
    cells: Sequence[GridCell],
    lines: Sequence[str],
    columns: Sequence[str],
    apart: int = 0,
    *,
    scale_text: Callable[[float, float], Text],
) -> go.Figure:
    """Draw each cell as a number over its interval, on one scale across each cell.

    cells: Their places are the custom data.
    apart: How many columns, from the first, are set apart by a line.
    """
    figure = go.Figure()
    dense = len(columns) > _DENSE
    row, above = (_LOW, _HIGHER) if len(lines) > _DENSE else (_ROW, _NUMBER)
    known = [(cell, cell.value) for cell in cells if cell.value is not None]
    if known:
        scale = _scale(known)
        own: dict[str, list[tuple[GridCell, float]]] = {}
        for cell, value in known:
            own.setdefault(colour(cell.number), []).append((cell, value))
        figure.layout.shapes = [
            _lines([(cell, *scale) for cell, _value in known], scale, NEUTRAL, 1),
            *(mark for stroke, alike in own.items() for mark in _marks(alike, scale, stroke, row)),
        ]
        _say_below(figure, plain(scale_text(*scale)))
    figure.add_scatter(
        x=[cell.column for cell in cells],
        y=[cell.line + (above if cell.value is not None else 0) for cell in cells],
        mode="text",
        text=[label(cell.whole if dense else cell.text) for cell in cells],
        textposition="middle center",
        textfont={"size": 9 if len(columns) > _UPRIGHT else 10 if dense else 13},
        customdata=list(range(len(cells))),
        hovertext=[label(plain(cell.detail), 400) for cell in cells],
        hoverinfo="text",
        showlegend=False,
    )
    if 0 < apart < len(columns):
        figure.add_vline(x=apart - 0.5, line={"color": NEUTRAL, "width": 1})
    named = [label(name, _LONGEST) for name in columns]
    longest = max(map(len, named), default=0)
    turned = longest * len(columns) > _STEEP
    rise = 6 if len(columns) > _UPRIGHT else 4
    top = _MARGIN // 2 + longest * rise if turned else _MARGIN
    beside = [label(name, _LONGEST) for name in lines]
    figure.update_xaxes(
        side="top",
        range=[-0.5, len(columns) - 0.5],
        tickvals=list(range(len(columns))),
        ticktext=named,
        **(_SLANTED if turned else {"tickangle": 0}),
        ticks="",
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_yaxes(
        range=[len(lines) - 0.5, -0.5],
        tickvals=list(range(len(lines))),
        ticktext=beside,
        automargin=True,
        ticks="",
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    return figure.update_layout(
        height=top + _MARGIN + row * len(lines),
        margin={
            "t": top,
            "b": 24,
            "l": _BESIDE + _LETTER * max(map(len, beside), default=0),
            "r": 60 if turned else 10,
        },
        hovermode="closest",
        hoverdistance=_NEAR,
    )


def _say_below(figure: go.Figure, text: str) -> None:
    figure.add_annotation(
        text=text,
        x=1,
        y=0,
        xref="paper",
        yref="paper",
        xanchor="right",
        yanchor="top",
        showarrow=False,
        font={"size": 11},
    )


def _scale(known: Sequence[tuple[GridCell, float]]) -> Interval:
    """Return the range of all intervals, by whole tens of a percent."""
    ends = [end for cell, value in known for end in cell.interval or (value,)]
    low, high = floor(10 * min(ends)) / 10, ceil(10 * max(ends)) / 10
    return Interval(low, max(high, low + 0.1))


def _across(cell: GridCell, fraction: float, scale: Interval) -> float:
    part = (fraction - scale.low) / (scale.high - scale.low)
    return cell.column - 0.5 + _INSIDE + (1 - 2 * _INSIDE) * part


def _marks(
    known: Sequence[tuple[GridCell, float]], scale: Interval, stroke: str, row: int
) -> Iterator[dict[str, object]]:
    """Yield the lines of intervals and values of the cells of one colour."""
    if spans := [(cell, *cell.interval) for cell, _value in known if cell.interval]:
        yield _lines(spans, scale, stroke, 5)
    reach = _TICK / 2 / row
    ticks = (
        f"M{_across(cell, value, scale):.4f},{cell.line + _BAR - reach:.4f}"
        f"V{cell.line + _BAR + reach:.4f}"
        for cell, value in known
    )
    yield _stroke("".join(ticks), stroke, 3)


def _lines(
    spans: Sequence[tuple[GridCell, float, float]], scale: Interval, stroke: str, width: int
) -> dict[str, object]:
    path = (
        f"M{_across(cell, low, scale):.4f},{cell.line + _BAR:.4f}H{_across(cell, high, scale):.4f}"
        for cell, low, high in spans
    )
    return _stroke("".join(path), stroke, width) | {"opacity": 0.5}


def _stroke(path: str, stroke: str, width: int) -> dict[str, object]:
    """Draw all lines of a colour as one: a browser takes long for each by itself."""
    return {"type": "path", "path": path, "line": {"color": stroke, "width": width}}
