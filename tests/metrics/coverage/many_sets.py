"""Curves of many simulated sets at once, from the product's own functions of arrays.

A study of thousands of sets by `metrics.curve` would take hours; `test_coverage_of_difficulties`
asserts that both give the same limits.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from metrics import METRICS
from metrics.difficulties import fits
from metrics.difficulties.npmle import fitted_masses
from metrics.intervals.korn_graubard import sampled_size
from metrics.intervals.limits import benchmark_limits, population_limits
from metrics.scoring.draws import payoff_tables, product_tables


def truth(metric, k, p):
    """The chance that k tries at success rate p count as right."""
    if metric == "pass@k":
        return 1 - (1 - p) ** k
    return p**k if metric == "pass^k" else betainc(k // 2 + 1, k - k // 2, p)


@dataclass
class ManySets:
    """Sets of m questions with n samples each.

    rates and its counts of right samples, and how many questions of a set have each count.
    """

    m: int
    n: int
    rates: np.ndarray
    c: np.ndarray

    @classmethod
    def drawn(cls, quantile, m, n, sets, rng):
        rates = quantile(rng.random((sets, m)))
        return cls(m, n, rates, rng.binomial(n, rates))

    def __post_init__(self):
        self.questions = np.zeros((len(self.c), self.n + 1))
        np.add.at(self.questions, (np.arange(len(self.c))[:, None], self.c), 1)
        self.fitted = None

    def means(self, metric, ks):
        """The mean score of each set at each k, shape (sets, K)."""
        scores = payoff_tables(METRICS[metric].payoff, self.n)[np.array(ks) - 1]
        return self.questions @ scores.T / self.m

    def limits(self, metric, ks, target, level=0.95):
        """The limits of each set at each k, two arrays of shape (sets, K)."""
        ks = np.array(ks)
        scores = payoff_tables(METRICS[metric].payoff, self.n)[ks - 1]
        mean = self.means(metric, ks)
        spread = np.maximum(self.questions @ (scores**2).T / self.m - mean**2, 0)
        variance = spread / (self.m - 1)
        if target == "population":
            return population_limits(mean, variance, self.m, level)
        draws = np.maximum(1, self.n // ks)
        products = product_tables(METRICS[metric].payoff, self.n)[ks - 1]
        size = sampled_size(
            mean, lambda: self.within(scores, products), variance, self.m, self.n, draws
        )
        return benchmark_limits(mean, size, self.m, draws, level)

    def within(self, scores, products):
        known = np.isfinite(products[:, 0])
        total = self.questions @ np.where(known[:, None], scores**2 - products, 0).T
        if not known.all():
            likelihood = fits.binomial_table(self.n)
            varying = np.maximum(scores**2 @ likelihood.T - (scores @ likelihood.T) ** 2, 0)
            borrowed = [
                masses * ((self.questions / np.maximum(masses @ likelihood, 1e-300)) @ likelihood.T)
                for masses in self.fits()
            ]
            most = np.maximum(*(each @ varying.T for each in borrowed))
            total = np.where(known, total, most)
        return np.maximum(total, 0) / self.m**2

    def fits(self):
        """The Beta and the free masses that are likeliest for each set."""
        if self.fitted is None:
            likelihood, (masses, prior) = fits.binomial_table(self.n), fits._beta_masses()
            best = (self.questions @ np.log(masses @ likelihood).T + prior).argmax(axis=1)
            kinds, which = np.unique(self.questions, axis=0, return_inverse=True)
            free = fitted_masses(likelihood, kinds / self.m, fits._CYCLES)
            self.fitted = masses[best], free[which.ravel()]
        return self.fitted

    def coverage(self, metric, ks, target, whole):
        """How often the limits hold the truth, and their mean width, at each k."""
        low, high = self.limits(metric, ks, target)
        for j, k in enumerate(ks):
            true = whole[j]
            if target == "benchmark":
                true = truth(metric, k, self.rates).mean(axis=1)
            held = (low[:, j] - 1e-9 <= true) & (true <= high[:, j] + 1e-9)
            yield held.mean(), (high - low)[:, j].mean()
