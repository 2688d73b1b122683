r"""Means of outcomes in categories 0 … C with rewards w: avg, Bayes@N and max@k.

R is an integer matrix of shape (M, N), or one question of shape (N,), with entries below len(w).
Without w, R must be binary and w = (0, 1). R0, of shape (M, D), holds prior outcomes. The prior of
a question's category rates is Dirichlet with one pseudo-outcome a category.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.inputs import number_vector, outcome_matrix, require_k, require_range
from metrics.data.tally import Tally, row_counts
from metrics.data.words import MetricError, Text
from metrics.scoring.counts import pass_at_k
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import all_correct

_BLOCK = 1 << 18


def bayes(R: Any, w: Any = None, R0: Any = None) -> tuple[float, float]:
    r"""Return Bayes@N, the posterior mean reward, and its standard deviation.

    With :math:`\nu_{ij}` outcomes of category j of question i, pseudo-outcomes included, and
    :math:`T = 1 + C + D + N`,

    .. math::
        \mu = \frac{1}{M} \sum_i \sum_j \frac{\nu_{ij}}{T} w_j, \qquad
        \sigma^2 = \frac{1}{M^2 (T+1)} \sum_i \left[\sum_j \frac{\nu_{ij}}{T} w_j^2
        - \Bigl(\sum_j \frac{\nu_{ij}}{T} w_j\Bigr)^2\right]

    Hariri et al. 2026, arXiv:2510.04265.

    Examples
    --------
    >>> R, w, R0 = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [0.0, 0.5, 1.0], [[0, 2], [1, 2]]
    >>> [round(x, 6) for x in bayes(R, w, R0)]
    [0.575, 0.084275]
    >>> [round(x, 6) for x in bayes(R, w)]
    [0.5625, 0.091998]
    """
    sums = _reward_sums(R, w, R0)
    rewards = sums.rewards
    mean = (sums.earned / sums.m + rewards.each.sum()) / sums.total
    return float(rewards.origin + mean) * rewards.scale, sums.sd * rewards.scale


def avg(R: Any, w: Any = None) -> tuple[float, float]:
    r"""Return avg@N, the plain mean reward, with Bayes@N's deviation on its scale.

    .. math:: \sigma_{avg} = \frac{T}{N} \sigma_{Bayes}, \qquad T = 1 + C + N

    Examples
    --------
    >>> [round(x, 6) for x in avg([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]])]
    [0.7, 0.165831]
    >>> [round(x, 6) for x in avg([[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [0.0, 0.5, 1.0])]
    [0.6, 0.147196]
    """
    sums = _reward_sums(R, w, None)
    rewards, n = sums.rewards, sums.total - len(sums.rewards.each)
    mean = sums.earned / (n * sums.m)
    return (
        float(rewards.origin + mean) * rewards.scale,
        sums.total / n * sums.sd * rewards.scale,
    )


class Rewards:
    """Rewards as ``scale * (origin + each)``, so that no square overflows.

    The scale is a power of two, so that nearly equal rewards keep their difference.
    """

    def __init__(self, w: Vector) -> None:
        self.scale = float(np.ldexp(1.0, np.frexp(np.abs(w).max())[1] - 1))
        self.origin = float(w[0] / self.scale)
        self.each = w / self.scale - self.origin


class _Sums(NamedTuple):
    """What avg and Bayes@N need of M questions with T outcomes each, pseudo-outcomes included.

    `earned` is the sum of all rewards but those of pseudo-outcomes, `spread` the sum over questions
    of the variance of a reward.
    """

    rewards: Rewards
    m: int
    total: int
    earned: float
    spread: float

    @property
    def sd(self) -> float:
        """The posterior's standard deviation."""
        return float(np.sqrt(self.spread / (self.total + 1))) / self.m


def _reward_sums(R: Any, w: Any, R0: Any) -> _Sums:
    if w is None and R0 is None:
        tally = R if isinstance(R, Tally) else _binary(R)
        if tally.n_min != tally.n_max:
            raise MetricError(Text("Bayes@N needs the same number of samples of every question."))
        total = tally.n_max + 2
        mean = (tally.c + 1) / total
        spread = float(tally.questions @ (mean * (1 - mean)))
        earned = float(tally.questions @ tally.c)
        return _Sums(Rewards(np.array([0.0, 1.0])), tally.n_questions, total, earned, spread)
    matrix, weights = with_prior(*categories(R, w), R0)
    rewards, total = Rewards(weights), matrix.shape[1] + len(weights)
    powers = np.stack([rewards.each, rewards.each**2])
    earned = spread = 0.0
    for counts in category_counts(matrix, np.arange(1, len(weights))):
        first, second = powers[:, 1:] @ counts
        earned += float(first.sum())
        mean, square = (first + powers[0].sum()) / total, (second + powers[1].sum()) / total
        spread += float(np.maximum(square - mean**2, 0).sum())
    return _Sums(rewards, len(matrix), total, earned, spread)


def _binary(R: Any) -> Tally:
    matrix = outcome_matrix(R)
    _require_binary(matrix)
    return Tally.of(matrix)


def _require_binary(matrix: NDArray[Any]) -> None:
    if matrix.dtype.kind != "b" and (matrix.min() < 0 or matrix.max() > 1):
        raise MetricError(
            Text(
                "R is not binary (observed: {low} … {high}), so the weight vector 'w' must be "
                "provided.",
                low=int(matrix.min()),
                high=int(matrix.max()),
            )
        )


def categories(R: Any, w: Any) -> tuple[NDArray[Any], Vector]:
    """Return outcomes and the rewards of their categories, both checked."""
    matrix = outcome_matrix(R)
    if w is None:
        _require_binary(matrix)
        return matrix, np.array([0.0, 1.0])
    rewards = number_vector(w, "w")
    require_range(matrix, len(rewards) - 1)
    return matrix, rewards


def with_prior(matrix: NDArray[Any], rewards: Vector, R0: Any) -> tuple[NDArray[Any], Vector]:
    """Return outcomes with the prior outcomes of each question beside them, and the rewards."""
    if R0 is None:
        return matrix, rewards
    m = len(matrix)
    prior = outcome_matrix(R0, "R0", rows=m)
    if len(prior) != m:
        raise MetricError(
            Text("R0 must have the same number of rows as R ({m}); got {got}.", m=m, got=len(prior))
        )
    require_range(prior, len(rewards) - 1, "R0")
    return np.hstack([matrix, prior]), rewards


def category_counts(matrix: NDArray[Any], chosen: NDArray[np.intp]) -> Iterator[NDArray[np.int64]]:
    """Yield for blocks of rows how many samples are in each chosen category, shape (C, rows)."""
    rows = max(1, _BLOCK // max(16, matrix.shape[1]))
    for start in range(0, len(matrix), rows):
        block = matrix[start : start + rows]
        counts = np.empty((len(chosen), len(block)), dtype=np.int64)
        for row, category in zip(counts, chosen.tolist(), strict=True):
            row[:] = row_counts(block == category)
        yield counts


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
    for at_most in level_counts(matrix, rank):
        best = np.full(at_most.shape[1], levels[-1])
        for each, count in zip(missed, at_most, strict=True):
            best -= each.take(count)
        yield best


def level_counts(matrix: NDArray[Any], rank: NDArray[np.intp]) -> Iterator[NDArray[np.int64]]:
    """Yield for blocks of rows how many samples lie at each level or below, but the last level."""
    last = np.cumsum(np.bincount(rank))[:-1] - 1
    below_top = np.argsort(rank, kind="stable")[: np.count_nonzero(rank < rank.max())]
    for counts in category_counts(matrix, below_top):
        yield np.cumsum(counts, axis=0)[last]
