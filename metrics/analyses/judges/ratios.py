r"""Shares that a numerator over sensitivity + specificity − 1 may be, however near chance that is.

A ratio N / J is not divided but asked for: which θ from 0 to 1 leave N − θ J = 0 possible. Where
J may be 0 these are many, up to all, and what is promised holds without looking at J first [1]_.

References
----------
.. [1] E. C. Fieller, "Some problems in interval estimation", Journal of the Royal Statistical
   Society B 16, 1954.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.results import UNIT, Interval


def fieller(
    means: tuple[float, float],
    variances: tuple[float, float],
    covariance: float,
    z: float,
    bounds: Interval = UNIT,
) -> Interval | None:
    r"""Return the least and the most that a ratio may be within bounds, None if nothing.

    :math:`\{\theta : (N - \theta J)^2 \le z^2 (v_N - 2 \theta c + \theta^2 v_J)\}`

    means, variances: Of the numerator N and of the denominator J.
    covariance: Of both, c.

    Examples
    --------
    >>> [round(end, 3) for end in fieller((0.3, 0.6), (0.001, 0.002), 0.0005, 1.96)]
    [0.401, 0.61]
    >>> fieller((0.01, 0.02), (0.01, 0.01), 0.0, 1.96)
    Interval(low=0.0, high=1.0)
    """
    (n, j), (of_n, of_j) = means, variances
    a, b, c = j**2 - z**2 * of_j, n * j - z**2 * covariance, n**2 - z**2 * of_n
    ends = sorted(float(end.real) for end in np.roots([a, -2 * b, c]) if abs(end.imag) < 1e-12)

    def possible(ratio: float) -> bool:
        return a * ratio**2 - 2 * b * ratio + c <= 0

    marks = [bounds.low, *(end for end in ends if bounds.low < end < bounds.high), bounds.high]
    parts = [(low, high) for low, high in pairwise(marks)]
    allowed = [part for part in parts if possible(sum(part) / 2)]
    return Interval(allowed[0][0], allowed[-1][1]) if allowed else None


def smallest_share(numerators: Vector, denominators: Vector, tail: float) -> float:
    """Return the least share that draws of a ratio leave possible, infinite if they leave none.

    A share is ruled out where all but `tail` of the draws have more than it. Denominators may be of
    either sign.

    Examples
    --------
    >>> round(smallest_share(np.linspace(0.2, 0.6, 401), np.ones(401), 0.025), 3)
    0.21
    """
    ratios = numerators / np.where(denominators == 0, np.finfo(float).tiny, denominators)
    above, below = np.sort(ratios[denominators >= 0]), np.sort(ratios[denominators < 0])
    inside = ratios[(ratios > UNIT.low) & (ratios < UNIT.high)]
    shares = np.concatenate([[UNIT.low], np.sort(inside), [UNIT.high]])
    more = len(above) - np.searchsorted(above, shares, "right")
    more = more + np.searchsorted(below, shares, "left")
    possible = more <= (1 - tail) * len(ratios)
    return float(shares[possible.argmax()]) if possible.any() else np.inf


def largest_share(numerators: Vector, denominators: Vector, tail: float) -> float:
    """Return the most share that draws of a ratio leave possible, minus infinity if none.

    Examples
    --------
    >>> round(largest_share(np.linspace(0.2, 0.6, 401), np.ones(401), 0.025), 3)
    0.59
    """
    return 1 - smallest_share(denominators - numerators, denominators, tail)


def share_limits(
    numerators: Vector, denominators: Vector, confidence_level: float
) -> Interval | None:
    """Return the least and the most share that draws of a ratio leave possible, None if none."""
    tail = (1 - confidence_level) / 2
    low, high = (end(numerators, denominators, tail) for end in (smallest_share, largest_share))
    return Interval(low, high) if low <= high else None
