"""What an estimate is: a number, its interval, and what both are about."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import floor, inf, isfinite, log10
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.frames import Rows, vectors
from metrics.data.names import MetricName
from metrics.data.shown import brief_repr, result
from metrics.data.words import Text

Target = Literal["population", "benchmark"]


class Interval(NamedTuple):
    """Both ends of an interval, in the units of the value it belongs to."""

    low: float
    high: float


UNIT = Interval(0.0, 1.0)
APART = 0.15
"""How far apart what is possible may lie for a model to matter little."""
_DIGITS = 3
"""The fewest after the point."""
_NEGLIGIBLE = 1e-12
"""What an end is away from a bound, by the range of the metric, if it is said to be there."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric of one run, with the interval that belongs to it.

    Attributes
    ----------
    value : float
        The point estimate.
    interval : Interval or None
        Where the estimand lies with ``confidence_level``; None where no honest interval exists.
    confidence_level : float
        In (0, 1).
    target : {"population", "benchmark"}
        ``"population"``: questions like these. ``"benchmark"``: these questions, other samples.
    n_questions : int
        Questions behind the value.
    method : Text
        How point and interval were made.
    caveats : tuple of Text
        What the reader must know before using the number.
    n_effective : float or None
        How many independent right-or-wrong questions would give this interval; `pool`
        needs it.
    bounds : Interval
        The least and the most that the value can be.

    Examples
    --------
    >>> from kofn import metrics
    >>> found = metrics.estimate([[0, 1, 1, 0], [1, 1, 0, 1]] * 20, "pass@k", 2)
    >>> print(found)
    0.917 (0.841 to 0.953)
    >>> f"{found:.1%}", found.interval.low < found.value
    ('91.7%', True)
    """

    value: float
    interval: Interval | None
    confidence_level: float
    target: Target
    n_questions: int
    method: Text
    caveats: tuple[Text, ...] = ()
    n_effective: float | None = None
    bounds: Interval = UNIT

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        if self.interval is not None:
            low, high = (float(end) for end in widened_ends(*self.interval, *self.bounds))
            object.__setattr__(self, "interval", Interval(low, high))

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        """Write the value with its interval, as finely as the interval is narrow."""
        low, high = self.interval or (None, None)
        return written(self.value, low, high)

    def _repr_html_(self) -> str:
        value, space, ends = str(self).partition(" ")
        description = escape(" ".join(map(str, (self.method, *self.caveats))))
        return f'<span title="{description}"><b>{value}</b>{space}{ends}</span>'

    def __format__(self, spec: str) -> str:
        """Format the value as `spec` says; without one, the whole estimate."""
        return format(self.value, spec) if spec else str(self)


def written(value: float, low: float | None = None, high: float | None = None) -> str:
    """Write a number with its interval; a narrow one has more digits.

    Examples
    --------
    >>> written(0.661, 0.61, 0.712), written(0.661), written(0.66103, 0.66095, 0.66111)
    ('0.661 (0.610 to 0.712)', '0.661', '0.66103 (0.66095 to 0.66111)')
    """
    if low is None or high is None:
        return f"{value:z.{_DIGITS}f}"
    wide = high - low
    digits = max(_DIGITS, 1 - floor(log10(wide))) if 0 < wide < inf else _DIGITS
    number, below, above = (f"{each:z.{digits}f}" for each in (value, low, high))
    return f"{number} ({below} to {above})"


def widened_ends(
    low: Vector | float, high: Vector | float, least: float, most: float
) -> tuple[Vector | float, Vector | float]:
    """Return ends of intervals, at the bound where nothing but rounding keeps them from it.

    Examples
    --------
    >>> [float(end) for end in widened_ends(2.2e-34, 0.5, 0.0, 1.0)]
    [0.0, 0.5]
    """
    near = _NEGLIGIBLE * most - _NEGLIGIBLE * least
    outer = near if isfinite(near) else 0.0
    below, above = np.less_equal(low, least + outer), np.greater_equal(high, most - outer)
    if below.any():
        low = np.where(below, np.minimum(low, least), low)
    if above.any():
        high = np.where(above, np.maximum(high, most), high)
    return low, high


@result
class Curve(Rows):
    """A metric for several k, each with its own (pointwise) interval.

    Attributes
    ----------
    k : int array, shape (K,)
        Samples drawn.
    value : float array, shape (K,)
        The metric.
    low, high : float array, shape (K,)
        Ends of the intervals; NaN where only points were asked for.
    """

    k: NDArray[np.int64]
    value: Vector
    low: Vector
    high: Vector

    def __post_init__(self) -> None:
        if self.low is not self.high:
            widen(self, ("low", "high"))
        for array in vectors(self).values():
            array.flags.writeable = False


class Backtest(NamedTuple):
    """What a fit to half of the samples predicts for all of them.

    Attributes
    ----------
    fitted : int
        Samples per question that the fit was given: half of the fewest that any question has.
    k : int
        Tries predicted: the fewest samples of any question.
    predicted, observed : float
        The metric at k, by the fit and as measured without bias.
    """

    fitted: int
    k: int
    predicted: float
    observed: float

    @property
    def error(self) -> float:
        """By how much the fit predicted too much."""
        return self.predicted - self.observed


@result
class Extrapolation(Curve):
    """A metric for more tries than there are samples, as far as it can be estimated.

    Attributes
    ----------
    k : int array, shape (K,)
        Tries, each above n.
    value, low, high : float array, shape (K,)
        From a model of the difficulties, with its band; NaN where ``refused`` says why there is
        none.
    metric : str
        Its name.
    n : int
        The fewest samples of any question.
    bound_low, bound_high : float array, shape (K,)
        Limits that hold whatever the difficulties; NaN for metrics without any.
    backtest : Backtest or None
        The same fit to half of the samples, against all of them; None below 4 samples.
    refused : tuple of Text
        Why ``value`` is missing for some k or for all; empty where every k has a value.
    confidence_level : float
        Of either band at each k by itself.
    n_questions : int
        Questions behind it.
    method : Text
        How line and bands were made.
    caveats : tuple of Text
        What the reader must know before using the numbers.
    """

    metric: MetricName
    n: int
    bound_low: Vector
    bound_high: Vector
    backtest: Backtest | None
    refused: tuple[Text, ...]
    confidence_level: float
    n_questions: int
    method: Text
    caveats: tuple[Text, ...] = ()

    @property
    def firm(self) -> NDArray[np.bool_]:
        """Where the limits that hold whatever the difficulties are at most .15 apart."""
        return np.asarray(self.bound_high - self.bound_low <= APART)

    def __post_init__(self) -> None:
        widen(self, ("bound_low", "bound_high"))
        super().__post_init__()


def widen(result: object, *bands: tuple[str, str]) -> None:
    """Put the ends of the bands of a frozen result, given by name, where `widened_ends` says."""
    for names in bands:
        low, high = (getattr(result, name) for name in names)
        for name, end in zip(names, widened_ends(low, high, *UNIT), strict=True):
            object.__setattr__(result, name, end)
