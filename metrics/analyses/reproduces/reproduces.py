r"""Whether a run reproduces a number that somebody stated, such as a paper or a run elsewhere.

Mine is m, the stated number t, and both are the mean of the same M questions, over samples of a
model that may be the same. Each has its own limits for these questions: mine with the variance
between samples, the stated number with the variance that its n samples would have had. The limits
l, u of m and l', u' of t give those of the difference d = m - t by squaring and adding the
distances [1]_,

.. math::
    d - \sqrt{(m - l)^2 + (u' - t)^2}, \qquad d + \sqrt{(u - m)^2 + (t - l')^2}

and what rounding hides, half of the last digit, is added to both sides. Where the samples behind
the stated number are at hand, its limits are theirs.

References
----------
.. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27, 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf
from typing import Any

import numpy as np

from metrics.analyses.compare.compare import compare_sides
from metrics.analyses.compare.sides import Sides
from metrics.analyses.reproduces.reproduction import Reproduction, Stated
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, scores_as_outcomes
from metrics.data.inputs import require_count
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval, Target
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate_entry
from metrics.estimating.limits import limits
from metrics.intervals.binomial import clopper_pearson, mid_p
from metrics.intervals.korn_graubard import benchmark_size, variance_of_mean
from metrics.intervals.within_questions import variance_with
from metrics.scoring.draws import expected_payoff
from metrics.scoring.registry import Metric, find_metric, metric_name
from metrics.scoring.scores import QuestionScores


def reproduces(
    data: Any,
    metric: MetricName,
    value: Any,
    k: int | None = None,
    *,
    stated_n: int | None = None,
    stated_questions: int | None = None,
    margin: float | None = None,
    target: Target = "benchmark",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    **options: Any,
) -> Reproduction:
    r"""Say whether a run reproduces a stated number, or another run.

    On the same questions, the variance of the stated number comes from its n' samples. With success
    rates p, and h the unbiased score of c right of n', it is

    .. math:: V' = \frac{1}{M^2} \sum_i E\,\mathrm{Var}\,h(\mathrm{Bin}(n', p_i))

    which for avg@n is my variance times n / n', and otherwise comes from difficulties fitted to my
    counts. With one sample on my side the variance is unknown, and its largest value m (1 - m) / M
    is used.

    Parameters
    ----------
    data : Run, Outcomes, Counts, Tally or array_like of 0/1, shape (M, N)
        My run, as in `estimate`.
    metric : str
        A metric that is a mean of questions' scores, and has an interval.
    value : float, str, or what ``data`` may be
        The stated number: a fraction taken as exact, or a text such as "43.1%", or "0.431", whose
        last digit was rounded. Or another run, which is compared question by question.
    k : int, optional
    stated_n : int, optional
        Samples per question behind the stated number, at least k; if unknown, both one draw and
        infinitely many are considered.
    stated_questions : int, optional
        The number of its questions, where they differ from mine; needs ``target="population"``.
    margin : float, optional
        By how much mine may be lower and still be accepted, above 0.
    target : {"benchmark", "population"}
        Whether both are about the same questions, or others of one kind.
    confidence_level, missing, segment, answers, **options
        As in `estimate`.

    Returns
    -------
    Reproduction

    Raises
    ------
    MetricError
        If the metric has no interval, or what is stated is out of range.

    Examples
    --------
    12 questions are always solved, 12 never and 6 half of the time, 16 samples each:

    >>> import numpy as np
    >>> mine = np.repeat([[1] * 16, [0] * 16, [1, 0] * 8], [12, 12, 6], axis=0)
    >>> found = reproduces(mine, "avg@n", "51.5%", stated_n=16)
    >>> found.finding, [round(end, 3) for end in found.interval]
    ('agrees', [-0.05, 0.02])
    >>> reproduces(mine, "avg@n", "58%", stated_n=64).finding
    'lower'

    Another run of the same questions, which always solves two more:

    >>> other = mine.copy()
    >>> other[12:14] = 1
    >>> found = reproduces(mine, "avg@n", other, margin=0.1)
    >>> found.finding, round(found.difference, 3), [round(end, 3) for end in found.interval]
    ('open', -0.067, [-0.102, -0.032])
    """
    entry, question = find_metric(metric), Question(target, confidence_level, missing, segment)
    if not isinstance(value, str | float | int | np.number):
        if stated_n is not None or stated_questions is not None:
            raise MetricError(
                Text("An expected run has its own number of samples; leave stated_n out.")
            )
        expected, given = _scored(entry, value, data)
        return _of_runs(entry, Sides.of(expected, given, question), k, question, options, margin)
    stated = Stated.read(value) if isinstance(value, str) else Stated(float(value))
    (given,) = _scored(entry, data)
    evidence = question.evidence(given, answers)
    mine = estimate_entry(entry, evidence, k, question, options)
    drawn = evidence.n_min if k is None else k
    _require_sense(mine, stated, margin)
    scores = entry.scores(evidence, drawn, options).once()
    sampled = _Sampled(entry, drawn, options, evidence, scores)
    questions = _questions(stated_questions, mine, target)
    fewest, most = sampled.samples(stated_n)
    difference = mine.value - stated.value

    def ends(level: float, n: float, own: int | None = None) -> Interval:
        """Return the ends of the difference, of own samples against n behind the stated number."""
        if target == "population":
            (low, high), (below, above) = sampled.like_these(stated.value, questions, level)
        else:
            low, high = sampled.ends(mine.value, own, level)
            below, above = sampled.ends(stated.value, n, level)
        less = np.hypot(mine.value - low, above - stated.value) + stated.rounding
        more = np.hypot(high - mine.value, stated.value - below) + stated.rounding
        return Interval(float(difference - less), float(difference + more))

    def of_own(own: int | None) -> tuple[Interval, Interval]:
        return ends(confidence_level, fewest, own), ends(confidence_level, most, own)

    unknown = target == "benchmark" and fewest < most
    return Reproduction(
        metric,
        drawn if entry.takes_k else None,
        mine,
        stated,
        stated_n,
        sampled.scores.n_max,
        *of_own(None),
        margin,
        (
            *mine.caveats,
            *([_UNKNOWN] if unknown else []),
            *([_ONE] if target == "benchmark" and sampled.scores.n_max == 1 else []),
        ),
        lambda level: ends(level, fewest),
        of_own if target == "benchmark" and entry.draws != "all" else None,
    )


_UNKNOWN = Text(
    "It is unknown how many samples per question the stated number rests on; kofn considers "
    "everything from one to infinitely many."
)
_ONE = Text(
    "With one sample per question, it is unknown how much your number varies; kofn assumes the "
    "most that is possible."
)


def _scored(entry: Metric, *given: Any) -> tuple[Any, ...]:
    return tuple(map(scores_as_outcomes, given)) if entry.needs == "soft" else given


def _of_runs(
    entry: Metric,
    sides: Sides,
    k: int | None,
    question: Question,
    options: Mapping[str, Any],
    margin: float | None,
) -> Reproduction:
    """Set the second of two runs against the first, on the questions that both answered."""
    difference = compare_sides(sides, metric_name(entry.name), k, question, options)
    drawn = (sides.n_min if k is None else k) if entry.takes_k else None
    theirs, mine = (estimate_entry(entry, side, drawn, question, options) for side in sides.both)
    _require_sense(mine, Stated(theirs.value), margin)
    assert difference.interval is not None
    assert difference.ends is not None
    n, stated_n = (int(side.sizes[0].max()) for side in reversed(sides.both))
    arms = [(np.array(each.interval or (0, 0)) - each.value) ** 2 for each in (mine, theirs)]
    share = arms[0] / np.maximum(arms[0] + arms[1], np.finfo(float).tiny)

    def with_samples(own: int) -> tuple[Interval, Interval]:
        """Return the interval where the part of mine in each arm shrinks as samples let it."""
        assert difference.interval is not None
        shrunken = np.sqrt(share * n / own + 1 - share)
        reach = (np.array(difference.interval) - difference.value) * shrunken
        ends = Interval(*(difference.value + reach).tolist())
        return ends, ends

    return Reproduction(
        metric_name(entry.name),
        drawn,
        mine,
        Stated(theirs.value),
        stated_n,
        n,
        difference.interval,
        difference.interval,
        margin,
        difference.caveats,
        difference.ends,
        with_samples if question.target == "benchmark" and entry.draws != "all" else None,
    )


@dataclass(frozen=True, eq=False)
class _Sampled:
    """The scores of a metric, and how they would vary with other numbers of samples."""

    metric: Metric
    k: int
    options: Mapping[str, Any]
    evidence: Evidence
    scores: QuestionScores

    @property
    def span(self) -> float:
        return self.scores.high - self.scores.low

    def share(self, value: float) -> float:
        return (value - self.scores.low) / self.span

    def samples(self, stated: int | None) -> tuple[float, float]:
        """Return the fewest and the most samples a question behind a stated number."""
        label, own = self.metric.label(self.k), self.scores.n_max
        drawn = self.metric.drawn(own, self.k)
        if stated is None:
            return drawn, (own if self.metric.draws == "all" else inf)
        if require_count(stated, "stated_n") < drawn:
            raise MetricError(
                Text("{label} takes {k} samples; got stated_n={n}.", label=label, k=drawn, n=stated)
            )
        if self.metric.draws == "all" and stated != own:
            raise MetricError(
                Text(
                    "{name} of {n} samples is another number than {name} of {own}: leave the rest "
                    "out, or take a metric at k.",
                    name=self.metric.name,
                    n=stated,
                    own=own,
                )
            )
        return stated, stated

    def ends(self, value: float, n: float | None, level: float) -> tuple[float, float]:
        """Return limits, for these questions, of a value of n samples; None: of those at hand."""
        if n is None:
            return limits(self.scores, self.evidence, Question("benchmark", level))[0]
        if n == inf:
            return value, value
        m, draws = self.scores.n_questions, max(1, int(n) // self.scores.drawn)
        variance, share = self.variance(int(n)), self.share(value)
        size: float = m * draws
        if variance is not None:
            size = benchmark_size(share, variance, m, draws, level)
        return self._of_range(mid_p(share, size, level))

    def like_these(
        self, value: float, questions: int, level: float
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return limits for questions like these, and of a value of so many other such."""
        own, size = limits(self.scores, self.evidence, Question(confidence_level=level))
        size *= questions / self.scores.n_questions
        return own, self._of_range(clopper_pearson(self.share(value) * size, size, level))

    def _of_range(self, shares: tuple[Any, Any]) -> tuple[float, float]:
        low, high = (self.scores.low + self.span * float(share) for share in shares)
        return low, high

    @cached_property
    def variance(self) -> Callable[[int], float | None]:
        return cache(self._variance)

    def _variance(self, n: int) -> float | None:
        """Return the variance of the mean share with n samples each; None where it has no form."""
        scores, m, metric = self.scores, self.scores.n_questions, self.metric
        if scores.n_max == 1:
            share = self.share(scores.mean)
            return share * (1 - share) / m / n
        if scores.within is None:
            return None
        if n == scores.n_min == scores.n_max or metric.draws == "one":
            own = scores.within() / self.span**2
            if m > 1:
                own = min(own, float(variance_of_mean(scores.standard, scores.questions)))
            return own * scores.n_max / n
        return variance_with(n, self.share_of(n), self.evidence.tally)

    def share_of(self, n: int) -> Vector:
        """Return what each count of n samples scores, as a share of the range."""
        counts = np.arange(n + 1)
        if self.metric.blend is not None:
            table = self.metric.blend(n, counts, self.k, **self.options)
        else:
            assert self.metric.payoff is not None
            earned = self.metric.payoff(self.metric.drawn(n, self.k), **self.options)
            table = expected_payoff(earned, n, counts)
        return (table - self.scores.low) / self.span


def _questions(stated: int | None, mine: Estimate, target: Target) -> int:
    if stated is None:
        return mine.n_questions
    if target == "benchmark":
        raise MetricError(
            Text(
                "If the questions differ from yours, set target to questions like these "
                '("population").'
            )
        )
    return require_count(stated, "stated_questions")


def _require_sense(mine: Estimate, stated: Stated, margin: float | None) -> None:
    low, high = mine.bounds
    if mine.interval is None or mine.n_effective is None:
        raise MetricError(
            Text("Only a mean over questions with an interval can be compared with a number.")
        )
    if not low <= stated.value <= high:
        raise MetricError(
            Text(
                "An expected number lies from {low:g} to {high:g}; got {got:g}. A percentage is "
                "written with its sign, as 43.1%.",
                low=low,
                high=high,
                got=stated.value,
            )
        )
    if margin is not None and not 0 < margin < high - low:
        raise MetricError(
            Text(
                "margin must be above 0 and below {most:g}; got {got!r}.",
                most=high - low,
                got=margin,
            )
        )
