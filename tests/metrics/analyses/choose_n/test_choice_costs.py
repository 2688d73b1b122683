"""Costs of single samples, known or not, and prices and limits that make no sense."""

import numpy as np
import pytest

from metrics import ABSENT, FAILED, MetricError, Outcomes, Tally, choose_n
from tests.metrics.analyses.choose_n.unequal_questions import matrix


def test_right_and_wrong_samples_have_their_own_costs_question_by_question():
    R = matrix(200, 6, 5)
    costs = np.where(R == 1, 2.0, 10.0)
    table = choose_n(R, cost_per_sample=costs).table
    expected = 10 * (table.attempts - table.quality) + 2 * table.quality
    np.testing.assert_allclose(table.cost, expected, rtol=1e-12)


def test_equal_costs_in_a_matrix_are_a_price():
    R = matrix(30, 6, 5)
    one = choose_n(R, cost_per_sample=3.0, budget=9.0, value_per_solved=20)
    other = choose_n(R, cost_per_sample=np.full(R.shape, 3), budget=9.0, value_per_solved=20)
    for name, array in vars(one.table).items():
        np.testing.assert_allclose(getattr(other.table, name), array, rtol=1e-10, err_msg=name)
    assert {r: a.n for r, a in one.advice.items()} == {r: a.n for r, a in other.advice.items()}


@pytest.mark.wide
def test_many_questions_are_grouped_without_moving_a_mean():
    R = matrix(1500, 4, 9)
    costs = np.random.default_rng(2).lognormal(0, 1, R.shape)
    table = choose_n(R, cost_per_sample=costs).table
    few = [
        choose_n(R[i : i + 500], cost_per_sample=costs[i : i + 500]) for i in range(0, 1500, 500)
    ]
    np.testing.assert_allclose(table.cost, np.mean([f.table.cost for f in few], axis=0), rtol=1e-10)


def test_costs_that_are_not_known_are_counted_and_replaced_by_a_mean():
    R = [[1, 0, 0], [0, 0, 0], [1, 1, 1]]
    costs = np.array([[2.0, np.nan, 6], [np.nan, np.nan, np.nan], [4, 4, np.nan]])
    choice = choose_n(R, cost_per_sample=costs)
    told = [str(remark) for remark in choice.remarks]
    assert any(remark.startswith("5 of 9 samples have no known cost") for remark in told)
    # Question 1: right 2, wrong 6; question 2: wrong 6 (mean of all); question 3: right 4.
    np.testing.assert_allclose(choice.table.cost[0], np.mean([(2 + 6 + 6) / 3, 6, 4]))


def test_failed_and_absent_samples_and_segments_keep_costs_in_step():
    verdicts = np.array([[1, 0, FAILED], [0, ABSENT, ABSENT], [ABSENT] * 3, [1, 1, 0]])
    costs = np.array([[1, 2, 4], [8, np.nan, np.nan], [np.nan] * 3, [16, 32, 64.0]])
    outcomes = Outcomes(verdicts, segments={"part": ["a", "b", "a", "a"]})
    whole = choose_n(outcomes, cost_per_sample=costs)
    assert whole.table.n.tolist() == [1]
    assert whole.table.cost[0] == pytest.approx(np.mean([7 / 3, 8, 112 / 3]))
    part = choose_n(outcomes, cost_per_sample=costs, segment=("part", "a"), missing="omit")
    assert part.table.n.tolist() == [1, 2]
    assert part.n_questions == 2
    assert part.table.cost[0] == pytest.approx(np.mean([3 / 2, 112 / 3]))


@pytest.mark.parametrize(
    ("cost", "told"),
    [
        (0, "must cost from 1e-30 to 1e\\+12; got 0"),
        (-1.0, "must cost from 1e-30 to 1e\\+12; got -1"),
        (np.inf, "must cost from 1e-30"),
        (np.nan, "must cost from 1e-30"),
        (1e300, "must cost from 1e-30"),
        (10**400, "must cost from 1e-30"),
        (1e-320, "must cost from 1e-30"),
        ([[1, -2], [1, 1]], "cannot be negative; got -2"),
        ([[1, 1e13], [1, 1]], "at most 1e\\+12; got 1e\\+13"),
        ([[1, np.inf], [1, 1]], "at most 1e\\+12; got inf"),
        ([[1, -np.inf], [1, 1]], "cannot be negative; got -inf"),
        ([[0, 0], [0, 0]], "No costs are known, or they are below 1e-30 on average"),
        ([[1e-320] * 2] * 2, "No costs are known, or they are below 1e-30 on average"),
        ([[np.nan] * 2] * 2, "No costs are known, or they are below 1e-30 on average"),
        (np.ma.masked_less([[1, 0], [2, 3]], 1), "NaN where a cost is not known"),
        ([[1, 1]], "shape of the outcomes"),
        ([1, 1], "a number or a matrix"),
        ("dear", "a number or a matrix"),
        ([["a", "b"], ["c", "d"]], "a number or a matrix"),
        ([[1], [1, 2]], "a number or a matrix"),
        (None, "a number or a matrix"),
        (True, "a number or a matrix"),
    ],
    ids=str,
)
def test_absurd_prices_are_refused_with_a_sentence(cost, told):
    with pytest.raises(MetricError, match=told):
        choose_n([[1, 0], [0, 0]], cost_per_sample=cost)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"budget": 0}, "budget must be a finite positive"),
        ({"budget": -3}, "budget must be a finite positive"),
        ({"value_per_solved": np.nan}, "value_per_solved must be a finite positive"),
        ({"reach": 0}, "reach must be above 0"),
        ({"reach": 1.2}, "reach must lie in 0 … 1"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
        ({"resamples": 0}, "resamples must be at least 1"),
        ({"metric": "pass^k"}, "n is chosen for pass@k, maj@k, plurality@k"),
        ({"metric": "plurality@k"}, "no extracted answers"),
    ],
    ids=str,
)
def test_arguments_out_of_range_are_refused(arguments, told):
    with pytest.raises(MetricError, match=told):
        choose_n([[1, 0], [0, 0]], **arguments)


def test_a_tally_has_no_costs_of_its_own():
    with pytest.raises(MetricError, match="This needs the outcome of each sample; a tally has"):
        choose_n(Tally([2], [1], [3]), cost_per_sample=np.ones((3, 2)))
