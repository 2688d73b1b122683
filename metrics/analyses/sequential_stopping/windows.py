r"""Early-stopping self-consistency, exactly: over all orders of a question's n samples.

With :math:`J = \lfloor k/w \rfloor` windows of w among the k samples that may be taken, and
:math:`(c)_m` falling factorials, the chance that s given windows are unanimous is

.. math:: P_s = \frac{s!}{(n)_{sw}} [y^s] \prod_a \sum_i \frac{(c_a)_{iw}}{i!} y^i,

and that none of the first j is, by inclusion and exclusion,
:math:`\sum_s (-1)^s \binom{j}{s} P_s`. Marking one answer as that of the window that ends it gives
how often it ends there with a right one; how often a vote of all k is right where none does is in
`metrics.analyses.sequential_stopping.no_window`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import binom, factorial

from metrics.analyses.sequential_stopping.no_window import (
    falling_factorials,
    multiplications,
    votes_without,
)
from metrics.data.arrays import Flags, Integers, Vector
from metrics.scoring.vote_patterns import Patterns, truncated_products

MOST_SAMPLES = 128
"""The most samples of a question whose orders can be counted in floats,"""
MOST_WINDOWS = 32
"""and the most windows: terms cancel, up to here to an error of at most 2e-7."""
MOST_WORK = 1 << 31
"""The most multiplications, about five seconds; a vote of all samples needs none."""


def are_countable(patterns: Patterns, width: int, caps: Integers) -> Flags:
    """Return for which most samples all orders can be counted in seconds."""
    quick = (caps == patterns.n) | (multiplications(patterns, width, caps) <= MOST_WORK)
    return np.asarray(quick & (patterns.n <= MOST_SAMPLES) & (caps // width <= MOST_WINDOWS))


def expected_by_windows(patterns: Patterns, width: int, caps: Integers) -> tuple[Vector, Vector]:
    """Return samples to expect of each pattern, and the chance that what it answers is right.

    For votes of at most each of `caps`, ascending, shape (K, U) each.

    Examples
    --------
    Two equal answers and one other, by windows of 2: a third of the orders end after the first.

    >>> from metrics.scoring.vote_patterns import patterns
    >>> found = patterns(np.array([[7, 7, 8]]), np.array([[1, 1, 0]]))
    >>> [each.round(3).tolist() for each in expected_by_windows(found, 2, np.array([2, 3]))]
    [[[2.0], [2.667]], [[0.667], [1.0]]]
    """
    n, windows = patterns.n, caps // width
    unanimous, ending = _products(patterns, width, int(windows[-1]))
    s = np.arange(windows[-1] + 1)
    placed = falling_factorials(np.array(n), n)[s * width]
    none_of = ((-1.0) ** s * binom(s[:, None], s)).T
    goes_on = unanimous * factorial(s) / placed @ none_of
    ends_right = ending[:, :-1] * factorial(s[:-1]) / placed[1:] @ none_of[:-1, :-1]
    taken, won = (_sums(each)[windows] for each in (width * goes_on, ends_right))
    samples = taken + (caps - windows * width)[:, None] * goes_on.T[windows]
    few = caps[caps < n]
    if len(few):
        won[: len(few)] += votes_without(patterns, width, few)
    if len(few) < len(caps):
        won[-1] += goes_on[:, -1] * full_vote(patterns)
    return samples, np.clip(won, 0.0, 1.0)


def _sums(each: Vector) -> Vector:
    """Return the sums of none, the first, the first two … of a row, shape (J + 1, U)."""
    return np.concatenate([np.zeros((1, len(each))), np.cumsum(each, axis=1).T])


def full_vote(patterns: Patterns) -> Vector:
    """Return the chance that the most common of all answers is right, ties in parts."""
    leading = (patterns.counts == patterns.counts[:, :1]) & (patterns.counts > 0)
    shares = np.divide(
        patterns.rights, patterns.counts, out=np.zeros(patterns.counts.shape), where=leading
    )
    return np.asarray(shares.sum(axis=1) / np.maximum(leading.sum(axis=1), 1))


def _products(patterns: Patterns, width: int, windows: int) -> tuple[Vector, Vector]:
    """Return the products over answers, and those with a right answer marked, (U, J + 1)."""
    both = np.zeros((2, len(patterns.counts), windows + 1))
    both[0, :, 0] = 1.0
    i = np.arange(windows + 1)
    placed = falling_factorials(np.arange(patterns.n + 1), patterns.n + width)
    for counts, rights in zip(patterns.counts.T, patterns.rights.T, strict=True):
        if not (counts >= width).any():
            break  # most common first
        share = np.divide(rights, counts, out=np.zeros(len(counts)), where=counts > 0)
        plain = placed[counts[:, None], i * width] / factorial(i)
        marked = share[:, None] * placed[counts[:, None], (i + 1) * width] / factorial(i)
        both[1] = truncated_products(both[1], plain) + truncated_products(both[0], marked)
        both[0] = truncated_products(both[0], plain)
    return both[0], both[1]
