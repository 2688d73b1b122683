"""Counts that need not be whole numbers of questions: mirrored, or thinned to fewer samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from metrics.tally import Tally

Vector = NDArray[np.float64]


class Counts(NamedTuple):
    """How many questions, perhaps a fraction, have c correct of n; shape (U,) each."""

    n: NDArray[np.int64]
    c: NDArray[np.int64]
    questions: Vector

    @classmethod
    def of(cls, tally: Tally) -> Counts:
        """Take the rows of a tally."""
        return cls(tally.n, tally.c, tally.questions.astype(np.float64)).ordered

    @property
    def ordered(self) -> Counts:
        """The same by n, then c, so that nothing depends on the order of the rows."""
        order = np.lexsort((self.c, self.n))
        return Counts(self.n[order], self.c[order], self.questions[order])

    @property
    def mirrored(self) -> Counts:
        """The same with right and wrong exchanged."""
        return self._replace(c=self.n - self.c).ordered

    @property
    def total(self) -> float:
        """Questions in all, M."""
        return float(self.questions.sum())

    def thinned(self, k: int) -> Counts:
        r"""Return what k samples of each question show, on average over all ways to pick them.

        A question with c correct of n counts as a fraction
        :math:`\binom{c}{j} \binom{n-c}{k-j} \Big/ \binom{n}{k}` of one with j of k.

        Examples
        --------
        >>> one = Counts(np.array([4]), np.array([2]), np.array([6.0]))
        >>> one.thinned(2).questions.round(12).tolist()
        [1.0, 4.0, 1.0]
        """
        j = np.arange(k + 1)[:, None]
        possible = (j <= self.c) & (k - j <= self.n - self.c)
        right = np.minimum(j, self.c)
        wrong = np.minimum(k - j, self.n - self.c)
        chance = np.exp(
            _log_choose(self.c, right)
            + _log_choose(self.n - self.c, wrong)
            - _log_choose(self.n, np.asarray(k))
        )
        size = np.full(k + 1, k)
        return Counts(size, j[:, 0], np.where(possible, chance, 0.0) @ self.questions)


def _log_choose(n: NDArray[np.int64], k: NDArray[np.int64]) -> Vector:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
