r"""How much a mean moves when the same questions are sampled again.

For k > n/2 no unbiased estimate of this variance exists, so it is borrowed from a Beta
distribution of difficulties fitted to the tally. Only the variance is borrowed, never the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, gammaln, xlog1py, xlogy

from metrics.data.tally import Tally

_POINTS = np.sin(np.pi * np.arange(161) / 320) ** 2
_EDGES = np.sin(np.pi * (np.arange(160) + 0.5) / 320) ** 2
_MEANS = expit(np.linspace(-6, 6, 33))
_CONCENTRATIONS = np.geomspace(0.02, 200, 17)
_FLOOR = 1e-100


def within_variance(tally: Tally, tables: Mapping[int, NDArray[np.float64]]) -> Any:
    r"""Return the variance of the mean score due to sampling, :math:`V_1`.

    .. math:: V_1 = \frac{1}{M} \cdot \frac{1}{M} \sum_i E[v(p) \mid c_i], \qquad
              v(p) = \mathrm{Var}\, h(\mathrm{Bin}(n_i, p))

    with p ~ Beta(a, b), where (a, b) maximises the likelihood of the tally times a weak prior.

    Parameters
    ----------
    tally : Tally
        Counts of the questions.
    tables : mapping of int to float array, shape (n + 1,) or (K, n + 1)
        For each n of the tally the scores h(0) … h(n), for one metric or for K.

    Returns
    -------
    float or array, shape (K,)
        Not capped by the variance between questions; the caller does that.
    """
    prior = fitted_difficulties(tally)
    total = 0.0
    for n in tally.each_n:
        here = tally.n == n
        likelihood, scores = binomial_table(n), tables[n]
        varying = scores**2 @ likelihood.T - (scores @ likelihood.T) ** 2
        joint = prior[:, None] * likelihood[:, tally.c[here]]
        total = total + np.maximum(varying, 0) @ (joint / joint.sum(axis=0)) @ tally.questions[here]
    return total / tally.n_questions**2


def fitted_difficulties(tally: Tally) -> NDArray[np.float64]:
    """Return the mass of the fitted Beta distribution at each point of the p grid, shape (161,)."""
    masses, log_prior = _beta_masses()
    log_posterior = log_prior.copy()
    for n in tally.each_n:
        here = tally.n == n
        probability = masses @ binomial_table(n)[:, tally.c[here]]
        log_posterior += np.log(probability) @ tally.questions[here]
    return np.asarray(masses[log_posterior.argmax()])


@lru_cache(maxsize=16)
def binomial_table(n: int) -> NDArray[np.float64]:
    """Return Bin(c; n, p) on the p grid, shape (161, n + 1), read-only."""
    c = np.arange(n + 1)
    p = _POINTS[:, None]
    log_choose = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    table = np.exp(log_choose + xlogy(c, p) + xlog1py(n - c, -p))
    table.flags.writeable = False
    return np.asarray(table)


@lru_cache(maxsize=1)
def _beta_masses() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    mean, concentration = (g.ravel() for g in np.meshgrid(_MEANS, _CONCENTRATIONS))
    a, b = mean * concentration, (1 - mean) * concentration
    below = betainc(a[:, None], b[:, None], _EDGES)
    masses = np.maximum(np.diff(below, axis=1, prepend=0.0, append=1.0), _FLOOR)
    log_prior = np.log(mean * (1 - mean) * concentration / (1 + concentration) ** 2)
    return np.asarray(masses, dtype=np.float64), np.asarray(log_prior, dtype=np.float64)
