"""Attempts, cost and quality for each n by exact arithmetic over every order of the samples."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

import metrics
from metrics import Outcomes, Tally, choose_n, curve
from tests.metrics import exact
from tests.metrics.analyses.choose_n.unequal_questions import matrix

RNG = np.random.default_rng(6)


def drawn(verdicts, cap, stopping):
    """The places of the samples that are drawn, in their order."""
    for place in range(cap):
        yield place
        if stopping and verdicts[place]:
            return


def by_orders(verdicts, costs, cap, stopping):
    """Mean attempts, cost and success over all orders of the samples of a question."""
    attempts, paid, solved, orders = 0, Fraction(0), 0, 0
    for order in permutations(range(len(verdicts))):
        places = [order[i] for i in drawn([verdicts[i] for i in order], cap, stopping)]
        attempts += len(places)
        paid += sum(Fraction(costs[i]) for i in places)
        right = sum(verdicts[i] for i in places)
        solved += right > 0 if stopping else 2 * right > cap
        orders += 1
    return Fraction(attempts, orders), paid / orders, Fraction(solved, orders)


QUESTIONS = [[1, 0, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0], [0, 1, 1, 1, 0]]
COSTS = [[3, 5, 7, 2, 4], [9, 8, 8, 1, 6], [1, 2, 1, 2, 3], [4, 4, 9, 2, 2], [5, 1, 1, 2, 7]]


@pytest.mark.parametrize("verifier", [True, False])
def test_attempts_costs_and_quality_are_means_over_all_orders(verifier):
    table = choose_n(QUESTIONS, cost_per_sample=COSTS, verifier=verifier).table
    assert table.n.tolist() == ([1, 2, 3, 4, 5] if verifier else [1, 3, 5])
    for at, cap in enumerate(table.n.tolist()):
        each = [by_orders(v, c, cap, verifier) for v, c in zip(QUESTIONS, COSTS, strict=True)]
        attempts, cost, quality = (sum(column) / len(each) for column in zip(*each, strict=True))
        assert exact.error(table.attempts[at], attempts) < 1e-14
        assert exact.error(table.cost[at], cost) < 1e-13
        assert exact.error(table.quality[at], quality) < 1e-14
        full = sum(cap * Fraction(sum(c), len(c)) for c in COSTS) / len(COSTS)
        assert exact.error(table.cost_in_full[at], full) < 1e-13


@pytest.mark.wide
@settings(max_examples=40)
@given(st.data())
def test_small_data_agree_with_all_orders(data):
    m, n = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    price = st.lists(st.integers(1, 50), min_size=n, max_size=n)
    verdicts = data.draw(st.lists(row, min_size=m, max_size=m))
    costs = data.draw(st.lists(price, min_size=m, max_size=m))
    table = choose_n(verdicts, cost_per_sample=costs, resamples=5).table
    for cap in range(1, n + 1):
        each = [by_orders(v, c, cap, True) for v, c in zip(verdicts, costs, strict=True)]
        attempts, cost, quality = (sum(column) / m for column in zip(*each, strict=True))
        got = table.attempts[cap - 1], table.cost[cap - 1], table.quality[cap - 1]
        np.testing.assert_allclose(got, list(map(float, (attempts, cost, quality))), rtol=1e-12)


def test_derived_columns_are_their_definitions():
    R = matrix()
    table = choose_n(R, cost_per_sample=0.5).table
    solved = [Fraction(0)] + [
        sum(1 - exact.none_right(8, int(c), k) for c in R.sum(axis=1)) / len(R) for k in range(1, 9)
    ]
    attempts = [sum((1 - each for each in solved[:k]), Fraction(0)) for k in range(9)]
    p = Fraction(int(R.sum()), R.size)
    for at, k in enumerate(range(1, 9)):
        gain, paid = solved[k] - solved[k - 1], (attempts[k] - attempts[k - 1]) / 2
        assert exact.error(table.gain[at], gain) < 1e-14
        assert exact.relative(table.cost_per_further[at], paid / gain) < 1e-10
        assert exact.relative(table.gain_per_cost[at], gain / paid) < 1e-10
        assert exact.relative(table.cost_per_solved[at], attempts[k] / 2 / solved[k]) < 1e-13
        assert exact.error(table.independent_gain[at], (1 - p) ** (k - 1) * p) < 1e-14


def test_the_lessons_gain_of_the_fourth_try():
    table = choose_n(Tally([20], [7], [3])).table
    assert table.independent_gain[3] == pytest.approx(0.65**3 * 0.35)


def test_the_interval_of_a_solved_questions_cost_by_its_formula():
    R = matrix(30, 6, 3)
    table = choose_n(R, cost_per_sample=2.0, confidence_level=0.9).table
    c = R.sum(axis=1)
    for k in (1, 3, 6):
        solved = np.array([1 - float(exact.none_right(6, int(each), k)) for each in c])
        attempts = np.array(
            [sum(float(exact.none_right(6, int(each), j)) for j in range(k)) for each in c]
        )
        a, b = attempts.mean(), solved.mean()
        e = attempts / a - solved / b
        half = t.ppf(0.95, 29) * np.sqrt((e @ e + (k / a) ** 2) / (29 * 30))
        expected = 2 * a / b * np.exp([-half, half])
        got = table.cost_per_solved_low[k - 1], table.cost_per_solved_high[k - 1]
        np.testing.assert_allclose(got, expected, rtol=1e-10)


@pytest.mark.parametrize(
    "data",
    [matrix(), Outcomes(matrix(24, 5, 2), clusters=np.arange(24) // 3), [[1, 0, 1, 1]]],
    ids=["plain", "clustered", "one question"],
)
@pytest.mark.parametrize("metric", ["pass@k", "maj@k"])
def test_quality_and_its_interval_are_those_of_the_curve(data, metric):
    table = choose_n(data, metric=metric, confidence_level=0.9).table
    expected = curve(data, metric, table.n.tolist(), confidence_level=0.9)
    for got, right in (
        (table.quality, expected.value),
        (table.quality_low, expected.low),
        (table.quality_high, expected.high),
    ):
        np.testing.assert_allclose(got, right, atol=1e-12)


def test_quality_by_answers_is_plurality_with_its_interval():
    answers = RNG.integers(0, 4, (30, 5))
    correct = (answers == 0).astype(int)
    choice = choose_n(correct, verifier=False, answers=answers)
    expected = curve(correct, "plurality@k", [1, 3, 5], answers=answers)
    assert choice.metric == "plurality@k"
    np.testing.assert_allclose(choice.table.quality, expected.value, atol=1e-12)
    np.testing.assert_allclose(choice.table.quality_low, expected.low, atol=1e-12)
    np.testing.assert_allclose(choice.table.attempts, [1, 3, 5])


def test_votes_are_counted_wherever_a_single_vote_is():
    """At n = 12 there are up to 924 subsets of k, which a scorecard counts exactly."""
    answers = RNG.integers(0, 4, (30, 12))
    correct = (answers == 0).astype(int)
    table = choose_n(correct, verifier=False, answers=answers, resamples=1).table
    expected = [metrics.plurality_at_k(answers, correct, k) for k in table.n.tolist()]
    np.testing.assert_allclose(table.quality, expected, atol=1e-12)


@pytest.mark.wide
@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(2, 30)), min_size=1, max_size=7),
    st.floats(1e-6, 1e6),
)
def test_what_holds_of_every_choice(pairs, price):
    counts = dict(pairs)
    tally = Tally([6] * len(counts), list(counts), list(counts.values()))
    choice = choose_n(tally, cost_per_sample=price, budget=3 * price, value_per_solved=9 * price)
    table = choice.table
    assert np.all(np.diff(table.quality) >= -1e-12)
    assert np.all(np.diff(table.cost) >= 0)
    assert np.all(table.quality_low <= table.quality + 1e-12)
    assert np.all(table.quality <= table.quality_high + 1e-12)
    assert np.all(table.attempts <= table.n + 1e-12)
    assert np.all(table.attempts >= 1)
    np.testing.assert_allclose(table.cost, price * table.attempts, rtol=1e-12)
    np.testing.assert_allclose(table.cost_in_full, price * table.n, rtol=1e-12)
    solved = table.quality > 0
    assert np.all(table.cost_per_solved_low[solved] <= table.cost_per_solved[solved])
    assert np.all(table.cost_per_solved[solved] <= table.cost_per_solved_high[solved])
    assert np.all(table.cost_per_solved_low > 0)
    assert np.isnan(table.cost_per_solved[~solved]).all()
    unit = choose_n(tally, budget=3, value_per_solved=9)
    assert [each.n for each in unit.advice.values()] == [each.n for each in choice.advice.values()]
