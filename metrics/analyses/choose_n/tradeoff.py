"""Quality against cost for each n."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from metrics.analyses.choose_n.gains_and_costs import Ledger
from metrics.analyses.choose_n.weighing import Weighed
from metrics.data.arrays import Vector
from metrics.data.frames import Rows
from metrics.data.results import widen
from metrics.data.shown import result
from metrics.estimating.pooling import EQUAL, pooled_limits
from metrics.intervals.binomial import clopper_pearson
from metrics.intervals.clusters import clustered_limits
from metrics.intervals.korn_graubard import population_size
from metrics.intervals.limits import population_limits

ROUNDING = 1e-12
"""A smaller gain is none."""


@result
class Tradeoff(Rows):
    """Quality and cost for each n, shape (K,) each; NaN where something is undefined.

    Attributes
    ----------
    n : int array
        The most samples that are drawn of a question.
    quality, quality_low, quality_high : float array
        Share of questions answered right, with the interval for questions like these.
    attempts : float array
        Samples drawn of a question on average: n, or fewer where a right one ends the draw.
    cost : float array
        What they cost, on average over questions.
    cost_in_full : float array
        What n samples cost where none is spared.
    gain : float array
        Increase in quality over the n before; for the first n, over 0.
    independent_gain : float array
        ``(1 - p)**(n - 1) * p``, the gain of the n-th of independent tries at the pooled rate p;
        NaN for votes.
    gain_per_cost : float array
        Gain divided by the increase in cost over the n before.
    cost_per_further : float array
        Increase in cost over the n before for each additional question solved; NaN where there is
        none.
    cost_per_solved, cost_per_solved_low, cost_per_solved_high : float array
        Cost divided by quality, with its interval, which is NaN for one question or cluster. Where
        nothing is solved the cost is NaN and has a lower limit only.
    """

    n: NDArray[np.int64]
    quality: Vector
    quality_low: Vector
    quality_high: Vector
    attempts: Vector
    cost: Vector
    cost_in_full: Vector
    gain: Vector
    independent_gain: Vector
    gain_per_cost: Vector
    cost_per_further: Vector
    cost_per_solved: Vector
    cost_per_solved_low: Vector
    cost_per_solved_high: Vector

    def __post_init__(self) -> None:
        widen(self, ("quality_low", "quality_high"))
        for array in vars(self).values():
            array.flags.writeable = False

    def index(self, n: int) -> int:
        """Return the index of an n in the table."""
        return int(np.searchsorted(self.n, n))


def trade_off(weighed: Weighed, level: float) -> Tradeoff:
    """Average what was weighed over questions, with intervals of a confidence level."""
    ledger, mean_wrong = weighed.units, weighed.mean_wrong
    n = ledger.n
    quality, cost = ledger.mean(ledger.quality), ledger.mean(ledger.cost)
    if weighed.parts:
        quality = quality.round(EQUAL)
    low, high = _quality_limits(weighed, quality, level)
    gain, paid = np.diff(quality, prepend=0.0), np.diff(cost, prepend=0.0)
    unknown = np.full(len(n), np.nan)
    return Tradeoff(
        n,
        quality,
        low,
        high,
        ledger.mean(ledger.attempts),
        cost,
        ledger.mean(ledger.cost_in_full),
        gain,
        (1 - quality[0]) ** (n - 1.0) * quality[0] if weighed.stopping else unknown,
        np.divide(gain, paid, out=unknown.copy(), where=paid > ROUNDING * cost),
        np.divide(paid, gain, out=unknown.copy(), where=gain > ROUNDING),
        *_per_solved(ledger, quality, cost, high, mean_wrong, level),
    )


def cost_limit(ledger: Ledger, confidence: float) -> Vector:
    """Return what questions like these cost at most on average, one-sided, at each n.

    Korn and Graubard's upper limit of the cost as a share of the most a question can cost.
    """
    most = ledger.cost_in_full.max(axis=1)
    cost, scale = ledger.mean(ledger.cost), np.where(most > 0, most, 1.0)
    variance = ledger.variance(ledger.cost - cost[:, None]) / scale**2
    level, mean = 2 * confidence - 1, cost / scale
    size = population_size(mean, variance, ledger.n_questions, level, ledger.worth)
    return np.asarray(clopper_pearson(size * mean, size, level)[1] * most)


def quality_floor(ledger: Ledger, confidence: float) -> Vector:
    """Return what share of questions like these is solved at least, one-sided, at each n.

    Korn and Graubard's lower limit; 0 of a single question or cluster.
    """
    quality = ledger.mean(ledger.quality)
    variance = ledger.variance(ledger.quality - quality[:, None])
    level = 2 * confidence - 1
    size = population_size(quality, variance, ledger.n_questions, level, ledger.worth)
    return np.asarray(clopper_pearson(size * quality, size, level)[0])


def _quality_limits(weighed: Weighed, quality: Vector, level: float) -> tuple[Vector, Vector]:
    if weighed.parts:
        return _pooled_limits(weighed.parts, len(quality), level)
    ledger, clusters = weighed.questions, weighed.clusters
    if clusters is not None:
        ends = _clustered(ledger, clusters, level)
        return ends[:, 0], ends[:, 1]
    m = ledger.n_questions
    return population_limits(quality, _variance(ledger), m, level)


def _pooled_limits(parts: Sequence[Weighed], count: int, level: float) -> tuple[Vector, Vector]:
    """Return the limits of the mean over datasets, as those of `metrics.pool`."""
    value = np.stack([part.questions.mean(part.questions.quality)[:count] for part in parts])
    size = np.stack([_size(part, level)[:count] for part in parts])
    questions = np.array([part.questions.n_questions for part in parts], dtype=np.float64)
    shares = np.full(len(parts), 1 / len(parts))
    _pooled, low, high = pooled_limits(value, size, questions, shares, level)
    return low, high


def _size(weighed: Weighed, level: float) -> Vector:
    """Return the effective number of questions at each n."""
    ledger, clusters = weighed.questions, weighed.clusters
    if clusters is not None:
        return _clustered(ledger, clusters, level)[:, 2]
    quality = ledger.mean(ledger.quality)
    return np.asarray(population_size(quality, _variance(ledger), ledger.n_questions, level))


def _variance(ledger: Ledger) -> Vector:
    quality = ledger.mean(ledger.quality)
    return ledger.variance(ledger.quality - quality[:, None]) if ledger.n_units > 1 else 0 * quality


def _clustered(ledger: Ledger, clusters: NDArray[np.intp], level: float) -> Vector:
    """Return both limits and the effective number of questions at each n, shape (K, 3)."""
    each = ledger.quality[:, ledger.of_question]
    return np.array([clustered_limits(scores, clusters, level) for scores in each])


def _per_solved(
    ledger: Ledger, quality: Vector, cost: Vector, most: Vector, mean_wrong: float, level: float
) -> tuple[Vector, Vector, Vector]:
    r"""Return the cost of a solved question and its limits.

    With means a of the costs and b of the qualities and :math:`e_i = A_i / a - G_i / b`,

    .. math:: \log \frac{a}{b} \pm t_{M-1} \sqrt{\frac{\sum_i e_i^2 + (n w / a)^2}{(M - 1) M}}

    The last term is one unseen question whose n samples are all wrong, at w each. Where nothing is
    solved there is only the lower limit a / (upper limit of b).
    """
    solved, g = quality > 0, ledger.n_units
    ratio = np.divide(cost, quality, out=np.full(len(cost), np.nan), where=solved)
    if g < 2:
        return ratio, np.full(len(cost), np.nan), np.full(len(cost), np.nan)
    share = np.divide(1, quality, out=np.zeros(len(cost)), where=solved)[:, None]
    deviations = ledger.cost / cost[:, None] - ledger.quality * share
    spread = np.sqrt(ledger.variance(deviations, ledger.n * mean_wrong / cost))
    width = np.exp(np.minimum(stdtrit(g - 1, (1 + level) / 2) * spread, 700))
    return (
        ratio,
        np.where(solved, ratio / width, cost / most),
        np.where(solved, ratio * width, np.inf),
    )
