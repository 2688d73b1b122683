r"""The interval of a mean difference of two scores of the same questions.

MOVER [1]_ combines the limits of two means. For questions like these the two are gains and losses
(split Jeffreys), so that ties make the interval narrow and never a point. For these questions they
are the two scores themselves, which are independent there.

References
----------
.. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27, 2008.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.intervals.korn_graubard import Clusters, clopper_pearson, population_size, worth
from metrics.intervals.limits import EXACT_BELOW, jeffreys

Limited = tuple[Any, Any, Any]
"""A mean, its lower and its upper limit: numbers, or arrays of one shape."""
_DIGITS = 12
_ALIKE = 1e-20


class PairedMeans(NamedTuple):
    """Mean gain and mean loss of one score against another, as shares of the most there can be.

    Attributes
    ----------
    mean, variance : float array, shape (2, …)
        Of the gain and of the loss.
    covariance : float array, shape (…)
        Of both means.
    units : float array, shape (2,)
        The most that can be gained, and lost.
    n_questions : int
    worth : Clusters
        What the clusters of the questions are worth; of 1 nothing can be said.
    """

    mean: Vector
    variance: Vector
    covariance: Any
    units: Vector
    n_questions: int
    worth: Clusters

    @property
    def value(self) -> Any:
        """The mean difference."""
        return self.units[0] * self.mean[0] - self.units[1] * self.mean[1]

    @property
    def correlation(self) -> Any:
        """Of the mean gain and the mean loss; 0 where one of them does not vary."""
        varies = self.variance.min(axis=0) > _ALIKE
        scale = np.sqrt(np.where(varies, self.variance.prod(axis=0), 1.0))
        return np.where(varies, np.clip(self.covariance / scale, -1, 1), 0.0)

    def size(self, confidence_level: float) -> Any:
        """Return the effective number of questions of gain and loss, shape (2, …)."""
        return population_size(
            self.mean, self.variance, self.n_questions, confidence_level, self.worth
        )

    def limits(self, confidence_level: float) -> tuple[Any, Any]:
        """Return the limits of the mean difference; `paired_limits` says how."""
        size = self.size(confidence_level)
        return limits_at(self.mean, size, self.correlation, self.units, confidence_level)

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Return the limits of a single difference."""
        low, high = self.limits(confidence_level)
        return float(low), float(high)


def paired_means(
    differences: Vector,
    questions: NDArray[Any],
    *,
    clusters: NDArray[np.intp] | None = None,
    low: float = -1.0,
    high: float = 1.0,
) -> PairedMeans:
    """Return mean gains and losses of differences, shape (U,) or several at once, (U, K).

    Parameters
    ----------
    differences, questions, clusters, low, high
        As in `paired_limits`.
    """
    d, m = np.round(differences, _DIGITS), round(float(questions.sum()))
    units = np.array([high, -low], dtype=np.float64)
    scale = np.divide(1.0, units, out=np.zeros(2), where=units > 0)
    parts = np.stack([np.maximum(d, 0) * scale[0], np.maximum(-d, 0) * scale[1]])
    mean = np.einsum("u,pu...->p...", questions, parts) / m
    deviations = parts - mean[:, None]
    groups = m if clusters is None else int(clusters.max()) + 1
    number: float = m
    if clusters is None:
        weights = np.asarray(questions, dtype=np.float64)
    else:
        number, weights = worth(np.bincount(clusters)).number, np.ones(groups)
        starts = np.argsort(clusters, kind="stable")
        first = np.searchsorted(clusters[starts], np.arange(groups))
        deviations = np.add.reduceat(deviations[:, starts], first, axis=1)
    unbiased = groups / (groups - 1) if groups > 1 else 0.0
    gain, loss = deviations
    products = (
        np.einsum("u,u...,u...->...", weights, *two)
        for two in ((gain, gain), (loss, loss), (gain, loss))
    )
    gains, losses, both = (unbiased * each / m**2 for each in products)
    alike = Clusters(number, number - 1, unbiased)
    return PairedMeans(mean, np.stack([gains, losses]), both, units, m, alike)


def paired_limits(
    differences: Vector,
    questions: NDArray[np.int64],
    confidence_level: float,
    *,
    clusters: NDArray[np.intp] | None = None,
    low: float = -1.0,
    high: float = 1.0,
) -> tuple[float, float]:
    r"""Return the limits of a mean difference between questions like these.

    With gains :math:`p_i = \max(d_i, 0) / U` and losses :math:`q_i = \max(-d_i, 0) / D` of the
    differences :math:`d_i \in [-D, U]`, their means P and Q, the Jeffreys limits
    :math:`l_1, u_1` and :math:`l_2, u_2` of both at Korn and Graubard's effective number of
    questions, and r the correlation of P and Q, in units of the difference,

    .. math::
        P - Q - \sqrt{(P-l_1)^2 + (u_2-Q)^2 - 2 r (P-l_1)(u_2-Q)}, \qquad
        P - Q + \sqrt{(u_1-P)^2 + (Q-l_2)^2 - 2 r (u_1-P)(Q-l_2)}

    Parameters
    ----------
    differences : float array, shape (U,)
        Of one question each.
    questions : int array, shape (U,)
        How many questions have each.
    confidence_level : float
        In (0, 1). Below `EXACT_BELOW` the limits of both are Clopper-Pearson's.
    clusters : int array, shape (U,), optional
        Cluster of each question, 0 … G-1; then `questions` are ones.
    low, high : float
        -D and U, the least and the most that a difference can be; 0 lies between.

    Returns
    -------
    tuple of float
        Within [low, high]; all of it where there is a single question or cluster.

    Examples
    --------
    12 questions of 100 gained and 3 lost; and none of 30 differ:

    >>> ends = paired_limits(np.array([1.0, -1, 0]), np.array([12, 3, 85]), 0.95)
    >>> [round(x, 4) for x in ends]
    [0.0153, 0.1701]
    >>> [round(x, 4) for x in paired_limits(np.zeros(1), np.array([30]), 0.95)]
    [-0.0864, 0.0864]
    """
    means = paired_means(differences, questions, clusters=clusters, low=low, high=high)
    return means.ends(confidence_level)


def limits_at(
    mean: Vector, size: Any, correlation: Any, units: Vector, confidence_level: float
) -> tuple[Any, Any]:
    """Return the limits of a mean difference, from the effective numbers of questions.

    Parameters
    ----------
    mean, size : float array, shape (2, …)
        Of gain and loss; a size of 0 says nothing.
    correlation : float or array
    units : float array, shape (2,)
    confidence_level : float
    """
    bottom, top = _limits(mean, size, confidence_level)
    gain, loss = (
        (m * unit, low * unit, high * unit)
        for m, low, high, unit in zip(mean, bottom, top, units, strict=True)
    )
    lower, upper = _mover(gain, loss, correlation)
    known = np.min(size, axis=0) > 0
    return (
        np.where(known, np.maximum(-units[1], lower), -units[1]),
        np.where(known, np.minimum(units[0], upper), units[0]),
    )


def independent_limits(first: Limited, second: Limited) -> tuple[Any, Any]:
    r"""Return the limits of the difference, second minus first, of two independent means.

    So are the means of two runs over these questions: given the questions, the samples of one say
    nothing of the other's. With means :math:`m_1, m_2` and limits :math:`l_1, u_1` and
    :math:`l_2, u_2`,

    .. math::
        m_2 - m_1 - \sqrt{(m_2-l_2)^2 + (u_1-m_1)^2}, \qquad
        m_2 - m_1 + \sqrt{(u_2-m_2)^2 + (m_1-l_1)^2}

    It works element by element, and the runs may differ in their numbers of samples.

    Parameters
    ----------
    first, second : tuple of float or array
        Mean, lower and upper limit of each, at the level wanted of the difference.

    Returns
    -------
    tuple of float or array
        No farther than the ranges of both means allow.

    Examples
    --------
    >>> [round(float(x), 4) for x in independent_limits((0.5, 0.4, 0.6), (0.9, 0.8, 0.93))]
    [0.2586, 0.5044]
    """
    return _mover(second, first, 0.0)


def _limits(mean: Vector, size: Any, confidence_level: float) -> tuple[Any, Any]:
    if confidence_level < EXACT_BELOW:
        return clopper_pearson(size * mean, size, confidence_level)
    return jeffreys(mean, size, confidence_level)


def _mover(one: Any, other: Any, r: float) -> tuple[Any, Any]:
    """Return the limits of one mean minus another, each with its own, correlated by r."""
    (p, l1, u1), (q, l2, u2) = one, other
    return p - q - _reach(p - l1, u2 - q, r), p - q + _reach(u1 - p, q - l2, r)


def _reach(a: Any, b: Any, r: float) -> Any:
    return np.sqrt(np.maximum(a * a + b * b - 2 * r * a * b, 0.0))
