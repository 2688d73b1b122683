"""Three fits of how difficult questions are, and what they foretell together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from metrics.analyses.saturation.any_shape import AnyShape, resampled_shares
from metrics.analyses.saturation.beta_binomial import (
    BETA,
    INFLATED,
    LARGEST,
    SMALLEST,
    Likelihood,
    expected_scores,
    fit,
    log_prior,
)
from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.arrays import Vector

_FREEDOM = 5
_ROUNDS = 4
_STEP = 1e-3
_WIDEST = 3.0


def posterior_draws(
    log_density: Callable[[Vector], Vector],
    start: Vector,
    rng: np.random.Generator,
    proposals: int,
    draws: int,
) -> Vector:
    """Draw from a density by importance, with a Student t that adapts in a few rounds.

    The density is that of rows of shape (D, P), up to a factor; `start` is near its mode. Of the
    last round's `proposals` so many `draws` are taken, by their weight.
    """
    centre, spread = start, _spread(log_density, start)
    for _ in range(_ROUNDS):
        step = rng.standard_normal((proposals, len(start)))
        step /= np.sqrt(rng.chisquare(_FREEDOM, (proposals, 1)) / _FREEDOM)
        rows = centre + step @ spread.T
        tail = (_FREEDOM + len(start)) / 2 * np.log1p((step**2).sum(axis=1) / _FREEDOM)
        log_weight = log_density(rows) + tail
        weight = np.exp(log_weight - log_weight.max())
        weight /= weight.sum()
        centre = weight @ rows
        away = rows - centre
        spread = _root((weight[:, None] * away).T @ away)
    places = (np.arange(draws) + rng.random()) / draws
    return np.asarray(rows[np.searchsorted(np.cumsum(weight), places).clip(max=proposals - 1)])


def _spread(log_density: Callable[[Vector], Vector], row: Vector) -> Vector:
    """Return a root of the inverse curvature, by differences."""
    steps = _STEP * np.eye(len(row))
    both = steps[:, None] + steps
    corners = np.concatenate([both, steps[:, None] - steps, -both])
    values = log_density(row + corners.reshape(-1, len(row))).reshape(3, len(row), len(row))
    ahead, across, behind = values
    curvature = -(ahead + behind - across - across.T) / (4 * _STEP**2)
    size, axes = np.linalg.eigh(np.nan_to_num(curvature))
    return np.asarray(axes / np.sqrt(np.maximum(size, _WIDEST**-2)))


def _root(covariance: Vector) -> Vector:
    size, axes = np.linalg.eigh(covariance)
    return np.asarray(axes * np.sqrt(np.maximum(size, 1e-12)))


Scorer = Callable[[Vector], Vector]

_PROPOSALS, _DRAWS, _RESAMPLES = 1000, 400, 80
_WIDER = 10
"""Of resampled fits the band leaves out so much less: they vary less than what is possible."""
_INSIDE = SMALLEST + 0.1, LARGEST - 0.1


class Fits:
    """A Beta distribution, one with point masses at 0 and 1, and one of any shape.

    They are of the questions, and serve every metric. That of any shape is fitted at success rates
    which are close together where the metric bends: at 1 for what falls there, else at 0.

    counts: What was observed.
    rng: Seed of the draws.
    """

    def __init__(self, counts: FractionalTally, rng: Any = 0) -> None:
        self._counts = counts
        self._rng = rng
        self._likelihood = Likelihood(counts)
        self._rows = [fit(self._likelihood, size)[None] for size in (BETA, INFLATED)]
        self._shapes: dict[bool, AnyShape] = {}
        self._resampled: dict[bool, Vector] = {}

    @cached_property
    def inflated(self) -> float:
        r"""The weight of point masses by BIC, :math:`1 / (1 + e^{(BIC_4 - BIC_2) / 2})`."""
        plain, inflated = (float(self._likelihood(row)[0]) for row in self._rows)
        gain = inflated - plain - (INFLATED - BETA) / 2 * np.log(self._counts.total)
        return float(1 / (1 + np.exp(-np.clip(gain, -500, 500))))

    def any_shape(self, near_one: bool = False) -> AnyShape:
        """Return the likeliest masses of any shape."""
        if near_one not in self._shapes:
            self._shapes[near_one] = AnyShape(self._counts, near_one)
        return self._shapes[near_one]

    def freely(self, near_one: bool = False) -> float:
        r"""Return the weight of any shape, :math:`e^{-AIC/2}` as a share of the three fits'.

        Its masses are charged half of their places and shares, since neighbours on the grid stand
        for one.
        """
        free = self.any_shape(near_one)
        fits = [(float(self._likelihood(row)[0]), row.shape[1]) for row in self._rows]
        fits.append((free.log_likelihood, free.parameters))
        gains = np.array([likelihood - parameters for likelihood, parameters in fits])
        weights = np.exp(gains - gains.max())
        return float(weights[-1] / weights.sum())

    def line(self, score: Scorer, k: int, near_one: bool = False) -> Vector:
        """Return the expected scores by the average of both Beta fits and that of any shape.

        `score` gives scores of shape (K, L) at L success rates, polynomials of degree k that bend
        near 1 or near 0.
        """
        plain, inflated = (expected_scores(row, k, score)[0] for row in self._rows)
        shaped = plain + self.inflated * (inflated - plain)
        free = score(self.any_shape(near_one).rates) @ self.any_shape(near_one).masses
        return np.asarray(np.clip(shaped + self.freely(near_one) * (free - shaped), 0, 1))

    def draws(self, score: Scorer, k: int, near_one: bool = False) -> tuple[Vector, ...]:
        """Return scores by resampled fits of any shape, then by the posteriors of both others.

        Of shape (D, K) each.
        """
        shares, posteriors = self._draws
        free = self.any_shape(near_one)
        if near_one not in self._resampled:
            self._resampled[near_one] = free.fitted_to(shares)
        of_any_shape = self._resampled[near_one] @ score(free.rates).T
        return of_any_shape, *(expected_scores(rows, k, score) for rows in posteriors)

    @cached_property
    def _draws(self) -> tuple[Vector, tuple[Vector, ...]]:
        """Resampled questions, as shares of the rows, and draws from both posteriors."""
        rng = np.random.default_rng(self._rng)
        shares = resampled_shares(self._counts, _RESAMPLES, rng)
        starts = (np.append(np.clip(row[0, :BETA], *_INSIDE), row[0, BETA:]) for row in self._rows)
        posteriors = (
            posterior_draws(self._posterior, start, rng, _PROPOSALS, _DRAWS) for start in starts
        )
        return shares, tuple(posteriors)

    def _posterior(self, rows: Vector) -> Vector:
        return self._likelihood(rows) + log_prior(rows)


def envelope(
    draws: Sequence[Vector], line: Vector, confidence_level: float
) -> tuple[Vector, Vector]:
    """Return the envelope of the intervals of `Fits.draws` and of a line."""
    outside = (1 - confidence_level) / 2
    tails = outside / np.array([_WIDER, 1, 1])
    ends = [
        np.quantile(each, [tail, 1 - tail], axis=0).clip(0, 1)
        for each, tail in zip(draws, tails, strict=True)
    ]
    low, high = zip(*ends, (line, line), strict=True)
    return np.min(low, axis=0), np.max(high, axis=0)
