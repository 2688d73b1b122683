"""Difficulties of any shape: masses on a grid of success rates, likeliest given the counts."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_expit

from metrics.analyses.saturation.thinning import Counts
from metrics.data.arrays import Vector

_LOGITS = np.linspace(-12, 9, 140)
RATES: Vector = np.concatenate([[0.0], expit(_LOGITS), [1.0]])
_MOST_ROWS = 1024
_CYCLES = 50
_KEPT = 1e-3
_TINY, _FARTHEST = 1e-300, 1e6


def resampled_masses(counts: Counts, resamples: int, rng: np.random.Generator) -> Vector:
    """Return the masses at `RATES` fitted to resampled questions, shape (resamples, G).

    Of counts with very many rows only as many samples are used as every question has.
    """
    if len(counts.n) > _MOST_ROWS:
        counts = counts.thinned(min(int(counts.n.min()), _MOST_ROWS - 1))
    m = round(counts.total)
    drawn = rng.multinomial(m, counts.questions / counts.total, size=resamples)
    return fitted_masses(counts, drawn / m)


def fitted_masses(counts: Counts, shares: Vector) -> Vector:
    r"""Maximise likelihoods of counts over distributions of the success rate.

    Expectation-maximisation from equal masses,
    :math:`w_l \leftarrow w_l \sum_u s_u L_{lu} / \sum_m w_m L_{mu}`, whose course over two steps is
    prolonged in each cycle [1]_ and which is stopped before the masses gather in a few points.

    Parameters
    ----------
    counts : Counts
        The n and c of each row, shape (U,).
    shares : float array, shape (B, U)
        The share of the questions that has each row, for each of B fits.

    Returns
    -------
    float array, shape (B, G)
        Masses at `RATES`.

    References
    ----------
    .. [1] R. Varadhan and C. Roland, "Simple and globally convergent methods for accelerating the
       convergence of any EM algorithm", Scandinavian Journal of Statistics 35, 2008.
    """
    likelihood = _likelihood(counts)

    def improved(masses: Vector) -> Vector:
        chance = np.maximum(masses @ likelihood, _TINY)
        return np.asarray(masses * ((shares / chance) @ likelihood.T))

    masses = np.full((len(shares), len(RATES)), 1 / len(RATES))
    for _ in range(_CYCLES):
        once = improved(masses)
        twice = improved(once)
        step, bend = once - masses, twice - 2 * once + masses
        size, turn = (np.linalg.norm(x, axis=1, keepdims=True) for x in (step, bend))
        reach = np.clip(size / np.maximum(turn, _TINY), 1, _FARTHEST)
        ahead = np.maximum(masses + 2 * reach * step + reach**2 * bend, _KEPT * twice)
        masses = improved(ahead / ahead.sum(axis=1, keepdims=True))
    return masses


def _likelihood(counts: Counts) -> Vector:
    """Return the binomial likelihood of each row at each rate, largest 1, shape (G, U)."""
    n, c = counts.n, counts.c
    log = np.multiply.outer(log_expit(_LOGITS), c) + np.multiply.outer(log_expit(-_LOGITS), n - c)
    never, always = np.where(c == 0, 0.0, -np.inf), np.where(c == n, 0.0, -np.inf)
    log = np.concatenate([[never], log, [always]])
    return np.asarray(np.exp(log - log.max(axis=0)))
