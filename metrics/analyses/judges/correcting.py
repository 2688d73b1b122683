r"""What is right, from what a judge with sensitivity s and specificity t calls right.

A verdict y tells of the truth x without bias as :math:`(y + t - 1) / J` with
:math:`J = s + t - 1`, so that payoffs of several draws are products of such terms. Of j called
right among k drawn, each judged by itself,

.. math::
    \text{avg:}\ \frac{j/k + t - 1}{J}, \qquad
    \text{pass@k:}\ 1 - \frac{(s-1)^j s^{k-j}}{J^k}, \qquad
    \text{pass^k:}\ \frac{t^j (t-1)^{k-j}}{J^k}

whose means over all draws of k are unbiased where the judge errs anew at each sample. Whatever its
errors have to do with one another, pass@k lies between

.. math::
    \max\Bigl(\pi,\ \max_{i \le k} E \min(1, j/i) - \tfrac{k}{i} (1 - \pi)(1 - t)\Bigr) \le
    \text{pass@k} \le \min(1,\ k \pi,\ A + k \pi (1 - s))

with :math:`\pi = (q + t - 1) / J` and A how often any is called right: of k samples
:math:`k (1 - \pi) (1 - t)` are wrong and called right, and i of them make a question with
j = i look solved; :math:`k \pi (1 - s)` are right and called wrong, and one hides that its question
is solved.
pass^k is 1 less the chance of any wrong sample, of which the same holds with s and t exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from metrics.analyses.judges.errors import Agreed
from metrics.analyses.judges.ratios import fieller, largest_share, share_limits, smallest_share
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Interval
from metrics.intervals.korn_graubard import Clusters, worth
from metrics.scoring.draws import expected_payoff

DRAWS = 4000
"""How often sensitivity, specificity and what they apply to are drawn."""
_STEP = 1e-4


class VarianceParts(NamedTuple):
    """Variances whose sum is that of a corrected number."""

    # What comes of the judged answers, and of the labels.
    answers: float
    right_labels: float
    wrong_labels: float


class CountedPayoffs(NamedTuple):
    """A corrected mean of payoffs and its limits."""

    value: float  # Of a judge that errs anew at each sample, not cut to what is possible.
    # What it may be whatever the errors have to do with one another, as estimated.
    possible: Interval
    limits: Interval | None  # Of that; None where it can be nothing.
    anew: Interval | None  # Of the value.
    parts: VarianceParts  # What widens the last.


Shares = Any
Ratios = tuple[Vector, Vector]
"""Payoffs of j = 0 … k called right, shape (…, k + 1), and what they are to be divided by, (…)."""


def one_right(k: int, s: Shares, t: Shares) -> Ratios:
    """Return what j = 0 … k called right of k tell of one sample.

    >>> payoffs, j = one_right(2, 0.9, 0.9)
    >>> (payoffs / j).round(3).tolist()
    [-0.125, 0.5, 1.125]
    """
    return np.arange(k + 1) / k + _column(t) - 1, s + t - 1


def any_right(k: int, s: Shares, t: Shares) -> Ratios:
    """Return what j = 0 … k called right of k tell of pass@k, errors made anew at each.

    >>> payoffs, j = any_right(2, 0.9, 0.9)
    >>> (payoffs / j).round(3).tolist()
    [-0.266, 1.141, 0.984]
    """
    each, power = np.arange(k + 1), (s + t - 1) ** k
    return _column(power) - (_column(s) - 1) ** each * _column(s) ** (k - each), power


def all_right(k: int, s: Shares, t: Shares) -> Ratios:
    """Return what j = 0 … k called right of k tell of pass^k, errors made anew at each.

    >>> payoffs, j = all_right(2, 0.9, 0.9)
    >>> (payoffs / j).round(3).tolist()
    [0.016, -0.141, 1.266]
    """
    payoffs, power = any_right(k, t, s)
    return _column(power) - payoffs[..., ::-1], power


def _column(share: Shares) -> Vector:
    return np.asarray(share, dtype=np.float64)[..., None]


@dataclass(frozen=True, eq=False)
class Called:
    """How many of k samples of a question a judge calls right, on average over questions."""

    mean: Vector  # How often it is 0 … k. Shape (k + 1,).
    covariance: Vector  # Of these, between questions like these. Shape (k + 1, k + 1).
    # How many questions, or clusters of equal size, tell as much, and the degrees of freedom.
    number: float
    freedom: float

    @classmethod
    def of(cls, evidence: Evidence, k: int) -> Called:
        """Return it by the judge's verdicts."""
        clusters = evidence.clusters
        tally = evidence.tally if clusters is None else evidence.each_question
        chances = np.stack([tally.scores(partial(_exactly, j, k)) for j in range(k + 1)], axis=1)
        m = tally.n_questions
        mean = tally.questions @ chances / m
        off = chances - mean
        if clusters is None:
            counted = Clusters(m, m - 1, m / max(m - 1, 1))
            squares = off.T @ (off * tally.questions[:, None])
        else:
            counted = worth(np.bincount(clusters))
            sums = np.stack([np.bincount(clusters, column) for column in off.T])
            squares = sums @ sums.T
        return cls(mean, counted.unbiased * squares / m**2, counted.number, counted.freedom)

    def swapped(self) -> Called:
        """Return how many of k it calls wrong."""
        return Called(self.mean[::-1], self.covariance[::-1, ::-1], self.number, self.freedom)

    def variance(self, ratios: Ratios) -> Any:
        """Return the variance of means of some payoffs, shape (…), with one question more."""
        payoffs, divisor = ratios
        spread = (payoffs @ self.covariance * payoffs).sum(axis=-1)
        more = np.asarray(divisor) ** 2 / (max(self.number - 1, 0.5) * self.number)
        return np.maximum(spread, 0) + more


Payoffs = Callable[[int, Shares, Shares], Ratios]


@dataclass(frozen=True)
class _Judge:
    """How often a judge is right of right and of wrong samples, as estimated and as drawn."""

    called: Called
    s: float
    t: float
    drawn: tuple[Vector, Vector]  # Draws of both. Shape (B,).
    # Draws of how far off the mean over questions is, in standard errors. Shape (B,).
    noise: Vector

    @property
    def k(self) -> int:
        return len(self.called.mean) - 1

    def swapped(self) -> _Judge:
        """Return the judge of what is wrong."""
        return _Judge(self.called.swapped(), self.t, self.s, self.drawn[::-1], self.noise)

    def estimate(self, payoffs: Payoffs) -> float:
        values, divisor = payoffs(self.k, self.s, self.t)
        return float(values @ self.called.mean / divisor)

    def draws(self, payoffs: Payoffs) -> tuple[Vector, Vector]:
        ratios = payoffs(self.k, *self.drawn)
        off = self.noise * np.sqrt(self.called.variance(ratios))
        return ratios[0] @ self.called.mean + off, ratios[1]


def count_limits(
    called: Called,
    anew: Payoffs,
    right: Agreed,
    wrong: Agreed,
    confidence_level: float,
    rng: int,
) -> CountedPayoffs:
    """Return a corrected mean of payoffs, its limits, and what it may be whatever the errors.

    Sensitivity and specificity are drawn by Jeffreys' prior, and given these the mean, by Student's
    t with the variance between questions and one question more.
    """
    random = np.random.default_rng(rng)
    s, t = (drawn_shares(each, random) for each in (right, wrong))
    noise = random.standard_t(max(called.freedom, 0.5), DRAWS)
    judge = _Judge(called, right.share, wrong.share, (s, t), noise)
    tail = (1 - confidence_level) / 2
    if anew is all_right:
        least_any, most_any = _limits_of_any(judge.swapped(), tail)
        possible = Interval(1 - most_any[0], 1 - least_any[0])
        ends = Interval(1 - most_any[1], 1 - least_any[1])
    else:
        least_any, most_any = _limits_of_any(judge, tail)
        possible = Interval(least_any[0], most_any[0])
        ends = Interval(least_any[1], most_any[1])
    outside = (
        share_limits(*judge.draws(one_right), confidence_level) is None or ends.low > ends.high
    )
    return CountedPayoffs(
        judge.estimate(anew),
        possible,
        None if outside else ends,
        share_limits(*judge.draws(anew), confidence_level),
        _parts(judge, anew, right, wrong),
    )


def _limits_of_any(judge: _Judge, tail: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the least and the most that any of k may be right, each as estimated and its limit.

    Of several bounds the one that is narrowest by the estimates counts.
    """
    low = max(_least_right(judge.k), key=judge.estimate)
    high = min(_most_right(), key=judge.estimate)
    return (
        (max(judge.estimate(low), 0.0), smallest_share(*judge.draws(low), tail)),
        (min(judge.estimate(high), 1.0), largest_share(*judge.draws(high), tail)),
    )


def _least_right(k: int) -> list[Payoffs]:
    """Return bounds below pass@k: as few are solved as wrong samples called right allow."""

    def bound(i: int, k: int, s: Shares, t: Shares) -> Ratios:
        rate, j = one_right(k, s, t)
        seen = np.minimum(1, np.arange(k + 1) / i)
        return _column(j) * seen - k / i * (1 - _column(t)) * (_column(j) - rate), j

    return [one_right, *(partial(bound, i) for i in range(1, k + 1))]


def _most_right() -> list[Payoffs]:
    """Return bounds above pass@k: as many are solved as right samples called wrong allow."""

    def any_shown(k: int, s: Shares, t: Shares) -> Ratios:
        rate, j = one_right(k, s, t)
        return _column(j) * (np.arange(k + 1) >= 1) + k * (1 - _column(s)) * rate, j

    def each_alone(k: int, s: Shares, t: Shares) -> Ratios:
        rate, j = one_right(k, s, t)
        return k * rate, j

    def all_there_are(k: int, s: Shares, t: Shares) -> Ratios:
        return _column(s + t - 1) * np.ones(k + 1), s + t - 1

    return [any_shown, each_alone, all_there_are]


def _parts(judge: _Judge, payoffs: Payoffs, right: Agreed, wrong: Agreed) -> VarianceParts:
    def value(s: float, t: float) -> float:
        values, divisor = payoffs(judge.k, s, t)
        return float(values @ judge.called.mean / divisor)

    s, t = right.near, wrong.near
    by_s = (value(s + _STEP, t) - value(s - _STEP, t)) / (2 * _STEP)
    by_t = (value(s, t + _STEP) - value(s, t - _STEP)) / (2 * _STEP)
    near = payoffs(judge.k, s, t)
    answers = float(judge.called.variance(near)) / float(near[1]) ** 2
    return VarianceParts(answers, by_s**2 * right.variance, by_t**2 * wrong.variance)


def _exactly(j: int, k: int, n: int, c: Integers) -> Vector:
    """Return the chance that j of k drawn from n are among the c."""
    return expected_payoff(np.eye(k + 1)[j], n, c)


def rate_limits(
    q: float, n: float, right: Agreed, wrong: Agreed, confidence_level: float
) -> tuple[Interval | None, VarianceParts]:
    r"""Return the limits of a share that is right, and what widens it.

    With :math:`s', t'` of labels to which one of each kind is added, :math:`n' = n + z^2` and
    :math:`q' = (n q + z^2 / 2) / n'`, as Lang and Reiczigel [1]_ do, the shares π for which

    .. math::
        \left(q' + t' - 1 - \pi (s' + t' - 1)\right)^2 \le z^2 \left[\frac{q'(1-q')}{n'} +
        \pi^2 \frac{s'(1-s')}{m_1} + (1-\pi)^2 \frac{t'(1-t')}{m_0}\right]

    q, n: The share that is called right, and of how many effective answers.
    Returns: None where no share is possible.

    References
    ----------
    .. [1] Z. Lang and J. Reiczigel, "Confidence limits for prevalence of disease adjusted for
       estimated sensitivity and specificity", Preventive Veterinary Medicine 113, 2014.

    Examples
    --------
    >>> ends, parts = rate_limits(0.5, 100, Agreed(45, 50), Agreed(40, 50), 0.95)
    >>> [round(x, 3) for x in ends], [round(x, 4) for x in parts]
    ([0.234, 0.605], [0.0053, 0.0008, 0.0024])
    """
    z = float(ndtri((1 + confidence_level) / 2))
    s, t, more = right.near, wrong.near, n + z**2
    near = (n * q + z**2 / 2) / more
    j = s + t - 1
    of_q, of_s, of_t = near * (1 - near) / more, right.variance, wrong.variance
    limits = fieller((near + t - 1, j), (of_q + of_t, of_s + of_t), of_t, z)
    rate = min(max((near + t - 1) / j, 0.0), 1.0) if j else 0.5
    pieces = of_q, rate**2 * of_s, (1 - rate) ** 2 * of_t
    return limits, VarianceParts(*(piece / max(j**2, _STEP) for piece in pieces))


def drawn_limits(
    q: float, n: float, right: Agreed, wrong: Agreed, confidence_level: float, rng: int
) -> Interval | None:
    """Return limits of the share that is right by draws of all three (Jeffreys), None if none."""
    random = np.random.default_rng(rng)
    called = random.beta(n * q + 0.5, n * (1 - q) + 0.5, DRAWS)
    s, t = (drawn_shares(each, random) for each in (right, wrong))
    return share_limits(called + t - 1, s + t - 1, confidence_level)


def drawn_shares(each: Agreed, random: np.random.Generator) -> Vector:
    """Return draws of how often a judge agrees, by Jeffreys' prior."""
    return random.beta(each.agreed + 0.5, each.labels - each.agreed + 0.5, DRAWS)
