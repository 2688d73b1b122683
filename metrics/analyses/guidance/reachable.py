"""Which boxes hold a mean that some set of questions can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

Side = Literal["above", "from", "to", "below"]
Limit = tuple[int, Side, float]
"""A coordinate, and on which side of a number it lies; ``above`` and ``below`` exclude it."""

_MARGIN = 1e-6


def is_reachable(points: NDArray[np.float64], limits: Sequence[Limit]) -> bool:
    """Say whether a mean of points, each counted as often as one likes, can keep to all limits.

    Parameters
    ----------
    points : float array, shape (P, D)
        The scores that a question can have.
    limits : sequence of (int, {"above", "from", "to", "below"}, float)
        A strict limit must be kept by a millionth.

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
    found = scipy.optimize.linprog(
        [*np.zeros(len(points)), -1.0],
        A_ub=rows,
        b_ub=bounds,
        A_eq=[[*np.ones(len(points)), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * len(points), (0, 1)],
    )
    return found.x is not None and bool(found.x[-1] > _MARGIN)
