"""Three rules that choose n: a share of the best quality, a budget, what a solution is worth."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.choose_n.tradeoff import ROUNDING

Rule = Literal["reach", "budget", "value"]


def chosen_by(
    rule: Rule, limit: float, n: NDArray[np.int64], quality: Any, cost: Any, *, idle: bool = False
) -> Any:
    """Return the n that a rule chooses.

    "reach": the first n whose quality is at least the share `limit` of that at the largest n.
    "budget": the last n before the cost first exceeds `limit`. "value": the last n before the cost
    of each further solved question first exceeds `limit`, or none is solved. The latter two give 0
    where that is the first n.

    Parameters
    ----------
    rule : {"reach", "budget", "value"}
    limit : float
        The share to reach, the budget or the value.
    n : int array, shape (K,)
    quality, cost : float array, shape (…, K)
        Quality of 0 at the largest n reaches nothing before it.
    idle : bool
        Whether "value" goes on where nothing is left to gain and nothing to pay.

    Returns
    -------
    int array, shape (…)
    """
    if rule == "reach":
        best = quality[..., -1:]
        enough = quality >= limit * best - ROUNDING * best
        return np.where(best[..., 0] > 0, n[enough.argmax(axis=-1)], n[-1])
    if rule == "budget":
        allowed = cost <= limit * (1 + ROUNDING)
    else:
        zero = np.zeros((*quality.shape[:-1], 1))
        gain = np.diff(quality, axis=-1, prepend=zero)
        paid = np.diff(cost, axis=-1, prepend=zero)
        allowed = (gain > ROUNDING) & (paid <= limit * gain * (1 + ROUNDING))
        if idle:
            allowed |= paid <= ROUNDING * cost
    return np.r_[0, n][np.logical_and.accumulate(allowed, axis=-1).sum(axis=-1)]
