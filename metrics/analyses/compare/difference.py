"""How much better one run is than another, and whether it could be luck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtri

from metrics.data.arrays import Vector
from metrics.data.frames import rows_frame
from metrics.data.results import Interval, Target
from metrics.data.shown import brief_repr
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS
from metrics.intervals.inversion import smallest_error
from metrics.intervals.paired import PairedMeans, paired_limits

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

POWER = 0.8
"""How sure one wants to be that enough questions decide."""
MOST_TIMES = 1000
"""More questions than so many times those at hand are no plan."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A metric of run b less that of run a.

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
        Those that both have; where they are not paired, those of both together.
    n_dropped : int
        Questions that only one of them has, or that only one of them was graded on.
    method : Text
    caveats : tuple of Text
    ends : callable or None
        From a confidence level to both ends of the interval.
    gains : Gains or None
        What the interval rests on, where questions stand for themselves.
    mcnemar : float or None
        The p-value of McNemar's exact test, where each has one sample of every question.
    means : PairedMeans or None
        Mean gain and mean loss, of paired scores.
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
    gains: Gains | None = field(default=None, repr=False)
    mcnemar: float | None = None
    means: PairedMeans | None = field(default=None, repr=False)

    __repr__ = brief_repr

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
        }
        return rows_frame([row])

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    @cached_property
    def p_value(self) -> float | None:
        """The smallest error at which the interval leaves out 0; 1 where nothing differs."""
        return None if self.ends is None else smallest_error(self.ends)

    def questions_to_decide(self, power: float = POWER) -> int | None:
        r"""Return about how many questions like these would decide, if the difference is as seen.

        The smallest M at which a new set decides with this chance, by
        :math:`\Phi(L / \sqrt{v / M})` with the lower limit L of the larger side at M questions of
        the same kinds, and v the variance of a difference.

        Returns
        -------
        int or None
            None where it is decided, where no practical number would do, or where it cannot be
            said: without pairs, for these questions, with clusters, or from few questions.
        """
        if self.sure or self.gains is None or self.value == 0:
            return None
        if self.n_questions < FEW_QUESTIONS:
            return None
        return self.gains.enough(self.confidence_level, power)


@dataclass(frozen=True, eq=False)
class Gains:
    """Differences of questions without clusters, and how many have each.

    Attributes
    ----------
    values : float array, shape (U,)
    questions : int array, shape (U,)
    low, high : float
        The least and the most that a difference can be.
    """

    values: Vector
    questions: NDArray[np.int64]
    low: float
    high: float

    __repr__ = brief_repr

    def limits(self, confidence_level: float, times: float = 1.0) -> tuple[float, float]:
        """Return the limits of the mean; with so many times the questions, of the same kinds."""
        questions: Any = self.questions * times
        return paired_limits(self.values, questions, confidence_level, low=self.low, high=self.high)

    def enough(self, confidence_level: float, power: float) -> int | None:
        """Return how many questions decide with a chance of `power`; None if too many."""
        m = int(self.questions.sum())
        mean = float(self.values @ self.questions / m)
        deviation = float(np.sqrt((self.values - mean) ** 2 @ self.questions / max(m - 1, 1)))

        def decides(questions: int) -> bool:
            low, high = self.limits(confidence_level, questions / m)
            nearest = low if mean > 0 else -high
            return bool(nearest >= ndtri(power) * deviation / np.sqrt(questions))

        short, enough = m, 2 * m
        while not decides(enough):
            if enough > MOST_TIMES * m:
                return None
            short, enough = enough, 2 * enough
        while enough - short > max(1, enough // 100):
            middle = (short + enough) // 2
            short, enough = (short, middle) if decides(middle) else (middle, enough)
        return enough


def exact_mcnemar(wins: int, losses: int) -> float:
    """Return the p-value of McNemar's exact test: how unlike wins and losses are by chance.

    Examples
    --------
    >>> round(exact_mcnemar(12, 3), 4), exact_mcnemar(2, 2)
    (0.0352, 1.0)
    """
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))
