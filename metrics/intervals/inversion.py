"""How small an error still leaves 0 out of an interval: its p-value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from metrics.intervals.limits import EXACT_BELOW

LEAST = 1e-12
"""No smaller error is told from none."""
_MOST = 1 - 1e-6
"""Nearer to 1 scipy's quantile of t with four degrees of freedom is 0."""


def smallest_error(ends: Callable[[float], tuple[float, float]]) -> float:
    """Return the smallest error at which an interval leaves out 0; 1 where none does.

    Intervals may change their kind at `EXACT_BELOW`, so the error is sought beyond that level
    first.

    Parameters
    ----------
    ends : callable
        From a confidence level to lower and upper end.

    Examples
    --------
    Of a normal mean of 1.96 deviations:

    >>> from scipy.special import ndtri
    >>> round(smallest_error(lambda level: (1.96 - ndtri((1 + level) / 2), 9.0)), 3)
    0.05
    """

    def beyond(log_error: float) -> float:
        low, high = ends(1 - float(np.exp(log_error)))
        return float(max(low, -high))

    least, usual, most = (float(np.log(error)) for error in (LEAST, 1 - EXACT_BELOW, _MOST))
    if beyond(least) > 0:
        return LEAST
    bottom, top = (least, usual) if beyond(usual) > 0 else (usual, most)
    if beyond(top) <= 0:
        return 1.0
    flat = beyond(bottom) == 0 == beyond(top)
    root = top if flat else scipy.optimize.brentq(beyond, bottom, top, xtol=1e-9)
    return float(np.exp(min(root, top)))
