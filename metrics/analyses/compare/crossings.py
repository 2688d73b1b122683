"""Where one curve passes another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two curves of which one leads at first and the other at last."""

    # The places of the curve that leads at first and of the one that leads at last.
    before: int
    after: int
    k: int  # From which on the other leads.
    # By how much each leads, at first and at last.
    lead: float
    gain: float


def crossings(ks: Sequence[int], values: Any) -> tuple[Crossing, ...]:
    """Find all pairs of curves that change places for good, those that part most first.

    `ks` ascend, and a row of `values` is a curve.

    Examples
    --------
    >>> found = crossings([1, 2, 4], [[0.5, 0.6, 0.6], [0.4, 0.6, 0.8], [0.1, 0.2, 0.3]])
    >>> [(each.before, each.after, each.k) for each in found]
    [(0, 1, 4)]
    """
    curves = np.asarray(values, dtype=np.float64)
    crossed = []
    for a, b in combinations(range(len(curves)), 2):
        ahead = curves[b] - curves[a]
        ahead[abs(ahead) < _EQUAL] = 0.0
        if ahead[0] * ahead[-1] < 0:
            sign = np.sign(ahead[-1])
            place = int(np.flatnonzero(ahead * sign <= 0)[-1]) + 1
            before, after = (a, b) if sign > 0 else (b, a)
            ends = abs(float(ahead[0])), abs(float(ahead[-1]))
            crossed.append(Crossing(before, after, int(ks[place]), *ends))
    return tuple(sorted(crossed, key=lambda each: -min(each.lead, each.gain)))
