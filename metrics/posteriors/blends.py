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
from metrics.scoring.blends import power_blend, spectrum_part, spectrum_share


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
    k = require_k(k)
    tally = Tally.of(R)
    mean, covariance = moments(*rates(tally, alpha0, beta0), _ends(k))
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
    k = require_k(k)
    return _dataset_posterior(
        R, _ends(k), pass_power, unanimous_power, confidence, bounds, alpha0, beta0
    )


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
    k, lam = require_k(k), spectrum_share(lam, lambda_)
    added = _ends(k)
    payoff, options = spectrum_part(weights)
    added[1] = added[0] if lam == 1 else payoffs.gains(payoff, k, **options)
    return _dataset_posterior(R, added, lam, 1 - lam, confidence, bounds, alpha0, beta0)


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


def _ends(k: int) -> Vector:
    """Return the gains of pass@k and of pass^k."""
    return np.stack([payoffs.gains(each, k) for each in (payoffs.any_correct, payoffs.all_correct)])


def _dataset_posterior(
    R: Any,
    added: Vector,
    x_power: float,
    y_power: float,
    confidence: float,
    bounds: Bounds,
    alpha0: float,
    beta0: float,
) -> Posterior:
    tally = Tally.of(R)
    means, covariance = moments(*rates(tally, alpha0, beta0), added)
    m = tally.n_questions
    mean = means @ tally.questions / m
    spread = covariance @ tally.questions / m**2
    value, variance = _delta(mean, spread, x_power, y_power)
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
