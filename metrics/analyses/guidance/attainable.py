"""What pass, avg and cons can be together, whatever the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from metrics.analyses.consistency.feasible_region import clipped, convex_hull
from metrics.analyses.guidance.joint_means import Matrix
from metrics.analyses.guidance.reachable import Side, is_reachable
from metrics.analyses.guidance.scenarios import CELLS, HIGH, KINDS, LOW, Cell, Kind
from metrics.analyses.guidance.three_metrics import scores_of
from metrics.data.results import Interval
from metrics.data.tally import Tally


@lru_cache(maxsize=64)
def possible_cells(
    samples: tuple[int, ...], k: int | None = None, high: float = HIGH, low: float = LOW
) -> frozenset[Cell]:
    """Return the cells that some mix of questions can reach.

    Parameters
    ----------
    samples : tuple of int
        The numbers of samples that questions have.
    k, high, low
        As for `metrics.guidance`.

    Examples
    --------
    With one sample a question the three metrics are the same:

    >>> sorted(possible_cells((1,)))
    [('high', 'high', 'high'), ('low', 'low', 'low'), ('medium', 'medium', 'medium')]
    """
    points = _possible_scores(samples, k)
    kept: Mapping[str, Sequence[tuple[Side, float]]] = {
        "high": [("above", high)],
        "medium": [("from", low), ("to", high)],
        "low": [("below", low)],
    }
    return frozenset(
        cell
        for cell in CELLS
        if is_reachable(
            points,
            [(i, side, line) for i, level in enumerate(cell) for side, line in kept[level]],
        )
    )


def open_ranges(samples: tuple[int, ...], k: int | None, avg: float) -> dict[Kind, Interval]:
    """Return the least and the most that pass and cons can be for an avg.

    Parameters
    ----------
    samples, k
        As for `possible_cells`.
    avg : float
        In [0, 1].

    Examples
    --------
    Half of the samples right may be half of the questions, or one of two samples of each:

    >>> open_ranges((2,), None, 0.5)
    {'pass': Interval(low=0.5, high=1.0), 'cons': Interval(low=0.0, high=0.5)}
    """
    points = _possible_scores(samples, k)
    ranges: dict[Kind, Interval] = {}
    for kind in ("pass", "cons"):
        hull = convex_hull(points[:, [1, KINDS.index(kind)]])
        side = clipped(hull, [((1, 0), Interval(avg, avg))])[:, 1]
        ranges[kind] = Interval(float(side.min()), float(side.max()))
    return ranges


def _possible_scores(samples: tuple[int, ...], k: int | None) -> Matrix:
    """Return the scores of every count that a question can have."""
    n = np.concatenate([np.full(n + 1, n) for n in samples])
    c = np.concatenate([np.arange(n + 1) for n in samples])
    return np.asarray(np.unique(scores_of(Tally(n, c, np.ones_like(n)), k), axis=0))
