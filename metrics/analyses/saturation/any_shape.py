"""Difficulties of any shape, fitted to counts on a grid that is even in the log odds."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_expit

from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.arrays import Vector
from metrics.difficulties.fits import fitted_masses

_LOGITS = np.linspace(-12, 9, 140)
RATES: Vector = np.concatenate([[0.0], expit(_LOGITS), [1.0]])
_MOST_ROWS = 1024
_NOTABLE = 0.01
_TINY = 1e-300


def resampled_shares(counts: FractionalTally, resamples: int, rng: np.random.Generator) -> Vector:
    """Return the share of each row in resampled questions, shape (resamples, U).

    Of counts with very many rows only as many samples are used as every question has.
    """
    few = _few_rows(counts)
    m = round(few.total)
    return np.asarray(rng.multinomial(m, few.questions / few.total, size=resamples) / m)


class AnyShape:
    """The likeliest masses at some success rates, with what they cost.

    counts: What was observed.
    near_one: Whether the rates lie closest at 1, for what falls there; else at 0.
    """

    def __init__(self, counts: FractionalTally, near_one: bool = False) -> None:
        few = _few_rows(counts)
        self.rates: Vector = 1 - RATES if near_one else RATES
        self._counts = counts.mirrored if near_one else counts
        self._possible = likelihood(few.mirrored if near_one else few)
        self.masses: Vector = self.fitted_to(few.questions[None] / few.total)[0]

    def fitted_to(self, shares: Vector) -> Vector:
        """Return the likeliest masses for shares of the rows, of shape (B, U), shape (B, G)."""
        return fitted_masses(self._possible, shares)

    @property
    def log_likelihood(self) -> float:
        """Of the counts, less the binomial coefficients."""
        chance = np.maximum(self.masses @ likelihood(self._counts), _TINY)
        largest = _log_likelihood(self._counts).max(axis=0)
        return float(self._counts.questions @ (np.log(chance) + largest))

    @property
    def parameters(self) -> float:
        """Half of the places and free shares of the notable masses."""
        return max(0.5, float((self.masses > _NOTABLE).sum()) - 0.5)


def _few_rows(counts: FractionalTally) -> FractionalTally:
    if len(counts.n) > _MOST_ROWS:
        return counts.thinned(min(int(counts.n.min()), _MOST_ROWS - 1))
    return counts


def likelihood(counts: FractionalTally) -> Vector:
    """Return the binomial likelihood of each row at each of `RATES`, largest 1, shape (G, U)."""
    log = _log_likelihood(counts)
    return np.asarray(np.exp(log - log.max(axis=0)))


def _log_likelihood(counts: FractionalTally) -> Vector:
    n, c = counts.n, counts.c
    log = np.multiply.outer(log_expit(_LOGITS), c) + np.multiply.outer(log_expit(-_LOGITS), n - c)
    never, always = np.where(c == 0, 0.0, -np.inf), np.where(c == n, 0.0, -np.inf)
    return np.concatenate([[never], log, [always]])
