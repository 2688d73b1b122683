"""Intervals of the mean rewards avg@N and Bayes@N, and of the best of k, max@k."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.inputs import require_k
from metrics.posteriors.posterior import Bounds, Posterior, normal_posterior
from metrics.scoring.rewards import Rewards, avg, bayes, categories, level_counts, with_prior


def bayes_ci(
    R: Any, w: Any = None, R0: Any = None, confidence: float = 0.95, bounds: Bounds = None
) -> Posterior:
    """Return Bayes@N with its normal interval.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 4) for x in bayes_ci(R, bounds=(0.0, 1.0))]
    [0.6429, 0.1185, 0.4107, 0.875]
    """
    return normal_posterior(*bayes(R, w, R0), confidence, bounds)


def avg_ci(R: Any, w: Any = None, confidence: float = 0.95, bounds: Bounds = None) -> Posterior:
    """Return avg@N with its normal interval.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 4) for x in avg_ci(R, bounds=(0.0, 1.0))]
    [0.7, 0.1658, 0.375, 1.0]
    """
    return normal_posterior(*avg(R, w), confidence, bounds)


def max_at_k_ci(
    R: Any,
    k: int,
    w: Any = None,
    R0: Any = None,
    confidence: float = 0.95,
    bounds: Bounds = None,
) -> Posterior:
    r"""Return the posterior of the expected best reward of k independent tries.

    With :math:`A_l` the probability of level l or below, :math:`A_l \sim Beta(a_l, T - a_l)` and
    for :math:`l < m`, :math:`A_l / A_m \sim Beta(a_l, a_m - a_l)` is independent of :math:`A_m`, so

    .. math:: Cov(A_l^k, A_m^k) = E[A_l^k]\,E[A_m^k]
              \left(\frac{E[A_m^{2k}]}{E[A_m^k]^2} - 1\right)

    k may exceed N. The interval is clipped into the rewards' range, or ``bounds``.

    Examples
    --------
    >>> R, w = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [0.0, 0.5, 1.0]
    >>> [round(x, 4) for x in max_at_k_ci(R, 1, w)]
    [0.5625, 0.092, 0.3822, 0.7428]
    """
    k = require_k(k)
    matrix, weights = with_prior(*categories(R, w), R0)
    rewards = Rewards(weights)
    levels, rank = np.unique(rewards.each, return_inverse=True)
    below = np.cumsum(np.bincount(rank))[:-1, None]
    moment, growth = _powers(matrix.shape[1] + len(weights), k)
    gaps = np.diff(levels)[:, None]
    missed = variance = 0.0
    for counts in level_counts(matrix, rank):
        reached = gaps * moment[below + counts]
        missed += reached.sum()
        lower = np.cumsum(reached, axis=0)
        variance += (gaps * growth[below + counts] * (2 * lower - reached)).sum()
    mean = float(rewards.origin + levels[-1] - missed / len(matrix)) * rewards.scale
    sd = float(np.sqrt(variance)) / len(matrix) * rewards.scale
    if bounds is None:
        bounds = (float(weights.min()), float(weights.max()))
    return normal_posterior(mean, sd, confidence, bounds)


def _powers(total: int, k: int) -> tuple[Vector, Vector]:
    r"""Return :math:`E[A^k]` and :math:`E[A^{2k}] / E[A^k] - E[A^k]` at index a = 1 … total.

    For A ~ Beta(a, total - a), by :math:`E[A^k] = \prod_{s=a}^{total-1} (1 + k/s)^{-1}`; the ratio
    :math:`E[A^{2k}] / E[A^k]^2` is a product of factors above 1.
    """
    s = np.arange(1.0, total)
    log_moment = _sums_from(-np.log1p(k / s))
    log_ratio = _sums_from(np.log1p(k / s * (k / (s + 2 * k))))
    moment = np.exp(log_moment)
    growth = np.where(
        log_ratio < 1,
        moment * np.expm1(np.minimum(log_ratio, 1)),
        np.exp(log_moment + log_ratio) - moment,
    )
    return moment, growth


def _sums_from(terms: Vector) -> Vector:
    """Return the sums of all terms from index a - 1 on, at index a = 1 … len(terms) + 1."""
    return np.concatenate([[0.0], np.cumsum(terms[::-1])[::-1], [0.0]])
