"""Each two of several runs compared at once, on the questions that all of them answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.compare import compare_gained
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.sides import DIGITS, Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Interval
from metrics.intervals.paired import MeanDifference, mean_difference
from metrics.scoring.scores import QuestionScores

Pair = tuple[str, str]
_CELLS = 1 << 21
"""Differences of questions that are held at a time."""


class Pairwise(ABC):
    """By how much each run exceeds each after it, for questions like these.

    Pairs come in the order of `itertools.combinations`.
    """

    names: Sequence[str]
    questions: int

    @abstractmethod
    def some(self, pairs: slice) -> MeanDifference:
        """Return the mean differences of some pairs."""

    @abstractmethod
    def differences(self, count: int | None = None) -> dict[Pair, Difference]:
        """Say how much better each run is than each after it; or of so many pairs."""

    @property
    @abstractmethod
    def gains(self) -> Vector:
        """The mean difference of each pair. Shape (P,)."""

    @cached_property
    def p_values(self) -> Vector:
        """Of each pair by itself. Shape (P,)."""
        (found,) = self._numbers_of_pairs(lambda found: (found.p_value,))
        return np.asarray(found)

    def limits(self, confidence_level: float, count: int | None = None) -> Vector:
        """Return both limits of each pair by itself, or of so many pairs. Shape (2, P)."""
        return self._numbers_of_pairs(lambda found: found.limits(confidence_level), count)

    def _intervals(self, confidence_level: float, count: int | None) -> dict[Pair, Interval]:
        ends, pairs = self.limits(confidence_level, count).T, combinations(self.names, 2)
        return {pair: Interval(*each) for pair, each in zip(pairs, ends.tolist(), strict=False)}

    def _numbers_of_pairs(
        self, numbers: Callable[[MeanDifference], Sequence[Any]], count: int | None = None
    ) -> Vector:
        last = comb(len(self.names), 2) if count is None else count
        step = max(1, _CELLS // self.questions)
        stretches = (slice(first, min(first + step, last)) for first in range(0, last, step))
        parts = [np.stack(numbers(self.some(stretch))) for stretch in stretches]
        return np.concatenate(parts, axis=1)


class OnOneSet(Pairwise):
    """Of runs that answered the same questions.

    sides, scores: Of each run.
    """

    def __init__(
        self,
        names: Sequence[str],
        sides: Sequence[Evidence],
        scores: Sequence[QuestionScores],
        question: Question,
    ) -> None:
        self.names, self.sides, self.scores, self.question = names, sides, scores, question
        self.clusters = sides[0].clusters
        self.reach = max(each.high for each in scores) - min(each.low for each in scores)
        rows = [each.each_question(side).values for each, side in zip(scores, sides, strict=True)]
        self._rows = np.stack(rows, axis=1)
        self.questions = len(self._rows)
        self._higher, self._lower = np.triu_indices(len(names), 1)

    def some(self, pairs: slice) -> MeanDifference:
        """Return the mean differences of some pairs."""
        gained, reach = self._gained(self._higher[pairs], self._lower[pairs]), self.reach
        if self.clusters is None:
            return MeanDifference(*_value_counts(gained), -reach, reach)
        ones = np.ones(self.questions)
        return mean_difference(gained, ones, clusters=self.clusters, low=-reach, high=reach)

    def differences(self, count: int | None = None) -> dict[Pair, Difference]:
        """Say how much better each run is than each after it; or of so many pairs."""
        found, places = {}, combinations(range(len(self.names)), 2)
        limits = self._intervals(self.question.confidence_level, count)
        for (pair, interval), (i, j) in zip(limits.items(), places, strict=False):
            sides = Sides(self.sides[j], self.sides[i], paired=True)
            scores = self.scores[j], self.scores[i]
            found[pair] = compare_gained(sides, scores, self._gained(i, j), self.question, interval)
        return found

    @property
    def gains(self) -> Vector:
        """The mean difference of each pair. Shape (P,)."""
        means = self._rows.mean(axis=0)
        return np.asarray(means[self._higher] - means[self._lower])

    def _gained(self, higher: Any, lower: Any) -> Vector:
        return np.asarray(np.round(self._rows[:, higher] - self._rows[:, lower], DIGITS))


def _value_counts(gained: Vector) -> tuple[Vector, Vector]:
    """Return the values that occur in columns, and how often in each, where that is less.

    gained: Shape (M, P).
    """
    values, places = np.unique(gained, return_inverse=True)
    questions, columns = gained.shape
    if len(values) >= questions:
        return gained, np.ones(questions)
    cells = places.reshape(questions, columns) * columns + np.arange(columns)
    counts = np.bincount(cells.ravel(), minlength=len(values) * columns)
    return values, counts.reshape(len(values), columns).astype(np.float64)


def surely_better(
    gains: Iterable[float], adjusted: Iterable[float], runs: int, error: float
) -> NDArray[np.bool_]:
    """Return of each two runs, by their places, whether the first is surely better.

    gains: By how much the first of each pair is better. Pairs come as in `Pairwise`, and the last
        may be missing: nothing is claimed of them.
    adjusted: Their p-values, so that all claims hold at once.
    """
    better = np.zeros((runs, runs), dtype=bool)
    pairs = combinations(range(runs), 2)
    for (first, second), gain, p_value in zip(pairs, gains, adjusted, strict=False):
        if p_value <= error:
            better[(first, second) if gain > 0 else (second, first)] = True
    return better
