r"""Whether a run reproduces a number that somebody stated, such as a paper or a run elsewhere.

Mine is m, the stated number t, and both are the mean of the same M questions, over samples of a
model that may be the same. Each has its own limits for these questions: mine with the variance
between samples, the stated number with the variance that its n samples would have had. The limits
l, u of m and l', u' of t give those of the difference d = m - t by squaring and adding the
distances [1]_,

.. math::
    d - \sqrt{(m - l)^2 + (u' - t)^2}, \qquad d + \sqrt{(u - m)^2 + (t - l')^2}

and what rounding hides, half of the last digit, is added to both sides.

References
----------
.. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27, 2008.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, scored
from metrics.data.inputs import require_count
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Estimate, Interval, Target
from metrics.data.shown import brief_repr
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate_entry
from metrics.estimating.limits import limits
from metrics.intervals.binomial import clopper_pearson, mid_p
from metrics.intervals.inversion import smallest_error
from metrics.intervals.korn_graubard import benchmark_size, variance_of_mean
from metrics.intervals.within_questions import variance_with
from metrics.scoring.draws import expected_payoff
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.scores import QuestionScores

Finding = Literal["agrees", "reproduced", "lower", "higher", "open"]
MOST_TIMES = 1024
"""More samples than so many times those at hand are no plan."""
_NUMBER = re.compile(r"\s*(?P<digits>[0-9]+(?:\.(?P<decimals>[0-9]*))?|\.[0-9]+)\s*(?P<sign>%?)\s*")
Ends = Callable[[float], tuple[float, float]]


class Stated(NamedTuple):
    """A number as it was stated.

    Attributes
    ----------
    value : float
        As a fraction.
    rounding : float
        By how much rounding may have changed it.
    """

    value: float
    rounding: float = 0.0

    @classmethod
    def read(cls, text: str) -> Stated:
        """Read a fraction, or a percentage with its sign; its last digit tells the rounding.

        Raises
        ------
        MetricError
            If it is neither.

        Examples
        --------
        >>> [round(part, 6) for part in Stated.read("43.1%")]
        [0.431, 0.0005]
        >>> Stated.read("0.5974").value
        0.5974
        """
        found = _NUMBER.fullmatch(text)
        if found is None:
            raise MetricError(
                Text(
                    "An expected number is a fraction such as 0.431 or a percentage such as 43.1%; "
                    "got {got!r}.",
                    got=text,
                )
            )
        unit = Decimal(1).scaleb(-2 if found["sign"] else 0)
        number = Decimal(found["digits"])
        exponent = number.as_tuple().exponent
        assert isinstance(exponent, int)
        return cls(float(number * unit), float(unit.scaleb(exponent) / 2))


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A number of a run against the one that was expected.

    ============  ===================================================================
    Finding       Where, of the interval l to u of mine less the stated, margin δ
    ============  ===================================================================
    "agrees"      no margin, and l ≤ 0 ≤ u
    "reproduced"  -δ ≤ l: mine is higher, or lower by no more than δ
    "lower"       u < 0, or u < -δ with a margin
    "higher"      no margin, and 0 < l
    "open"        elsewhere
    ============  ===================================================================

    Where the number of samples behind the stated number is not known, it was one draw at least and
    infinitely many at most. What holds of both is found; where they disagree it is "open".

    Attributes
    ----------
    metric : str
    k : int or None
    mine : Estimate
    stated : Stated
    stated_n : int or None
        Samples a question behind the stated number; None where that is not known.
    n : int
        The most samples a question behind mine.
    interval : Interval
        Where the difference, mine less the stated one, lies with the level of ``mine``.
    narrowest : Interval
        The same if the stated number rests on infinitely many samples; ``interval`` where their
        number is known.
    margin : float or None
        By how much mine may be lower.
    caveats : tuple of Text
    ends : callable
        From a confidence level to both ends of the interval.
    with_samples : callable or None
        From another number of samples of mine to both intervals.
    """

    metric: str
    k: int | None
    mine: Estimate
    stated: Stated
    stated_n: int | None
    n: int
    interval: Interval
    narrowest: Interval
    margin: float | None = None
    caveats: tuple[Text, ...] = ()
    ends: Ends = field(default=lambda level: (-inf, inf), repr=False)
    with_samples: Callable[[int], tuple[Interval, Interval]] | None = field(
        default=None, repr=False
    )

    __repr__ = brief_repr

    @property
    def difference(self) -> float:
        """Mine less the stated number."""
        return self.mine.value - self.stated.value

    @property
    def by_chance(self) -> float:
        """By how much two honest runs may differ: the longer arm of the interval."""
        low, high = self.interval
        return max(self.difference - low, high - self.difference)

    @property
    def finding(self) -> Finding:
        """What is known of the difference, whatever number of samples the stated one rests on."""
        return _found(self.interval, self.narrowest, self.margin)

    @cached_property
    def p_value(self) -> float:
        """The smallest error at which the interval leaves out 0."""
        return smallest_error(self.ends)

    @cached_property
    def samples_to_decide(self) -> int | None:
        """About how many samples a question of mine decide, if the difference is as seen.

        None where it is decided, where no margin was given, or where no practical number would do,
        since the stated number is too uncertain itself.
        """
        grown = self.with_samples
        if self.finding != "open" or self.margin is None or grown is None:
            return None

        def decides(n: int) -> bool:
            return _found(*grown(n), self.margin) != "open"

        undecided, n = self.n, 2 * self.n
        while not decides(n):
            if n >= MOST_TIMES * self.n:
                return None
            undecided, n = n, 2 * n
        while n - undecided > 1:
            middle = (undecided + n) // 2
            undecided, n = (undecided, middle) if decides(middle) else (middle, n)
        return n


def _found(interval: Interval, narrowest: Interval, margin: float | None) -> Finding:
    one, other = (_judged(ends, margin) for ends in (interval, narrowest))
    return one if one == other else "open"


def _judged(interval: Interval, margin: float | None) -> Finding:
    low, high = interval
    if margin is not None:
        return "reproduced" if low >= -margin else "lower" if high < -margin else "open"
    return "lower" if high < 0 else "higher" if low > 0 else "agrees"


def reproduces(
    data: Any,
    metric: str,
    value: float | str,
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
    r"""Say whether a run reproduces a stated number.

    On the same questions the stated number has the variance that its n' samples give. With success
    rates p of the questions, h the unbiased score of c right of n',

    .. math:: V' = \frac{1}{M^2} \sum_i E\,\mathrm{Var}\,h(\mathrm{Bin}(n', p_i))

    which for avg@n is mine times n / n', and else comes from difficulties fitted to my counts. With
    one sample on my side the variance is not known, and its largest value is taken, m (1 - m) / M.

    Parameters
    ----------
    data : Run, Outcomes, Counts, Tally or array_like of 0/1, shape (M, N)
        Mine, as in `estimate`.
    metric : str
        A metric that is a mean of questions' scores, and has an interval.
    value : float or str
        The stated number: a fraction taken as exact, or a text such as "43.1%", or "0.431", whose
        last digit was rounded.
    k : int, optional
    stated_n : int, optional
        Samples a question behind the stated number, at least k; where it is not known both one
        draw and infinitely many are looked at.
    stated_questions : int, optional
        Its questions, where they are others than mine; needs ``target="population"``.
    margin : float, optional
        By how much mine may be lower and still be accepted, above 0.
    target : {"benchmark", "population"}
        Whether both are about the same questions, or each about questions of one kind.
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
    """
    entry = find_metric(metric)
    stated = Stated.read(value) if isinstance(value, str) else Stated(float(value))
    given = scored(data) if entry.needs == "soft" else data
    evidence = Evidence(given, missing, segment, answers)
    mine = estimate_entry(entry, evidence, k, target, confidence_level, options)
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
        (*mine.caveats, *([_UNKNOWN] if unknown else [])),
        lambda level: ends(level, fewest),
        of_own if target == "benchmark" and entry.draws != "all" else None,
    )


_UNKNOWN = Text(
    "How many samples a question the stated number rests on is not known: one draw at least and "
    "infinitely many at most are both looked at."
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
            return limits(self.scores, self.evidence, "benchmark", level)[0]
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
        own, size = limits(self.scores, self.evidence, "population", level)
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
            Text("With other questions than mine, ask about questions like these: target.")
        )
    return require_count(stated, "stated_questions")


def _require_sense(mine: Estimate, stated: Stated, margin: float | None) -> None:
    low, high = mine.bounds
    if mine.interval is None or mine.n_effective is None:
        raise MetricError(
            Text("Only a mean over questions that has an interval can be held against a number.")
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
