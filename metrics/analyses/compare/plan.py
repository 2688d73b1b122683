"""What a benchmark can show of two runs, and what it takes to show more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import hypergeom

from metrics.analyses.compare.difference import POWER
from metrics.analyses.compare.sides import Sides, identified
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_count, require_positive, require_share
from metrics.data.joint_tally import JointTally
from metrics.data.outcomes import Missing, Segment
from metrics.data.shown import brief_repr
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.difficulties.fits import binomial_table, fitted_npmle
from metrics.estimating.applicability import require_arguments, unsupported
from metrics.intervals.paired import PairedMeans, paired_means
from metrics.scoring.registry import Metric, find_metric

MOST_QUESTIONS = 10_000_000
"""More questions are no plan."""
_DIGITS = 12
_STEEP = 500.0
_CERTAIN = 1e-9

Gains = tuple[Vector, Vector]
"""Differences of questions, and the share of the questions that has each."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What two runs on questions like a pilot's would show, by a metric.

    Attributes
    ----------
    metric : str
    k : int or None
    n_questions, n_samples : int
        Of the pilot; the samples of each run, the fewest of any question.
    confidence_level, power : float
        How sure the interval is, and how surely it is to leave out 0.
    gains : callable
        From the samples of each question, in each run, to the differences of questions to expect.
    """

    metric: str
    k: int | None
    n_questions: int
    n_samples: int
    confidence_level: float
    power: float
    gains: Callable[[float], Gains] = field(repr=False)

    __repr__ = brief_repr

    def chance(
        self, difference: float, questions: int | None = None, samples: float | None = None
    ) -> float:
        r"""Return how surely a true difference is shown: :math:`\Phi(L / \sqrt{v / M})`.

        L is the lower limit of `compare` at what M questions would show on average and v the
        variance of a difference, both of the pilot's questions weighed by :math:`e^{c d}` so that
        their mean is the difference asked for.

        Parameters
        ----------
        difference : float
            In (0, 1).
        questions : int, optional
            By default the pilot's.
        samples : int, optional
            Of each question in each run, by default the pilot's.
        """
        m = self.n_questions if questions is None else require_count(questions, "questions")
        values, shares = _with_mean(self._gains(samples), difference)
        low = self._means(values, shares, m).ends(self.confidence_level)[0]
        deviation = float(np.sqrt(shares @ (values - shares @ values) ** 2))
        if deviation < _CERTAIN:
            return float(low > 0)
        return float(ndtr(low / (deviation / np.sqrt(m))))

    def smallest(self, questions: int | None = None, samples: float | None = None) -> float | None:
        """Return the smallest difference that is shown this surely; None if there is none."""
        most = 1 - _CERTAIN

        def short(difference: float) -> float:
            return self.chance(difference, questions, samples) - self.power

        if short(most) < 0:
            return None
        return float(brentq(short, _CERTAIN, most, xtol=1e-5))

    @property
    def floor(self) -> float | None:
        """The smallest difference that any number of samples of these questions could show.

        None where it cannot be said: for other metrics than avg@n, and from one sample a question.
        """
        try:
            return self.smallest(samples=inf)
        except MetricError:
            return None

    def questions(self, difference: float, samples: float | None = None) -> int | None:
        """Return how many questions show a difference this surely; None if too many.

        Examples
        --------
        >>> pilot = plan([[0]] * 12 + [[1]] * 88, [[1]] * 12 + [[0]] * 9 + [[1]] * 79)
        >>> pilot.questions(0.1), round(pilot.chance(0.1, 196), 2)
        (174, 0.85)
        """
        require_share(difference, "difference")
        return _first(lambda m: self.chance(difference, m, samples) >= self.power)

    def questions_for_width(self, width: float, samples: float | None = None) -> int | None:
        """Return how many questions make the interval so narrow from end to end."""
        require_positive(width, "width")
        values, shares = self._gains(samples)

        def narrow(m: int) -> bool:
            low, high = self._means(values, shares, m).ends(self.confidence_level)
            return high - low <= width

        return _first(narrow)

    def affordable(self, bill: float, *, question: float, sample: float, samples: int) -> int:
        """Return how many questions a bill pays for, with so many samples in each of both runs.

        Parameters
        ----------
        bill : float
        question, sample : float
            What one costs.
        samples : int

        Examples
        --------
        >>> plan([[0, 1]] * 30).affordable(100.0, question=1.0, sample=0.25, samples=2)
        50
        """
        price = require_positive(question + 2 * require_count(samples, "samples") * sample, "price")
        return int(require_positive(bill, "bill") / price * (1 + _CERTAIN))

    def _gains(self, samples: float | None) -> Gains:
        if samples is None:
            return self.gains(self.n_samples)
        return self.gains(samples if isinf(samples) else require_count(samples, "samples"))

    def _means(self, values: Vector, shares: Vector, m: int) -> PairedMeans:
        return paired_means(values, shares * m)


def plan(
    a: Any,
    b: Any = None,
    metric: str = "avg@n",
    k: int | None = None,
    *,
    confidence_level: float = 0.95,
    power: float = POWER,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> Plan:
    """Plan a comparison from a pilot: what it could show, and what it takes to show more.

    Fewer samples than the pilot's are what remains of it when samples are left out. More are known
    for avg@n alone, whose variance is that between questions and a share of that within.

    Parameters
    ----------
    a, b : Outcomes, array_like of 0/1, shape (M, N), or what has outcomes
        As in `compare`, a JointTally in place of both. Without b, the other run is thought to find
        the same questions as difficult, so that only chance makes them differ: a hopeful plan.
    metric : str
        Of counts.
    k : int, optional
    confidence_level, power : float
    missing, segment, **options
        As in `compare`.

    Returns
    -------
    Plan

    Raises
    ------
    MetricError
        If the two share no questions, these come in clusters, or the metric needs more than counts.

    Examples
    --------
    >>> pilot = plan([[0]] * 12 + [[1]] * 88, [[1]] * 12 + [[0]] * 9 + [[1]] * 79)
    >>> round(pilot.smallest(), 3), round(pilot.smallest(questions=1000), 3)
    (0.134, 0.041)
    """
    entry = find_metric(metric)
    require_arguments(entry, k, "population", confidence_level, options)
    if entry.payoff is None and entry.blend is None:
        problem = Text("{metric} needs more than counts: it cannot be planned.", metric=entry.name)
        raise MetricError(problem)
    alone = b is None and not isinstance(a, JointTally)
    sides = (
        [Evidence(identified(a), missing, segment)]
        if alone
        else list((matched := Sides.of(a, b, missing, segment, True)).both)
    )
    if not alone and not matched.paired:
        raise MetricError(Text("The two share no questions to plan with."))
    if any(side.clusters is not None for side in sides):
        raise MetricError(Text("Questions in clusters cannot be planned with."))
    n = min(side.n_min for side in sides)
    drawn = n if k is None else k
    for side in sides:
        reason = unsupported(entry, side, drawn if entry.takes_k else None, "population", options)
        if reason is not None:
            raise MetricError(reason)

    def scores(samples: int) -> Vector:
        if entry.takes_k and drawn > samples:
            problem = Text("{k} of {n} samples cannot be drawn.", k=drawn, n=samples)
            raise MetricError(problem)
        each = np.arange(samples + 1)
        tally = Tally(np.full(samples + 1, samples), each, np.ones(samples + 1, dtype=np.int64))
        return entry.scores(Evidence(tally), drawn, options).values

    joint = None if alone else matched.counts
    gains = (
        _alike(sides[0].tally, scores, entry)
        if joint is None
        else _thinned(joint, scores, entry, n)
    )
    m = sides[0].tally.n_questions
    return Plan(metric, drawn if entry.takes_k else None, m, n, confidence_level, power, gains)


def _alike(
    tally: Tally, scores: Callable[[int], Vector], metric: Metric
) -> Callable[[float], Gains]:
    """Expect of two runs what one difficulty of each question makes of both."""
    masses = fitted_npmle(tally)

    def gains(samples: float) -> Gains:
        if isinf(samples):
            _require_mean(metric)
            return np.zeros(1), np.ones(1)
        table = binomial_table(int(samples))
        return _gained(scores(int(samples)), scores(int(samples)), (table.T * masses) @ table)

    return gains


def _thinned(
    joint: JointTally, scores: Callable[[int], Vector], metric: Metric, n: int
) -> Callable[[float], Gains]:
    """Expect what the pilot shows of fewer samples, or of more where that is known."""

    def left(samples: int) -> Gains:
        shares = np.zeros((samples + 1, samples + 1))
        for n_a, n_b in set(zip(joint.n_a.tolist(), joint.n_b.tolist(), strict=True)):
            here = (joint.n_a == n_a) & (joint.n_b == n_b)
            table = np.zeros((n_a + 1, n_b + 1))
            np.add.at(table, (joint.c_a[here], joint.c_b[here]), joint.questions[here])
            shares += _left(n_a, samples).T @ table @ _left(n_b, samples)
        return _gained(scores(samples), scores(samples), shares / joint.n_questions)

    def gains(samples: float) -> Gains:
        if samples <= n:
            return left(int(samples))
        _require_mean(metric)
        if n < 2:
            raise MetricError(Text("One sample a question does not tell what more would show."))
        values, shares = left(n)
        mean = float(shares @ values)
        seen = float(shares @ (values - mean) ** 2) * joint.n_questions / (joint.n_questions - 1)
        within = _within(joint.a) + _within(joint.b)
        between = max(0.0, seen - within / n)
        factor = np.sqrt((between + within / samples) / seen) if seen > 0 else 1.0
        return mean + min(1.0, float(factor)) * (values - mean), shares

    return gains


def _left(n: int, samples: int) -> Vector:
    """Return the chances of each count of so many samples, of each count of n; (n+1, samples+1)."""
    c = np.arange(n + 1)[:, None]
    return np.asarray(hypergeom.pmf(np.arange(samples + 1), n, c, samples))


def _within(tally: Tally) -> float:
    """Return the mean variance of one sample of a question, without bias."""
    n, c = tally.n, tally.c
    return float(tally.questions @ (c * (n - c) / (n * (n - 1))) / tally.n_questions)


def _gained(a: Vector, b: Vector, shares: Vector) -> Gains:
    differences = np.round(b - a[:, None], _DIGITS)
    values, places = np.unique(differences, return_inverse=True)
    return values, np.bincount(places.ravel(), shares.ravel()).astype(np.float64)


def _require_mean(metric: Metric) -> None:
    if metric.draws != "one":
        problem = Text(
            "What more samples than the pilot's would show of {metric} cannot be said.",
            metric=metric.name,
        )
        raise MetricError(problem)


def _with_mean(gains: Gains, mean: float) -> Gains:
    """Return gains whose questions are weighed to have a mean; beyond their range, moved to it."""
    values, shares = gains
    values, shares = values[shares > 0], shares[shares > 0]

    def weighed(c: float) -> Vector:
        logs = np.log(shares) + c * values
        tilted = np.exp(logs - logs.max())
        return np.asarray(tilted / tilted.sum())

    def beyond(c: float) -> float:
        return float(weighed(c) @ values) - mean

    if not beyond(-_STEEP) < 0 < beyond(_STEEP):
        return values + mean - shares @ values, shares
    return values, weighed(brentq(beyond, -_STEEP, _STEEP))


def _first(enough: Callable[[int], bool]) -> int | None:
    """Return the fewest questions that are enough, to a hundredth; None if too many."""
    short, many = 1, 2
    while not enough(many):
        if many > MOST_QUESTIONS:
            return None
        short, many = many, 2 * many
    while many - short > max(1, many // 100):
        middle = (short + many) // 2
        short, many = (short, middle) if enough(middle) else (middle, many)
    return many
