r"""The interval of a mean difference of two scores of the same questions.

For questions like these it has the limits of a likelihood ratio: of all ways to weigh the questions
so that their mean is θ the likeliest is taken [1]_, and θ belongs to the interval where that is not
much less likely than the questions as they are. A little is added to them: part of a question at
the end that a limit looks to, so that rare questions that no one has seen are reckoned with [2]_,
and up to two on which both are alike. How much was chosen by exact computation, so that 95 % limits
hold any true shares of gains and losses in .93 or more; `mean_difference` has the formula.

For these questions the two scores are independent, and their own limits are combined (MOVER [3]_).

References
----------
.. [1] A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional",
   Biometrika 75, 1988.
.. [2] J. Chen, A. M. Variyath and B. Abraham, "Adjusted empirical likelihood and its properties",
   Journal of Computational and Graphical Statistics 17, 2008.
.. [3] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27, 2008.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from metrics.data.arrays import Vector
from metrics.data.shown import result
from metrics.intervals.korn_graubard import worth

Limited = tuple[Any, Any, Any]
"""A mean, its lower and its upper limit: numbers, or arrays of one shape."""
TIES = 2.0
"""The most questions that are added on which both are alike."""
UNSEEN = 0.3
"""The part of a question that is added at an end."""
FADES = 4.0
"""How many questions at an end make a quarter of it,"""
NOISE, NOISE_OF_CLUSTERS = 0.4, 4.0
"""and how many that lie between."""
FEW = 0.3
"""What is added to the quantile where few questions differ,"""
NO_TIES = 0.1
"""and where all do."""
_DIGITS = 12
_STEPS, _HALVINGS, _WIDE = 50, 40, 40.0
_CLOSE, _NONE = 1e-10, 1e-14
_NEAR = 1e-5
"""A step so small that its square is nothing."""


@result
class MeanDifference:
    r"""A mean difference, and what its limits rest on; `mean_difference` makes it.

    Several at once are the columns of `values` or of `questions`.
    """

    values: Vector  # Differences of questions. Shape (U, …).
    questions: Vector  # How many questions have each. Shape (U,) or (U, …).
    # The least and the most that a difference can be; 0 lies between. Or of each column.
    low: Any = -1.0
    high: Any = 1.0
    variance: Any = None  # Of the mean, where questions cluster; else it follows from the values.
    # How many clusters of one size tell as much; by default each question stands for itself.
    clusters: float | None = None

    @cached_property
    def n_questions(self) -> Any:
        """How many questions there are."""
        return self.aligned[1].sum(axis=0)

    @cached_property
    def value(self) -> Any:
        """The mean difference."""
        values, questions = self.aligned
        return (questions * values).sum(axis=0) / np.maximum(self.n_questions, _CLOSE)

    @cached_property
    def squares(self) -> Any:
        """The sum of squared deviations from the mean."""
        values, questions = self.aligned
        return (questions * (values - self.value) ** 2).sum(axis=0)

    @property
    def known(self) -> Any:
        """Whether there is more than a single question or cluster, which says nothing of others."""
        return (self.n_questions if self.clusters is None else self.clusters) > 1

    @cached_property
    def variance_of_mean(self) -> Any:
        """Of the mean difference, without bias."""
        if self.variance is not None:
            return self.variance
        return self.squares / (self.n_questions * np.maximum(self.n_questions - 1, 1))

    def limits(self, confidence_level: float) -> tuple[Any, Any]:
        """Return the limits of the mean difference."""
        low, high = self._sides.ends(self._quantile(confidence_level) * self._sides.wider)
        return np.where(self.known, low, self.low), np.where(self.known, high, self.high)

    def low_limit(self, confidence_level: float) -> Any:
        """Return the lower limit alone."""
        low = self._sides.low(self._quantile(confidence_level) * self._sides.wider)
        return np.where(self.known, low, self.low)

    def ends(self, confidence_level: float) -> tuple[float, float]:
        """Return the limits of a single difference."""
        low, high = self.limits(confidence_level)
        return float(low), float(high)

    @property
    def p_value(self) -> Any:
        """The smallest error at which the limits leave out 0."""
        root = np.sqrt(self._sides.ratio_at_0 / self._sides.wider)
        return np.where(self.known, 2 * stdtr(self._freedom, -root), 1.0)[()]

    def times(self, factor: float) -> MeanDifference:
        """Return the same differences of so many times the questions, without clusters."""
        return MeanDifference(self.values, self.questions * factor, self.low, self.high)

    @property
    def reversed(self) -> MeanDifference:
        """The same the other way round."""
        return replace(self, values=-self.values, low=-self.high, high=-self.low)

    @cached_property
    def aligned(self) -> tuple[Vector, Vector]:
        """Values and questions with as many axes."""
        most = max(np.ndim(self.values), np.ndim(self.questions))
        values, questions = (
            np.reshape(each, np.shape(each) + (1,) * (most - np.ndim(each)))
            for each in (self.values, self.questions)
        )
        return values, questions

    @property
    def _freedom(self) -> Any:
        return np.inf if self.clusters is None else max(self.clusters - 1, 0.5)

    def _quantile(self, confidence_level: float) -> Any:
        return stdtrit(self._freedom, (1 + confidence_level) / 2) ** 2

    @cached_property
    def _sides(self) -> _Sides:
        (values, weights), noise = self.aligned, NOISE
        if self.clusters is not None:
            farthest = np.maximum(self.high - self.value, self.value - self.low) ** 2
            m, each = self.n_questions, self.n_questions / self.clusters
            effect = (m**2 * self.variance_of_mean + each * farthest) / (self.squares + farthest)
            weights, noise = weights / effect, NOISE_OF_CLUSTERS
        return _Sides(values, weights, self.low, self.high, noise)


class _Sides:
    """Weights of the differences for either limit, with what is added, and their likelihood ratio.

    The first side is the upper limit, the second the lower one, mirrored. Everything is in units of
    the larger of both ends.
    """

    def __init__(self, values: Vector, weights: Vector, low: Any, high: Any, noise: float) -> None:
        self.unit = np.maximum(high, -low)
        bottom, top = self.bounds = low / self.unit, high / self.unit
        d = np.clip(np.asarray(values) / self.unit, bottom, top)
        count = np.maximum(weights.sum(axis=0), _CLOSE)
        mean = self.mean = np.asarray((weights * d).sum(axis=0) / count)

        def moments(about: Any) -> tuple[Any, Any]:
            squares = (d - about) ** 2
            return (weights * squares).sum(axis=0), (weights * squares**2).sum(axis=0)

        (second, fourth), (raw_second, raw_fourth) = moments(mean), moments(0.0)
        farthest = np.maximum(top - mean, mean - bottom) ** 2
        unchanged = np.maximum(count - raw_second, 0.0)
        few = fourth / farthest**2 / (1 + second / farthest) ** 2
        self.wider = 1 + FEW * few + NO_TIES / (1 + unchanged)

        gap = np.maximum(np.stack([top - mean, mean - bottom]), _CLOSE) ** 2
        at_end = np.minimum(fourth / gap**2, second / gap)
        between = np.minimum(second / gap - at_end, raw_second - raw_fourth)
        unseen = UNSEEN / ((1 + at_end / FADES) * (1 + (between / noise) ** 2)) ** 2
        inside = np.prod([1 - mean / np.where(end, end, np.inf) for end in (top, bottom)], axis=0)
        ties = np.maximum(TIES * inside**2 * unchanged / (10 + unchanged), _CLOSE)

        shape = np.broadcast_shapes(d.shape, weights.shape)
        d, weights = np.broadcast_to(d, shape), np.broadcast_to(weights, shape)
        self.below = np.stack([_with_rows(top - d, top, 0.0), _with_rows(d - bottom, -bottom, 0.0)])
        self.weights = np.stack([_with_rows(weights, ties, each) for each in unseen])
        self.ends_at = np.stack([np.broadcast_to(end, shape[1:]) for end in (top, -bottom)])

    def ends(self, limit: Any) -> tuple[Any, Any]:
        """Return both ends at which twice the logarithm of the ratio is `limit`."""
        return self.low(limit), self._in_bounds(np.maximum(self._end(limit, 0), self.mean))

    def low(self, limit: Any) -> Any:
        """Return the lower of them alone."""
        return self._in_bounds(np.minimum(-self._end(limit, 1), self.mean))

    @property
    def ratio_at_0(self) -> Any:
        """Twice the logarithm of the ratio at which the nearer end is 0; none where it never is."""
        return np.maximum(*(self._ratio_at_0(side) for side in (0, 1)))

    def _in_bounds(self, end: Any) -> Any:
        return self.unit * np.clip(end, *self.bounds)

    def _end(self, limit: Any, side: int) -> Any:
        below, weights, end = self.below[side], self.weights[side], self.ends_at[side]
        count = weights.sum(axis=0)
        log_scale = np.log(np.sqrt((weights * below**2).sum(axis=0) / limit) + _CLOSE)
        shape, columns = log_scale.shape, np.arange(log_scale.size)
        below, weights = (each.reshape(len(each), -1) for each in (below, weights))
        count, log_scale = count.ravel(), log_scale.ravel()
        limit = np.broadcast_to(limit, shape).ravel()
        least, most = np.full(log_scale.shape, -_WIDE), np.full(log_scale.shape, _WIDE)
        distances = np.empty(log_scale.shape)
        for _ in range(_STEPS):
            beyond = np.exp(log_scale)
            gaps = below + beyond
            parts = weights / gaps
            total = parts.sum(axis=0)
            ratio = _ratio(weights, gaps, total, count)
            right = ratio > limit
            least, most = np.where(right, log_scale, least), np.where(right, most, log_scale)
            slope = 2 * beyond * (total - count * (parts / gaps).sum(axis=0) / total)
            varies = (ratio > _NONE) & (slope < 0)
            step = np.log(np.where(varies, ratio, limit) / limit)
            step = step * ratio / np.where(varies, slope, 1.0)
            near = varies & (np.abs(step) < _NEAR)
            last = np.where(near, step * slope / (2 * total), 0.0)
            distances[columns] = beyond - count / total - last
            if near.all():
                break
            newton = log_scale - step
            within = varies & (least < newton) & (newton < most)
            log_scale = np.where(within, newton, (least + most) / 2)
            if 2 * near.sum() > len(near):  # the few that are left alone
                left = ~near
                below, weights = below[:, left], weights[:, left]
                count, limit, columns = count[left], limit[left], columns[left]
                log_scale, least, most = log_scale[left], least[left], most[left]
        return end + distances.reshape(shape)

    def _ratio_at_0(self, side: int) -> Any:
        below, weights, end = self.below[side], self.weights[side], self.ends_at[side]
        count = weights.sum(axis=0)
        away = (self.mean < 0) == (side == 0)
        away &= (self.mean != 0) & (end < (weights * below).sum(axis=0) / count)
        if not away.any():
            return np.zeros(away.shape)
        least, most = np.full(away.shape, -_WIDE), np.full(away.shape, _WIDE)
        for _ in range(_HALVINGS):
            middle = (least + most) / 2
            beyond = np.exp(middle)
            past = end + beyond < count / (weights / (below + beyond)).sum(axis=0)
            least, most = np.where(past, least, middle), np.where(past, middle, most)
        gaps = below + beyond
        return np.where(away, _ratio(weights, gaps, (weights / gaps).sum(axis=0), count), 0.0)


def _ratio(weights: Any, gaps: Any, total: Any, count: Any) -> Any:
    """Return twice the logarithm of the ratio where weights go as 1 over gaps, with their total."""
    logs = (weights * np.log(gaps)).sum(axis=0)
    return np.maximum(2 * (logs + count * np.log(total / count)), 0.0)


def _with_rows(rows: Any, ties: Any, unseen: Any) -> Any:
    """Return rows, one more for questions on which both are alike, and one more for an end."""
    shape = (1, *rows.shape[1:])
    return np.concatenate([rows, *(np.broadcast_to(each, shape) for each in (ties, unseen))])


def mean_difference(
    differences: Vector,
    questions: NDArray[Any],
    *,
    clusters: NDArray[np.intp] | None = None,
    low: float = -1.0,
    high: float = 1.0,
) -> MeanDifference:
    r"""Return a mean difference between questions like these.

    With U the larger of both ends, all in units of it, questions :math:`d_i` with mean m, and
    weights :math:`c_i` of theirs and of what is added, the upper limit is the largest θ for which

    .. math::
        2 \sum_i c_i \log \frac{c_i / N}{p_i} \le z^2 \left(1 + .3 \frac{s_4}{(1 + s_2)^2} +
        \frac{.1}{1 + T}\right), \qquad p_i \propto \frac{c_i}{B - d_i}, \quad
        \theta = \sum_i p_i d_i

    T is :math:`\sum_i (1 - d_i^2)`, the questions on which both are alike; :math:`s_2` and
    :math:`s_4` are :math:`\sum_i (d_i - m)^2` and :math:`\sum_i (d_i - m)^4` in units of the end
    that lies farthest from m. Added are, on which both are alike,
    :math:`2 (1 - m^2)^2 T / (10 + T)` questions, and at the upper end
    :math:`.3 / ((1 + a / 4) (1 + (b / .4)^2))^2` of one, with a and a + b the like sums of fourth
    powers and of squares in units of the distance of m to that end, but b no more than
    :math:`\sum_i d_i^2 - d_i^4`. The lower limit is the mirror.

    Clusters divide all weights by the design effect of their sums, take Student's t for z, and
    b / 4 for b / .4.

    differences: Of one question each, or several at once. Shape (U,) or (U, K).
    questions: How many questions have each. Shape (U,).
    clusters: Cluster of each question, 0 … G-1; then `questions` are ones. Shape (U,).
    low, high: The least and the most that a difference can be; 0 lies between.

    Examples
    --------
    12 questions of 100 gained and 3 lost:

    >>> found = mean_difference(np.array([1.0, -1, 0]), np.array([12, 3, 85]))
    >>> [round(x, 4) for x in found.ends(0.95)], round(float(found.p_value), 4)
    ([0.0161, 0.1679], 0.0176)
    """
    d, counts = np.round(differences, _DIGITS), np.asarray(questions, dtype=np.float64)
    if clusters is None:
        if d.ndim == 1:
            d, places = np.unique(d, return_inverse=True)
            counts = np.bincount(places, counts).astype(np.float64)
        return MeanDifference(d, counts, low, high)
    m, groups = counts.sum(), int(clusters.max()) + 1
    deviations = d - np.tensordot(counts, d, (0, 0)) / m
    order = np.argsort(clusters, kind="stable")
    first = np.searchsorted(clusters[order], np.arange(groups))
    sums = np.add.reduceat(deviations[order], first, axis=0)
    unbiased = groups / (groups - 1) if groups > 1 else 0.0
    number = worth(np.bincount(clusters)).number
    variance = unbiased * (sums**2).sum(axis=0) / m**2
    return MeanDifference(d, counts, low, high, variance, number)


def paired_limits(
    differences: Vector,
    questions: NDArray[Any],
    confidence_level: float,
    *,
    clusters: NDArray[np.intp] | None = None,
    low: float = -1.0,
    high: float = 1.0,
) -> tuple[float, float]:
    """Return the limits of a mean difference between questions like these.

    differences, questions, clusters, low, high: As in `mean_difference`.
    confidence_level: In (0, 1).
    Returns: Within [low, high]; all of it where there is a single question or cluster.

    Examples
    --------
    None of 30 questions differs:

    >>> [round(x, 4) for x in paired_limits(np.zeros(1), np.array([30]), 0.95)]
    [-0.0878, 0.0878]
    """
    difference = mean_difference(differences, questions, clusters=clusters, low=low, high=high)
    return difference.ends(confidence_level)


def independent_limits(first: Limited, second: Limited) -> tuple[Any, Any]:
    r"""Return the limits of the difference, second minus first, of two independent means.

    So are the means of two runs over these questions: given the questions, the samples of one say
    nothing of the other's. With means :math:`m_1, m_2` and limits :math:`l_1, u_1` and
    :math:`l_2, u_2`,

    .. math::
        m_2 - m_1 - \sqrt{(m_2-l_2)^2 + (u_1-m_1)^2}, \qquad
        m_2 - m_1 + \sqrt{(u_2-m_2)^2 + (m_1-l_1)^2}

    It works element by element, and the runs may differ in their numbers of samples.

    first, second: Mean, lower and upper limit of each, at the level wanted of the difference.
    Returns: No farther than the ranges of both means allow.

    Examples
    --------
    >>> [round(float(x), 4) for x in independent_limits((0.5, 0.4, 0.6), (0.9, 0.8, 0.93))]
    [0.2586, 0.5044]
    """
    (m1, l1, u1), (m2, l2, u2) = first, second
    return m2 - m1 - np.hypot(m2 - l2, u1 - m1), m2 - m1 + np.hypot(u2 - m2, m1 - l1)
