r"""Votes by answer, exactly: of all k samples drawn from n, which answer is the most common.

A question matters only through its pattern: how many samples give each answer, and how many of
them are right. With :math:`c_b` samples for answer b, a share :math:`\rho_b` of them right, the
chance that the most common of k is right, ties split, is

.. math::
    \binom{n}{k}^{-1} \sum_a \rho_a \sum_t \binom{c_a}{t} \int_0^1 [z^{k-t}] (1+z)^{S_t}
    \prod_{b \ne a,\ c_b \ge t} \Big( \sum_{x<t} \binom{c_b}{x} z^x + u \binom{c_b}{t} z^t \Big) du

with :math:`S_t` the samples without an answer and those of answers with fewer than t. The integral
over u shares a tie of j others as 1 / (j + 1), and is exact with few points. All terms are
positive, and one product serves every k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from metrics.data.arrays import Integers, Vector
from metrics.data.tally import equal_runs

MOST_SAMPLES = 500
"""The most samples of a question whose subsets can be counted in floats."""
_BLOCK = 1 << 15
_SORTED = 1 << 18
_MULTIPLIERS = 0x5EED


@dataclass(frozen=True, eq=False)
class Patterns:
    """How the answers of questions fall out."""

    # Samples that give each answer, most first, and how many of them are right; 0 beyond. Shape
    # (U, A).
    counts: Integers
    rights: Integers
    which: NDArray[np.intp]  # The pattern of each question. Shape (M,).
    n: int  # Samples of a question.

    def work(self, most: int) -> int:
        """Return about how many multiplications `won` takes."""
        total = 0
        for t in range(1, most + 1):
            voting = int(np.count_nonzero(self.counts >= t))
            total += voting * (t + 1) * points(self.counts.shape[1], t, most) * (most + 1)
        return 3 * total

    def won(self, ks: Integers) -> Vector:
        """Return the chance that the most common of k is right, shape (K, U)."""
        most = int(ks[-1])
        size = max(1, _BLOCK // (most + 1))
        subsets = comb(np.arange(self.n + 1)[:, None], np.arange(most + 1)).astype(np.float64)
        starts = range(0, len(self.counts), size)
        blocks = (
            _rightly(self.counts[at : at + size], self.rights[at : at + size], self.n, subsets)
            for at in starts
        )
        won = np.concatenate([block[:, ks] for block in blocks])
        return np.asarray((won / subsets[self.n, ks]).T)


def patterns(codes: NDArray[np.integer], verdicts: NDArray[np.integer]) -> Patterns:
    """Reduce answers and verdicts, shape (M, n), to patterns.

    Examples
    --------
    >>> found = patterns(np.array([[5, 7, 5], [1, 1, 9]]), np.array([[0, 1, 0], [0, 0, 1]]))
    >>> found.counts.tolist(), found.rights.tolist(), found.which.tolist()
    ([[2, 1]], [[0, 1]], [0, 0])
    """
    n = codes.shape[1]
    size = max(1, _SORTED // n)
    starts = range(0, len(codes), size)
    each = [_keys(codes[at : at + size], verdicts[at : at + size]) for at in starts]
    keys = np.concatenate(each)
    most = max(1, int((keys > 0).sum(axis=1).max()))
    distinct, which = _distinct(np.ascontiguousarray(keys[:, :most]))
    counts, rights = np.divmod(distinct.astype(np.int64), n + 1)
    return Patterns(counts, rights, which, n)


def _keys(codes: NDArray[np.integer], verdicts: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return a number for each answer that says its count and its right ones, largest first."""
    n = codes.shape[1]
    order = np.argsort(codes, axis=1)
    ordered = np.take_along_axis(codes, order, axis=1)
    right = np.take_along_axis(verdicts == 1, order, axis=1)
    starts, counts = equal_runs(ordered)
    rights = np.add.reduceat(right.ravel(), starts, dtype=np.int64)
    keys = np.zeros(codes.size, dtype=np.int32)
    answered = ordered.ravel()[starts] >= 0
    keys[starts[answered]] = (counts * (n + 1) + rights)[answered]
    return np.asarray(np.sort(keys.reshape(codes.shape), axis=1)[:, ::-1])


def _distinct(rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Return the distinct rows, and which of them each is."""
    generator = np.random.default_rng(_MULTIPLIERS)
    factors = generator.integers(1, 2**63, (rows.shape[1],), dtype=np.int64)
    hashed = np.zeros(len(rows), dtype=np.int64)
    for column, factor in enumerate(factors):
        hashed += rows[:, column] * factor
    _, first, which = np.unique(hashed, return_index=True, return_inverse=True)
    distinct = rows[first]
    if np.array_equal(distinct[which], rows):
        return distinct, which
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    return distinct, which.ravel()


def points(answers: int, t: int, most: int) -> int:
    """Return how many points integrate ties of t votes exactly."""
    others = min(answers - 1, (most - t) // t)
    return max(1, (others + 2) // 2)


def tie_points(answers: int, t: int, most: int) -> Sequence[tuple[float, float]]:
    """Return these points and their weights."""
    return _gauss_points(points(answers, t, most))


@cache
def _gauss_points(count: int) -> tuple[tuple[float, float], ...]:
    """Return points from 0 to 1 and their weights, which numpy takes long to find."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return tuple(zip(((nodes + 1) / 2).tolist(), (weights / 2).tolist(), strict=True))


def _rightly(counts: Integers, rights: Integers, n: int, subsets: Vector) -> Vector:
    """Return how many subsets of each size vote rightly, ties in parts, shape (U, k + 1)."""
    most = subsets.shape[1] - 1
    share = np.divide(rights, counts, out=np.zeros(counts.shape), where=counts > 0)
    total = np.zeros((len(counts), most + 1))
    for t in range(1, min(most, int(counts[:, 0].max())) + 1):
        (here,) = (counts[:, 0] >= t).nonzero()
        votes, paid = counts[here], share[here]
        voting = votes >= t
        silent = n - (votes * voting).sum(axis=1)
        won = np.zeros((len(here), most + 1))
        for u, weight in tie_points(int(voting.sum(axis=1).max()), t, most):
            won += weight * _leading(votes, paid, voting, t, u, subsets)
        total[here] += truncated_products(won, subsets[silent])
    return total


def _leading(
    votes: Integers, paid: Vector, voting: NDArray[np.bool_], t: int, u: float, subsets: Vector
) -> Vector:
    """Return the polynomials of subsets that a right answer leads with t votes, shape (U, k + 1).

    Beside the product over answers goes the sum of products with one answer taken as the leader.
    """
    both = np.zeros((2, len(votes), subsets.shape[1]))
    both[0, :, 0] = 1.0
    for answer in range(int(voting.sum(axis=1).max())):
        (here,) = voting[:, answer].nonzero()
        chosen = subsets[votes[here, answer], : t + 1]
        old = both if len(here) == len(votes) else both[:, here]
        new = old.copy()
        for x in range(1, t + 1):
            factor = chosen[:, x, None] * (u if x == t else 1.0)
            new[:, :, x:] += factor * old[:, :, :-x]
        new[1, :, t:] += (chosen[:, t] * paid[here, answer])[:, None] * old[0, :, :-t]
        if len(here) == len(votes):
            both = new
        else:
            both[:, here] = new
    leading: Vector = both[1]
    return leading


def truncated_products(one: Vector, other: Vector) -> Vector:
    """Return products of polynomials, row by row, as far as the first is held.

    other: May have fewer terms.
    """
    product: Vector = one * other[:, :1]
    for x in range(1, min(one.shape[1], other.shape[1])):
        product[:, x:] += one[:, :-x] * other[:, x, None]
    return product
