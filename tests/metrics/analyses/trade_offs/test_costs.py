"""Mean costs: their value, what their interval rests on, and how often it holds."""

import numpy as np
import pytest
from scipy import stats

from metrics import FAILED, MetricError, Outcomes
from metrics.analyses.trade_offs.costs import mean_cost
from metrics.data.question import Question

THESE = Question("benchmark")
RNG = np.random.default_rng(4)
CORRECT = (RNG.random((30, 4)) < 0.5).astype(int)
COSTS = RNG.lognormal(1, 0.5, (30, 4))


def test_samples_cost_their_number_times_the_mean() -> None:
    assert mean_cost(CORRECT, COSTS, 3).value == pytest.approx(3 * COSTS.mean())
    assert mean_cost(CORRECT, COSTS).value == pytest.approx(4 * COSTS.mean())
    assert mean_cost(CORRECT, 0.25, 3).value == 0.75


def test_a_price_is_known_without_doubt() -> None:
    found = mean_cost(CORRECT, 2, 3)
    assert (found.value, found.interval, found.n_questions) == (6, None, 30)
    ragged = Outcomes([[1, 0, 1], [1, -2, -2]])
    assert mean_cost(ragged, 1.0).value == 2.0


def test_without_skewness_the_interval_is_student_s() -> None:
    costs = np.repeat([[1.0], [2.0], [3.0], [4.0]], 2, axis=1)
    found = mean_cost([[1, 0]] * 4, costs, 1)
    mean, error = 2.5, stats.sem([1, 2, 3, 4])
    assert found.interval == pytest.approx(stats.t.interval(0.95, 3, mean, error))


def test_a_long_tail_draws_the_interval_after_it() -> None:
    found = mean_cost([[1, 0]] * 20, np.repeat([[1.0]] * 19 + [[20.0]], 2, axis=1), 1)
    assert found.interval.high - found.value > 2 * (found.value - found.interval.low)


def test_these_questions_sampled_again_vary_by_their_samples_alone() -> None:
    level = np.repeat(RNG.lognormal(3, 1, (30, 1)), 4, axis=1)
    same = mean_cost(CORRECT, level, 1, question=THESE)
    assert same.interval == pytest.approx((same.value, same.value))
    found = mean_cost(CORRECT, COSTS, 2, question=THESE)
    error = 2 * np.sqrt((COSTS.var(axis=1, ddof=1) / 4).sum()) / 30
    assert found.interval.high - found.value == pytest.approx(stats.t.ppf(0.975, 90) * error)


def test_one_sample_tells_nothing_of_another_one_question_nothing_of_others() -> None:
    assert mean_cost([[1], [0]], [[2.0], [3.0]], question=THESE).interval is None
    assert mean_cost([[1, 0]], [[2.0, 3.0]]).interval is None


def test_costs_that_are_not_known_are_counted_and_stood_in_for() -> None:
    costs = COSTS.copy()
    costs[0, 0] = np.nan
    found = mean_cost(CORRECT, costs, 1)
    assert found.unknown == 1
    assert found.value == pytest.approx(COSTS.mean(), rel=0.05)


def test_failed_requests_that_are_left_out_cost_nothing() -> None:
    correct, costs = CORRECT.copy(), np.ones((30, 4))
    correct[:, 0], costs[:, 0] = FAILED, 9.0
    assert mean_cost(Outcomes(correct), costs, 1, question=Question(missing="omit")).value == 1.0
    assert mean_cost(Outcomes(correct), costs, 1).value == 3.0


def test_questions_of_a_cluster_count_together() -> None:
    level = np.repeat(RNG.lognormal(3, 0.5, 6), 5)[:, None] * np.ones((30, 4))
    clusters = np.repeat(np.arange(6), 5)
    alone = mean_cost(Outcomes(CORRECT), level, 1)
    together = mean_cost(Outcomes(CORRECT, clusters=clusters), level, 1)
    six = mean_cost(CORRECT[::5], level[::5], 1)
    assert together.value == pytest.approx(alone.value)
    assert together.interval == pytest.approx(six.interval)


def test_costs_must_have_the_shape_of_the_outcomes() -> None:
    with pytest.raises(MetricError, match="shape of the outcomes"):
        mean_cost(CORRECT, COSTS[:5])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "questions", "least"), [(0.5, 30, 0.93), (1.0, 30, 0.91), (1.0, 100, 0.92)]
)
def test_the_interval_holds_lognormal_costs_as_often_as_it_is_said(spread, questions, least):
    rng, held = np.random.default_rng(0), 0
    for _ in range(4000):
        costs = rng.lognormal(0, spread, (questions, 1))
        low, high = mean_cost(np.ones((questions, 1), int), costs, 1).interval
        held += low <= np.exp(spread**2 / 2) <= high
    assert held / 4000 >= least
