r"""Whether better models do better on a question: Kendall's tau, with an interval.

On Fisher's scale, :math:`\operatorname{artanh} \tau`, the interval is as wide to both sides as the
smallest tau that J models reach by chance with no more than the error allowed, by the exact
distribution of the number of inversions. So it leaves out 0 if and only if the exact test does.
"""

from __future__ import annotations

from functools import cache
from math import atanh, comb, factorial, tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.results import Interval


class Relation(NamedTuple):
    """How a question goes with the rest of the questions."""

    # Kendall's, over the runs: 1 where each better run does better on it, -1 where each does worse.
    # Pairs that do alike count 0.
    tau: float
    interval: Interval

    @property
    def inverse(self) -> bool:
        """Whether better runs surely do worse on it."""
        return self.interval.high < 0


def concordance(scores: Vector) -> NDArray[np.int64]:
    """Return of each question by how many pairs of runs more agree with the rest than do not.

    Scores have a row for each run. The rest of a question are all others.

    Examples
    --------
    Three runs, the first the best; the last question goes the other way:

    >>> concordance(np.array([[1.0, 1, 1, 0], [1, 0.5, 0, 0.5], [0.5, 0, 0, 1]])).tolist()
    [1, 2, 1, -3]
    """
    rest = scores.sum(axis=1, keepdims=True) - scores
    total = np.zeros(scores.shape[1], dtype=np.int64)
    for one in range(len(scores)):
        for other in range(one):
            ahead = np.sign(np.round(rest[one] - rest[other], 9))
            total += (ahead * np.sign(np.round(scores[one] - scores[other], 9))).astype(np.int64)
    return total


def relation_of(pairs_ahead: int, runs: int, error: float) -> Relation:
    """Return the relation of a question, from its `concordance`.

    The error is that of the interval, on both sides together.

    Examples
    --------
    Of 8 runs each better one does worse; then with the error of one of 100 questions:

    >>> [round(end, 2) for end in relation_of(-28, 8, 0.05).interval]
    [-0.99, -0.87]
    >>> relation_of(-28, 8, 0.05 / 100).inverse, relation_of(-20, 8, 0.05 / 100).inverse
    (True, False)
    """
    pairs, least = comb(runs, 2), least_by_chance(runs, error)
    tau = pairs_ahead / pairs
    if least is None:
        return Relation(tau, Interval(-1.0, 1.0))
    half = atanh(max(0.0, (least - 1.5) / pairs))
    centre = atanh(np.sign(tau) * max(0.0, abs(tau) - 1 / pairs))
    return Relation(tau, Interval(max(-1.0, tanh(centre - half)), min(1.0, tanh(centre + half))))


def fewest_runs(error: float) -> int:
    """Return from how many runs on any question can be surely inverse.

    Examples
    --------
    >>> fewest_runs(0.05), fewest_runs(0.05 / 100)
    (5, 7)
    """
    runs = 2
    while 2 / factorial(runs) > error:
        runs += 1
    return runs


@cache
def least_by_chance(runs: int, error: float) -> int | None:
    """Return the least surplus of pairs that chance reaches with no more than this error.

    None where even the largest is likelier.
    """
    tail = np.cumsum(_inversions(runs))
    allowed = np.flatnonzero(2 * tail <= error)
    return None if not len(allowed) else comb(runs, 2) - 2 * int(allowed[-1])


def _inversions(runs: int) -> Vector:
    """Return the chance of each number of inversions of a random order."""
    chances = np.ones(1)
    for size in range(2, runs + 1):
        chances = np.convolve(chances, np.full(size, 1 / size))
    return chances
