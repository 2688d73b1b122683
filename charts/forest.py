"""A forest plot: point and interval of each estimate, in comparable blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL, arrange, lay_out
from charts.theme import colour, error_bars, symbol
from metrics.data.results import Interval
from metrics.data.words import Text, plain

ROWS = 240
"""The most estimates that are drawn: more would be too tall to read."""


class ForestWords(NamedTuple):
    """What the figure says."""

    axis: Callable[[float], Text]  # By the level of the intervals.
    left_out: Callable[[int], Text]  # How many rows are not drawn.


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One row of a forest plot."""

    block: str  # The heading it stands under, such as "pass@4"; empty for none.
    name: str
    series: str  # What it stands for in a contest, such as a run or a model.
    value: float | None  # A fraction; None where there is none.
    interval: Interval | None
    detail: Text  # What the pointer shows, or what stands in place of a mark.
    number: int


def forest(
    rows: Sequence[ForestRow],
    confidence_level: float,
    *,
    words: ForestWords,
) -> go.Figure:
    """Draw point and interval of each estimate.

    A block of several series is a contest: it is sorted by value, and a dotted line marks the
    highest. No more than `ROWS` rows are drawn, and the figure says how many were left out.

    confidence_level: The level of the intervals, for the axis title.
    Percent on the horizontal axis; the height grows with the rows.
    """
    drawn = _sorted(rows)[:ROWS]
    layout = arrange([row.block for row in drawn])
    placed = list(zip(drawn, layout.positions, strict=True))
    figure = go.Figure()
    for series, number in dict.fromkeys((row.series, row.number) for row in rows):
        own = [each for each in placed if (each[0].series, each[0].number) == (series, number)]
        figure.add_trace(_points(series, number, own))
    for row, position in placed:
        if row.value is None:
            reason = label(plain(row.detail), 120)
            figure.add_annotation(text=reason, x=0, xanchor="left", y=position, showarrow=False)
    _mark_highest(figure, placed)
    title = plain(words.axis(confidence_level))
    lay_out(figure, layout, [row.name for row in drawn], title)
    if len(drawn) < len(rows):
        left_out = plain(words.left_out(len(rows) - len(drawn)))
        figure.update_layout(title={"text": left_out, "font": {"size": 14}})
    return figure.update_layout(showlegend=False)


def _sorted(rows: Sequence[ForestRow]) -> list[ForestRow]:
    blocks: dict[str, list[ForestRow]] = {}
    for row in rows:
        blocks.setdefault(row.block, []).append(row)
    return [
        row
        for block in blocks.values()
        for row in (sorted(block, key=_rank) if _is_contest(block) else block)
    ]


def _is_contest(block: Sequence[ForestRow]) -> bool:
    return len({row.series for row in block}) > 1


def _rank(row: ForestRow) -> float:
    return inf if row.value is None else -row.value


def _points(
    series: str,
    number: int,
    placed: Sequence[tuple[ForestRow, int]],
) -> go.Scatter:
    known = [
        (row.detail, position, row.value, *(row.interval or (row.value, row.value)))
        for row, position in placed
        if row.value is not None
    ]
    ends = 100 * np.array([each[2:] for each in known]).reshape(-1, 3).T
    return go.Scatter(
        name=label(series),
        x=ends[0],
        y=[position for _, position, *_ in known],
        error_x=error_bars(*ends, thickness=2.5),
        mode="markers",
        marker={"color": colour(number), "symbol": symbol(number), "size": 11},
        hovertext=[label(plain(detail), 400) for detail, *_ in known],
        hoverinfo="text",
    )


def _mark_highest(figure: go.Figure, placed: Sequence[tuple[ForestRow, int]]) -> None:
    blocks: dict[str, list[tuple[ForestRow, int]]] = {}
    for row, position in placed:
        if row.value is not None:
            blocks.setdefault(row.block, []).append((row, position))
    for block in blocks.values():
        (highest, top), (_, bottom) = block[0], block[-1]
        if highest.value is not None and _is_contest([row for row, _ in block]):
            figure.add_shape(
                type="line",
                x0=100 * highest.value,
                x1=100 * highest.value,
                y0=top - 0.4,
                y1=bottom + 0.4,
                line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
                layer="below",
            )
