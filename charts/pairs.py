"""All pairs of runs: how much better the run of a row is than that of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.line_ends import told_apart
from metrics.data.words import Text, plain

SCALE = ((0.0, "#c46a1c"), (0.5, "#b9b6ad"), (1.0, "#2f6fb0"))
"""From worse to better: told apart by those who confuse red and green."""
RUNS = 40
"""The most runs that are drawn."""
WRITTEN = 12
"""Up to so many runs the numbers stand in the cells."""
_CELL, _MARGIN, _NAME = 34, 150, 24


@dataclass(frozen=True, slots=True)
class PairCell:
    """One run against another."""

    row: int
    column: int
    value: float  # By how much the run of the row is better, as a fraction.
    sure: bool  # Whether the two are told apart.
    text: str  # What stands in the cell.
    detail: Text


def pairs(cells: Sequence[PairCell], names: Sequence[str]) -> go.Figure:
    """Draw runs by runs; pale where the data cannot tell.

    names: Of rows and columns: untrusted text.
    """
    count = min(len(names), RUNS)
    drawn = [cell for cell in cells if cell.row < count and cell.column < count]
    most = max((abs(cell.value) for cell in drawn), default=0.0) or 1.0
    figure = go.Figure()
    for sure in (True, False):
        value = np.full((count, count), np.nan)
        text, hover = (np.full((count, count), "", dtype=object) for _ in range(2))
        for cell in drawn:
            if cell.sure == sure:
                value[cell.row, cell.column] = 100 * cell.value
                text[cell.row, cell.column] = f"<b>{cell.text}</b>"
                hover[cell.row, cell.column] = label(plain(cell.detail), 300)
        figure.add_trace(
            go.Heatmap(
                z=value.astype(np.float32),
                text=text,
                texttemplate="%{text}" if sure and count <= WRITTEN else None,
                textfont={"size": 12},
                hovertext=hover,
                hoverinfo="text",
                colorscale=SCALE,
                zmid=0,
                zmin=-100 * most,
                zmax=100 * most,
                opacity=0.9 if sure else 0.15,
                showscale=False,
                xgap=1,
                ygap=1,
            )
        )
    if count <= WRITTEN:
        figure.add_trace(_numbers([cell for cell in drawn if not cell.sure]))
    shown = [label(name, _NAME) for name in told_apart(names[:count], _NAME)]
    axis = {"tickvals": list(range(count)), "ticktext": shown, "showgrid": False, "zeroline": False}
    figure.update_xaxes(**axis, side="top", tickangle=-40, fixedrange=True)
    figure.update_yaxes(**axis, range=[count - 0.5, -0.5], automargin=True, fixedrange=True)
    return figure.update_layout(
        height=_MARGIN + _CELL * max(count, 3), margin={"t": 110, "b": 20, "r": 20}
    )


def _numbers(cells: Sequence[PairCell]) -> go.Scatter:
    """Write in the colour of the page: a heatmap chooses one before its cells are drawn pale."""
    return go.Scatter(
        x=[cell.column for cell in cells],
        y=[cell.row for cell in cells],
        text=[cell.text for cell in cells],
        mode="text",
        textfont={"size": 12},
        hoverinfo="skip",
        showlegend=False,
    )
