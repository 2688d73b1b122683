"""Each number as judged and as read from the texts, with the range left by open answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.labels import label
from charts.rows import RowMarks, add_spans, arrange, lay_out, ring_and_dot
from charts.theme import error_bars
from metrics.data.results import Interval
from metrics.data.words import Text, plain

ROWS = 120
"""The most runs that are drawn."""
_RANGE = 14


class ReadingsWords(NamedTuple):
    """What the figure says."""

    judged: Text
    read: Text
    axis: Callable[[float], Text]  # By the level of the intervals.


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One run."""

    block: str  # The heading it stands under, such as its dataset; empty for none.
    name: str
    judged: float
    read: float
    interval: Interval | None  # Of the number as read.
    between: tuple[float, float]  # The least and the most it may be.
    detail: Text


def readings(
    rows: Sequence[ReadingRow],
    confidence_level: float,
    *,
    words: ReadingsWords,
) -> go.Figure:
    """Draw a ring for each number as judged, a dot with its interval as read, and the range.

    rows: Names are untrusted text. No more than `ROWS` are drawn.
    confidence_level: Of the intervals, for the axis title.
    Percent on the horizontal axis; the height grows with the rows.
    """
    drawn = rows[:ROWS]
    layout = arrange([row.block for row in drawn])
    details = [label(plain(row.detail), 400) for row in drawn]
    figure = go.Figure()
    ends = [(row.read, *(row.interval or (row.read, row.read))) for row in drawn]
    error = error_bars(*(100 * np.array(each) for each in zip(*ends, strict=True)))
    ring_and_dot(
        figure,
        layout,
        RowMarks(plain(words.judged), [row.judged for row in drawn]),
        RowMarks(plain(words.read), [row.read for row in drawn], error),
        details,
    )
    add_spans(figure, layout, [row.between for row in drawn], _RANGE, 0.35)
    title = plain(words.axis(confidence_level))
    lay_out(figure, layout, [row.name for row in drawn], title)
    return figure
