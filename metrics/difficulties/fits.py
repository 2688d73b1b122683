r"""Success rates fitted to a tally on one grid: the likeliest Beta, and the likeliest of any shape.

The grid holds 161 rates from 0 to 1, evenly spaced in :math:`\arcsin \sqrt p`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, xlog1py, xlogy

from metrics.data.arrays import Vector
from metrics.data.tally import Tally

_KEPT = 1e-3
_TINY, _FARTHEST = 1e-300, 1e6


def fitted_masses(likelihood: Vector, shares: Vector, cycles: int = 50) -> Vector:
    r"""Maximise likelihoods of counts over distributions of the success rate.

    Expectation-maximisation from equal masses,
    :math:`w_l \leftarrow w_l \sum_u s_u L_{lu} / \sum_m w_m L_{mu}`, whose course over two steps is
    prolonged in each cycle [1]_ and which is stopped before the masses gather in a few points.

    likelihood: Of each row of counts at each success rate of a grid, up to a factor for each row.
        Shape (G, U).
    shares: The share of the questions that has each row, for each of B fits. Shape (B, U).
    cycles: Of three steps each; after few the masses are still spread more evenly.
    Returns: Masses at the success rates of the grid. Shape (B, G).

    References
    ----------
    .. [1] R. Varadhan and C. Roland, "Simple and globally convergent methods for accelerating the
       convergence of any EM algorithm", Scandinavian Journal of Statistics 35, 2008.
    """

    def improved(masses: Vector) -> Vector:
        """Return masses whose sum is 1, whatever that of the given ones is."""
        better: Vector = np.dot(shares / np.dot(masses, possible), transposed)
        better *= masses
        return better

    possible = np.maximum(likelihood, _TINY)
    transposed = possible.T
    masses = np.full((len(shares), len(likelihood)), 1 / len(likelihood))
    for _ in range(cycles):
        once = improved(masses)
        twice = improved(once)
        step = once - masses
        bend = twice - once - step
        size, turn = np.vecdot(step, step)[:, None], np.vecdot(bend, bend)[:, None]
        reach = np.sqrt(np.minimum(np.maximum(size / np.maximum(turn, _TINY), 1), _FARTHEST**2))
        step *= 2
        bend *= reach
        bend += step
        bend *= reach
        bend += masses
        twice *= _KEPT
        masses = improved(np.maximum(bend, twice, out=bend))
    return masses


_POINTS = np.sin(np.pi * np.arange(161) / 320) ** 2
_EDGES = np.sin(np.pi * (np.arange(160) + 0.5) / 320) ** 2
_MEANS = expit(np.linspace(-6, 6, 33))
_CONCENTRATIONS = np.geomspace(0.02, 200, 17)
_FLOOR = 1e-100
_TABLED = 64
"""Up to so many samples the chances of all counts under all Beta distributions are kept."""
_CYCLES = 4
"""Enough for the variance between samples, by the coverage of intervals for these questions."""


def fitted_beta(tally: Tally) -> Vector:
    """Return the mass of the fitted Beta distribution at each point of the grid, shape (161,).

    It maximises the likelihood of the tally times a weak prior.
    """
    masses, log_prior = _beta_masses()
    log_posterior = log_prior.copy()
    for n in tally.each_n:
        here = tally.n == n
        c = tally.c[here]
        chance = _beta_table(n)[:, c] if n <= _TABLED else _log_chance(n, c)
        log_posterior += chance @ tally.questions[here]
    return np.asarray(masses[log_posterior.argmax()])


def fitted_npmle(tally: Tally) -> Vector:
    """Return the likeliest masses of any shape at each point of the grid, shape (161,)."""
    order = np.lexsort((tally.c, tally.n))
    n, c = tally.n[order], tally.c[order]
    likelihood = np.concatenate(
        [binomial_table(each)[:, c[n == each]] for each in tally.each_n], axis=1
    )
    shares = tally.questions[order] / tally.n_questions
    return np.asarray(fitted_masses(likelihood, shares[None], _CYCLES)[0])


def expected_rates(
    tally: Tally, n: NDArray[np.int64], c: NDArray[np.int64]
) -> tuple[Vector, Vector]:
    """Return the mean rate and its mean square of questions with c right of n, by the fitted Beta.

    Examples
    --------
    >>> alike = Tally.of_questions([4] * 50, [0, 4] * 25)
    >>> mean, square = expected_rates(alike, np.array([4, 4]), np.array([0, 4]))
    >>> mean.round(2).tolist()
    [0.0, 1.0]
    """
    masses, moments = fitted_beta(tally), np.stack([_POINTS, _POINTS**2])
    mean, square = np.empty((2, len(n)))
    for each in np.unique(n).tolist():
        posterior = binomial_table(each) * masses[:, None]
        here = n == each
        mean[here], square[here] = (moments @ (posterior / posterior.sum(axis=0)))[:, c[here]]
    return mean, square


def extremes_of_pairs(tally: Tally) -> tuple[Vector, Vector]:
    r"""Return the two extreme distributions that give the counts of pairs of samples, each (161,).

    Two samples tell :math:`E p` and :math:`E p^2` and no more. Of all distributions with these two
    moments the fourth moment of p is least for one of 0 and :math:`E p^2 / E p`, and that of 1 - p
    for its mirror image [1]_; between them lies whatever pairs can mean. Where pairs agree less
    often than by chance all questions are alike.

    References
    ----------
    .. [1] S. Karlin and W. J. Studden, "Tchebycheff Systems", 1966, chapter 2.
    """
    right = float(tally.c @ tally.questions) / 2 / tally.n_questions
    both, neither = (float(tally.questions[tally.c == c].sum()) for c in (2, 0))
    least = _of_nothing_and_one(right, both / tally.n_questions)
    return least, _of_nothing_and_one(1 - right, neither / tally.n_questions)[::-1]


def _of_nothing_and_one(mean: float, square: float) -> Vector:
    """Return masses of 0 and of one more rate, with these moments."""
    rate = max(mean, square / mean) if mean > 0 else 0.0
    share = mean / rate if rate > 0 else 0.0
    masses = np.full(len(_POINTS), _FLOOR)
    above = int(np.clip(np.searchsorted(_POINTS, rate), 1, len(_POINTS) - 1))
    part = (rate - _POINTS[above - 1]) / (_POINTS[above] - _POINTS[above - 1])
    masses[0] += 1 - share
    masses[[above - 1, above]] += share * np.array([1 - part, part])
    return masses


@lru_cache(maxsize=16)
def binomial_table(n: int) -> Vector:
    """Return Bin(c; n, p) on the grid, shape (161, n + 1), read-only."""
    c = np.arange(n + 1)
    p = _POINTS[:, None]
    log_choose = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    table = np.exp(log_choose + xlogy(c, p) + xlog1py(n - c, -p))
    table.flags.writeable = False
    return np.asarray(table)


@lru_cache(maxsize=_TABLED)
def _beta_table(n: int) -> Vector:
    return _log_chance(n, np.arange(n + 1))


def _log_chance(n: int, c: NDArray[np.int64]) -> Vector:
    """Return the logarithm of the chance of each count under each Beta distribution, (B, U)."""
    return np.asarray(np.log(_beta_masses()[0] @ binomial_table(n)[:, c]))


@lru_cache(maxsize=1)
def _beta_masses() -> tuple[Vector, Vector]:
    mean, concentration = (g.ravel() for g in np.meshgrid(_MEANS, _CONCENTRATIONS))
    a, b = mean * concentration, (1 - mean) * concentration
    below = betainc(a[:, None], b[:, None], _EDGES)
    masses = np.maximum(np.diff(below, axis=1, prepend=0.0, append=1.0), _FLOOR)
    log_prior = np.log(mean * (1 - mean) * concentration / (1 + concentration) ** 2)
    return np.asarray(masses, dtype=np.float64), np.asarray(log_prior, dtype=np.float64)
