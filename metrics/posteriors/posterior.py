r"""Posterior means and intervals of count metrics, each question's success rate ~ Beta.

With c of n correct and a prior Beta(a0, b0), the rate p of a question is Beta(a0 + c, b0 + n - c),
independently of the others. A metric is the mean over questions of :math:`g(p) = E\,A(Bin(k, p))`.
These are shrunken scores: their mean is not the unbiased estimate of `metrics.estimate`, and their
interval is about these questions only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from metrics.data.arrays import Vector
from metrics.data.inputs import is_number, require_k, require_level, require_positive
from metrics.data.results import widened_ends
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.posteriors.moments import moments
from metrics.scoring import payoffs

Bounds = tuple[float, float] | None

_CERTAIN = 1e30


class Posterior(NamedTuple):
    """Mean and standard deviation of a posterior, and its central normal interval."""

    mean: float
    sd: float
    low: float
    high: float


def normal_posterior(mean: float, sd: float, confidence: float, bounds: Bounds) -> Posterior:
    """Return the normal interval of a mean and a standard deviation, clipped into the bounds."""
    low, high = normal_interval(mean, sd, confidence, bounds)
    return Posterior(float(mean), float(sd), float(low), float(high))


def normal_interval(mean: Any, sd: Any, confidence: float, bounds: Bounds) -> tuple[Any, Any]:
    """Return the central normal intervals of means and standard deviations, clipped."""
    reach = float(ndtri(0.5 + 0.5 * require_level(confidence, "confidence"))) * sd
    if bounds is None:
        return mean - reach, mean + reach
    ends = tuple(bounds) if np.iterable(bounds) else ()
    if len(ends) != 2 or not all(map(is_number, ends)) or not ends[0] <= ends[1]:
        raise MetricError(Text("bounds must be (low, high) or None; got {got!r}.", got=bounds))
    return widened_ends(np.clip(mean - reach, *ends), np.clip(mean + reach, *ends), *ends)


def rates(tally: Tally, alpha0: Any, beta0: Any) -> tuple[Vector, Vector]:
    """Return the posterior's parameters a and b of each row of the tally.

    A prior beyond `_CERTAIN` is scaled down to it: either fixes the rate to all 15 digits.
    """
    a0, b0 = require_positive(alpha0, "alpha0"), require_positive(beta0, "beta0")
    excess = max(1.0, max(a0, b0) / _CERTAIN)
    return np.asarray((a0 + tally.c) / excess), np.asarray((b0 + tally.n - tally.c) / excess)


def posterior(
    R: Any,
    added: Vector,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    """Return the posterior of the mean payoff of a 0/1 matrix or a tally, given its gains."""
    tally = Tally.of(R)
    mean, covariance = moments(*rates(tally, alpha0, beta0), added[None])
    m = tally.n_questions
    variance = float(tally.questions @ covariance[0, 0])
    return normal_posterior(
        float(tally.questions @ mean[0]) / m, np.sqrt(variance) / m, confidence, bounds
    )


def _count_posterior(
    R: Any,
    payoff: payoffs.Payoff,
    k: Any,
    confidence: float,
    bounds: Bounds,
    alpha0: float,
    beta0: float,
    **options: Any,
) -> Posterior:
    tally = Tally.of(R)
    added = payoffs.gains(payoff, require_k(k, tally.n_min), **options)
    return posterior(tally, added, confidence, bounds, alpha0, beta0)


def pass_at_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of pass@k.

    .. math:: g(p) = 1 - (1 - p)^k

    Parameters
    ----------
    R : array_like of 0/1, shape (M, N) or (N,), or Tally
        Outcomes.
    k : int
        From 1 to N.
    confidence : float
        Mass of the interval, in (0, 1).
    bounds : tuple of float or None
        The interval is clipped into these.
    alpha0, beta0 : float
        The Beta prior of a question's success rate, both above 0.

    Returns
    -------
    Posterior
        (mean, sd, low, high).

    Raises
    ------
    MetricError
        If an argument is out of range.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 6) for x in pass_at_k_ci(R, 2)]
    [0.839286, 0.097263, 0.648654, 1.0]
    """
    return _count_posterior(R, payoffs.any_correct, k, confidence, bounds, alpha0, beta0)


def pass_hat_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of pass^k; arguments as `pass_at_k_ci`.

    .. math:: g(p) = p^k

    Examples
    --------
    >>> [round(x, 4) for x in pass_hat_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.4464, 0.1462, 0.1599, 0.7329]
    """
    return _count_posterior(R, payoffs.all_correct, k, confidence, bounds, alpha0, beta0)


unanimous_at_k_ci = pass_hat_k_ci
g_pass_at_k_ci = pass_hat_k_ci


def g_pass_at_k_tau_ci(
    R: Any,
    k: int,
    tau: float,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of G-Pass@k_tau; arguments as `pass_at_k_ci`, tau in [0, 1].

    Examples
    --------
    >>> [round(x, 4) for x in g_pass_at_k_tau_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2, 1.0)]
    [0.4464, 0.1462, 0.1599, 0.7329]
    """
    return _count_posterior(R, payoffs.threshold, k, confidence, bounds, alpha0, beta0, tau=tau)


def mg_pass_at_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of mG-Pass@k; arguments as `pass_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in mg_pass_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2)]
    [0.4464, 0.1462, 0.1599, 0.7329]
    """
    return _count_posterior(R, payoffs.mean_threshold, k, confidence, bounds, alpha0, beta0)


def maj_at_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of maj@k, a tie counting as wrong; arguments as `pass_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in maj_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 3)]
    [0.6845, 0.152, 0.3867, 0.9824]
    """
    return _count_posterior(R, payoffs.majority, k, confidence, bounds, alpha0, beta0)


def auc_at_k_ci(
    R: Any,
    k: int,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of AUC@k; arguments as `pass_at_k_ci`.

    Examples
    --------
    >>> [round(x, 4) for x in auc_at_k_ci([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 1)]
    [0.6429, 0.1185, 0.4107, 0.875]
    """
    return _count_posterior(R, payoffs.area, k, confidence, bounds, alpha0, beta0)


def threshold_spectrum_at_k_ci(
    R: Any,
    k: int,
    weights: Any,
    confidence: float = 0.95,
    bounds: Bounds = (0.0, 1.0),
    alpha0: float = 1.0,
    beta0: float = 1.0,
) -> Posterior:
    r"""Return the posterior of the threshold spectrum; arguments as `pass_at_k_ci`.

    Here k may exceed N, since the posterior is about independent tries. ``weights`` as in
    `threshold_spectrum_at_k`.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(x, 4) for x in threshold_spectrum_at_k_ci(R, 2, [0.0, 1.0])]
    [0.4464, 0.1462, 0.1599, 0.7329]
    """
    added = payoffs.gains(payoffs.spectrum, require_k(k), weights=weights)
    return posterior(R, added, confidence, bounds, alpha0, beta0)
