"""The difference of two blends of dataset means, which have no score of a single question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Target
from metrics.estimating.limits import limits
from metrics.intervals.joint_means import joint_means
from metrics.intervals.paired import independent_limits
from metrics.scoring.blends import power_blend
from metrics.scoring.registry import Metric
from metrics.scoring.scores import QuestionScores, count_scores

RESAMPLES = 10_000
"""Joint draws."""
_SEED = 0
_PSEUDO = np.array([[0.0, 0, 1, 1], [1, 1, 0, 0]])
"""Two questions that only one of the runs solves, so that ties never are certain."""


class Blends:
    """The blends of two runs.

    Parameters
    ----------
    metric : Metric
        With `parts`.
    sides : Sides
    k : int
    options : mapping of str to object
        Of the metric.
    """

    def __init__(self, metric: Metric, sides: Sides, k: int, options: Mapping[str, Any]) -> None:
        assert metric.parts is not None
        first, second, *powers = metric.parts(**options)
        self.sides, self.powers = sides, powers
        self.parts = [
            tuple(count_scores(side, payoff, lambda n: k, of) for payoff, of in (first, second))
            for side in sides.both
        ]

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
            drawn = self._drawn()
            return lambda level: _quantiles(drawn, level)
        return lambda level: self._apart(target, level)

    def _drawn(self) -> Vector:
        """Draw differences of the blends for questions like these, ascending."""
        columns = [
            self.sides.rows(part, side)
            for side, parts in zip(self.sides.both, self.parts, strict=True)
            for part in parts
        ]
        scores, questions = np.stack(columns, axis=1), self.sides.questions
        clusters = self.sides.clusters
        if clusters is None:
            scores, places = np.unique(scores, axis=0, return_inverse=True)
            questions = np.bincount(places.ravel(), questions).astype(np.int64)
        x_a, y_a, x_b, y_b = joint_means(
            scores, questions, clusters=clusters, pseudo=_PSEUDO, resamples=RESAMPLES, rng=_SEED
        ).T
        return np.sort(self._blend(x_b, y_b) - self._blend(x_a, y_a))

    def _apart(self, target: Target, level: float) -> tuple[float, float]:
        """Combine the blends' own limits, each of limits of two means at half the error."""
        first, second = (
            (value, *self._limits(parts, side, target, (1 + level) / 2))
            for value, parts, side in zip(self.values, self.parts, self.sides.both, strict=True)
        )
        low, high = independent_limits(first, second)
        return float(low), float(high)

    def _limits(
        self, parts: tuple[QuestionScores, ...], side: Evidence, target: Target, level: float
    ) -> tuple[float, float]:
        ends = [limits(part, side, target, level)[0] for part in parts]
        low, high = (self._blend(*each) for each in zip(*ends, strict=True))
        return float(low), float(high)

    def _blend(self, x: Any, y: Any) -> Any:
        return power_blend(x, y, *self.powers)


def _quantiles(drawn: Vector, level: float) -> tuple[float, float]:
    """Return the quantiles; beyond what so many draws can say, all that is possible."""
    if (1 - level) / 2 * len(drawn) < 1:
        return -1.0, 1.0
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
