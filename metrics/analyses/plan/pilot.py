"""What a pilot says about the differences to expect with other numbers of samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isinf, sqrt
from typing import Any, NamedTuple

import numpy as np
import scipy

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.joint_tally import JointTally
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.difficulties.fits import binomial_table, fitted_npmle
from metrics.intervals.korn_graubard import worth
from metrics.intervals.paired import MeanDifference, mean_difference
from metrics.scoring.draws import expected_product
from metrics.scoring.registry import Metric

_STEEP = 500.0


class Gains(NamedTuple):
    """Differences of questions, and the share of the questions that has each."""

    # As a pilot shows them; shares sum to 1. Shape (U,).
    values: Vector
    shares: Vector
    # How much of their distance from the mean is left, in [0, 1]: with more samples than the
    # pilot's chance makes less of it.
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
    """How questions of one cluster differ alike."""

    added: float  # What clusters add to M times the variance of the mean difference.
    worth: float  # Clusters of equal size that tell as much, for each question.

    def of(self, gains: Gains, usual: Gains, questions: int) -> MeanDifference:
        """Return the mean difference of questions in such clusters.

        The clusters add to the variance of `gains` as much as to that of the `usual`, the pilot's.
        """
        alone, own = gains.of(questions), usual.variance
        factor = max(0.0, 1 + self.added / own) if own > 0 else 1.0
        variance = factor * gains.variance / questions
        return replace(alone, variance=variance, clusters=self.worth * questions)


_DIGITS = 12


@dataclass(frozen=True, eq=False)
class Scoring:
    """A metric with its options."""

    metric: Metric  # Of counts.
    k: int  # Samples drawn.
    options: Mapping[str, Any]

    def scores(self, samples: int) -> Vector:
        """Return the scores of 0 … so many right samples."""
        if self.metric.takes_k and self.k > samples:
            problem = Text("{k} samples cannot be drawn from {n}.", k=self.k, n=samples)
            raise MetricError(problem)
        each = np.arange(samples + 1)
        tally = Tally(np.full(samples + 1, samples), each, np.ones(samples + 1, dtype=np.int64))
        return self.metric.scores(Evidence(tally), self.k, self.options).values

    def products(self, samples: int) -> Vector:
        """Return the product of the scores of two disjoint draws to expect, as `scores`."""
        if self.metric.payoff is None or self.metric.draws == "all":
            problem = Text(
                "A pilot cannot tell what more samples than its own would show of {metric}.",
                metric=self.metric.name,
            )
            raise MetricError(problem)
        drawn = self.metric.drawn(samples, self.k)
        expected = expected_product(self.metric.payoff(drawn, **self.options), samples)
        if np.isnan(expected).any():
            problem = Text(
                "{n} samples per question do not show what more would give; that takes {count}, "
                "two for each sample drawn.",
                n=samples,
                count=2 * drawn,
            )
            raise MetricError(problem)
        return expected

    def gains(self, samples: int, shares: Vector) -> Gains:
        """Return the differences of two runs, by the share of questions with each two counts."""
        scores = self.scores(samples)
        return _summed(scores - scores[:, None], shares)

    def seen(self, joint: JointTally, samples: int) -> Gains:
        """Return the differences of a pilot all of whose questions have so many samples in both."""
        scores = self.scores(samples)
        return _summed(scores[joint.c_b] - scores[joint.c_a], joint.questions / joint.n_questions)


def _summed(differences: Vector, shares: Vector) -> Gains:
    """Return each difference once, with its share."""
    values, places = np.unique(np.round(differences, _DIGITS), return_inverse=True)
    return Gains(values, np.bincount(places.ravel(), shares.ravel()).astype(np.float64))


def gains_of_one(tally: Tally, scoring: Scoring) -> Callable[[float], Gains]:
    """Expect of two runs what one difficulty of each question makes of both."""
    masses = fitted_npmle(tally)

    def gains(samples: float) -> Gains:
        if isinf(samples):
            problem = Text("One run alone does not show how far another will differ from it.")
            raise MetricError(problem)
        table = binomial_table(int(samples))
        return scoring.gains(int(samples), (table.T * masses) @ table)

    return gains


def gains_of_both(joint: JointTally, scoring: Scoring, n: int) -> Callable[[float], Gains]:
    """Expect what the pilot shows of fewer samples, and of more what chance leaves of it."""
    whole = bool((joint.n_a == n).all() and (joint.n_b == n).all())

    def gains(samples: float) -> Gains:
        if samples == n and whole:
            return scoring.seen(joint, n)
        if samples <= n:
            return scoring.gains(int(samples), _left(joint, int(samples)))
        products, scores = scoring.products(n), scoring.scores(n)
        counts = _left(joint, n)
        seen = scoring.gains(n, counts)
        chance = float((counts.sum(axis=0) + counts.sum(axis=1)) @ (scores**2 - products))
        m = joint.n_questions
        variance = seen.variance * m / max(m - 1, 1)
        between = max(0.0, variance - chance)
        left = (between + chance * n / samples) / variance if variance > 0 else 1.0
        return seen._replace(kept=min(1.0, sqrt(left)))

    return gains


def clusters_of_pilot(sides: Sides, scoring: Scoring) -> AlikeClusters | None:
    """Return what the clusters of a pilot's questions add; None without clusters."""
    clusters = sides.clusters
    if clusters is None:
        return None
    first, second = (scoring.metric.scores(side, scoring.k, scoring.options) for side in sides.both)
    gained, m = sides.gained((first, second)), len(clusters)
    whole = mean_difference(gained, sides.questions, clusters=clusters)
    alone = mean_difference(gained, sides.questions)
    added = m * float(whole.variance_of_mean - alone.variance_of_mean)
    return AlikeClusters(added, worth(np.bincount(clusters)).number / m)


def clusters_of_one_run(side: Evidence) -> AlikeClusters | None:
    """Return what clusters add where only chance makes two runs differ: their worth alone."""
    if side.clusters is None:
        return None
    sizes = np.bincount(side.clusters)
    return AlikeClusters(0.0, worth(sizes).number / int(sizes.sum()))


def _left(joint: JointTally, samples: int) -> Vector:
    """Return the share of questions with each two counts of so many samples left of each."""
    shares = np.zeros((samples + 1, samples + 1))
    for n_a, n_b in set(zip(joint.n_a.tolist(), joint.n_b.tolist(), strict=True)):
        here = (joint.n_a == n_a) & (joint.n_b == n_b)
        table = np.zeros((n_a + 1, n_b + 1))
        np.add.at(table, (joint.c_a[here], joint.c_b[here]), joint.questions[here])
        shares += subsample_chances(n_a, samples).T @ table @ subsample_chances(n_b, samples)
    return shares / joint.n_questions


def subsample_chances(n: int, samples: int) -> Vector:
    """Return the chances of each count of so many samples, of each count of n; (n+1, samples+1)."""
    c = np.arange(n + 1)[:, None]
    return np.asarray(scipy.stats.hypergeom.pmf(np.arange(samples + 1), n, c, samples))
