"""What a benchmark can show of two runs, and what it takes to show more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache
from math import inf, isinf, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from metrics.analyses.compare.difference import POWER
from metrics.analyses.compare.power import chance_of_showing, fewest, least_enough, surplus
from metrics.analyses.compare.sides import Sides, with_row_ids
from metrics.analyses.plan.needs import Bill, Needs, Split
from metrics.analyses.plan.pilot import (
    AlikeClusters,
    Gains,
    Scoring,
    clusters_of_one_run,
    clusters_of_pilot,
    gains_of_both,
    gains_of_one,
)
from metrics.data.inputs import require_count, require_positive, require_share
from metrics.data.joint_counts import JointCounts
from metrics.data.joint_tally import JointTally
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, require_supported
from metrics.intervals.paired import MeanDifference
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

NONE_SHARED = Text("The two share no questions to plan with.")
NOT_MATCHED = Text(
    "For one of the two only counts are known, not which question is which. Plan with one run "
    "alone."
)
MOST_QUESTIONS = 10_000_000
"""More questions are no plan."""
FARTHEST = 16
"""So many times the pilot's samples are the most that are weighed,"""
ENOUGH = 256
"""and no more than so many, if the pilot has not more."""
_CERTAIN = 1e-9
_FINELY = 1e-3
"""To what part of itself a difference is sought."""
_FINE = 1.2
"""From one number of samples to the next that is tried for the best split."""


@result
class Plan:
    """What two runs on questions like those of a pilot would show in a metric.

    Attributes
    ----------
    metric : str
    k : int or None
    n_questions, n_samples : int
        Of the pilot; the samples of each run, the fewest of any question.
    value : float or None
        The difference that the pilot shows; None where it is one run.
    confidence_level, power : float
        The level of the interval, and the chance with which it is to leave out 0.
    gains : callable
        Function from samples per question and run to the expected differences.
    clusters : AlikeClusters or None
        How alike the differences of questions in one cluster are.
    """

    metric: MetricName
    k: int | None
    n_questions: int
    n_samples: int
    value: float | None
    confidence_level: float
    power: float
    gains: Callable[[float], Gains] = field(repr=False)
    clusters: AlikeClusters | None = field(default=None, repr=False)

    def chance(
        self, difference: float, questions: int | None = None, samples: float | None = None
    ) -> float:
        r"""Return the power for a true difference: the chance that `compare` has its limit above 0.

        Questions are drawn from the pilot's, weighted by :math:`e^{c d}` so that their mean is the
        requested difference. The numbers that gain and lose are multinomial; given these, the mean
        difference is about normal.

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
        usual = self._gains(samples)
        return self._chance(usual.with_mean(difference), usual, m)

    def smallest(self, questions: int | None = None, samples: float | None = None) -> float | None:
        """Return the smallest difference that is shown with this power; None if there is none."""
        usual = self._gains(samples)
        m = self.n_questions if questions is None else require_count(questions, "questions")

        def shown(difference: float) -> float:
            return surplus(self._chance(usual.with_mean(difference), usual, m), self.power)

        near = max(self._deviations * sqrt(usual.variance / m), 1 / m)
        return least_enough(shown, near, 1 - _CERTAIN, _FINELY)

    @property
    def floor(self) -> float | None:
        """The smallest difference that any number of samples of these questions could show.

        None where it is unknown: for one run, and where the pilot has too few samples for two
        draws.
        """
        try:
            return self.smallest(samples=inf)
        except MetricError:
            return None

    def questions(self, difference: float, samples: float | None = None) -> int | None:
        """Return how many questions show a difference with this power; None if too many.

        Examples
        --------
        >>> pilot = plan([[0]] * 12 + [[1]] * 88, [[1]] * 12 + [[0]] * 9 + [[1]] * 79)
        >>> pilot.questions(0.1), round(pilot.chance(0.1, 196), 2)
        (169, 0.86)
        """
        require_share(difference, "difference")
        usual = self._gains(samples)
        gains = usual.with_mean(difference)

        def shown(m: int) -> float:
            return surplus(self._chance(gains, usual, m), self.power)

        near = (self._deviations / difference) ** 2 * gains.variance
        return fewest(shown, near, MOST_QUESTIONS)

    def questions_for_width(self, width: float, samples: float | None = None) -> int | None:
        """Return how many questions make the interval this narrow from end to end."""
        require_positive(width, "width")
        usual = self._gains(samples)

        def narrower(m: int) -> float:
            low, high = self._mean(usual, usual, m).ends(self.confidence_level)
            return log(width / (high - low))

        return fewest(narrower, 4 / width**2, MOST_QUESTIONS)

    def needs(
        self,
        samples: Sequence[int] | None = None,
        *,
        difference: float | None = None,
        width: float | None = None,
        bill: Bill | None = None,
    ) -> Needs:
        """Return what each number of samples shows, and how many questions it needs.

        Parameters
        ----------
        samples : sequence of int, optional
            Of each question in each run; by default powers of 2 and the pilot's.
        difference, width : float, optional
            The difference to be shown; the width of the interval from end to end.
        bill : Bill, optional

        Returns
        -------
        Needs

        Examples
        --------
        >>> pilot = plan([[0, 1], [1, 1]] * 50, [[1, 1]] * 60 + [[0, 1]] * 40)
        >>> found = pilot.needs([1, 2], difference=0.05, bill=Bill(600.0, question=2.0, sample=1.0))
        >>> found.questions.tolist(), found.affordable.tolist()
        ([1093.0, 392.0], [150.0, 100.0])
        """
        each = self._steps(2.0) if samples is None else list(samples)

        def column(find: Callable[[int], float | None]) -> Any:
            return np.array([np.nan if (x := find(n)) is None else float(x) for n in each])

        return Needs(
            np.array(each),
            column(lambda n: self.smallest(samples=n)),
            None if difference is None else column(lambda n: self.questions(difference, n)),
            None if width is None else column(lambda n: self.questions_for_width(width, n)),
            None if bill is None else column(bill.questions),
            None if bill is None else column(lambda n: self._shown_for(bill, n)),
        )

    def split(self, bill: Bill) -> Split:
        """Return how a bill is best split between questions and samples.

        Of numbers of samples a fifth apart, up to 16 times the pilot's, it takes the one with which
        the questions that the bill pays for show the smallest difference.

        Parameters
        ----------
        bill : Bill

        Raises
        ------
        MetricError
            If the bill pays for no question.

        Examples
        --------
        Questions that cost much are asked often:

        >>> pilot = plan([[0, 0], [0, 1], [1, 1]] * 30, [[1, 1]] * 50 + [[0, 1]] * 40)
        >>> [pilot.split(Bill(9000.0, question=price)).samples for price in (0.0, 10.0, 100.0)]
        [2, 7, 18]
        """
        steps = [n for n in self._steps(_FINE) if bill.questions(n)]
        if not steps:
            raise MetricError(Text("The budget does not pay for a single question."))
        shown = {n: self._shown_for(bill, n) for n in steps}
        n = min(steps, key=lambda n: inf if (smallest := shown[n]) is None else smallest)
        return Split(n, bill.questions(n), shown[n])

    def to_frame(self) -> DataFrame:
        """Return what each number of samples could show, as `needs` does; needs pandas."""
        return self.needs().to_frame()

    @property
    def _deviations(self) -> float:
        """How many of its standard errors a difference has that is shown this surely, about."""
        return float(ndtri((1 + self.confidence_level) / 2) + ndtri(self.power))

    def _chance(self, gains: Gains, usual: Gains, m: int) -> float:
        return chance_of_showing(self._mean(gains, usual, m), self.confidence_level)

    def _shown_for(self, bill: Bill, samples: int) -> float | None:
        questions = bill.questions(samples)
        return self.smallest(questions, samples) if questions else None

    def _steps(self, factor: float) -> list[int]:
        """Return numbers of samples up to many times the pilot's, with these, as far as known."""
        least = self.k or 1
        beyond = min(FARTHEST * self.n_samples, max(ENOUGH, self.n_samples))
        try:
            self.gains(beyond)
        except MetricError:
            beyond = self.n_samples
        powers = factor ** np.arange(1 + int(np.log(beyond) / np.log(factor) + _CERTAIN))
        return sorted({least, self.n_samples, *(n for x in powers if (n := round(x)) >= least)})

    def _gains(self, samples: float | None) -> Gains:
        if samples is None:
            return self.gains(self.n_samples)
        return self.gains(samples if isinf(samples) else require_count(samples, "samples"))

    def _mean(self, gains: Gains, usual: Gains, m: int) -> MeanDifference:
        if self.clusters is None:
            return gains.of(m)
        return self.clusters.of(gains, usual, m)


def plan(
    a: Any,
    b: Any = None,
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    confidence_level: float = 0.95,
    power: float = POWER,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> Plan:
    """Plan a comparison from a pilot: what it could show, and what it takes to show more.

    For fewer samples than the pilot has, samples of it are left out. With more, the variance due to
    chance shrinks as their number grows [1]_; this needs two samples in the pilot for each that is
    drawn.

    Parameters
    ----------
    a, b : Outcomes, array_like of 0/1, shape (M, N), or what has outcomes
        As in `compare`, a JointTally in place of both. Without b, the other run is assumed to find
        the same questions as difficult, so that only chance makes them differ: an optimistic plan.
    metric : str
        A count metric.
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
        If the two share no questions, or the metric needs more than counts.

    References
    ----------
    .. [1] W. Hoeffding, "A class of statistics with asymptotically normal distribution", Annals of
       Mathematical Statistics 19, 1948: n times the variance of such a mean never grows.

    Examples
    --------
    >>> pilot = plan([[0]] * 12 + [[1]] * 88, [[1]] * 12 + [[0]] * 9 + [[1]] * 79)
    >>> round(pilot.smallest(), 3), round(pilot.smallest(questions=1000), 3)
    (0.13, 0.041)
    """
    entry = find_metric(metric)
    question = Question("population", confidence_level, missing, segment)
    require_arguments(entry, k, question, options)
    require_share(power, "power")
    if entry.payoff is None and entry.blend is None:
        problem = Text("{metric} needs more than counts: it cannot be planned.", metric=entry.name)
        raise MetricError(problem)
    alone = b is None and not isinstance(a, JointTally | JointCounts)
    sides = (
        [question.evidence(with_row_ids(a))]
        if alone
        else list((matched := Sides.of(a, b, question)).both)
    )
    if not alone and not matched.paired:
        raise MetricError(NOT_MATCHED if matched.counts_only else NONE_SHARED)
    n = min(side.n_min for side in sides)
    drawn = n if k is None else k
    for side in sides:
        require_supported(entry, side, drawn if entry.takes_k else None, question, options)

    scoring = Scoring(entry, drawn, options)
    if alone:
        (side,) = sides
        gains, value, clusters = gains_of_one(side.tally, scoring), None, clusters_of_one_run(side)
    else:
        joint = matched.counts
        gains, clusters = gains_of_both(joint, scoring, n), clusters_of_pilot(matched, scoring)
        value = gains(n).mean
    return Plan(
        metric,
        drawn if entry.takes_k else None,
        sides[0].tally.n_questions,
        n,
        value,
        confidence_level,
        power,
        cache(gains),
        clusters,
    )
