"""Posteriors of blends of two count metrics: by question (Geom@k), or of dataset means."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.inputs import require_k
from metrics.data.tally import Tally
from metrics.posteriors.moments import moments
from metrics.posteriors.posterior import Bounds, Posterior, normal_posterior, rates
from metrics.scoring import payoffs
from metrics.scoring.blends import Parts, geom_parts, power_blend, spectrum_parts


def geom_at_k_ci(
    R: Any,
    k: int,
    pass_power: float = 0.5,
    unanimous_power: float = 0.5,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of Geom@k by the delta method at each question's posterior means.

    k may exceed N. Arguments as `geom_at_k` and `pass_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in geom_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.6107, 0.1331, 0.3498, 0.8716]
    """
    tally, (mean, covariance) = _moments(R, k, geom_parts(), alpha0, beta0)
    value, variance = _delta(mean, covariance, pass_power, unanimous_power)
    m = tally.n_questions
    return normal_posterior(
        float(tally.questions @ value) / m,
        np.sqrt(float(tally.questions @ variance)) / m,
        confidence,
        bounds,
    )


def geom_ds_at_k_ci(
    R: Any,
    k: int,
    pass_power: float = 0.5,
    unanimous_power: float = 0.5,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    """Return the posterior of the blend of dataset means; arguments as `geom_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in geom_ds_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.6121, 0.1328, 0.3519, 0.8723]
    """
    parts = geom_parts(pass_power, unanimous_power)
    return _of_means(R, k, parts, confidence, bounds, alpha0, beta0)


def geo_spectrum_at_k_ci(
    R: Any,
    k: int,
    lam: float = 0.5,
    weights: Any = None,
    lambda_: float | None = None,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    """Return the posterior of GeoSpectrum@k; k may exceed N.

    Arguments as `geo_spectrum_at_k` and `pass_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in geo_spectrum_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.6121, 0.1328, 0.3519, 0.8723]
    """
    parts = spectrum_parts(lam, weights, lambda_)
    return _of_means(R, k, parts, confidence, bounds, alpha0, beta0)


def geo_spectrum_star_at_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    """Return the posterior of GeoSpectrum* @k; k may exceed N.

    Examples
    --------
    >>> [round(x, 4) for x in geo_spectrum_star_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.6121, 0.1328, 0.3519, 0.8723]
    """
    return geo_spectrum_at_k_ci(R, k, 0.5, None, None, confidence, bounds, alpha0, beta0)


def _moments(
    R: Any, k: int, parts: Parts, alpha0: float, beta0: float
) -> tuple[Tally, tuple[Vector, Vector]]:
    """Return the posterior means and covariances of both parts, question by question."""
    k, tally = require_k(k), Tally.of(R)
    added = np.stack([payoffs.gains(payoff, k, **options) for payoff, options in parts[:2]])
    return tally, moments(*rates(tally, alpha0, beta0), added)


def _of_means(
    R: Any,
    k: int,
    parts: Parts,
    confidence: float,
    bounds: Bounds,
    alpha0: float,
    beta0: float,
) -> Posterior:
    """Return the posterior of a blend of two dataset means."""
    tally, (means, covariance) = _moments(R, k, parts, alpha0, beta0)
    m = tally.n_questions
    mean = means @ tally.questions / m
    spread = covariance @ tally.questions / m**2
    value, variance = _delta(mean, spread, *parts[2:])
    return normal_posterior(float(value), float(np.sqrt(variance)), confidence, bounds)


def _delta(mean: Vector, covariance: Vector, x_power: float, y_power: float) -> tuple[Any, Any]:
    """Return the blend and its variance to first order, 0 and 0 where the blend is 0."""
    value = power_blend(mean[0], mean[1], x_power, y_power)
    slopes = [
        np.divide(power * value, each, out=np.zeros_like(value), where=value != 0)
        for power, each in zip((x_power, y_power), mean, strict=True)
    ]
    variance = sum(slopes[r] * covariance[r, s] * slopes[s] for r in (0, 1) for s in (0, 1))
    return value, np.maximum(variance, 0)
