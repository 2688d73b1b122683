"""What pass, avg and cons can be together, whatever the questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import scipy

from metrics.analyses.consistency.feasible_region import clipped, convex_hull
from metrics.analyses.guidance.decision_matrix import CELLS, DIMENSIONS, HIGH, LOW, Cell, Dimension
from metrics.analyses.guidance.three_metrics import scores_of
from metrics.data.arrays import Vector
from metrics.data.results import Interval
from metrics.data.tally import Tally


@lru_cache(maxsize=64)
def possible_cells(
    samples: tuple[int, ...], k: int | None = None, high: float = HIGH, low: float = LOW
) -> frozenset[Cell]:
    """Return the cells that some mix of questions can reach.

    `samples` are the numbers of samples that questions have.

    Examples
    --------
    With one sample a question the three metrics are the same:

    >>> sorted(possible_cells((1,)))
    [('high', 'high', 'high'), ('low', 'low', 'low'), ('medium', 'medium', 'medium')]
    """
    points = _possible_scores(samples, k)
    limits: Mapping[str, Sequence[tuple[Side, float]]] = {
        "high": [("above", high)],
        "medium": [("from", low), ("to", high)],
        "low": [("below", low)],
    }
    return frozenset(
        cell
        for cell in CELLS
        if is_reachable(
            points,
            [(i, side, line) for i, level in enumerate(cell) for side, line in limits[level]],
        )
    )


def open_ranges(samples: tuple[int, ...], k: int | None, avg: float) -> dict[Dimension, Interval]:
    """Return the least and the most that pass and cons can be for an avg.

    Examples
    --------
    Half of the samples right may be half of the questions, or one of two samples of each:

    >>> open_ranges((2,), None, 0.5)
    {'pass': Interval(low=0.5, high=1.0), 'cons': Interval(low=0.0, high=0.5)}
    """
    points = _possible_scores(samples, k)
    ranges: dict[Dimension, Interval] = {}
    for dimension in ("pass", "cons"):
        hull = convex_hull(points[:, [1, DIMENSIONS.index(dimension)]])
        side = clipped(hull, [((1, 0), Interval(avg, avg))])[:, 1]
        ranges[dimension] = Interval(float(side.min()), float(side.max()))
    return ranges


def _possible_scores(samples: tuple[int, ...], k: int | None) -> Vector:
    """Return the scores of every count that a question can have."""
    n = np.concatenate([np.full(n + 1, n) for n in samples])
    c = np.concatenate([np.arange(n + 1) for n in samples])
    return np.asarray(np.unique(scores_of(Tally(n, c, np.ones_like(n)), k), axis=0))


Side = Literal["above", "from", "to", "below"]
Limit = tuple[int, Side, float]
"""A coordinate, and on which side of a number it lies; ``above`` and ``below`` exclude it."""

_MARGIN = 1e-6


def is_reachable(points: Vector, limits: Sequence[Limit]) -> bool:
    """Say whether a mean of points, each counted as often as one likes, can keep to all limits.

    Points have the shape (P, D). A strict limit must be kept by a millionth.

    Examples
    --------
    Of one sample, pass and avg are the same:

    >>> both = np.array([[0.0, 0.0], [1.0, 1.0]])
    >>> is_reachable(both, [(0, "above", 0.8), (1, "below", 0.5)])
    False
    >>> is_reachable(both, [(0, "above", 0.8), (1, "above", 0.8)])
    True
    """
    rows, bounds = [], []
    for coordinate, side, limit in limits:
        sign = -1.0 if side in ("above", "from") else 1.0
        margin = float(side in ("above", "below"))
        rows.append([*(sign * points[:, coordinate]), margin])
        bounds.append(sign * limit)
    solution = scipy.optimize.linprog(
        [*np.zeros(len(points)), -1.0],
        A_ub=rows,
        b_ub=bounds,
        A_eq=[[*np.ones(len(points)), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * len(points), (0, 1)],
    )
    return solution.x is not None and bool(solution.x[-1] > _MARGIN)
