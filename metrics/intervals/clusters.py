"""The limits of a mean score where questions belong together.

How alike the questions of a cluster are is not known, least of all from a few clusters. So every
share of the variance that may lie between clusters is weighed by how likely it makes the data [1]_,
and the limits are those of a mixture: no single share is taken for the truth.

References
----------
.. [1] G. C. Tiao and W. Y. Tan, "Bayesian analysis of random-effect models in the analysis of
   variance", Biometrika 52, 1965.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import betainc

from metrics.data.arrays import Vector
from metrics.intervals.binomial import ZERO, clopper_pearson
from metrics.intervals.korn_graubard import population_size, worth
from metrics.intervals.limits import population_limits

_NONE = 0.25
"""How likely it is beforehand that clusters are no more alike than other questions."""
_SEEN = 0.25
"""Squares within clusters of which half of what clusters differ by is taken to be seen."""
_MOST = 1e4
"""The most that clusters may differ by, in units of what varies within them."""
_STEPS, _RARE = 32, 1e-4
_LEAST, _CLOSE = 1e-9, 1e-7


class Mixture(NamedTuple):
    """Effective numbers of questions, and how likely each is."""

    # Weights sum to 1.
    sizes: Vector
    weights: Vector

    def low(self, mean: float, tail: float) -> float:
        """Return the lower mid-P limit: what so large a mean is as unlikely of as the tail."""
        successes, failures = self.sizes * mean, self.sizes * (1 - mean)
        if mean < ZERO:
            return 0.0

        def beyond(share: float) -> float:
            at_least = betainc(successes, failures + 1, share)
            more = betainc(successes + 1, np.maximum(failures, ZERO), share)
            return float(self.weights @ (at_least + more)) / 2 - tail

        if beyond(mean) <= 0:
            return mean
        return float(scipy.optimize.brentq(beyond, 0.0, mean, xtol=_CLOSE))


def clustered_limits(
    scores: Vector, clusters: NDArray[np.intp], confidence_level: float
) -> tuple[float, float, float]:
    r"""Return the limits of the mean score of questions like these, and their effective number.

    Of G clusters with shares :math:`w_g` of M questions and :math:`S_2 = \sum_g w_g^2` let the
    variance between be φ times the one within, :math:`\sigma^2`. The means of clusters vary by
    :math:`\sigma^2 c_g`, :math:`c_g = \varphi + 1 / s_g`; with their squares Q about the mean
    weighted by :math:`1 / c_g`, and the squares W within clusters,

    .. math::
        P(\varphi) \propto \left(\prod_g c_g \sum_g \tfrac{1}{c_g}\right)^{-1/2}
        (Q + W)^{-(M-1)/2}, \qquad
        V = \frac{Q + W}{M - 1} \left(S_2 \varphi + \tfrac{1}{M}\right)

    times a prior of :math:`1 / (1 + M S_2 \varphi)`, and a quarter for φ = 0. Each φ gives an
    effective number of questions after Korn and Graubard,

    .. math:: n = M \frac{M m(1-m) + 1}{M^2 V + D}

    where D is the design effect of φ; where little varies within clusters, it is that of questions
    that are all alike. The limits are mid-P ones over all φ.

    scores: Of each question, in [0, 1]. Shape (M,).
    clusters: Cluster of each question, 0 … G-1. Shape (M,).
    confidence_level: In (0, 1).
    Returns: Lower and upper limit, and the number of questions whose exact limits are as wide; 0, 1
    and 0 of a single cluster. Where each question is a cluster they are those of questions.

    Examples
    --------
    Forty questions by themselves and one group of forty:

    >>> groups = np.append(np.arange(40), np.full(40, 40))
    >>> low, high, _ = clustered_limits(np.tile([0.0, 1, 1, 1], 20), groups, 0.95)
    >>> round(low, 2), round(high, 2)
    (0.59, 0.87)
    """
    sizes = np.bincount(clusters)
    mean, m = float(scores.mean()), len(scores)
    if len(sizes) == 1:
        return 0.0, 1.0, 0.0
    if len(sizes) == m:
        data = mean, float(scores.var(ddof=1)) / m, m, confidence_level
        low, high = (float(end) for end in population_limits(*data))
        return low, high, float(population_size(*data))
    effective = effective_sizes(scores, clusters)
    tail = (1 - confidence_level) / 2
    low, high = effective.low(mean, tail), 1 - effective.low(1 - mean, tail)
    return low, high, _as_wide(mean, high - low, m, confidence_level)


def effective_sizes(scores: Vector, clusters: NDArray[np.intp]) -> Mixture:
    """Return how many questions by themselves may tell as much; see `clustered_limits`."""
    m, sizes = len(scores), np.bincount(clusters)
    number, mean = worth(sizes).number, float(scores.mean())
    each = m / number
    means, squares = np.bincount(clusters, scores) / sizes, np.bincount(clusters, scores**2)
    within = max(float((squares - sizes * means**2).sum()), 0.0)
    could = mean * (1 - mean) + 1 / m
    inside = within + (m - len(sizes)) * could / _MOST
    most = could * m / inside
    ratio = np.expm1(np.linspace(0, np.log1p(most * each), _STEPS)) / each

    c = ratio[:, None] + 1 / sizes
    precise = (1 / c).sum(axis=1)
    middle = (means / c).sum(axis=1) / precise
    total = ((means - middle[:, None]) ** 2 / c).sum(axis=1) + inside
    logs = -(np.log(c).sum(axis=1) + np.log(precise) + (m - 1) * np.log(total)) / 2
    weights = np.exp(logs - logs.max())
    weights[[0, -1]] /= 2
    weights *= (1 - _NONE) / (_STEPS - 1)
    weights[0] += _NONE * np.exp(logs[0] - logs.max())
    likely = weights > _RARE * weights.sum()
    ratio, weights = ratio[likely], weights[likely]

    variance = total[likely] / (m - 1) * (ratio / number + 1 / m)
    effect = 1 + (each - 1) * ratio / (1 + ratio)
    unseen = effect + (each - effect) / (1 + (within / _SEEN) ** 2)
    size = m * (m * mean * (1 - mean) + 1) / (m**2 * variance + unseen)
    return Mixture(size, weights / weights.sum())


def _as_wide(mean: float, width: float, most: int, confidence_level: float) -> float:
    """Return the effective number of questions whose exact limits are so wide."""

    def wider(size: float) -> float:
        low, high = clopper_pearson(size * mean, size, confidence_level)
        return float(high - low) - width

    if wider(_LEAST) <= 0:
        return 0.0
    return float(scipy.optimize.brentq(wider, _LEAST, _MOST * most, rtol=_CLOSE))
