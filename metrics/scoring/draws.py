"""The expected payoff of k draws: from the n samples a question has, or at a success rate p.

Probabilities are built outwards from their largest by ratios of neighbours, then divided by their
sum: no factorial, no cancellation, no underflow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from metrics.data.arrays import Vector
from metrics.scoring.payoffs import Payoff, all_correct, any_correct

Ratio = Callable[[Any], Any]
Options = tuple[tuple[str, Any], ...]

LONGEST = 500
"""The longest draw of which two are multiplied; of longer ones the chances underflow."""
_CELLS = 1 << 16
_FACTORIALS = 170


def expected_payoff(earned: Vector, n: int, c: NDArray[np.int64]) -> Vector:
    r"""Return ``E[A(X)]``, X correct of k drawn without replacement from n with c correct.

    This is the unbiased estimator of :math:`E\,A(\mathrm{Bin}(k, p))` from c correct of n [1]_:

    .. math:: h(c) = \sum_j A_j \binom{c}{j} \binom{n-c}{k-j} \Big/ \binom{n}{k}

    earned: The payoff A_0 … A_k; see `metrics.scoring.payoffs`. Shape (k + 1,).
    n: Samples available, at least k.
    c: Correct samples, each in 0 … n. Shape (U,).
    Returns: Within 1e-12 of the exact rational value for n up to 10 000. Shape (U,).

    References
    ----------
    .. [1] W. Hoeffding, "A class of statistics with asymptotically normal distribution",
       Annals of Mathematical Statistics 19, 1948 (U-statistics).

    Examples
    --------
    >>> expected_payoff(any_correct(2), 5, np.array([3])).round(12).tolist()
    [0.9]
    """
    k = len(earned) - 1
    if k == n:
        return earned[c]
    steps = np.flatnonzero(np.diff(earned)) + 1
    if len(steps) == 1:
        return np.asarray(
            earned[0] + (earned[-1] - earned[0]) * _chance_to_reach(steps[0], k, n)[c]
        )
    rows = max(1, _CELLS // (_reach(k) + 1))
    blocks = [c[start : start + rows] for start in range(0, len(c), rows)]
    return np.concatenate([_hypergeometric(earned, n, block) for block in blocks])


def none_of_each_k(ks: NDArray[np.int64], n: int, c: NDArray[np.int64]) -> Vector:
    r"""Return the probability that none of k drawn is correct, for each k, shape (K, U).

    .. math:: \binom{n-c}{k} \Big/ \binom{n}{k} = \prod_{i<k} \frac{n-c-i}{n-i}

    ks: Ascending, at most n. Shape (K,).
    n: Samples available.
    c: Correct samples, each in 0 … n. Shape (U,).

    Examples
    --------
    >>> none_of_each_k(np.array([1, 2]), 4, np.array([0, 1, 3])).round(12).tolist()
    [[1.0, 0.75, 0.25], [1.0, 0.5, 0.0]]
    """
    i = np.arange(float(ks[-1]))[:, None]
    chances = np.empty((len(ks), len(c)))
    step = max(1, _CELLS // len(i))
    for start in range(0, len(c), step):
        some = slice(start, start + step)
        ratios = np.maximum(n - c[some] - i, 0) / (n - i)
        chances[:, some] = np.multiply.accumulate(ratios, axis=0)[ks - 1]
    return chances


def expected_product(earned: Vector, n: int) -> Vector:
    r"""Return ``E[A(X) A(X')]`` of two disjoint draws of k from n, for each c, shape (n + 1,).

    NaN where n does not hold two such draws.
    """
    k = len(earned) - 1
    if 2 * k > n or k > LONGEST:
        return np.full(n + 1, np.nan)
    return expected_payoff(two_draws(earned), n, np.arange(n + 1))


def binomial(k: int, p: Vector, q: Vector) -> Vector:
    """Return P(X = j), j = 0 … k, X correct of k independent tries at success rate p.

    k: Tries.
    p, q: Success rates and their complements, both above 0. Shape (L,).
    Returns: Each accurate relative to itself, but 0 below 1e-300. Shape (L, k + 1).
    """
    odds = (p / q)[:, None]

    def more(j: Any) -> Any:
        return (k - j) / (j + 1) * odds

    def fewer(j: Any) -> Any:
        return j / ((k - j + 1) * odds)

    j, nearby = _outwards(k, np.floor(np.minimum((k + 1) * p[:, None], k)), more, fewer)
    chance = np.zeros((len(p), k + 1))
    inside = (j >= 0) & (j <= k)
    chance[np.nonzero(inside)[0], j[inside]] = nearby[inside]
    return chance


def two_draws(earned: Vector) -> Vector:
    r"""Return the payoff of 2k samples that are parted at random into two draws of k.

    .. math:: B_j = \sum_i \binom{k}{i} \binom{k}{j-i} A_i A_{j-i} \Big/ \binom{2k}{j}

    is the expected product of what both earn with j of the 2k correct, so that
    ``expected_payoff(two_draws(A), n, c)`` estimates :math:`(E\,A)^2` without bias.

    earned: The payoff A_0 … A_k of one draw, k up to `LONGEST`. Shape (k + 1,).

    Examples
    --------
    >>> two_draws(any_correct(2)).round(12).tolist()
    [0.0, 0.0, 0.666666666667, 1.0, 1.0]
    """
    k = len(earned) - 1
    j = np.arange(k + 1)
    log_ways = gammaln(k + 1) - gammaln(j + 1) - gammaln(k - j + 1)
    subsets = np.exp(log_ways - log_ways.max())
    return np.asarray(
        np.convolve(subsets * earned, subsets * earned) / np.convolve(subsets, subsets)
    )


@lru_cache(maxsize=256)
def payoff_table(payoff: Payoff, k: int, n: int) -> Vector:
    """Return `expected_payoff` for every c from 0 to n, read-only, shape (n + 1,)."""
    table = expected_payoff(payoff(k), n, np.arange(n + 1))
    table.flags.writeable = False
    return table


@lru_cache(maxsize=32)
def payoff_tables(payoff: Payoff, n: int, options: Options = ()) -> Vector:
    """Return `expected_payoff` for every k from 1 to n and c from 0 to n, shape (n, n + 1).

    A payoff of one sample more is a mean over the sample left out,
    ``h(c; n) = [c h(c - 1; n - 1) + (n - c) h(c; n - 1)] / n``, which serves all k at once.
    """
    if payoff in (any_correct, all_correct):
        table = _chances_of_none(n)
        table = np.subtract(1, table, out=table) if payoff is any_correct else table[:, ::-1].copy()
    else:
        c = np.arange(n + 1)
        table, moved = np.zeros((n, n + 1)), np.empty((n, n + 1))
        for m in range(1, n + 1):
            fewer = table[: m - 1, :m]
            np.multiply(fewer, (c[:m] + 1) / m, out=moved[: m - 1, :m])
            fewer *= (m - c[:m]) / m
            table[: m - 1, 1 : m + 1] += moved[: m - 1, :m]
            table[m - 1, : m + 1] = payoff(m, **dict(options))
    table.flags.writeable = False
    return table


@lru_cache(maxsize=32)
def product_tables(payoff: Payoff, n: int, options: Options = ()) -> Vector:
    """Return what two disjoint draws of k earn, multiplied; see `two_draws`.

    Returns: For every k from 1 to n and c from 0 to n; NaN where n holds no two draws of k. Shape
    (n, n + 1).
    """
    if payoff in (any_correct, all_correct):
        none, pairs = _chances_of_none(n), n // 2
        table = np.full((n, n + 1), np.nan)
        table[:pairs] = none[1 : 2 * pairs : 2]
        if payoff is any_correct:
            table[:pairs] += 1 - 2 * none[:pairs]
        else:
            table = table[:, ::-1].copy()
    else:
        table = np.stack([expected_product(payoff(k, **dict(options)), n) for k in range(1, n + 1)])
    table.flags.writeable = False
    return table


def _chances_of_none(n: int) -> Vector:
    r"""Return the probability that none of k drawn is among c of n, shape (n, n + 1).

    .. math:: \binom{n-c}{k} \Big/ \binom{n}{k} = \frac{(n-k)!}{n!} \frac{(n-c)!}{(n-c-k)!}
    """
    if n > _FACTORIALS:
        i = np.arange(float(n))[:, None]
        ratios = np.maximum(np.arange(float(n), -1, -1) - i, 0) / (n - i)
        return np.asarray(np.multiply.accumulate(ratios, axis=0))
    factorial = np.multiply.accumulate(np.maximum(np.arange(n + 1.0), 1))[::-1].copy()
    inverse = np.zeros(2 * n + 1)
    inverse[: n + 1] = 1 / factorial
    table = factorial * np.ndarray((n, n + 1), buffer=inverse, offset=8, strides=(8, 8))
    table *= factorial[1:, None] / factorial[0]
    return np.asarray(table)


def _chance_to_reach(j: int, k: int, n: int) -> Vector:
    r"""Return the probability that at least j of k drawn are among the c of n, c = 0 … n.

    That is that the j-th of the k, in order of their places, lies among the first c places. It is
    at the place :math:`j + i` with probability
    :math:`\binom{j+i-1}{j-1} \binom{n-j-i}{k-j} \Big/ \binom{n}{k}`.
    """
    i = np.arange(float(n - k))
    ratio = (i + j) * (n - k - i) / ((i + 1) * (n - j - i))
    mode = np.count_nonzero(ratio > 1)
    chance = np.ones(n - k + 1)
    np.multiply.accumulate(ratio[mode:], out=chance[mode + 1 :])
    np.multiply.accumulate(1 / ratio[:mode][::-1], out=chance[:mode][::-1])
    reached = np.ones(n + 1)
    reached[:j] = 0
    np.cumsum(chance, out=reached[j : j + len(chance)])
    reached[j : j + len(chance)] /= reached[j + len(chance) - 1]
    return reached


def _hypergeometric(earned: Vector, n: int, c: NDArray[np.int64]) -> Vector:
    k, c = len(earned) - 1, c[:, None].astype(np.float64)
    wrong = n - c

    def more(j: Any) -> Any:
        return (c - j) * (k - j) / ((j + 1) * (wrong - k + j + 1))

    def fewer(j: Any) -> Any:
        return j * (wrong - k + j) / ((c - j + 1) * (k - j + 1))

    j, chance = _outwards(k, np.floor((k + 1) * (c + 1) / (n + 2)), more, fewer)
    return np.asarray(np.einsum("uj,uj->u", earned[np.clip(j, 0, k)], chance))


def _outwards(
    k: int, mode: Vector, more: Ratio, fewer: Ratio
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return counts around a mode and their chances, given by the ratios of neighbours.

    A ratio is 0 at the end of the support, so that what lies beyond has no chance.
    """
    reach = _reach(k)
    j = mode + np.arange(-reach, reach + 1)
    chance = np.ones(j.shape)
    np.multiply.accumulate(more(j[:, reach:-1]), axis=1, out=chance[:, reach + 1 :])
    np.multiply.accumulate(fewer(j[:, reach:0:-1]), axis=1, out=chance[:, reach - 1 :: -1])
    chance /= chance.sum(axis=1, keepdims=True)
    return j.astype(np.intp), chance


def _reach(k: int) -> int:
    r"""Return how far from its mode a distribution of k draws has probabilities above 1e-340.

    By Hoeffding's inequality :math:`\exp(-2 t^2 / k)`, at :math:`t = 20 \sqrt k`.
    """
    return min(k, isqrt(400 * k) + 2)
