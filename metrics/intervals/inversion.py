"""How small an error still leaves 0 out of an interval: its p-value, and those of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

LEAST = 1e-12
"""No smaller error is told from none."""
_MOST = 1 - 1e-6
"""Nearer to 1 scipy's quantile of t with four degrees of freedom is 0."""


def smallest_error(ends: Callable[[float], tuple[float, float]]) -> float:
    """Return the smallest error at which an interval leaves out 0; 1 where none does.

    The ends are nested over levels and, near enough, as many deviations from the middle as the
    normal has there, so the deviations are sought.

    ends: From a confidence level to lower and upper end.

    Examples
    --------
    Of a normal mean of 1.96 deviations:

    >>> from scipy.special import ndtri
    >>> round(smallest_error(lambda level: (1.96 - ndtri((1 + level) / 2), 9.0)), 3)
    0.05
    """

    def beyond(deviations: float) -> float:
        low, high = ends(1 - 2 * float(ndtr(-deviations)))
        return float(max(low, -high))

    least, most = -float(ndtri(_MOST / 2)), -float(ndtri(LEAST / 2))
    if beyond(most) > 0:
        return LEAST
    if beyond(least) <= 0:
        return 1.0
    return 2 * float(ndtr(-scipy.optimize.brentq(beyond, least, most, xtol=1e-8)))


def holm(p_values: Sequence[float], number: int | None = None) -> list[float]:
    """Return p-values adjusted for their number, so that none at all is wrong too often.

    number: How many there are, with those that are not given.

    Examples
    --------
    >>> [round(p, 2) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    left = (len(p) if number is None else number) - np.arange(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * left)
    return [float(each) for each in np.minimum(adjusted, 1.0)]
