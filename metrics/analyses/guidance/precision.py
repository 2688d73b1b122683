"""Where an interval lies to a line, and how many questions would move it off that line."""

from __future__ import annotations

from math import ceil
from typing import Literal

from metrics.data.results import Estimate

Status = Literal["met", "not met", "undecided"]

_ON_THE_LINE = 1e-9


def status_of(found: Estimate, line: float) -> Status:
    """Say whether a line is exceeded by all of an interval, by none of it, or by some.

    Examples
    --------
    >>> from metrics.estimating.estimation import estimate
    >>> found = estimate([[1, 1, 0, 1]] * 20 + [[1, 0, 0, 0]] * 20, "avg@n")
    >>> [status_of(found, line) for line in (0.3, 0.5, 0.7)]
    ['met', 'undecided', 'not met']
    """
    assert found.interval is not None
    if found.interval.low > line:
        return "met"
    return "not met" if found.interval.high <= line else "undecided"


def questions_to_settle(found: Estimate, line: float) -> int | None:
    """Return about how many questions move the interval off a line that it holds.

    A rule of thumb: an interval shrinks with the square root of the number of questions. None where
    the value lies on the line.

    Examples
    --------
    >>> from metrics.estimating.estimation import estimate
    >>> found = estimate([[1, 1, 0, 1]] * 20 + [[1, 0, 0, 0]] * 20, "avg@n")
    >>> found.value, questions_to_settle(found, 0.45)
    (0.5, 119)
    """
    assert found.interval is not None
    low, high = found.interval
    distance = abs(found.value - line)
    reach = found.value - low if found.value > line else high - found.value
    if distance < _ON_THE_LINE:
        return None
    return ceil(found.n_questions * (reach / distance) ** 2)
