r"""Blends of two count metrics: by question (Geom@k), or of dataset means (geom-ds, GeoSpectrum).

A blend is :math:`P^a U^b` of pass@k and unanimous@k (pass^k), or :math:`P^\lambda S^{1-\lambda}`
of pass@k and a threshold spectrum, whose default is mG-Pass@k.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.inputs import require_finite, require_k, require_share
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.scoring import payoffs
from metrics.scoring.counts import mean_payoff
from metrics.scoring.draws import expected_payoff
from metrics.scoring.payoffs import Payoff

Part = tuple[Payoff, Mapping[str, Any]]
"""A payoff with its options."""
Parts = tuple[Part, Part, float, float]
"""Two payoffs whose dataset means are blended, and their powers."""


def geom_at_k(R: Any, k: int, pass_power: float = 0.5, unanimous_power: float = 0.5) -> float:
    r"""Return Geom@k, the geometric mean of pass@k and pass^k by question.

    .. math:: \frac{1}{M} \sum_i P_i^a U_i^b

    P is pass@k and U pass^k of a question from its N samples. Geom@k estimates the expected score
    of a bank of N samples, so runs with different N cannot be compared.

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
    r"""Return the blend of the dataset means of pass@k and pass^k; arguments as `geom_at_k`.

    .. math:: P^a U^b

    Examples
    --------
    >>> round(geom_ds_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    return _of_means(R, k, geom_parts(pass_power, unanimous_power))


def _of_means(R: Any, k: int, parts: Parts) -> float:
    """Return the blend of two dataset means."""
    first, second, *powers = parts
    tally = Tally.of(R)
    k = require_k(k, tally.n_min)
    means = (mean_payoff(tally, payoff(k, **options)) for payoff, options in (first, second))
    return float(power_blend(*means, *powers))


def geo_spectrum_at_k(
    R: Any, k: int, lam: float = 0.5, weights: Any = None, lambda_: float | None = None
) -> float:
    r"""Return GeoSpectrum@k, the blend of pass@k and the threshold spectrum of a dataset.

    .. math:: P^\lambda S^{1-\lambda}

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
        Another name of ``lam``.

    Examples
    --------
    >>> round(geo_spectrum_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    return _of_means(R, k, spectrum_parts(lam, weights, lambda_))


def geo_spectrum_star_at_k(R: Any, k: int) -> float:
    r"""Return GeoSpectrum* @k, the geometric mean of pass@k and mG-Pass@k.

    Examples
    --------
    >>> round(geo_spectrum_star_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.653835
    """
    return geo_spectrum_at_k(R, k)


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


def geom_parts(pass_power: float = 0.5, unanimous_power: float = 0.5) -> Parts:
    """Return pass@k and pass^k with their powers."""
    return (payoffs.any_correct, {}), (payoffs.all_correct, {}), pass_power, unanimous_power


def spectrum_parts(lam: Any = 0.5, weights: Any = None, lambda_: Any = None) -> Parts:
    """Return pass@k and a threshold spectrum, by default mG-Pass@k, with their powers.

    The share of pass@k has two names; where it is all, nothing else counts.
    """
    if lambda_ is not None:
        if lam != 0.5:
            raise TypeError("Give lam or lambda_, not both.")
        lam = lambda_
    lam = require_share(lam, "lam")
    passed: Part = (payoffs.any_correct, {})
    spectrum: Part = (payoffs.mean_threshold, {})
    if weights is not None:
        spectrum = payoffs.spectrum, {"weights": weights}
    return passed, passed if lam == 1 else spectrum, lam, 1 - lam
