"""The difference of two blends of dataset means, which have no score of a single question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.estimating.limits import limits
from metrics.intervals.joint_means import PSEUDO, joint_sums
from metrics.intervals.paired import independent_limits
from metrics.scoring.blends import power_blend
from metrics.scoring.registry import Metric
from metrics.scoring.scores import QuestionScores, count_scores

RESAMPLES = 10_000
"""Joint draws."""
_SEED = 0


class Drawn(NamedTuple):
    """Draws of the sums of both scores of runs over the same questions."""

    sums: Sequence[Vector]  # Of each run. Shape (RESAMPLES, 2).
    # How many questions there are, with two that only one of two runs solves, so that ties never
    # are certain. Shape (RESAMPLES,).
    sizes: Vector
    alone: Vector  # What each of these two adds. Shape (2, RESAMPLES).

    @classmethod
    def of(
        cls,
        scores: Sequence[Vector],
        clusters: NDArray[np.intp] | None,
        questions: NDArray[np.int64] | None = None,
    ) -> Drawn:
        """Draw sums of scores, shape (M, 2) of each run.

        Of so many questions, clustered so, all runs and calls have the same weights. A row may
        stand for several questions.
        """
        rng = np.random.default_rng(_SEED)
        stacked = np.concatenate(scores, axis=1)
        sums, sizes = joint_sums(
            stacked, questions, clusters=clusters, resamples=RESAMPLES, rng=rng
        )
        usual = 1.0 if clusters is None else len(stacked) / (int(clusters.max()) + 1)
        alone = usual * rng.standard_gamma(PSEUDO, (2, RESAMPLES))
        return cls(np.split(sums, len(scores), axis=1), sizes + alone.sum(axis=0), alone)

    def of_two(self, a: int, b: int) -> Drawn:
        """Return the draws of two runs, by their places."""
        return self._replace(sums=[self.sums[a], self.sums[b]])


class Blends:
    """The blends of two runs.

    metric: With `parts`.
    options: Of the metric.
    drawn: Of both, if it is known.
    """

    def __init__(
        self,
        metric: Metric,
        sides: Sides,
        k: int,
        options: Mapping[str, Any],
        drawn: Drawn | None = None,
    ) -> None:
        assert metric.parts is not None
        _first, _second, *self.powers = metric.parts(**options)
        self.sides, self.known = sides, drawn
        self.parts = [parts_of(metric, side, k, options) for side in sides.both]

    @property
    def values(self) -> tuple[float, float]:
        """The blend of each."""
        a, b = (self._blend(*(part.mean for part in each)) for each in self.parts)
        return float(a), float(b)

    @property
    def bounded(self) -> bool:
        """Whether it has an interval; with a negative power it has none."""
        return min(self.powers) >= 0

    def ends(self, target: Target) -> Callable[[float], tuple[float, float]]:
        """Return what gives the ends of the difference at a level."""
        if self.sides.paired and target == "population":
            drawn = self._draw_differences()
            return lambda level: _quantiles(drawn, level)
        return lambda level: self._separate(Question(target, (1 + level) / 2))

    def _draw_differences(self) -> Vector:
        """Draw differences of the blends for questions like these, ascending."""
        questions = None if self.sides.joint is None else self.sides.questions
        drawn = self.known or Drawn.of(
            list(map(self._scores, (0, 1))), self.sides.clusters, questions
        )
        (a, b), (of_a, of_b) = drawn.sums, drawn.alone
        first, second = (
            self._blend(*((sums + alone[:, None]) / drawn.sizes[:, None]).T)
            for sums, alone in ((a, of_a), (b, of_b))
        )
        return np.sort(second - first)

    def _scores(self, place: int) -> Vector:
        """Return both scores of a side, row by row."""
        side, sides = self.sides.both[place], self.sides
        return np.stack([sides.rows(part, side) for part in self.parts[place]], axis=1)

    def _separate(self, half: Question) -> tuple[float, float]:
        """Combine the blends' own limits, each of limits of two means at half the error."""
        first, second = (
            (value, *self._limits(parts, side, half))
            for value, parts, side in zip(self.values, self.parts, self.sides.both, strict=True)
        )
        low, high = independent_limits(first, second)
        return float(low), float(high)

    def _limits(
        self, parts: tuple[QuestionScores, ...], side: Evidence, half: Question
    ) -> tuple[float, float]:
        ends = [limits(part, side, half)[0] for part in parts]
        low, high = (self._blend(*each) for each in zip(*ends, strict=True))
        return float(low), float(high)

    def _blend(self, x: Any, y: Any) -> Any:
        return power_blend(x, y, *self.powers)


def parts_of(
    metric: Metric, side: Evidence, k: int, options: Mapping[str, Any]
) -> tuple[QuestionScores, QuestionScores]:
    """Return both scores that a metric is a blend of."""
    assert metric.parts is not None
    (one, of_one), (other, of_other), *_powers = metric.parts(**options)
    return (
        count_scores(side, one, lambda n: k, of_one),
        count_scores(side, other, lambda n: k, of_other),
    )


def draw_all(
    metric: Metric, sides: Sequence[Evidence], k: int, options: Mapping[str, Any]
) -> Drawn | None:
    """Draw the sums of several runs at once; None where they are not over the same questions."""
    first = sides[0]
    if any(side.outcomes is None for side in sides) or not all(
        side.outcomes.questions == first.outcomes.questions
        and np.array_equal(side.rows, first.rows)
        and _have_same_clusters(side.clusters, first.clusters)
        for side in sides
        if side.outcomes is not None and first.outcomes is not None
    ):
        return None
    scores = [
        np.stack(
            [part.each_question(side).values for part in parts_of(metric, side, k, options)], 1
        )
        for side in sides
    ]
    return Drawn.of(scores, first.clusters)


def _have_same_clusters(one: NDArray[np.intp] | None, other: NDArray[np.intp] | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _quantiles(drawn: Vector, level: float) -> tuple[float, float]:
    """Return the quantiles of what is ascending; beyond what so many say, all that is possible."""
    if (1 - level) / 2 * len(drawn) < 1:
        return -1.0, 1.0
    places = (len(drawn) - 1) * np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = np.interp(places, np.arange(len(drawn)), drawn)
    return float(low), float(high)
