"""Which replicas of a run chance does not explain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import ndtri

from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import UNGROUPED

MOST_QUESTIONS = 5_000
"""The most mixed questions whose chances are added up exactly; beyond, their sum is normal."""


class ReplicaCounts(NamedTuple):
    """The chances of each number of right samples of a replica: a sum of independent binomials."""

    first: int  # The number of right samples that the first chance is of.
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


class JudgedReplicas(NamedTuple):
    """Replicas, and what chance makes of them, as in `Replicas`."""

    replica: Integers
    accuracy: Vector
    n_questions: Integers
    low: Vector
    high: Vector
    p_value: Vector
    standing_out: tuple[int, ...]
    # The chance of the replica that is farthest off from all others, adjusted for their number;
    # where it is small and none stands out, it cannot be said which one is odd.
    least: float
    # Verdicts of the questions with several samples, and where there are any. Shape (M, N).
    matrix: Vector
    held: Flags


def judge(evidence: Evidence, confidence_level: float) -> JudgedReplicas:
    """Judge each replica by all that do not stand out, the one that is farthest off first.

    Where only half of them or fewer would be left, none stands out: which half is odd cannot be
    said.
    """
    if evidence.outcomes is not None and not evidence.outcomes.grouped:
        raise MetricError(UNGROUPED)
    matrix = evidence.matrix
    if matrix.max() > 1:
        raise MetricError(Text("Replicas are compared by 0/1 outcomes; these have categories."))
    held = matrix >= 0
    several = held.sum(axis=1) > 1
    if not several.any():
        raise MetricError(Text("Each question has one sample, so there is no replica to compare."))
    there = held[several].any(axis=0)
    matrix, held = matrix[several][:, there], held[several][:, there]
    asked, right = held.sum(axis=0), (matrix == 1).sum(axis=0)
    usual = np.ones(len(asked), dtype=bool)
    p_values = np.ones(len(asked))
    alpha = 1 - confidence_level
    while True:
        expected = _by_chance(matrix, held, usual)
        p_values[usual] = _p_values(expected, right, usual)
        worst = int(np.where(usual, p_values, np.inf).argmin())
        if p_values[worst] > alpha or usual.sum() <= 2:
            break
        usual[worst] = False
    least = float(p_values.min())
    if 2 * usual.sum() <= len(usual):
        usual[:] = True
        expected = _by_chance(matrix, held, usual)
        p_values = _p_values(expected, right, usual)
    level = 1 - alpha / int(usual.sum())
    low, high = np.array([each.within(level) for each in expected]).T
    numbers = np.flatnonzero(there) + 1
    return JudgedReplicas(
        numbers,
        right / asked,
        asked,
        low / asked,
        high / asked,
        p_values,
        tuple(numbers[~usual].tolist()),
        least,
        matrix,
        held,
    )


def _p_values(expected: list[ReplicaCounts], right: Integers, usual: Flags) -> Vector:
    """Return the chance of each usual replica as far off, adjusted for how many these are."""
    count = int(usual.sum())
    places = np.flatnonzero(usual)
    return np.array([min(1.0, count * expected[each].tails(int(right[each]))) for each in places])


def _by_chance(matrix: Vector, held: Flags, usual: Flags) -> list[ReplicaCounts]:
    """Return how many right ones each replica has by chance, as its questions have in the usual."""
    n = (held & usual).sum(axis=1)
    c = ((matrix == 1) & usual).sum(axis=1)
    size = int(n.max()) + 1
    known: dict[bytes, ReplicaCounts] = {}
    p_values = []
    for mine in held.T:
        asked = mine & (n > 0)
        if (key := asked.tobytes()) not in known:
            kinds, questions = np.unique((c * size + n)[asked], return_counts=True)
            known[key] = right_by_chance(questions, kinds // size, kinds % size)
        p_values.append(known[key])
    return p_values
