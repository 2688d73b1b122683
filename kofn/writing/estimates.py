"""How shares, differences and their intervals are written everywhere."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from metrics import Difference, Estimate
from metrics.data.words import Text

NA = Text("N/A")
"""What does not exist, wherever people read it; see `undefined`."""
K_AXIS = Text("k, tries at a question")
SAMPLES_AXIS = Text("Samples, in percent")
MINUS = "\N{MINUS SIGN}"
_MOST_DIGITS = 6
_UNSEEN = 1e-9
"""What is less, as a fraction, shows in none of them."""
_SURE = 0.99
_NUMBER = r"[+−-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"


def undefined(reason: Text | None, name: str = "") -> Text:
    """Say why a number, of this name where that is not plain, does not exist.

    Examples
    --------
    >>> str(undefined(Text("pass@8 needs 8 samples."))), str(undefined(None))
    ('N/A: pass@8 needs 8 samples.', 'N/A')
    """
    if reason is None:
        return NA
    if name:
        return Text("N/A for {metric}: {reason}", metric=name, reason=reason)
    return Text("N/A: {reason}", reason=reason)


class Written(NamedTuple):
    """A number as it is written: its unit is empty without one, its ends without an interval."""

    value: str
    unit: str
    low: str = ""
    high: str = ""


def read_back(text: str) -> Written | None:
    """Return the parts of a number that `percent`, `points` or the like wrote; else None.

    Examples
    --------
    >>> read_back("66.1% (61.0 to 71.2)"), read_back("gsm8k")
    (Written(value='66.1', unit='%', low='61.0', high='71.2'), None)
    """
    ends = interval_of(f"(?P<low>{_NUMBER})", f"(?P<high>{_NUMBER})")
    unit = re.escape(str(Text("{value} points", value="")))
    match = re.fullmatch(
        rf"(?P<value>{_NUMBER}(?:e[+-]?\d+)?|{NA})(?P<unit>%|{unit}| [a-z]+)?(?:{ends})?", text
    )
    return None if match is None else Written(**match.groupdict(default=""))


def interval_of(low: str, high: str) -> str:
    r"""Return a pattern of an interval behind its number, from those of its ends.

    Examples
    --------
    >>> interval_of("1", "2")
    '\\ \\(1\\ to\\ 2\\)'
    """
    written = str(Text("{value} ({low} to {high})", value="", low="\0", high="\0"))
    before, between, after = map(re.escape, written.split("\0"))
    return before + low + between + high + after


def percent(
    value: float | None, low: float | None = None, high: float | None = None, *, digits: int = 1
) -> Text:
    """Write a fraction in percent, with its interval if it has one.

    value: None for N/A.
    low, high: The ends of its interval; None without one. A narrow one gets more digits.
    digits: The fewest after the point.

    Examples
    --------
    >>> str(percent(0.661, 0.61, 0.712)), str(percent(0.661)), str(percent(None))
    ('66.1% (61.0 to 71.2)', '66.1%', 'N/A')
    >>> str(percent(0.661, 0.61, 0.712, digits=0)), str(percent(0.661, 0.658, 0.664, digits=0))
    ('66% (61 to 71)', '66.1% (65.8 to 66.4)')
    >>> str(percent(0.42341, 0.42311, 0.42371))
    '42.341% (42.311 to 42.371)'
    """
    if value is None:
        return NA
    if low is None or high is None:
        return Text("{value}%", value=_hundredfold(value, digits, digits))
    number, *ends = _equally_fine(value, low, high, finer=digits, fewest=digits)
    return Text("{value}% ({low} to {high})", value=number, low=ends[0], high=ends[1])


def points(difference: float | None, low: float | None = None, high: float | None = None) -> Text:
    """Write a difference of two fractions in percentage points, with its interval if it has one.

    A small one gets a digit that is not 0.

    Examples
    --------
    >>> str(points(0.082, 0.031, 0.13)), str(points(-0.02)), str(points(0.0003))
    ('8.2 points (3.1 to 13.0)', '−2.0 points', '0.03 points')
    """
    if difference is None:
        return NA
    if low is None or high is None:
        return Text("{value} points", value=_hundredfold(difference, _digits(difference)))
    number, *ends = _equally_fine(difference, low, high)
    return Text("{value} points ({low} to {high})", value=number, low=ends[0], high=ends[1])


def chance_in_percent(chance: float) -> Text:
    """Write a chance that was simulated in whole percent, and none as certain.

    Examples
    --------
    >>> str(chance_in_percent(0.583)), str(chance_in_percent(0.998)), str(chance_in_percent(0.0))
    ('58%', 'more than 99%', 'less than 1%')
    """
    if chance > _SURE:
        return Text("more than 99%")
    return Text("less than 1%") if chance < 1 - _SURE else Text("{chance:.0%}", chance=chance)


def percent_of(estimate: Estimate | Difference) -> Text:
    """Write a share with its interval, where it has one."""
    return percent(estimate.value, *(estimate.interval or ()))


def percent_alone(estimate: Estimate) -> Text:
    """Write a share as `percent_of` does, without its interval.

    Examples
    --------
    >>> from metrics import estimate
    >>> many = estimate([[0], [1]] * 50_000, "avg@n")
    >>> str(percent_of(many)), str(percent_alone(many))
    ('50.00% (49.69 to 50.31)', '50.00%')
    """
    return Text("{value}%", value=percent_of(estimate).fields["value"])


def points_of(estimate: Estimate | Difference) -> Text:
    """Write a difference with its interval, where it has one."""
    return points(estimate.value, *(estimate.interval or ()))


def points_less(difference: Estimate | Difference) -> Text:
    """Write by how much something is less, with the interval of that, where it has one.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from metrics import compare
    >>> found = compare([[1, 1, 0, 1]] * 40, [[1, 0, 0, 1]] * 40, target="benchmark")
    >>> str(points_less(found)), str(points_less(replace(found, interval=None)))
    ('25.0 points (21.7 to 28.2)', '25.0 points')
    """
    return points(-difference.value, *(-end for end in reversed(difference.interval or ())))


def span(low: float | None, high: float | None) -> Text:
    """Write two fractions between which something lies; nothing where they are None.

    Examples
    --------
    >>> str(span(0.351, 0.498)), str(span(None, None))
    ('35.1 to 49.8%', '')
    """
    if low is None or high is None:
        return Text("")
    ends = _equally_fine(low, high)
    return Text("{low} to {high}%", low=ends[0], high=ends[1])


def distinct_percents(*fractions: float) -> tuple[str, ...]:
    """Write fractions in percent, as finely as it takes to tell them apart.

    Examples
    --------
    >>> distinct_percents(0.75, 0.7498)
    ('75.00%', '74.98%')
    >>> distinct_percents(0.1 + 0.2, 0.3)
    ('30.0%', '30.0%')
    """
    return tuple(f"{number}%" for number in _equally_fine(*fractions, finer=0))


def signed(text: str) -> str:
    """Write a formatted number with a true minus sign.

    Examples
    --------
    >>> signed(f"{-0.25:+.2f}")
    '−0.25'
    """
    return text.replace("-", MINUS)


def _equally_fine(*fractions: float, finer: int = 1, fewest: int = 1) -> list[str]:
    digits = finer + _digits(max(fractions) - min(fractions))
    return [_hundredfold(number, digits, fewest) for number in fractions]


def _digits(fraction: float) -> int:
    """Return after how many digits of the percentage its first is; 0 if none would be shown."""
    return -math.floor(math.log10(100 * abs(fraction))) if abs(fraction) > _UNSEEN else 0


def _hundredfold(fraction: float, digits: int = 1, fewest: int = 1) -> str:
    return signed(f"{100 * fraction:z.{min(_MOST_DIGITS, max(fewest, digits))}f}")


def in_percent(metric: object) -> Text:
    """Name an axis of percent."""
    return Text("{metric}, in percent", metric=metric)


def value_axis(level: float) -> Text:
    """Name an axis of values with their intervals."""
    return Text("Value and {level:.4g}% interval, in percent", level=100 * level)
