"""How much better one run is than another, and whether it could be luck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from scipy.special import bdtr

from metrics.analyses.compare.power import chance_of_showing, fewest, surplus
from metrics.data.frames import rows_frame
from metrics.data.results import Interval, Target
from metrics.data.shown import result
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS
from metrics.intervals.inversion import smallest_error
from metrics.intervals.paired import MeanDifference

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

POWER = 0.8
"""How sure one wants to be that enough questions decide."""
MOST_TIMES = 1000
"""More questions than so many times those at hand are no plan."""
Verdict = Literal["worse", "equivalent", "not worse", "open"]


@result
class Difference:
    """A metric of run b minus that of run a.

    With a margin δ the ends l and u of the interval decide what is known about the true difference
    θ [1]_ [2]_:

    ============  =================  ============================
    Verdict       Where              Claim
    ============  =================  ============================
    "worse"       u < -δ             θ < -δ
    "equivalent"  -δ ≤ l and u ≤ δ   -δ ≤ θ ≤ δ
    "not worse"   -δ ≤ l and u > δ   -δ ≤ θ, non-inferiority
    "open"        elsewhere          none: the data cannot tell
    ============  =================  ============================

    All claims rest on the interval that is shown: each is a one-sided test, and equivalence is two,
    at (1 - confidence_level) / 2: 2.5 % by default, as is usual for non-inferiority. For the
    customary two one-sided tests at 5 % choose ``confidence_level=0.9``. Only one end can mislead,
    whatever θ is. Where gains or losses are rare nearly all of the interval's error may be at that
    end; a verdict is wrong no more often than the interval leaves out θ.

    Attributes
    ----------
    value : float
        b - a: above 0, b is better.
    interval : Interval or None
        Where the difference lies with ``confidence_level``; None for a score without bounds.
    confidence_level : float
    target : {"population", "benchmark"}
    paired : bool
        Whether both are known to have answered the same questions.
    wins, ties, losses : int or None
        The questions where b is better, as good and worse; None where the two are not paired.
    n_questions : int
        Questions that both have; where they are not paired, those of both together.
    n_dropped : int
        Questions that only one of them has, or that only one of them was graded on.
    method : Text
    caveats : tuple of Text
    ends : callable or None
        Both ends of the interval as a function of the level.
    each : MeanDifference or None
        What the interval rests on where questions are paired: by how much each differs.
    mcnemar : float or None
        The p-value of McNemar's exact test, where each has one sample of every question.
    margin : float or None
        The largest difference that does not matter, in the units of the metric.
    verdict : {"worse", "equivalent", "not worse", "open"} or None
        What is known, given the margin; None without a margin or an interval.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power
       approach for assessing the equivalence of average bioavailability", Journal of
       Pharmacokinetics and Biopharmaceutics 15, 1987.
    .. [2] G. Piaggio et al., "Reporting of noninferiority and equivalence randomized trials:
       extension of the CONSORT 2010 statement", JAMA 308, 2012, figure 1.
    """

    value: float
    interval: Interval | None
    confidence_level: float
    target: Target
    paired: bool
    wins: int | None
    ties: int | None
    losses: int | None
    n_questions: int
    n_dropped: int
    method: Text
    caveats: tuple[Text, ...] = ()
    ends: Callable[[float], tuple[float, float]] | None = field(default=None, repr=False)
    each: MeanDifference | None = field(default=None, repr=False)
    mcnemar: float | None = None
    margin: float | None = None
    verdict: Verdict | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.margin is not None and self.interval is not None:
            object.__setattr__(self, "verdict", _judged(self.interval, self.margin))

    def to_frame(self) -> DataFrame:
        """Return the difference as a row; needs pandas."""
        low, high = self.interval or (None, None)
        row = {
            "value": self.value,
            "low": low,
            "high": high,
            "p_value": self.p_value,
            **{name: getattr(self, name) for name in ("wins", "ties", "losses")},
            "n_questions": self.n_questions,
            "n_dropped": self.n_dropped,
            "margin": self.margin,
            "verdict": self.verdict,
        }
        return rows_frame([row])

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    @cached_property
    def p_value(self) -> float | None:
        """The smallest error at which the interval leaves out 0; 1 where nothing differs."""
        if self.each is not None:
            return float(self.each.p_value)
        return None if self.ends is None else smallest_error(self.ends)

    def questions_to_decide(self, power: float = POWER) -> int | None:
        """Return about how many questions like these would decide, if the difference is as seen.

        The smallest number at which a new set of questions of the same kinds decides with this
        chance.

        Returns
        -------
        int or None
            None where it is decided, where no practical number would do, or where it cannot be
            said: without pairs, for these questions, with clusters, or from few questions.
        """
        each = self.each
        if self.sure or each is None or each.clusters is not None or self.value == 0:
            return None
        if self.n_questions < FEW_QUESTIONS:
            return None
        better = each if self.value > 0 else each.reversed

        def decides(questions: int) -> float:
            expected = better.times(questions / self.n_questions)
            return surplus(chance_of_showing(expected, self.confidence_level), power)

        return fewest(decides, 2 * self.n_questions, MOST_TIMES * self.n_questions)


def _judged(interval: Interval, margin: float) -> Verdict:
    low, high = interval
    if high < -margin:
        return "worse"
    if low < -margin:
        return "open"
    return "equivalent" if high <= margin else "not worse"


def exact_mcnemar(wins: int, losses: int) -> float:
    """Return the p-value of McNemar's exact test: how unlike wins and losses are by chance.

    Examples
    --------
    >>> round(exact_mcnemar(12, 3), 4), exact_mcnemar(2, 2)
    (0.0352, 1.0)
    """
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))
