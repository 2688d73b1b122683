r"""Blends of two count metrics: by question (Geom@k), or of dataset means (geom-ds, GeoSpectrum).

A blend is :math:`P^a U^b` of pass@k and unanimous@k (pass^k), or :math:`P^\lambda S^{1-\lambda}`
of pass@k and a threshold spectrum, whose default is mG-Pass@k.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import require_finite, require_k, require_share
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.posteriors.moments import moments
from metrics.posteriors.posterior import Bounds, Posterior, normal_posterior, rates
from metrics.scoring import payoffs
from metrics.scoring.counts import mean_payoff
from metrics.scoring.draws import expected_payoff
from metrics.scoring.payoffs import Payoff

Vector = NDArray[np.float64]


def geom_at_k(R: Any, k: int, pass_power: float = 0.5, unanimous_power: float = 0.5) -> float:
    r"""Return Geom@k, the mean over questions of :math:`P_i^a U_i^b`.

    P is pass@k and U pass^k of a question from its N samples. What it estimates depends on N, the
    expected score of a bank of N samples, so runs with different N cannot be compared.

    Parameters
    ----------
    R : array_like of 0/1, shape (M, N) or (N,), or Tally
        Outcomes.
    k : int
        From 1 to N.
    pass_power, unanimous_power : float
        a and b, not both 0. A negative power of 0 is an error unless the other factor is 0.

    Examples
    --------
    >>> round(geom_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.647106
    """
    tally = Tally.of(R)
    k = require_k(k, tally.n_min)
    return tally.mean(lambda n, c: geom_scores(n, c, k, pass_power, unanimous_power))


def geom_scores(
    n: int, c: NDArray[np.int64], k: int, pass_power: float = 0.5, unanimous_power: float = 0.5
) -> Vector:
    """Return the blend of each question with c of n right."""
    passed = expected_payoff(payoffs.any_correct(k), n, c)
    unanimous = expected_payoff(payoffs.all_correct(k), n, c)
    return power_blend(passed, unanimous, pass_power, unanimous_power)


def geom_ds_at_k(R: Any, k: int, pass_power: float = 0.5, unanimous_power: float = 0.5) -> float:
    r"""Return the blend of dataset means, :math:`P^a U^b`; arguments as `geom_at_k`.

    Examples
    --------
    >>> round(geom_ds_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    tally = Tally.of(R)
    k = require_k(k, tally.n_min)
    passed = mean_payoff(tally, payoffs.any_correct(k))
    unanimous = mean_payoff(tally, payoffs.all_correct(k))
    return float(power_blend(passed, unanimous, pass_power, unanimous_power))


def geo_spectrum_at_k(
    R: Any, k: int, lam: float = 0.5, weights: Any = None, lambda_: float | None = None
) -> float:
    r"""Return GeoSpectrum@k, :math:`P^\lambda S^{1-\lambda}` of dataset means.

    Parameters
    ----------
    R : array_like of 0/1, shape (M, N) or (N,), or Tally
        Outcomes.
    k : int
        From 1 to N.
    lam : float
        In [0, 1]; 1 is pass@k.
    weights : sequence of float, shape (k,), optional
        The threshold spectrum S; by default mG-Pass@k.
    lambda_ : float, optional
        Another name of `lam`.

    Examples
    --------
    >>> round(geo_spectrum_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    tally = Tally.of(R)
    k = require_k(k, tally.n_min)
    lam = spectrum_share(lam, lambda_)
    passed = mean_payoff(tally, payoffs.any_correct(k))
    if lam == 1:
        return passed
    payoff, options = spectrum_part(weights)
    return float(power_blend(passed, mean_payoff(tally, payoff(k, **options)), lam, 1 - lam))


def geo_spectrum_star_at_k(R: Any, k: int) -> float:
    r"""Return GeoSpectrum* @k, the geometric mean of pass@k and mG-Pass@k.

    Examples
    --------
    >>> round(geo_spectrum_star_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    return geo_spectrum_at_k(R, k)


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

    k may exceed N. Arguments as `geom_at_k` and `metrics.posteriors.posterior.pass_at_k_ci`.

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

    Arguments as `geo_spectrum_at_k` and `metrics.posteriors.posterior.pass_at_k_ci`.

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


def power_blend(x: Any, y: Any, x_power: float, y_power: float) -> Vector:
    """Return ``x ** x_power * y ** y_power``, 0 where a factor is 0 with a positive power."""
    x_power = require_finite(x_power, "pass_power")
    y_power = require_finite(y_power, "unanimous_power")
    if x_power == 0 and y_power == 0:
        raise MetricError(Text("The powers of a blend must not both be 0."))
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    nought = ((x == 0) & (x_power > 0)) | ((y == 0) & (y_power > 0))
    if np.any(~nought & (((x == 0) & (x_power < 0)) | ((y == 0) & (y_power < 0)))):
        raise MetricError(Text("A negative power of 0 is undefined; use powers of at least 0."))
    x, y = np.where(nought, 1.0, x), np.where(nought, 1.0, y)
    return np.asarray(np.where(nought, 0.0, x**x_power * y**y_power))


def spectrum_share(lam: Any, lambda_: Any = None) -> float:
    """Return lambda under either of its names, in [0, 1]."""
    if lambda_ is not None:
        if lam != 0.5:
            raise TypeError("Give lam or lambda_, not both.")
        lam = lambda_
    return require_share(lam, "lam")


def spectrum_part(weights: Any) -> tuple[Payoff, dict[str, Any]]:
    """Return the payoff of a threshold spectrum and its options, by default that of mG-Pass@k."""
    if weights is None:
        return payoffs.mean_threshold, {}
    return payoffs.spectrum, {"weights": weights}


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
