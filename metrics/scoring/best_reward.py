r"""The best reward of k samples, of outcomes in categories 0 … C with rewards w: max@k.

R, w and R0 are as in `metrics.scoring.rewards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import require_k
from metrics.data.tally import row_counts
from metrics.posteriors.posterior import Bounds, Posterior, normal_posterior
from metrics.scoring.counts import pass_at_k
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import all_correct
from metrics.scoring.rewards import Rewards, categories, category_counts, with_prior

Vector = NDArray[np.float64]


def max_at_k(R: Any, k: int, w: Any = None) -> float:
    r"""Return max@k, the expected best reward of k samples drawn without replacement.

    With reward levels :math:`r_0 < … < r_L` and :math:`C_{il}` samples of question i at level l or
    below,

    .. math:: \frac{1}{M} \sum_i \Bigl[r_L - \sum_{l<L} (r_{l+1} - r_l)
              \binom{C_{il}}{k} \Big/ \binom{N}{k}\Bigr]

    Examples
    --------
    >>> round(max_at_k([[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], 2, [0.0, 0.5, 1.0]), 6)
    0.85
    """
    if w is None:
        return pass_at_k(R, k)
    matrix, weights = categories(R, w)
    rewards = Rewards(weights)
    n = matrix.shape[1]
    best = sum(float(each.sum()) for each in _best(matrix, n, require_k(k, n), rewards))
    return float(rewards.origin + best / len(matrix)) * rewards.scale


def best_rewards(matrix: NDArray[Any], k: int, w: Vector) -> Vector:
    """Return the expected best reward of k samples of each question, shape (M,).

    A negative entry is a missing sample; each question needs k others.
    """
    rewards, samples = Rewards(w), row_counts(matrix >= 0)
    best = np.empty(len(matrix))
    for n in np.unique(samples).tolist():
        here = samples == n
        best[here] = np.concatenate(list(_best(matrix[here], n, k, rewards)))
    return np.asarray((rewards.origin + best) * rewards.scale)


def _best(matrix: NDArray[Any], n: int, k: int, rewards: Rewards) -> Iterator[Vector]:
    """Yield for blocks of questions with n samples their best rewards, as in `rewards.each`."""
    levels, rank = np.unique(rewards.each, return_inverse=True)
    missed = np.diff(levels)[:, None] * payoff_table(all_correct, k, n)
    for at_most in _level_counts(matrix, rank):
        best = np.full(at_most.shape[1], levels[-1])
        for each, count in zip(missed, at_most, strict=True):
            best -= each.take(count)
        yield best


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

    k may exceed N. The interval is clipped into the rewards' range, or `bounds`.

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
    for counts in _level_counts(matrix, rank):
        reached = gaps * moment[below + counts]
        missed += reached.sum()
        lower = np.cumsum(reached, axis=0)
        variance += (gaps * growth[below + counts] * (2 * lower - reached)).sum()
    mean = float(rewards.origin + levels[-1] - missed / len(matrix)) * rewards.scale
    sd = float(np.sqrt(variance)) / len(matrix) * rewards.scale
    if bounds is None:
        bounds = (float(weights.min()), float(weights.max()))
    return normal_posterior(mean, sd, confidence, bounds)


def _level_counts(matrix: NDArray[Any], rank: NDArray[np.intp]) -> Iterator[NDArray[np.int64]]:
    """Yield for blocks of rows how many samples lie at each level or below, but the last level."""
    last = np.cumsum(np.bincount(rank))[:-1] - 1
    below_top = np.argsort(rank, kind="stable")[: np.count_nonzero(rank < rank.max())]
    for counts in category_counts(matrix, below_top):
        yield np.cumsum(counts, axis=0)[last]


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
