"""Two runs compared while questions come in: intervals that hold whenever one looks."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.compare.sides import Sides
from metrics.data.arrays import Vector
from metrics.data.frames import Rows
from metrics.data.inputs import require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import find_metric

_POINTS, _BLOCK = 1001, 512
_MOST_OF_A_STAKE = 0.5


@result
class Anytime(Rows):
    """What was known of a difference after each question.

    Attributes
    ----------
    n : int array, shape (M,)
        Questions so far, or clusters of them.
    value : float array, shape (M,)
        By how much b is better than a, on average over them.
    low, high : float array, shape (M,)
        Ends of intervals that, at this level, all hold the true difference at once.
    confidence_level : float
    """

    n: NDArray[np.int64]
    value: Vector
    low: Vector
    high: Vector
    confidence_level: float

    @property
    def decided(self) -> int | None:
        """After how many questions it was sure which is better; None if it is not yet."""
        sure = (self.low > 0) | (self.high < 0)
        return int(self.n[sure.argmax()]) if sure.any() else None

    def within(self, margin: float) -> int | None:
        """Return after how many questions it was sure that b is not worse by more than a margin."""
        sure = self.low > -margin
        return int(self.n[sure.argmax()]) if sure.any() else None


def compare_anytime(
    a: Any,
    b: Any,
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> Anytime:
    r"""Compare two runs after each question, so that one may stop as soon as it is decided.

    The interval of `compare` holds for a number of questions that was fixed in advance. Looking
    after each question and stopping once it leaves out 0 finds a difference where there is none far
    more often. These intervals hold at all numbers of questions at once, whatever the stopping rule
    [1]_: with differences :math:`d_i` between -r and r, :math:`x_i = (d_i + r) / 2r`, one gambler
    bets that the mean is above m, and another that it is below,

    .. math:: K_t^\pm(m) = \prod_{i \le t} (1 \pm \lambda_i^\pm(m) (x_i - m)), \qquad
       \lambda_i^\pm(m) = \min\left(\sqrt{\frac{2 \log(2 / \alpha)}{\hat\sigma_{i-1}^2 i
       \log(i + 1)}}, \frac{1}{2 m^\pm}\right)

    where :math:`m^+ = m`, :math:`m^- = 1 - m` and :math:`\hat\sigma_{i-1}^2` is the variance
    estimated from the questions before. If m is the mean, neither gambler's wealth is expected to
    grow, and half of either ever exceeds :math:`1 / \alpha` with a chance of at most α / 2. The
    interval after t questions holds all m for which neither has done so yet.

    Parameters
    ----------
    a, b : Outcomes, array_like of 0/1, shape (M, N), or what has them, as a Run
        Questions in the order in which b was asked them, which must be independent of the results:
        shuffle them beforehand. As more come in, call it again with all of them.
    metric : str
        A metric that is a bounded mean of the scores of questions.
    k : int, optional
        Set it where numbers of samples may change; by default the fewest that a question has.
    confidence_level, missing, segment, **options
        As in `compare`, for questions like these. Questions of a cluster count as one, by their
        mean, in the place of the first; clusters must be complete.

    Returns
    -------
    Anytime

    Raises
    ------
    MetricError
        If the two are not paired, or the metric is no such mean.

    References
    ----------
    .. [1] I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
       Journal of the Royal Statistical Society B 86, 2024: the hedged capital process with
       predictable plug-in bets.

    Examples
    --------
    Of every ten questions a solves five, and b two more; after 47 it is known who is better:

    >>> a, b = [[1]] * 5 + [[0]] * 5, [[1]] * 7 + [[0]] * 3
    >>> compare_anytime(a * 20, b * 20).decided
    47
    """
    level, entry = require_level(confidence_level), find_metric(metric)
    sides = Sides.of(a, b, Question("population", level, missing, segment))
    if not sides.paired or sides.joint is not None:
        raise MetricError(
            Text("Only runs on the same questions can be compared one question at a time.")
        )
    drawn = sides.n_min if k is None else k
    if entry.parts is not None or entry.needs == "posterior":
        raise MetricError(Text("{metric} is not a mean of scores of questions.", metric=metric))
    scores = tuple(entry.scores(side, drawn, options).once() for side in sides.both)
    if not all(part.bounded for part in scores):
        raise MetricError(Text("A score without bounds cannot be compared one question at a time."))
    reach = max(part.high for part in scores) - min(part.low for part in scores)
    gained = sides.gained((scores[0], scores[1])) / reach
    if sides.clusters is not None:
        gained = _by_cluster(gained, sides.clusters)
    n = np.arange(1, 1 + len(gained))
    low, high = betting_limits((1 + gained) / 2, level)
    value = np.cumsum(gained) / n
    return Anytime(n, reach * value, reach * (2 * low - 1), reach * (2 * high - 1), level)


def betting_limits(x: Vector, confidence_level: float) -> tuple[Vector, Vector]:
    """Return limits of the mean of numbers in [0, 1] after each of them; see `compare_anytime`.

    x: Independent, in the order in which they came. Shape (M,).
    confidence_level: In (0, 1), with which all hold at once.
    Returns: Low and high, which never part again; of a thousand points the first that are not left
    out, and one more. Shape (M,).

    Examples
    --------
    >>> low, high = betting_limits(np.tile([0.0, 1.0, 1.0, 1.0], 100), 0.95)
    >>> low[[3, 39, 399]].round(2).tolist(), high[[3, 39, 399]].round(2).tolist()
    ([0.06, 0.53, 0.67], [1.0, 0.9, 0.82])
    """
    alpha, m = 1 - confidence_level, np.linspace(0, 1, _POINTS)
    stakes = _stakes(x, alpha)
    bars = log(2 / alpha)
    with np.errstate(divide="ignore"):
        most = _MOST_OF_A_STAKE / m, _MOST_OF_A_STAKE / (1 - m)
    wealth = [np.zeros(_POINTS), np.zeros(_POINTS)]
    lost = np.zeros(_POINTS, dtype=bool)
    low, high = np.zeros(len(x)), np.ones(len(x))
    for start in range(0, len(x), _BLOCK):
        here = slice(start, start + _BLOCK)
        beyond = np.zeros((len(x[here]), _POINTS), dtype=bool)
        for side, sign in enumerate((1, -1)):
            bet = np.minimum(stakes[here, None], most[side])
            grown = wealth[side] + np.cumsum(np.log1p(sign * bet * (x[here, None] - m)), axis=0)
            wealth[side] = grown[-1]
            beyond |= grown >= bars
        left_out = np.logical_or.accumulate(beyond, axis=0) | lost
        lost = left_out[-1]
        low[here] = m[np.maximum((~left_out).argmax(axis=1) - 1, 0)]
        last = _POINTS - 1 - (~left_out[:, ::-1]).argmax(axis=1)
        high[here] = m[np.minimum(last + 1, _POINTS - 1)]
    return np.maximum.accumulate(low), np.minimum.accumulate(high)


def _stakes(x: Vector, alpha: float) -> Vector:
    """Return how much to bet on each number, by those before it alone."""
    i = np.arange(1, 1 + len(x))
    mean = (0.5 + np.cumsum(x)) / (i + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (i + 1)
    before = np.append(0.25, variance[:-1])
    return np.asarray(np.sqrt(2 * log(2 / alpha) / (before * i * np.log(i + 1))))


def _by_cluster(gained: Vector, clusters: NDArray[np.intp]) -> Vector:
    """Return the mean of each cluster, in the order in which the first of each came."""
    _, first, place = np.unique(clusters, return_index=True, return_inverse=True)
    means = np.bincount(place, weights=gained) / np.bincount(place)
    return np.asarray(means[np.argsort(first)])
