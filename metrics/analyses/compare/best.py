"""With what chance each of several runs is the best, and what taking it costs if it is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from metrics.data.arrays import Vector
from metrics.intervals.korn_graubard import worth

DRAWS = 4000
_SEED = 0
_STEPS = 40
_NONE = 0.02
_SMALLEST, _LARGEST = 0.1, 30.0
_FLAT = 1e-12
_UNSEEN = 0.5


class Best(NamedTuple):
    """With what chance each run is the best, and what taking it loses on average."""

    chances: tuple[float, ...]  # They sum to 1.
    # How much better the best is than each run, on average; 0 where that is the best.
    losses: tuple[float, ...]


def allowed(confidence_level: float) -> float:
    """Return the largest chance that a run is better, of an interval of both that holds 0."""
    return (1 + confidence_level) / 2


def chances_of_best(means: Sequence[float] | Vector, covariance: Vector, most: float = 1.0) -> Best:
    r"""Say with what chance each of several means is the greatest, and what a wrong choice loses.

    The runs' true means lie about their mean by normal effects of a common size τ. Contrasts to the
    mean of all runs leave out what all questions have in common; rotated so that they are
    independent they are :math:`x_i` with variances :math:`e_i`, and

    .. math:: \theta_i \mid \tau \sim N\left(\frac{\tau^2 x_i}{\tau^2 + e_i},
              \frac{\tau^2 e_i}{\tau^2 + e_i}\right)

    τ is 0 with a prior weight of .02, and else half-Cauchy with the median root of the variances as
    its scale. So the best of runs that are about equal is not taken for surely the best, which the
    share of bootstraps that choose it would be [1]_.

    means: Shape (R,).
    covariance: Of the means. Shape (R, R).
    most: The largest chance that is said: `allowed`, where no run surely leads; the nearest run has
        what is beyond. What the choice costs where it is wrong stays.

    References
    ----------
    .. [1] B. Efron, "Tweedie's formula and selection bias", Journal of the American Statistical
       Association 106, 2011, on the winner's curse.

    Examples
    --------
    >>> found = chances_of_best([0.50, 0.51, 0.58], 0.0009 * np.eye(3))
    >>> [round(chance, 1) for chance in found.chances]
    [0.1, 0.1, 0.7]
    """
    y, runs = np.asarray(means, dtype=np.float64), len(means)
    if runs < 2:
        return Best((1.0,) * runs, (0.0,) * runs)
    contrast = np.eye(runs) - 1 / runs
    within = np.linalg.svd(contrast)[0][:, : runs - 1]
    values, turned = np.linalg.eigh(within.T @ np.asarray(covariance) @ within)
    axes, errors = within @ turned, np.maximum(values, 0.0)
    x = axes.T @ y
    scale = float(np.sqrt(np.median(errors)))
    if scale < _FLAT:
        return _shared(y[None], most)
    rng = np.random.default_rng(_SEED)
    errors = np.maximum(errors, _FLAT * scale**2)
    steps = np.geomspace(_SMALLEST, _LARGEST, _STEPS)
    sizes = np.append(0.0, steps * scale)
    half_cauchy = steps / (1 + steps**2)
    prior = np.append(_NONE, (1 - _NONE) * half_cauchy / half_cauchy.sum())
    spread = sizes[:, None] ** 2 + errors
    logs = np.log(prior) - (np.log(spread) + x**2 / spread).sum(axis=1) / 2
    weights = np.exp(logs - logs.max())
    size = rng.choice(sizes, DRAWS, p=weights / weights.sum())[:, None] ** 2
    shrinkage = size / (size + errors)
    drawn = shrinkage * x + np.sqrt(shrinkage * errors) * rng.standard_normal((DRAWS, runs - 1))
    return _shared(drawn @ axes.T, most)


def _shared(drawn: Vector, most: float) -> Best:
    """Return how often each column is the greatest, ties shared, and by how much it falls short."""
    top = drawn.max(axis=1, keepdims=True)
    best = drawn >= top - _FLAT
    chances = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    losses = (top - drawn).mean(axis=0)
    first = int(chances.argmax())
    if chances[first] > most:
        others = np.delete(drawn, first, axis=1)
        ahead = drawn[:, first] - others.max(axis=1)
        left = 1 - chances[first]
        cost = losses[first] / left if left > 0 else ahead.var() / ahead.mean()
        losses[first] = (1 - most) * cost
        nearest = np.delete(np.arange(len(chances)), first)[others.mean(axis=0).argmax()]
        chances[first], chances[nearest] = most, chances[nearest] + chances[first] - most
    return Best(tuple(chances.tolist()), tuple(losses.tolist()))


class Means(NamedTuple):
    """What several runs score on average, and how these means vary from questions to questions."""

    values: Vector  # Shape (R,).
    covariance: Vector  # Shape (R, R).

    @classmethod
    def of(cls, columns: Vector, clusters: Any) -> Means:
        """Return the means of columns, shape (M, R).

        Fewer questions than runs do not show which runs vary together; all are taken to alike.
        """
        m = len(columns)
        values = columns.mean(axis=0)
        deviations, unbiased = columns - values, m / max(m - 1, 1)
        if clusters is not None:
            sums = np.zeros((int(clusters.max()) + 1, columns.shape[1]))
            np.add.at(sums, clusters, deviations)
            deviations, unbiased = sums, worth(np.bincount(clusters)).unbiased
        covariance = np.asarray(unbiased * deviations.T @ deviations / m**2)
        if len(deviations) < columns.shape[1]:
            covariance = _with_mean_correlation(covariance)
        return cls(values, covariance).opened(m)

    @classmethod
    def weighted(cls, parts: Sequence[Means], weights: Vector) -> Means:
        """Return the weighted means of the same runs on several datasets."""
        values = sum(w * part.values for part, w in zip(parts, weights, strict=True))
        covariance = sum(w**2 * part.covariance for part, w in zip(parts, weights, strict=True))
        return cls(np.asarray(values), np.asarray(covariance))

    def opened(self, questions: int) -> Means:
        r"""Add to each variance that of half a question on which runs differ as they do on others.

        So ties and differences that are the same on all of a few questions stay open. The mean
        square of what two runs differ by on a question is :math:`M V_d + d^2` of their means' d.
        """
        runs, (values, covariance) = max(len(self.values) - 1, 1), self
        varying = (np.trace(covariance) - covariance.sum() / len(values)) / runs
        unlike = 2 * (questions * varying + ((values - values.mean()) ** 2).sum() / runs)
        unseen = _UNSEEN * unlike / questions**2
        return Means(values, covariance + unseen * np.eye(len(values)))


def _with_mean_correlation(covariance: Vector) -> Vector:
    """Return a covariance with the same variances and one correlation, the mean of all."""
    deviations = np.sqrt(covariance.diagonal())
    products = np.outer(deviations, deviations)
    correlations = (covariance[products > 0] / products[products > 0]).sum()
    varying = (deviations > 0).sum()
    mean = (correlations - varying) / max(varying * (varying - 1), 1)
    found: Vector = mean * products + (1 - mean) * np.diag(covariance.diagonal())
    return found
