"""Shares of what questions have unequally many of, such as pairs of samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.results import Interval
from metrics.intervals.korn_graubard import population_size, worth
from metrics.intervals.limits import population_limits


def pooled_share(
    hits: Vector, counts: Vector, clusters: NDArray[np.intp] | None, confidence_level: float
) -> tuple[float, Interval, float]:
    """Return a share of all, with its interval for questions like these and its effective size.

    Hits and counts are those of each question; some count is above 0.

    Examples
    --------
    >>> share, (low, high), _ = pooled_share(np.array([2.0, 1]), np.array([2.0, 2]), None, 0.95)
    >>> share, round(float(low), 3), round(float(high), 3)
    (0.75, 0.0, 1.0)
    """
    there = counts > 0
    groups = np.arange(len(counts)) if clusters is None else clusters
    groups = np.unique(groups[there], return_inverse=True)[1]
    total = float(counts.sum())
    value = min(float(hits.sum()) / total, 1.0)
    counted = worth(np.bincount(groups, counts[there]))
    deviations = np.bincount(groups, (hits - value * counts)[there])
    variance = counted.unbiased * float(deviations @ deviations) / total**2
    m = round(total)
    low, high = population_limits(value, variance, m, confidence_level, counted)
    size = float(population_size(value, variance, m, confidence_level, counted))
    return value, Interval(float(low), float(high)), size
