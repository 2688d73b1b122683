"""Turn listed questions into figures: by difficulty, with samples in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.heat import Panel, heat
from kofn.questions.analysis import RunQuestions
from kofn.questions.columns import ListCard, ListedQuestions
from kofn.questions.kinds import right_beside
from kofn.questions.words import heat_words
from metrics.data.arrays import Vector
from metrics.data.outcomes import ABSENT, FAILED

COLUMNS, ROWS = 400, 64
"""The most cells across and down; of more questions or samples, neighbours are put together."""


class Picture(NamedTuple):
    """What `charts.heat.heat` draws."""

    # Of each column, its question, or the first and the last of them by rank.
    questions: tuple[str, ...]
    panels: tuple[Panel, ...]
    soft: bool  # Whether cells hold scores rather than verdicts.


def lay_out(runs: Sequence[RunQuestions]) -> Picture:
    """Lay out the questions of the first run, the easiest first over all runs, as cells.

    runs: At least one; of one dataset.
    """
    a, *others = runs
    right = np.stack([a.right, *(right_beside(a, b) for b in others)])
    seen = np.isfinite(right)
    mean = np.where(seen, right, 0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    order = np.argsort(-mean, kind="stable")
    columns = np.array_split(order, min(len(order), COLUMNS))
    if len(columns) == len(order):
        names = [a.names[place] for place in order.tolist()]
    else:
        ends = np.cumsum([0, *map(len, columns)])
        names = [f"{low + 1:,}–{high:,}" for low, high in pairwise(ends.tolist())]
    soft = any(run.outcomes.scores is not None for run in runs)
    return Picture(tuple(names), tuple(_panel(a, run, columns) for run in runs), soft)


def _panel(a: RunQuestions, run: RunQuestions, columns: Sequence[NDArray[np.intp]]) -> Panel:
    places = a.places(run)
    edges = np.array_split(np.arange(run.outcomes.shape[1]), min(run.outcomes.shape[1], ROWS))
    starts = np.array([edge[0] for edge in edges])
    cells = [_cells(run, places[column], starts) for column in columns]
    value, failed = (np.stack(part, axis=1) for part in zip(*cells, strict=True))
    ends = [
        f"{edge[0] + 1}–{edge[-1] + 1}" if len(edge) > 1 else f"{edge[0] + 1}" for edge in edges
    ]
    return Panel(run.key, tuple(ends), value, failed)


def _cells(
    run: RunQuestions, places: NDArray[np.intp], starts: NDArray[np.intp]
) -> tuple[Vector, Vector]:
    """Return the mean outcome and the share of failed requests of some questions by sample."""
    rows = run.known.rows[places[places >= 0]]
    verdicts, scores = run.outcomes.correct[rows], run.outcomes.scores
    graded = verdicts >= 0
    right = verdicts == 1 if scores is None else np.nan_to_num(scores[rows])

    def total(values: NDArray[np.generic]) -> Vector:
        return np.add.reduceat(values.sum(axis=0, dtype=np.float64), starts)

    with np.errstate(invalid="ignore"):
        return (
            total(np.where(graded, right, 0)) / total(graded),
            total(verdicts == FAILED) / total(verdicts != ABSENT),
        )


def picture(cards: Sequence[ListCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw every question of the first run by every sample; None where there is nothing."""
    found = next((card.found for card in cards if isinstance(card.found, ListedQuestions)), None)
    if found is None:
        return None
    drawn = lay_out([found.questions])
    return heat(drawn.panels, drawn.questions, words=heat_words(drawn.soft))
