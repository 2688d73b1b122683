"""The number of tokens at which samples were cut, told by how many of them have exactly it."""

from __future__ import annotations

from math import log

import numpy as np

from metrics.data.arrays import Vector

FALSE_ALARM = 0.001
"""Chance at most that lengths which nothing cut are taken for cut ones."""
SHORTEST = 50
"""Tokens below which many samples have the same number of them."""
_NEAR = 0.875
"""Part of the limit up to which half of the other samples must end."""
_LENGTHS = 5
"""Different lengths that the other samples must have, or each its own."""


def find_length_limit(tokens: Vector) -> int | None:
    r"""Find the number of tokens at which samples were cut, where nothing states it.

    It can only be the most that any sample has. If nothing was cut there, a number of tokens in
    the upper half is no likelier than the average of the w that are possible in that half, as
    lengths become rarer towards their end. Of a question with :math:`m_q` samples in that half, one
    has exactly the most with a chance of at most :math:`\min(1, m_q / w)`, however alike its
    samples are; with :math:`\lambda` the sum of these chances, x further questions reach it with
    one of at most :math:`e^{x - \lambda} (\lambda / x)^x` (Chernoff). It is a limit if that is no
    more than `FALSE_ALARM`, and the other samples are of many lengths, half of all of them, and of
    those in the upper half, shorter by an eighth and more: answers in a fixed form are not.

    tokens: NaN where they are unknown. Shape (M, N).
    Returns: None if nothing tells that any was cut.

    Examples
    --------
    >>> find_length_limit(np.array([[1024, 310], [1024, 1024], [87, 1024], [560, 702]]))
    1024
    >>> find_length_limit(np.array([[1024, 310], [512, 733], [87, 90], [560, 702]])) is None
    True
    """
    known = ~np.isnan(tokens)
    counts = tokens[known]
    if not counts.size or not np.isfinite(counts).all() or (counts % 1).any():
        return None
    most = int(counts.max())
    others = counts[counts < most]
    if most < SHORTEST or not _are_spread(others, most):
        return None
    step = int(np.gcd.reduce(np.unique(counts).astype(np.int64)))
    possible = (most - most // 2) / step
    upper = np.count_nonzero(tokens > most // 2, axis=1)
    expected = float(np.minimum(1, upper / possible).sum())
    further = np.count_nonzero((tokens == most).any(axis=1)) - 1
    if further <= expected:
        return None
    chance = further - expected + further * log(expected / further)
    return most if chance <= log(FALSE_ALARM) else None


def _are_spread(others: Vector, most: int) -> bool:
    """Say whether other lengths than the most are not those of answers in a fixed form."""
    if not others.size or len(np.unique(others)) < min(len(others), _LENGTHS):
        return False
    upper = others[others > most // 2]
    return all(np.median(part) <= _NEAR * most for part in (others, upper) if part.size)
