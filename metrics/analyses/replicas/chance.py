"""What chance alone makes of a replica, when its samples could be any of each question."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import ndtri

from metrics.data.arrays import Integers, Vector

MOST_QUESTIONS = 5_000
"""The most mixed questions whose chances are added up exactly; beyond, their sum is normal."""


class ReplicaCounts(NamedTuple):
    """The chances of each number of right samples of a replica: a sum of independent binomials.

    Attributes
    ----------
    first : int
        The number of right samples that the first chance is of.
    """

    first: int
    chances: Vector

    def tails(self, count: int) -> float:
        """Return the chance of a number at least as unlikely on either side, 1 at most.

        Examples
        --------
        >>> round(right_by_chance(np.array([10]), np.array([1]), np.array([2])).tails(0), 5)
        0.00195
        """
        place = count - self.first
        below = self.chances[: place + 1].sum() if place >= 0 else 0.0
        above = self.chances[max(place, 0) :].sum()
        return float(min(1.0, 2 * min(below, above)))

    def within(self, confidence_level: float) -> tuple[int, int]:
        """Return the numbers that hold all but equal shares of chance on either side."""
        tail = (1 - confidence_level) / 2
        reached = np.cumsum(self.chances)
        low = int(np.searchsorted(reached, tail, side="right"))
        high = int(np.searchsorted(reached, 1 - tail, side="left"))
        return self.first + low, self.first + min(high, len(self.chances) - 1)


def right_by_chance(questions: Integers, c: Integers, n: Integers) -> ReplicaCounts:
    """Return how many of some questions a sample drawn from each is right for.

    Of so many questions c of n samples are right, shape (U,) each.

    Examples
    --------
    Two questions of which half the samples are right, and one that is always right:

    >>> found = right_by_chance(np.array([2, 1]), np.array([1, 2]), np.array([2, 2]))
    >>> found.first, found.chances.round(6).tolist()
    (1, [0.25, 0.5, 0.25])
    """
    always = int(questions[c == n].sum())
    mixed = (c > 0) & (c < n)
    if questions[mixed].sum() > MOST_QUESTIONS:
        return _normal(always, questions[mixed], (c / n)[mixed])
    chances = np.ones(1)
    for count, share in zip(questions[mixed].tolist(), (c / n)[mixed].tolist(), strict=True):
        chances = np.convolve(chances, scipy.stats.binom.pmf(np.arange(count + 1), count, share))
    return ReplicaCounts(always, chances / chances.sum())


def _normal(always: int, questions: Integers, shares: Vector) -> ReplicaCounts:
    mean = float(questions @ shares)
    deviation = float(np.sqrt(questions @ (shares * (1 - shares))))
    reach = deviation * float(-ndtri(1e-12))
    numbers = np.arange(max(0, int(mean - reach)), min(int(questions.sum()), int(mean + reach)) + 1)
    chances = np.exp(-(((numbers - mean) / deviation) ** 2) / 2)
    return ReplicaCounts(always + int(numbers[0]), chances / chances.sum())
