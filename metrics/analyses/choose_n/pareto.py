"""The Pareto front: offers that no other beats on cost and quality at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import number_vector


def pareto(cost: Any, quality: Any) -> NDArray[np.bool_]:
    """Say which offers are on the Pareto frontier: more quality costs more, less cost loses some.

    No offer is on it where another has at most the cost and at least the quality, and one of both
    strictly so. Equal offers stand or fall together.

    Examples
    --------
    >>> pareto([1, 2, 2, 3], [0.5, 0.4, 0.7, 0.7]).tolist()
    [True, False, True, False]
    """
    costs = number_vector(cost, "cost")
    qualities = number_vector(quality, "quality", len(costs))
    order = np.lexsort((-qualities, costs))
    sorted_costs, sorted_qualities = costs[order], qualities[order]
    best_before = np.maximum.accumulate(np.r_[-np.inf, sorted_qualities[:-1]])
    first = np.searchsorted(sorted_costs, sorted_costs, side="left")
    dearer = sorted_qualities > best_before[first]
    is_best = np.empty(len(costs), dtype=bool)
    is_best[order] = dearer & (sorted_qualities == sorted_qualities[first])
    return is_best
