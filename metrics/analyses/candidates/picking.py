r"""What the best of k candidates by a signal pays: exactly, from all n samples.

In ascending order of the signal the sample in place r of n is the best of k with the chance
:math:`\binom{r-1}{k-1} / \binom{n}{k}`; samples with the same signal share theirs.
"""

from __future__ import annotations

import numpy as np

from metrics.analyses.candidates.signals import Candidates
from metrics.data.arrays import Integers, Vector
from metrics.scoring.draws import payoff_table, payoff_tables
from metrics.scoring.payoffs import all_correct
from metrics.scoring.scores import QuestionScores, question_scores


class Picks:
    """The best of k, for several k.

    ks: None above the samples of any question. Shape (K,).
    again: Whether it is asked what other samples of the same questions would give.

    Attributes
    ----------
    values : float array, shape (K, M)
        What is paid on average, of each question.
    """

    def __init__(self, candidates: Candidates, ks: Integers, *, again: bool = False) -> None:
        self.ks, self.samples = ks, candidates.samples
        self.values = np.empty((len(ks), len(self.samples)))
        self._products: dict[int, Vector] = {}
        for rows, block in candidates.ordered():
            n = block.payoff.shape[1]
            self.values[:, rows] = chances(n, ks) @ block.payoff.T
            if again:
                self._products[n] = self._products.get(n, 0.0) + block.products()

    def scores(self, at: int) -> QuestionScores:
        """Return what a question is paid at the k in some place."""
        k = int(self.ks[at])
        twice = self._products and 2 * k <= self.samples.min()
        within = (lambda: self._within_variance(at)) if twice else None
        return question_scores(self.values[at], samples=self.samples, drawn=k, within=within)

    def _within_variance(self, at: int) -> float:
        """Return the variance of the mean between samples of the same questions, without bias.

        Two draws of k without a common sample are as independent as two sets of samples.
        """
        k = int(self.ks[at])
        twice = sum(_pairs(k, n, products) for n, products in self._products.items())
        squares = float(self.values[at] @ self.values[at])
        return max(squares - twice, 0.0) / len(self.samples) ** 2


def chances(n: int, ks: Integers) -> Vector:
    """Return how likely each place of n, in ascending order, is the best of each k, shape (K, n).

    Examples
    --------
    >>> chances(3, np.array([1, 2])).round(3).tolist()
    [[0.333, 0.333, 0.333], [0.0, 0.333, 0.667]]
    """
    return np.diff(payoff_tables(all_correct, n, ())[ks - 1], axis=1)


def _pairs(k: int, n: int, products: Vector) -> float:
    """Return the sum over questions of what two disjoint draws of k of n pay, multiplied."""
    first = np.diff(payoff_table(all_correct, k, n))
    then = np.zeros(n)
    then[k:] = np.diff(payoff_table(all_correct, k, n - k))
    return 2 * float(then @ np.tril(products, -1) @ first)
