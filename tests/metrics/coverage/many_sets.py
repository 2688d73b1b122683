"""Metrics of many simulated sets at once, from the product's own functions of arrays.

A study of thousands of sets by `metrics.estimate` would take hours; `test_coverage` and
`test_coverage_of_difficulties` assert that both give the same limits.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from metrics import METRICS, Tally
from metrics.data.evidence import Evidence
from metrics.difficulties import fits
from metrics.difficulties.fits import fitted_masses
from metrics.intervals.binomial import mid_p
from metrics.intervals.korn_graubard import sampled_size
from metrics.intervals.limits import population_limits
from metrics.scoring.draws import expected_product


def truth(metric, k, p):
    """The chance that k tries at success rate p count as right."""
    if metric == "pass@k":
        return 1 - (1 - p) ** k
    return p**k if metric == "pass^k" else betainc(k // 2 + 1, k - k // 2, p)


class Scored(NamedTuple):
    """What each count of right samples scores at each of some k, shape (K, n + 1).

    products are those of two disjoint draws, NaN where there are none. low and high are the range
    of the scores, drawn the samples of a draw, shape (K,).
    """

    scores: np.ndarray
    products: np.ndarray
    low: np.ndarray
    high: np.ndarray
    drawn: np.ndarray


@lru_cache
def scored(metric, ks, n, **options):
    entry = METRICS[metric]
    every = Evidence(Tally.of_questions(n, np.arange(n + 1)))
    each = [entry.scores(every, k, options) for k in ks]
    products = [
        np.full(n + 1, np.nan)
        if entry.payoff is None
        else expected_product(entry.payoff(one.drawn, **options), n)
        for one in each
    ]
    low, high, drawn = np.array([(one.low, one.high, one.drawn) for one in each]).T
    return Scored(np.array([one.values for one in each]), np.array(products), low, high, drawn)


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

    def means(self, metric, ks, **options):
        """The mean score of each set at each k, shape (sets, K)."""
        return self.questions @ scored(metric, tuple(ks), self.n, **options).scores.T / self.m

    def variances(self, scores):
        """The variance of each mean between questions."""
        mean = self.questions @ scores.T / self.m
        spread = np.maximum(self.questions @ (scores**2).T / self.m - mean**2, 0)
        return spread / (self.m - 1)

    def limits(self, metric, ks, target, level=0.95, **options):
        """The limits of each set at each k, two arrays of shape (sets, K)."""
        scores, products, low, high, drawn = scored(metric, tuple(ks), self.n, **options)
        width = high - low
        mean = (self.means(metric, ks, **options) - low) / width
        variance = self.variances(scores) / width**2
        if target == "population":
            ends = population_limits(mean, variance, self.m, level)
        else:
            draws = np.maximum(1, self.n // drawn)
            size = sampled_size(
                mean,
                lambda: self.within(scores, products) / width**2,
                variance,
                self.m,
                self.n,
                draws,
                level,
            )
            ends = mid_p(mean, size, level)
        return low + width * ends[0], low + width * ends[1]

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
            most = np.max([each @ varying.T for each in borrowed], axis=0)
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
            if self.n == 2:
                pairs = (fits.extremes_of_pairs(Tally.of_questions(2, c)) for c in self.c)
                self.fitted += tuple(map(np.array, zip(*pairs, strict=True)))
        return self.fitted

    def coverage(self, metric, ks, target, whole, level=0.95):
        """How often the limits hold the truth, and their mean width, at each k."""
        low, high = self.limits(metric, ks, target, level)
        for j, k in enumerate(ks):
            true = whole[j]
            if target == "benchmark":
                true = truth(metric, k, self.rates).mean(axis=1)
            held = (low[:, j] - 1e-9 <= true) & (true <= high[:, j] + 1e-9)
            yield held.mean(), (high - low)[:, j].mean()
