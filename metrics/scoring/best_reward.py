r"""The best reward of k samples, of outcomes in categories 0 … C with rewards w: max@k.

R, w and R0 are as in `metrics.scoring.rewards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.inputs import require_k
from metrics.data.tally import row_counts
from metrics.scoring.counts import pass_at_k
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import all_correct
from metrics.scoring.rewards import Rewards, categories, category_counts


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
