r"""What is right, from what a judge with sensitivity s and specificity t calls right.

A verdict y tells of the truth x without bias as :math:`(y + t - 1) / J` with
:math:`J = s + t - 1`, so that payoffs of several draws are products of such terms. Of j called
right among k drawn, each judged by itself,

.. math::
    \text{avg:}\ \frac{j/k + t - 1}{J}, \qquad
    \text{pass@k:}\ 1 - \frac{(s-1)^j s^{k-j}}{J^k}, \qquad
    \text{pass^k:}\ \frac{t^j (t-1)^{k-j}}{J^k}

whose means over all draws of k are unbiased. The interval of a rate is Lang and Reiczigel's [1]_.

References
----------
.. [1] Z. Lang and J. Reiczigel, "Confidence limits for prevalence of disease adjusted for estimated
   sensitivity and specificity", Preventive Veterinary Medicine 113, 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from metrics.analyses.judges.errors import SURE, Agreed
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.results import Interval
from metrics.intervals.korn_graubard import Clusters, worth
from metrics.scoring.draws import expected_payoff

DRAWS = 4000
"""How often sensitivity, specificity and what they apply to are drawn."""
_STEP = 1e-4


class Parts(NamedTuple):
    """Variances whose sum is that of a corrected number.

    Attributes
    ----------
    answers, right_labels, wrong_labels : float
        What comes of the judged answers, and of the labels.
    """

    answers: float
    right_labels: float
    wrong_labels: float


class Counted(NamedTuple):
    """Limits of a corrected mean of worths, not cut to what is possible.

    Attributes
    ----------
    limits : Interval
        Of the mean.
    one, more : Interval
        Of one sample, and of how much more than it the mean is, both at 95 %.
    parts : Parts
        What widens the first.
    """

    limits: Interval
    one: Interval
    more: Interval
    parts: Parts


Worths = Callable[[int, Any, Any], Vector]


def one_right(k: int, s: Any, t: Any) -> Vector:
    """Return what j = 0 … k called right of k tell of one sample, shape (…, k + 1).

    >>> one_right(2, 0.9, 0.9).round(3).tolist()
    [-0.125, 0.5, 1.125]
    """
    s, t, j = _columns(k, s, t)
    return np.asarray((j / k + t - 1) / (s + t - 1))


def any_right(k: int, s: Any, t: Any) -> Vector:
    """Return what j = 0 … k called right of k tell of pass@k, shape (…, k + 1).

    >>> any_right(2, 0.9, 0.9).round(3).tolist()
    [-0.266, 1.141, 0.984]
    """
    s, t, j = _columns(k, s, t)
    return np.asarray(1 - (s - 1) ** j * s ** (k - j) / (s + t - 1) ** k)


def all_right(k: int, s: Any, t: Any) -> Vector:
    """Return what j = 0 … k called right of k tell of pass^k, shape (…, k + 1).

    >>> all_right(2, 0.9, 0.9).round(3).tolist()
    [0.016, -0.141, 1.266]
    """
    s, t, j = _columns(k, s, t)
    return np.asarray(t**j * (t - 1) ** (k - j) / (s + t - 1) ** k)


def _columns(k: int, *shares: Any) -> Any:
    return *(np.asarray(share, dtype=np.float64)[..., None] for share in shares), np.arange(k + 1)


@dataclass(frozen=True, eq=False)
class Called:
    """How many of k samples of a question a judge calls right, on average over questions.

    Parameters
    ----------
    evidence : Evidence
        Of the judge's verdicts.
    k : int

    Attributes
    ----------
    mean : float array, shape (k + 1,)
        How often it is 0 … k.
    covariance : float array, shape (k + 1, k + 1)
        Of these, between questions like these.
    number, freedom : float
        How many questions, or clusters of equal size, tell as much, and the degrees of freedom.
    """

    mean: Vector
    covariance: Vector
    number: float
    freedom: float

    def __init__(self, evidence: Evidence, k: int) -> None:
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
        fields = mean, counted.unbiased * squares / m**2, counted.number, counted.freedom
        for name, value in zip(("mean", "covariance", "number", "freedom"), fields, strict=True):
            object.__setattr__(self, name, value)

    def variance(self, worths: Vector) -> Any:
        """Return the variance of means of some worths, shape (…, k + 1), with one question more."""
        spread = np.einsum("...i,ij,...j->...", worths, self.covariance, worths)
        return np.maximum(spread, 0) + 1 / (max(self.number - 1, 0.5) * self.number)


def count_limits(
    called: Called,
    worths: Worths,
    right: Agreed,
    wrong: Agreed,
    confidence_level: float,
    rng: int,
) -> Counted:
    """Return the limits of a corrected mean of worths, and of one sample beside it.

    Sensitivity and specificity are drawn by Jeffreys' prior, and given these the mean, by Student's
    t with the variance between questions and one question more.
    """
    k = len(called.mean) - 1
    random = np.random.default_rng(rng)
    s, t = (drawn_shares(each, random) for each in (right, wrong))
    drawn, one = worths(k, s, t), one_right(k, s, t)
    noise = random.standard_t(max(called.freedom, 0.5), DRAWS)
    here = right.near, wrong.near

    def limits(each: Vector, level: float) -> Interval:
        return middle(each @ called.mean + noise * np.sqrt(called.variance(each)), level)

    def slope(*step: float) -> float:
        ends = (worths(k, here[0] + sign * step[0], here[1] + sign * step[1]) for sign in (1, -1))
        up, down = (float(end @ called.mean) for end in ends)
        return (up - down) / (2 * _STEP)

    of_s, of_t = (each.near * (1 - each.near) / (each.labels + 2) for each in (right, wrong))
    parts = Parts(
        float(called.variance(worths(k, *here))),
        slope(_STEP, 0) ** 2 * of_s,
        slope(0, _STEP) ** 2 * of_t,
    )
    return Counted(
        limits(drawn, confidence_level), limits(one, SURE), limits(drawn - one, SURE), parts
    )


def _exactly(j: int, k: int, n: int, c: Integers) -> Vector:
    """Return the chance that j of k drawn from n are among the c."""
    return expected_payoff(np.eye(k + 1)[j], n, c)


def rate_limits(
    q: float, n: float, right: Agreed, wrong: Agreed, confidence_level: float
) -> tuple[Interval, Parts]:
    r"""Return Lang and Reiczigel's limits of a share that is right, not cut, and what widens it.

    With :math:`s', t'` of labels to which one of each kind is added, :math:`m'_1, m'_0` so many,
    :math:`n' = n + z^2`, :math:`q' = (n q + z^2 / 2) / n'` and :math:`\pi' = (q' + t' - 1) / J'`,

    .. math::
        \pi' + 2 z^2 \left[\pi' \frac{s'(1-s')}{m'_1} - (1-\pi') \frac{t'(1-t')}{m'_0}\right] \mp
        \frac{z}{J'} \sqrt{\frac{q'(1-q')}{n'} + \pi'^2 \frac{s'(1-s')}{m'_1} +
        (1-\pi')^2 \frac{t'(1-t')}{m'_0}}

    Parameters
    ----------
    q, n : float
        The share that is called right, and of how many effective answers.
    right, wrong : Agreed
    confidence_level : float

    Examples
    --------
    >>> ends, parts = rate_limits(0.5, 100, Agreed(45, 50), Agreed(40, 50), 0.95)
    >>> [round(x, 3) for x in ends], [round(x, 4) for x in parts]
    ([0.241, 0.601], [0.0053, 0.0008, 0.0023])
    """
    z = float(ndtri((1 + confidence_level) / 2))
    s, t, more = right.near, wrong.near, n + z**2
    near = (n * q + z**2 / 2) / more
    j = s + t - 1
    rate = (near + t - 1) / j
    of_s, of_t = s * (1 - s) / (right.labels + 2), t * (1 - t) / (wrong.labels + 2)
    moved = 2 * z**2 * (rate * of_s - (1 - rate) * of_t)
    pieces = near * (1 - near) / more, rate**2 * of_s, (1 - rate) ** 2 * of_t
    parts = Parts(*(piece / j**2 for piece in pieces))
    reach = z * sum(parts) ** 0.5
    return Interval(rate + moved - reach, rate + moved + reach), parts


def drawn_limits(
    q: float, n: float, right: Agreed, wrong: Agreed, confidence_level: float, rng: int
) -> Interval:
    """Return limits of the share that is right, not cut, by draws of all three (Jeffreys)."""
    random = np.random.default_rng(rng)
    called = random.beta(n * q + 0.5, n * (1 - q) + 0.5, DRAWS)
    s, t = (drawn_shares(each, random) for each in (right, wrong))
    return middle((called + t - 1) / (s + t - 1), confidence_level)


def drawn_shares(each: Agreed, random: np.random.Generator) -> Vector:
    """Return draws of how often a judge agrees, by Jeffreys' prior."""
    return random.beta(each.agreed + 0.5, each.labels - each.agreed + 0.5, DRAWS)


def middle(values: Vector, confidence_level: float) -> Interval:
    """Return the limits between which the middle of some draws lies."""
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(float(low), float(high))
