r"""Limits of a binomial share, for successes and trials that need not be whole numbers.

Exact limits hold at least as often as they say. Mid-P limits count what is as likely as the data
half: at level .95 they hold in .912 of the cases or more, of 10 to 1000 trials, and in about .95 on
average [1]_. Both kinds are nested over levels and work element
by element.

References
----------
.. [1] A. Agresti and A. Gottard, "Nonconservative exact small-sample inference for discrete data",
   Computational Statistics & Data Analysis 51, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, ndtri

ZERO = 1e-7
"""Successes below which there are none."""
_LEAST = 1e-300
_CLOSE = 1e-4
"""A last step of the log-odds after which, as steps shrink by the third power, 1e-13 is left."""
_STEPS = 40
_PULL = 0.42
"""Exact limits at x + x / (x + .42 z²) / 2 successes, of which they start, are near them."""


def clopper_pearson(x: Any, n: Any, confidence_level: float) -> tuple[Any, Any]:
    """Return exact binomial limits for x successes of n, both real-valued.

    Examples
    --------
    >>> low, high = clopper_pearson(0, 30, 0.95)
    >>> round(float(low), 3), round(float(high), 3)
    (0.0, 0.116)
    """
    tail = (1 - confidence_level) / 2
    missed = n - x
    low = betaincinv(np.maximum(x, ZERO), missed + 1, tail)
    high = betaincinv(x + 1, np.maximum(missed, ZERO), 1 - tail)
    return np.where(x < ZERO, 0.0, low), np.where(missed < ZERO, 1.0, high)


def mid_p(mean: Any, size: Any, confidence_level: float) -> tuple[Any, Any]:
    r"""Return mid-P limits of a share of so many trials.

    With x = n m successes of n trials the lower limit p solves

    .. math:: \tfrac{1}{2} \left(I_p(x, n - x + 1) + I_p(x + 1, n - x)\right) = \alpha / 2

    and the upper one its mirror image.

    mean: m, in [0, 1].
    size: n, at least 0.
    confidence_level: In (0, 1).
    Returns: Lower and upper limit, in [0, 1]; the mean lies between them.

    Examples
    --------
    3 successes of 30, and none:

    >>> [round(float(end), 4) for end in mid_p(0.1, 30, 0.95)]
    [0.0261, 0.2485]
    >>> [round(float(end), 4) for end in mid_p(0, 30, 0.95)]
    [0.0, 0.095]
    """
    share = np.array([mean + 0.0 * size, 1 - mean + 0.0 * size])
    x = np.maximum(size * share, ZERO)
    lower = np.where(x > ZERO, _lower(x, (1 - confidence_level) / 2), 0.0)
    low, missed = np.minimum(share, lower)
    return low, 1 - missed


def _lower(counts: NDArray[np.float64], tail: float) -> NDArray[np.float64]:
    """Return the lower limits of successes and failures, shape (2, …), by Halley's steps.

    They go along the log-odds, to the logarithm of the tail.
    """
    x, y = counts, counts[::-1]
    n, less, after = x + y, y - x, y + 1
    weight = betaln(x + 1, after) + np.log(n + 1)
    odds = _odds_nearby(x, y, ndtri(tail))
    for _ in range(_STEPS):
        p = odds / (1 + odds)
        half = np.exp(x * np.log(odds) - n * np.log1p(odds) - weight) / 2
        excess = betainc(x, after, p) - half
        scale = x + less * p
        slope = half * scale / excess
        bend = (x - n * p + less * p * (1 - p) / scale - slope) / 2
        far = np.log(excess / tail) / slope
        step = far / np.maximum(1 - far * bend, 0.5)
        odds = np.maximum(odds * np.exp(-step), _LEAST)
        if abs(step).max() < _CLOSE:
            break
    return np.asarray(odds / (1 + odds))


def _odds_nearby(x: NDArray[np.float64], y: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """Return about the odds of a Beta quantile, by Paulson's normal roots of F."""
    part = x / (x + _PULL * z**2) / 2
    a, b = x + part, y + 1 - part
    s, t = 1 / (9 * a), 1 / (9 * b)
    c, d = 1 - s, 1 - t
    spread = z * np.sqrt(np.maximum(d * d * s + c * c * t - z * z * s * t, 0))
    root = np.maximum((c * c - z * z * s) / (c * d - spread), 1e-3)
    return np.asarray(a / b * root**3)
