"""Differences between two runs that the questions of a plan are to have."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy

from metrics.data.arrays import Vector
from metrics.intervals.paired import MeanDifference

_STEEP = 500.0


class Gains(NamedTuple):
    """Differences of questions, and the share of the questions that has each.

    Attributes
    ----------
    values, shares : float array, shape (U,)
        As a pilot shows them; shares sum to 1.
    kept : float, optional
        How much of their distance from the mean is left, in [0, 1]: with more samples than the
        pilot's chance makes less of it.
    """

    values: Vector
    shares: Vector
    kept: float = 1.0

    @property
    def mean(self) -> float:
        """Of the differences."""
        return float(self.shares @ self.values)

    @property
    def expected(self) -> Vector:
        """The differences to expect, shape (U,)."""
        if self.kept == 1:
            return self.values
        return self.mean + self.kept * (self.values - self.mean)

    @property
    def variance(self) -> float:
        """Of the difference of one question."""
        return float(self.shares @ (self.expected - self.mean) ** 2)

    def of(self, questions: int) -> MeanDifference:
        """Return the mean difference of so many questions, each as is to be expected."""
        return MeanDifference(self.expected, self.shares * questions)

    def with_mean(self, mean: float) -> Gains:
        """Return them weighed by :math:`e^{c d}` to have a mean; beyond their range, moved to it.

        The pilot's own differences are weighed, so that the weights are the same however many more
        samples are planned, and more samples never take more questions.

        Examples
        --------
        >>> gains = Gains(np.array([-1.0, 0, 1]), np.array([0.1, 0.7, 0.2]))
        >>> gains.with_mean(0.3).shares.round(3).tolist()
        [0.044, 0.611, 0.344]
        """
        seen = self.shares > 0
        values, shares = self.values[seen], self.shares[seen]

        def weighed(c: float) -> Vector:
            logs = np.log(shares) + c * values
            tilted = np.exp(logs - logs.max())
            return np.asarray(tilted / tilted.sum())

        def beyond(c: float) -> float:
            return float(weighed(c) @ values) - mean

        if not beyond(-_STEEP) < 0 < beyond(_STEEP):
            return Gains(values + mean - shares @ values, shares, self.kept)
        return Gains(values, weighed(scipy.optimize.brentq(beyond, -_STEEP, _STEEP)), self.kept)


class AlikeClusters(NamedTuple):
    """How questions of one cluster differ alike.

    Attributes
    ----------
    added : float
        What clusters add to M times the variance of the mean difference.
    worth : float
        Clusters of equal size that tell as much, for each question.
    """

    added: float
    worth: float

    def of(self, gains: Gains, usual: Gains, questions: int) -> MeanDifference:
        """Return the mean difference of questions in such clusters.

        The clusters add to the variance of `gains` as much as to that of the `usual`, the pilot's.
        """
        alone, own = gains.of(questions), usual.variance
        factor = max(0.0, 1 + self.added / own) if own > 0 else 1.0
        variance = factor * gains.variance / questions
        return replace(alone, variance=variance, clusters=self.worth * questions)
