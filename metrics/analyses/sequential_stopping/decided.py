r"""When votes are decided, exactly: over all orders of a question's n samples.

With :math:`c_b` samples for answer b, the chance that after t of n samples the leading answer is d
votes or more ahead of the next is

.. math::
    L_{t,d} = \binom{n}{t}^{-1} \sum_a \sum_{r \ge 0} \binom{c_a}{r+d} [z^{t-r-d}] (1+z)^S
    \prod_{b \ne a} \sum_{x \le r} \binom{c_b}{x} z^x

with S samples without an answer. A lead grows by one vote for a sample at most and falls by one, so
that a vote of up to k goes on after t just where the lead is at most k - t:

.. math:: E\,T_k = k - \sum_{t<k} L_{t,\,k-t+1}.
"""

from __future__ import annotations

import numpy as np
from scipy.special import comb

from metrics.data.arrays import Integers, Vector
from metrics.scoring.vote_patterns import MOST_SAMPLES, Patterns, truncated_products

MOST_WORK = 1 << 30
"""The most multiplications, a few seconds."""
_BLOCK = 1 << 20


def is_countable(patterns: Patterns, most: int) -> bool:
    """Return whether all orders can be counted in seconds, for votes of up to so many samples."""
    work = int(np.count_nonzero(patterns.counts)) * most**3
    return patterns.n <= MOST_SAMPLES and work <= MOST_WORK


def samples_until_decided(patterns: Patterns, caps: Integers) -> Vector:
    """Return samples to expect of each pattern until its vote of at most so many is decided.

    For each of `caps`, ascending, shape (K, U).

    Examples
    --------
    Three equal answers and one other: a quarter of the orders, those in which the other comes last,
    are decided by three.

    >>> from metrics.scoring.vote_patterns import patterns
    >>> found = patterns(np.array([[7, 7, 7, 8]]), np.array([[1, 1, 1, 0]]))
    >>> samples_until_decided(found, np.array([3, 4])).tolist()
    [[2.5], [3.75]]
    """
    most = int(caps[-1])
    size = max(1, _BLOCK // (most + 1) ** 2)
    starts = range(0, len(patterns.counts), size)
    return np.concatenate(
        [
            caps[:, None] - _spared(patterns.counts[at : at + size], patterns.n, caps)
            for at in starts
        ],
        axis=1,
    )


def _spared(counts: Integers, n: int, caps: Integers) -> Vector:
    """Return how many samples of each pattern are not taken on average, shape (K, U)."""
    most = int(caps[-1])
    subsets = comb(np.arange(n + 1)[:, None], np.arange(most + 1)).astype(np.float64)
    silent = subsets[n - counts.sum(axis=1)]
    spared = np.zeros((len(caps), len(counts)))
    for rivals in range(min(most, int(counts[:, 0].max())) - 1):
        leaders = int((counts >= rivals + 2).any(axis=0).sum())
        rest = np.stack(_all_but_one(counts, silent, subsets, rivals, leaders), axis=1)
        sets = np.swapaxes(subsets[counts[:, :leaders]], 1, 2) @ rest
        for place, cap in enumerate(caps.tolist()):
            votes = np.arange(rivals + 2, (cap + 1 + rivals) // 2 + 1)
            others = cap + 1 + rivals - 2 * votes
            spared[place] += (sets[:, votes, others] / subsets[n, votes + others]).sum(axis=1)
    return spared


def _all_but_one(
    counts: Integers, silent: Vector, subsets: Vector, rivals: int, leaders: int
) -> list[Vector]:
    """Return the polynomials, shape (U, T), of the samples that are not of each possible leader.

    Of any other answer they hold at most so many as rivals may have.
    """

    def and_of(answer: int, product: Vector) -> Vector:
        few = min(rivals, int(counts[:, answer].max()))
        return truncated_products(product, subsets[counts[:, answer], : few + 1])

    after = [silent]
    for answer in range(counts.shape[1] - 1, 0, -1):
        after.append(and_of(answer, after[-1]))
    products, before = after[-1:], None
    for answer in range(1, leaders):
        first = subsets[counts[:, answer - 1]] * (np.arange(subsets.shape[1]) <= rivals)
        before = first if before is None else truncated_products(before, first)
        products.append(truncated_products(before, after[-1 - answer]))
    return products
