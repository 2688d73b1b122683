"""A dumbbell chart: what a file reports, and what its samples give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import RowMarks, add_spans, arrange, lay_out, ring_and_dot
from metrics.data.words import Text, plain


class DumbbellWords(NamedTuple):
    """What the figure says."""

    reported: Text
    recomputed: Text
    axis: Text


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """One row of a dumbbell chart."""

    block: str  # The heading it stands under, such as a run; pairs of a block follow one another.
    name: str  # Its label, such as a metric.
    reported: float
    recomputed: float
    detail: Text  # What the pointer shows: the reason for the difference.


def dumbbell(pairs: Sequence[DumbbellRow], *, words: DumbbellWords) -> go.Figure:
    """Draw a ring for the reported and a dot for the recomputed value, joined where they differ.

    Percent on the horizontal axis; the height grows with the rows.
    """
    rows = arrange([pair.block for pair in pairs])
    details = [label(plain(pair.detail), 400) for pair in pairs]
    figure = go.Figure()
    ring_and_dot(
        figure,
        rows,
        RowMarks(plain(words.reported), [pair.reported for pair in pairs]),
        RowMarks(plain(words.recomputed), [pair.recomputed for pair in pairs]),
        details,
    )
    add_spans(figure, rows, [(pair.reported, pair.recomputed) for pair in pairs], 3, 1)
    lay_out(figure, rows, [pair.name for pair in pairs], plain(words.axis))
    return figure
