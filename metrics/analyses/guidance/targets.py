"""Which targets of its scenarios a run meets, and how likely it meets all of one at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from metrics.analyses.guidance.decision_matrix import DIMENSIONS, Dimension, UseCase
from metrics.data.arrays import Vector
from metrics.data.results import Estimate

Status = Literal["met", "not met", "undecided"]

_ON_THE_LINE = 1e-9


def status_of(estimate: Estimate, line: float) -> Status:
    """Say whether a line is exceeded by all of an interval, by none of it, or by some.

    Examples
    --------
    >>> from metrics.estimating.estimation import estimate
    >>> found = estimate([[1, 1, 0, 1]] * 20 + [[1, 0, 0, 0]] * 20, "avg@n")
    >>> [status_of(found, line) for line in (0.3, 0.5, 0.7)]
    ['met', 'undecided', 'not met']
    """
    assert estimate.interval is not None
    if estimate.interval.low > line:
        return "met"
    return "not met" if estimate.interval.high <= line else "undecided"


def questions_to_settle(estimate: Estimate, line: float) -> int | None:
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
    assert estimate.interval is not None
    low, high = estimate.interval
    distance = abs(estimate.value - line)
    reach = estimate.value - low if estimate.value > line else high - estimate.value
    if distance < _ON_THE_LINE:
        return None
    return ceil(estimate.n_questions * (reach / distance) ** 2)


@dataclass(frozen=True, slots=True)
class Goal:
    """One target of a scenario."""

    dimension: Dimension
    limit: float  # What the metric must exceed.
    # Met where the whole interval of the metric lies above the limit, not met where none of it
    # does. Of cons with one sample a question, which says nothing of stability, never met.
    status: Status
    probability: float  # Share of the joint draws above the limit.
    # Of an undecided target, about how many questions would settle it; None where the value equals
    # the limit.
    questions: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A scenario: met where all its targets are, not met where one is not."""

    scenario: UseCase
    status: Status
    probability: float  # Share of the joint draws that meet all targets at once.
    targets: tuple[Goal, ...]


def verdicts(
    scenarios: Sequence[UseCase],
    estimates: Mapping[Dimension, Estimate],
    drawn: Vector,
    n: int = 2,
) -> Iterator[Verdict]:
    """Judge each scenario by the intervals of its metrics and by joint draws of them.

    The first columns of the joint draws are pass, avg and cons; n is the fewest samples of a
    question.
    """
    for scenario in scenarios:
        above = {
            dimension: drawn[:, DIMENSIONS.index(dimension)] > line
            for dimension, line in scenario.targets.items()
        }
        targets = tuple(
            _target(dimension, line, estimates[dimension], float(above[dimension].mean()), n)
            for dimension, line in scenario.targets.items()
        )
        statuses = {target.status for target in targets}
        found: Sequence[Status] = ("not met", "undecided", "met")
        yield Verdict(
            scenario,
            next(status for status in found if status in statuses),
            float(np.logical_and.reduce(list(above.values())).mean()),
            targets,
        )


def _target(
    dimension: Dimension, line: float, estimate: Estimate, probability: float, n: int
) -> Goal:
    status = status_of(estimate, line)
    if dimension == "cons" and n == 1 and status == "met":
        return Goal(dimension, line, "undecided", probability, None)
    questions = questions_to_settle(estimate, line) if status == "undecided" else None
    return Goal(dimension, line, status, probability, questions)
