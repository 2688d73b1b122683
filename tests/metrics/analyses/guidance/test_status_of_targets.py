"""A target is met where all of an interval exceeds the line, not met where none does."""

import numpy as np
import pytest

from metrics import Estimate
from metrics.analyses.guidance.decision_matrix import UseCase
from metrics.analyses.guidance.targets import questions_to_settle, status_of, verdicts
from metrics.data.results import Interval
from metrics.data.words import Text


def found(value, low, high, questions=100):
    return Estimate(value, Interval(low, high), 0.95, "population", questions, Text("by hand"))


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (0.39, "met"),
        (0.4, "undecided"),
        (0.5, "undecided"),
        (0.69, "undecided"),
        (0.7, "not met"),
        (0.71, "not met"),
    ],
)
def test_a_line_must_be_exceeded(line, status):
    assert status_of(found(0.5, 0.4, 0.7), line) == status


@pytest.mark.parametrize(("line", "reach"), [(0.45, 0.1), (0.6, 0.2)])
def test_the_side_of_the_interval_towards_the_line_must_shrink(line, reach):
    """It goes with the square root of the questions: m (reach / distance)² of them."""
    settled = questions_to_settle(found(0.5, 0.4, 0.7), line)
    assert settled == pytest.approx(100 * (reach / abs(0.5 - line)) ** 2, abs=1)


def test_a_value_on_the_line_is_never_settled():
    assert questions_to_settle(found(0.5, 0.4, 0.7), 0.5) is None


@pytest.mark.parametrize(
    ("lines", "status", "settled"),
    [
        ((0.1, 0.1, 0.1), "met", (None, None, None)),
        ((0.1, 0.5, 0.1), "undecided", (None, None, None)),
        ((0.1, 0.6, 0.1), "undecided", (None, 400, None)),
        ((0.8, 0.6, 0.1), "not met", (None, 400, None)),
        ((0.1, 0.6, 0.8), "not met", (None, 400, None)),
    ],
)
def test_a_use_is_as_far_as_its_worst_target(lines, status, settled):
    names = ("pass", "avg", "cons")
    use = UseCase("use", Text("Use"), Text("so"), dict(zip(names, lines, strict=True)))
    estimates = dict.fromkeys(names, found(0.5, 0.4, 0.7))
    (verdict,) = verdicts([use], estimates, np.full((4, 3), 0.5))
    assert verdict.status == status
    assert tuple(target.questions for target in verdict.targets) == pytest.approx(settled, abs=1)


def test_chances_are_shares_of_draws_above_the_line():
    """A draw on the line does not exceed it, and a use needs all of its targets in one draw."""
    use = UseCase("use", Text("Use"), Text("so"), {"pass": 0.5, "cons": 0.2})
    estimates = dict.fromkeys(("pass", "avg", "cons"), found(0.5, 0.4, 0.7))
    drawn = np.array([[0.5, 0, 0.3], [0.6, 0, 0.3], [0.6, 0, 0.1], [0.7, 0, 0.4]])
    (verdict,) = verdicts([use], estimates, drawn)
    assert [target.probability for target in verdict.targets] == [0.75, 0.75]
    assert verdict.probability == 0.5
