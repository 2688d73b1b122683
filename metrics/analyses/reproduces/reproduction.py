"""A number of a run compared with the expected one, and what is known about the two."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from decimal import Decimal
from functools import cached_property
from math import inf
from typing import Literal, NamedTuple

from metrics.data.names import MetricName
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.intervals.inversion import holm, smallest_error

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
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise MetricError(
                Text(
                    "An expected number is a fraction such as 0.431 or a percentage such as 43.1%; "
                    "got {got!r}.",
                    got=text,
                )
            )
        unit = Decimal(1).scaleb(-2 if match["sign"] else 0)
        number = Decimal(match["digits"])
        exponent = number.as_tuple().exponent
        assert isinstance(exponent, int)
        return cls(float(number * unit), float(unit.scaleb(exponent) / 2))


@result
class Reproduction:
    """A number of a run compared with the one that was expected.

    ============  ===================================================================
    Finding       Where, of the interval l to u of mine less the stated, margin δ
    ============  ===================================================================
    "agrees"      no margin, and l ≤ 0 ≤ u
    "reproduced"  -δ ≤ l: mine is higher, or lower by no more than δ
    "lower"       u < 0, or u < -δ with a margin
    "higher"      no margin, and 0 < l
    "open"        elsewhere
    ============  ===================================================================

    An unknown number of samples behind the stated number is between one draw and infinitely many.
    The finding holds for both; where they disagree it is "open".

    Attributes
    ----------
    metric : str
    k : int or None
    mine : Estimate
    stated : Stated
    stated_n : int or None
        Samples per question behind the stated number; None where that is unknown.
    n : int
        The most samples per question behind mine.
    interval : Interval
        Where the difference, mine minus the stated one, lies with the level of ``mine``.
    narrowest : Interval
        The same if the stated number rests on infinitely many samples; ``interval`` where their
        number is known.
    margin : float or None
        By how much mine may be lower.
    caveats : tuple of Text
    ends : callable
        Both ends of the interval as a function of the level.
    adjusted : float or None
        ``p_value`` adjusted for all expected numbers, by `reproductions`.
    with_samples : callable or None
        Function from another number of my samples to both intervals.
    """

    metric: MetricName
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
    adjusted: float | None = None

    @property
    def difference(self) -> float:
        """Mine minus the stated number."""
        return self.mine.value - self.stated.value

    @property
    def by_chance(self) -> float:
        """By how much two honest runs may differ: the longer arm of the interval."""
        low, high = self.interval
        return max(self.difference - low, high - self.difference)

    @property
    def finding(self) -> Finding:
        """What is known of the difference, whatever number of samples the stated one rests on."""
        found = _finding(self.interval, self.narrowest, self.margin)
        if found in ("lower", "higher") and not self._is_sure:
            return "agrees" if self.margin is None else "open"
        return found

    @property
    def _is_sure(self) -> bool:
        """Whether it differs even where others are looked at together with it."""
        return self.adjusted is None or self.adjusted <= 1 - self.mine.confidence_level

    @cached_property
    def p_value(self) -> float:
        """The smallest error at which it differs surely: from 0, or below a margin."""
        margin = self.margin
        if margin is None:
            return smallest_error(self.ends)
        return smallest_error(lambda level: (-inf, self.ends(level)[1] + margin))

    @cached_property
    def samples_to_decide(self) -> int | None:
        """About how many samples per question of mine would decide, if the difference is as seen.

        None where it is decided, where no margin was given, or where no practical number would do,
        since the stated number is too uncertain itself.
        """
        grown = self.with_samples
        if self.finding != "open" or self.margin is None or grown is None:
            return None

        def decides(n: int) -> bool:
            return _finding(*grown(n), self.margin) != "open"

        undecided, n = self.n, 2 * self.n
        while not decides(n):
            if n >= MOST_TIMES * self.n:
                return None
            undecided, n = n, 2 * n
        while n - undecided > 1:
            middle = (undecided + n) // 2
            undecided, n = (undecided, middle) if decides(middle) else (middle, n)
        return n


def reproductions(found: Sequence[Reproduction]) -> list[Reproduction]:
    """Judge several expected numbers at once.

    Claims that a number differs are adjusted for their number (Holm), so that where all are
    reproduced, none is said to differ too often. The claim that all are reproduced needs no
    adjustment.

    Parameters
    ----------
    found : sequence of Reproduction

    Returns
    -------
    list of Reproduction
        In their order, each with its p-value adjusted.

    Examples
    --------
    >>> from kofn.metrics import reproduces
    >>> each = reproduces([[1, 1, 0, 0]] * 30, "avg@n", 0.54, stated_n=10**6)
    >>> each.finding, {every.finding for every in reproductions([each] * 20)}
    ('lower', {'agrees'})
    """
    adjusted = holm([each.p_value for each in found])
    return [replace(each, adjusted=p) for each, p in zip(found, adjusted, strict=True)]


def _finding(interval: Interval, narrowest: Interval, margin: float | None) -> Finding:
    one, other = (_judged(ends, margin) for ends in (interval, narrowest))
    return one if one == other else "open"


def _judged(interval: Interval, margin: float | None) -> Finding:
    low, high = interval
    if margin is not None:
        return "reproduced" if low >= -margin else "lower" if high < -margin else "open"
    return "lower" if high < 0 else "higher" if low > 0 else "agrees"
