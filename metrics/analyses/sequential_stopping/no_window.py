r"""Votes of all samples that may be taken where no window of theirs was unanimous, exactly.

With :math:`c_b` samples for answer b of n, a share :math:`\rho_b` of them right, and :math:`(c)_v`
falling factorials, the orders that give b so many votes v, in so many windows i of s given ones,
are the coefficients of

.. math:: F_{b,v}(x) = \sum_i \frac{(c_b)_v}{i!\,(v - iw)!} x^i.

The chance that s given windows are unanimous and the most common answer of k is right, ties split,
is

.. math::
    U_{s,k} = \frac{s!\,(k - sw)!}{(n)_k} [x^s y^k] \sum_t \sum_a \rho_a F_{a,t} y^t \int_0^1
    \prod_{b \ne a} \Big( \sum_{v<t} F_{b,v} y^v + u F_{b,t} y^t \Big) du,

where samples without an answer are votes for none. That none of the J windows is unanimous and it
is right has the chance :math:`\sum_s (-1)^s \binom{J}{s} U_{s,k}`. One product serves every k.
"""

from __future__ import annotations

import numpy as np
from scipy.special import binom, factorial

from metrics.data.arrays import Flags, Integers, Vector
from metrics.scoring.vote_patterns import Patterns, points, tie_points

_BLOCK = 1 << 17


def multiplications(patterns: Patterns, width: int, caps: Integers) -> Integers:
    """Return about how many multiplications `votes_without` takes up to each of some caps."""
    counts = patterns.counts
    second = counts[:, 1:2] if counts.shape[1] > 1 else np.zeros((len(counts), 1), dtype=np.int64)
    tied = np.bincount(np.minimum(counts, second).ravel(), minlength=patterns.n + 1)
    behind = np.bincount(counts.ravel(), minlength=patterns.n + 1)
    tied = tied[::-1].cumsum()[::-1]  # answers that may lead with others, by their votes
    total = np.zeros(len(caps), dtype=np.int64)
    for t in range(1, int(caps[-1]) + 1):
        windows = t // width
        terms = (windows + 1) * (t + 1) - width * windows * (windows + 1) // 2
        for place, cap in enumerate(caps.tolist()):
            if t <= cap:
                products = 2 * points(counts.shape[1], t, cap) * int(tied[t]) + int(behind[t])
                total[place] += products * terms
    return np.asarray(total * (caps // width + 1) * (caps + 1) // 2)


def votes_without(patterns: Patterns, width: int, caps: Integers) -> Vector:
    """Return the chance that no window is unanimous and a vote of all is right, shape (K, U).

    Examples
    --------
    Two equal answers and one other: two of the three orders of two samples are a tie.

    >>> from metrics.scoring.vote_patterns import patterns
    >>> found = patterns(np.array([[7, 7, 8]]), np.array([[1, 1, 0]]))
    >>> votes_without(found, 2, np.array([1, 2])).round(3).tolist()
    [[0.667], [0.333]]
    """
    most = int(caps[-1])
    windows = most // width
    s, votes = np.arange(windows + 1)[:, None], np.arange(most + 1)
    possible = s <= votes // width
    left = np.where(possible, votes - s * width, 0)
    signs = np.where(possible, (-1.0) ** s * binom(votes // width, s), 0.0)
    orders = factorial(s) * factorial(left) / falling_factorials(np.array(patterns.n), most)
    size = max(1, _BLOCK // possible.size)
    starts = range(0, len(patterns.counts), size)
    blocks = [_Block(patterns, width, most, slice(at, at + size)).right() for at in starts]
    return np.asarray(np.einsum("usk,sk->ku", np.concatenate(blocks), signs * orders)[caps])


def falling_factorials(c: Integers, most: int) -> Vector:
    """Return c (c - 1) … (c - m + 1) of each c for m up to the most, along a further axis."""
    factors = np.maximum(c[..., None] - np.arange(most), 0)
    found = np.ones((*c.shape, most + 1))
    found[..., 1:] = np.cumprod(factors, axis=-1, dtype=np.float64)
    return found


class _Block:
    """Some patterns, and polynomials of windows and votes for them, shape (U, J + 1, k + 1)."""

    def __init__(self, patterns: Patterns, width: int, most: int, here: slice) -> None:
        self.counts, rights = patterns.counts[here], patterns.rights[here]
        share = np.divide(rights, self.counts, out=np.zeros(rights.shape), where=self.counts > 0)
        self.share, self.width, self.most = share, width, most
        self.silent = patterns.n - self.counts.sum(axis=1)
        self.falling = falling_factorials(np.arange(patterns.n + 1), most)
        self.orders = factorial(np.arange(most + 1))

    def right(self) -> Vector:
        """Return the votes that a right answer wins, ties in parts."""
        counts, most = self.counts, self.most
        rest = np.zeros((len(counts), most // self.width + 1, most + 1))
        rest[:, 0, 0] = 1.0
        rest = self._times_silent(rest)
        total = np.zeros_like(rest)
        for t in range(1, min(most, int(counts[:, 0].max())) + 1):
            behind = (counts == t - 1) & (counts > 0)
            for answer in np.flatnonzero(behind.any(axis=0)):
                (here,) = behind[:, answer].nonzero()
                rest[here] = self._times(rest[here], counts[here, answer], t - 1)
            voting = counts >= t
            (alone,) = (voting.sum(axis=1) == 1).nonzero()
            total[alone] += self._leads(rest[alone], alone, 0, t)
            (tied,) = (voting.sum(axis=1) > 1).nonzero()
            if len(tied):
                total[tied] += self._leading(rest[tied], tied, voting[tied], t)
        return total

    def _times_silent(self, product: Vector) -> Vector:
        """Multiply with the samples without an answer, which are in no window."""
        found = product * 1.0
        for votes in range(1, min(self.most, int(self.silent.max())) + 1):
            orders = self.falling[self.silent, votes] / self.orders[votes]
            found[:, :, votes:] += orders[:, None, None] * product[:, :, :-votes]
        return found

    def _leading(self, rest: Vector, here: Integers, voting: Flags, t: int) -> Vector:
        """Return the votes that a right answer leads with t, of more that may."""
        won = np.zeros_like(rest)
        last = int(voting.sum(axis=1).max()) - 1
        for u, weight in tie_points(last + 1, t, self.most):
            behind, leads = rest.copy(), np.zeros_like(rest)
            for answer in range(last, -1, -1):
                (of,) = voting[:, answer].nonzero()
                counts, led = self.counts[here[of], answer], self._leads
                ahead = led(behind[of], here[of], answer, t)
                leads[of] = ahead + self._times(leads[of], counts, t, u)
                if answer:
                    behind[of] = self._times(behind[of], counts, t, u)
            won += weight * leads
        return won

    def _leads(self, product: Vector, here: Integers, answer: int, t: int) -> Vector:
        """Multiply with exactly t votes for an answer, as far as it is right."""
        found = np.zeros_like(product)
        self._add(found, product, self.counts[here, answer], t, self.share[here, answer])
        return found

    def _times(self, product: Vector, counts: Integers, most: int, u: float = 1.0) -> Vector:
        """Multiply with up to so many votes for an answer, the most of them weighted."""
        found = product.copy()
        for votes in range(1, most + 1):
            self._add(found, product, counts, votes, u if votes == most else 1.0)
        return found

    def _add(
        self, sums: Vector, product: Vector, counts: Integers, votes: int, weight: Vector | float
    ) -> None:
        """Add products with so many votes for an answer, in any number of windows."""
        for windows in range(votes // self.width + 1):
            others = votes - windows * self.width
            orders = (
                self.falling[counts, votes] / (self.orders[windows] * self.orders[others]) * weight
            )
            shorter = product[:, : product.shape[1] - windows, : product.shape[2] - votes]
            sums[:, windows:, votes:] += orders[:, None, None] * shorter
