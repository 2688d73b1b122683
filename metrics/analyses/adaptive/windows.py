r"""Early-stopping self-consistency, exactly: over all orders of a question's n samples.

With :math:`J = \lfloor n/w \rfloor` windows of w samples and :math:`(c)_m` falling factorials, the
chance that s given windows are unanimous is

.. math:: P_s = \frac{s!}{(n)_{sw}} [y^s] \prod_a \sum_i \frac{(c_a)_{iw}}{i!} y^i,

and that none of the first j is, by inclusion and exclusion,
:math:`\sum_s (-1)^s \binom{j}{s} P_s`. Marking one answer as that of the window that ends it gives
how often it ends there with a right one.
"""

from __future__ import annotations

import numpy as np
from scipy.special import binom, factorial, poch

from metrics.data.arrays import Integers, Vector
from metrics.scoring.vote_patterns import Patterns, truncated_products

MOST_SAMPLES = 128
"""The most samples of a question whose orders can be counted in floats,"""
MOST_WINDOWS = 32
"""and the most windows: beyond, terms cancel."""


def is_exact(n: int, width: int) -> bool:
    """Return whether all orders of n samples can be counted."""
    return n <= MOST_SAMPLES and n // width <= MOST_WINDOWS


def windowed(found: Patterns, width: int) -> tuple[Vector, Vector]:
    """Return samples to expect of each pattern, and the chance that what it answers is right.

    Parameters
    ----------
    found : Patterns
    width : int
        Samples of a window.

    Returns
    -------
    samples, right : float array, shape (U,)

    Examples
    --------
    Two equal answers and one other, by windows of 2: a third of the orders end after the first.

    >>> from metrics.scoring.vote_patterns import patterns
    >>> found = patterns(np.array([[7, 7, 8]]), np.array([[1, 1, 0]]))
    >>> [each.round(3).tolist() for each in windowed(found, 2)]
    [[2.667], [1.0]]
    """
    n, windows = found.n, found.n // width
    unanimous, ending = _products(found, width, windows)
    s = np.arange(windows + 1)
    placed = _falling(np.array(n), s * width)
    none_of = ((-1.0) ** s * binom(s[:, None], s)).T
    goes_on = unanimous * factorial(s) / placed @ none_of
    ends_right = ending[:, :-1] * factorial(s[:-1]) / placed[1:] @ none_of[:-1, :-1]
    samples = width * goes_on[:, :-1].sum(axis=1) + (n - windows * width) * goes_on[:, -1]
    right = ends_right.sum(axis=1) + goes_on[:, -1] * full_vote(found)
    return samples, np.clip(right, 0.0, 1.0)


def full_vote(found: Patterns) -> Vector:
    """Return the chance that the most common of all answers is right, ties in parts."""
    leading = (found.counts == found.counts[:, :1]) & (found.counts > 0)
    shares = np.divide(found.rights, found.counts, out=np.zeros(found.counts.shape), where=leading)
    return np.asarray(shares.sum(axis=1) / np.maximum(leading.sum(axis=1), 1))


def _products(found: Patterns, width: int, windows: int) -> tuple[Vector, Vector]:
    """Return the products over answers, and those with a right answer marked, (U, J + 1)."""
    both = np.zeros((2, len(found.counts), windows + 1))
    both[0, :, 0] = 1.0
    i = np.arange(windows + 1)
    for counts, rights in zip(found.counts.T, found.rights.T, strict=True):
        if not (counts >= width).any():
            break  # most common first
        share = np.divide(rights, counts, out=np.zeros(len(counts)), where=counts > 0)
        plain = _falling(counts[:, None], i * width) / factorial(i)
        marked = share[:, None] * _falling(counts[:, None], (i + 1) * width) / factorial(i)
        both[1] = truncated_products(both[1], plain) + truncated_products(both[0], marked)
        both[0] = truncated_products(both[0], plain)
    return both[0], both[1]


def _falling(c: Integers, m: Integers) -> Vector:
    """Return c (c - 1) … (c - m + 1), 0 where m exceeds c."""
    c, m = np.broadcast_arrays(c, m)
    possible = m <= c
    return np.asarray(np.where(possible, poch(np.where(possible, c - m + 1.0, 1.0), m), 0.0))
