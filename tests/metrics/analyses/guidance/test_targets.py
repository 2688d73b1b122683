"""When targets of a scenario are met, missed or open, and how many questions would settle it."""

import pytest

from metrics import Tally, estimate, guidance
from metrics.analyses.guidance.decision_matrix import USE_CASES, UseCase
from metrics.analyses.guidance.targets import questions_to_settle
from metrics.data.words import Text
from tests.metrics.analyses.guidance.three_metrics import of_counts


def test_a_target_is_met_where_the_whole_interval_lies_above_it():
    counts = [4] * 90 + [3] * 10
    found = guidance(of_counts(4, counts), confidence_level=0.9)
    for verdict in found.verdicts:
        for target in verdict.targets:
            assert target.status == "met"
            assert found.estimates[target.dimension].interval.low > target.limit
        assert verdict.status == "met"
        assert verdict.probability > 0.99
    names = {"pass": "pass@k", "avg": "avg@n", "cons": "cons@n"}
    for dimension, name in names.items():
        assert found.estimates[dimension] == estimate(
            of_counts(4, counts), name, confidence_level=0.9
        )


def test_one_target_missed_is_enough_and_one_open_leaves_it_open():
    missed = guidance(of_counts(4, [4] * 50 + [0] * 50)).verdicts[0]
    assert missed.status == "not met"
    open_one = UseCase("x", Text("x"), Text("x"), {"pass": 0.1, "avg": 0.5})
    (verdict,) = guidance(of_counts(4, [4] * 10 + [0] * 10), scenarios=[open_one]).verdicts
    assert [target.status for target in verdict.targets] == ["met", "undecided"]
    assert verdict.status == "undecided"


def test_aisbench_s_scenarios_have_its_targets():
    assert [dict(scenario.targets) for scenario in USE_CASES] == [
        {"cons": 0.8, "pass": 0.9},
        {"pass": 0.8, "avg": 0.7},
        {"avg": 0.75},
    ]


@pytest.mark.parametrize(("right", "line"), [(65, 0.7), (65, 0.6), (45, 0.5)])
def test_so_many_questions_settle_it(right, line):
    """The rule of thumb is right within a third: fewer leave it open, more do not."""

    def found(m):
        return estimate(
            Tally([1, 1], [0, 1], [round(m * (100 - right) / 100), round(m * right / 100)]), "avg@n"
        )

    needed = questions_to_settle(found(100), line)
    assert (
        found(round(0.66 * needed)).interval.low < line < found(round(0.66 * needed)).interval.high
    )
    low, high = found(round(1.34 * needed)).interval
    assert not low < line < high


def test_a_value_on_a_line_is_never_settled():
    found = guidance([[1]] * 50 + [[0]] * 50)
    assert questions_to_settle(found.estimates["avg"], 0.5) is None
    assert found.questions() is None
    assert guidance(of_counts(4, [0] * 400)).questions() == 0
