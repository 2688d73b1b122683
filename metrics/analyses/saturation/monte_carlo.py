"""Draws from a posterior of few parameters, by population Monte Carlo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

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
