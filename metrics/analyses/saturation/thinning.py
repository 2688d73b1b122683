"""Counts that need not be whole numbers of questions: mirrored, or thinned to fewer samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from metrics.data.arrays import Vector
from metrics.data.tally import Tally

_CELLS = 1 << 18


class FractionalTally(NamedTuple):
    """How many questions, perhaps a fraction, have c correct of n; shape (U,) each."""

    n: NDArray[np.int64]
    c: NDArray[np.int64]
    questions: Vector

    @classmethod
    def of(cls, tally: Tally) -> FractionalTally:
        """Take the rows of a tally."""
        return cls(tally.n, tally.c, tally.questions.astype(np.float64)).ordered

    @property
    def ordered(self) -> FractionalTally:
        """The same by n, then c, so that nothing depends on the order of the rows."""
        order = np.lexsort((self.c, self.n))
        return FractionalTally(self.n[order], self.c[order], self.questions[order])

    @property
    def mirrored(self) -> FractionalTally:
        """The same with right and wrong exchanged, in the same order."""
        return self._replace(c=self.n - self.c)

    @property
    def total(self) -> float:
        """Questions in all, M."""
        return float(self.questions.sum())

    def thinned(self, k: int) -> FractionalTally:
        r"""Return what k samples of each question show, on average over all ways to pick them.

        A question with c correct of n counts as a fraction
        :math:`\binom{c}{j} \binom{n-c}{k-j} \Big/ \binom{n}{k}` of one with j of k.

        Examples
        --------
        >>> one = FractionalTally(np.array([4]), np.array([2]), np.array([6.0]))
        >>> one.thinned(2).questions.round(12).tolist()
        [1.0, 4.0, 1.0]
        """
        thin = np.zeros(k + 1)
        step = max(1, _CELLS // (k + 1))
        for rows in (slice(start, start + step) for start in range(0, len(self.n), step)):
            thin += _hypergeometric(self.n[rows], self.c[rows], k) @ self.questions[rows]
        return FractionalTally(np.full(k + 1, k), np.arange(k + 1), thin)


def _hypergeometric(n: NDArray[np.int64], c: NDArray[np.int64], k: int) -> Vector:
    """Return P(j of k drawn are among the c of n), j = 0 … k, shape (k + 1, U)."""
    log_factorial = gammaln(np.arange(n.max() + 1) + 1)
    j, wrong = np.arange(k + 1)[:, None], n - c
    right_left, wrong_left = c - j, wrong - (k - j)
    possible = (right_left >= 0) & (wrong_left >= 0)
    log = log_factorial[c] + log_factorial[wrong] + log_factorial[k] + log_factorial[n - k]
    log = log - log_factorial[n] - log_factorial[j] - log_factorial[k - j]
    log -= log_factorial[np.maximum(right_left, 0)] + log_factorial[np.maximum(wrong_left, 0)]
    return np.where(possible, np.exp(np.minimum(log, 0)), 0.0)
