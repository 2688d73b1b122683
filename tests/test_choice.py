"""Choosing n against exact arithmetic: every order of the samples, and every rule by its words."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

import metrics
from metrics import ABSENT, FAILED, MetricError, Outcomes, Tally, choose_n, curve
from metrics.rules import chosen_by
from tests import exact

RNG = np.random.default_rng(6)


def matrix(m=40, n=8, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(0.5, 1, (m, 1))).astype(int)


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
        sum(1 - exact_none(8, int(c), k) for c in R.sum(axis=1)) / len(R) for k in range(1, 9)
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


def exact_none(n, c, k):
    chosen = list(combinations(range(n), k))
    return Fraction(sum(all(i >= c for i in each) for each in chosen), len(chosen))


def test_the_lessons_gain_of_the_fourth_try():
    table = choose_n(Tally([20], [7], [3])).table
    assert table.independent_gain[3] == pytest.approx(0.65**3 * 0.35)


def test_the_interval_of_a_solved_questions_cost_by_its_formula():
    R = matrix(30, 6, 3)
    table = choose_n(R, cost_per_sample=2.0, confidence_level=0.9).table
    c = R.sum(axis=1)
    for k in (1, 3, 6):
        solved = np.array([1 - float(exact_none(6, int(each), k)) for each in c])
        attempts = np.array(
            [sum(float(exact_none(6, int(each), j)) for j in range(k)) for each in c]
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


# The rules ----------------------------------------------------------------------------------------

SOLVED = [0.4, 0.6, 0.7, 0.72]
PAID = [1.0, 1.6, 2.0, 2.3]


@pytest.mark.parametrize(
    ("rule", "limit", "n"),
    [
        ("reach", 0.95, 3),
        ("reach", 1.0, 4),
        ("reach", 0.1, 1),
        ("budget", 0.9, 0),
        ("budget", 1.6, 2),
        ("budget", 2.2, 3),
        ("budget", 99, 4),
        ("value", 2.4, 0),
        ("value", 2.5, 1),
        ("value", 3.0, 2),
        ("value", 4.0, 3),
        ("value", 15.0, 4),
    ],
)
def test_each_rule_in_its_own_words(rule, limit, n):
    got = chosen_by(rule, limit, np.arange(1, 5), np.array(SOLVED), np.array(PAID))
    assert got == n
    twice = chosen_by(
        rule, limit, np.array([1, 3, 5, 7]), *map(np.array, ([SOLVED] * 2, [PAID] * 2))
    )
    assert twice.tolist() == [[0, 1, 3, 5, 7][n]] * 2


def test_value_stops_before_it_is_first_exceeded_even_if_cheaper_steps_follow():
    solved, paid = np.array([0.4, 0.41, 0.7]), np.array([1.0, 1.6, 2.0])
    assert chosen_by("value", 3.0, np.arange(1, 4), solved, paid) == 1


def test_value_given_comes_first_then_budget_then_reach():
    R = matrix()
    both = choose_n(R, value_per_solved=5, budget=2)
    assert both.rule == "value"
    assert set(both.advice) == {"reach", "budget", "value"}
    assert choose_n(R, budget=2).rule == "budget"
    plain = choose_n(R)
    assert plain.rule == "reach"
    assert set(plain.advice) == {"reach"}
    advice = both.advice["value"]
    assert (both.n, both.interval, both.safe_n) == (advice.n, advice.interval, advice.safe_n)


def test_the_safe_n_is_the_quantile_of_resampled_questions():
    """A bootstrap of single questions, by its definition, gives the same up to its own noise."""
    R, rng = matrix(50, 8, 1), np.random.default_rng(1)
    solved = np.array([[1 - float(exact_none(8, c, k)) for k in range(9)] for c in range(9)])
    c = R.sum(axis=1)
    found = []
    for _ in range(2000):
        means = solved[rng.choice(c, len(c))].mean(axis=0)
        found.append(next(k for k in range(1, 9) if means[k] >= 0.95 * means[8]))
    advice = choose_n(R).advice["reach"]
    low, safe, high = np.quantile(found, [0.025, 0.9, 0.975], method="nearest")
    assert abs(advice.safe_n - safe) <= 1
    assert abs(advice.interval[0] - low) <= 1
    assert abs(advice.interval[1] - high) <= 1


def test_resampling_is_seeded_and_a_generator_is_used_up():
    R = matrix(30, 16, 4)
    first, again = choose_n(R, resamples=50, rng=3), choose_n(R, resamples=50, rng=3)
    assert first.interval == again.interval
    assert first.safe_n == again.safe_n
    rng = np.random.default_rng(3)
    assert choose_n(R, resamples=50, rng=rng).interval == first.interval


def test_safe_is_careful_on_the_right_side():
    for seed in range(20):
        choice = choose_n(matrix(30, 8, seed), budget=2.0, value_per_solved=6)
        low, high = zip(*(advice.interval for advice in choice.advice.values()), strict=True)
        for advice, least, most in zip(choice.advice.values(), low, high, strict=True):
            assert least <= advice.safe_n <= most
        assert choice.advice["reach"].safe_n >= choice.advice["reach"].interval[0]


@settings(max_examples=60)
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


def test_a_larger_value_or_budget_never_buys_less():
    R = matrix(60, 12, 8)
    for name in ("value_per_solved", "budget"):
        ns = [choose_n(R, resamples=1, **{name: limit}).n for limit in (0.5, 1, 2, 3, 5, 8, 20, 99)]
        assert all(a <= b for a, b in pairwise(ns))
        assert ns[0] == 0
        assert ns[-1] > 1


# Costs --------------------------------------------------------------------------------------------


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


def test_many_questions_are_grouped_without_moving_a_mean():
    R = matrix(3000, 4, 9)
    costs = np.random.default_rng(2).lognormal(0, 1, R.shape)
    table = choose_n(R, cost_per_sample=costs).table
    few = [
        choose_n(R[i : i + 500], cost_per_sample=costs[i : i + 500]) for i in range(0, 3000, 500)
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


# Edges --------------------------------------------------------------------------------------------


def told(choice):
    return " ".join(map(str, choice.remarks))


def test_one_sample_of_each_question_leaves_nothing_to_choose():
    choice = choose_n([[1], [0], [1]], budget=1.0)
    assert choice.table.n.tolist() == [1]
    assert choice.n == 1
    reach = choice.advice["reach"]
    assert reach.n is reach.safe_n is reach.interval is None
    assert "sample every question several times" in str(reach.sentence())
    assert "A larger n needs 2 samples of every question or more" in told(choice)
    assert "With so few" not in told(choose_n([[1], [0]] * 20)), "there is no n that could be small"
    votes = choose_n([[1, 0], [0, 0], [1, 1]], verifier=False)
    assert votes.table.n.tolist() == [1]
    assert "needs 3 samples of every question" in told(votes)


def test_one_question_says_nothing_about_others():
    choice = choose_n([[1, 0, 0, 1]], value_per_solved=9)
    assert choice.n == 3
    assert choice.interval is choice.safe_n is None
    alone = "one question (or group of questions) says nothing"
    assert alone in str(choice.advice["value"].sentence())
    assert np.isnan(choice.table.cost_per_solved_low).all()
    group = choose_n(Outcomes(matrix(), clusters=np.zeros(40, int))).advice["reach"]
    assert alone in str(group.sentence())


def test_all_right():
    choice = choose_n(np.ones((20, 4), int), value_per_solved=5)
    assert {advice.n for advice in choice.advice.values()} == {1}
    assert choice.interval == (1, 4), "a larger n costs no more where nothing is left to solve"
    assert choice.table.cost.tolist() == [1.0] * 4
    assert np.isnan(choice.table.cost_per_further[1:]).all()
    assert choice.table.cost_per_solved_high[3] > 1.5


def test_none_right():
    choice = choose_n(np.zeros((20, 4), int), value_per_solved=5, budget=2.5, cost_per_sample=0.5)
    assert choice.n == choice.safe_n == 0
    assert "Not even one sample" in str(choice.advice["value"].sentence())
    assert choice.advice["budget"].n == 4
    reach = choice.advice["reach"]
    assert reach.n is None
    assert "No question was solved" in str(reach.sentence())
    table = choice.table
    assert np.isnan(table.cost_per_solved).all()
    assert np.isinf(table.cost_per_solved_high).all()
    np.testing.assert_allclose(table.cost_per_solved_low, 0.5 * table.n / table.quality_high)


def test_ragged_data_go_up_to_what_every_question_has():
    verdicts = matrix(12, 6, 2)
    verdicts[::2, 4:] = ABSENT
    choice = choose_n(Outcomes(verdicts))
    assert choice.table.n.tolist() == [1, 2, 3, 4]
    assert "Questions have 4 to 6 samples" in told(choice)
    np.testing.assert_allclose(choice.table.quality, curve(Outcomes(verdicts), "pass@k").value)


def test_very_many_samples_are_looked_at_as_far_as_anyone_would_pay():
    choice = choose_n(Tally([3000] * 3, [0, 2, 900], [5, 5, 5]), resamples=20)
    assert choice.table.n[-1] == 1024
    assert "no n above 1,024" in told(choice)


def test_many_clusters_take_no_more_than_their_curves():
    verdicts = matrix(3000, 4, 1)
    choice = choose_n(Outcomes(verdicts, clusters=np.arange(3000)), resamples=100)
    plain = choose_n(verdicts, resamples=100)
    np.testing.assert_allclose(choice.table.cost_per_solved_low, plain.table.cost_per_solved_low)
    assert choice.interval[0] <= plain.n <= choice.interval[1]


def test_without_a_verifier_it_says_why_pass_is_out_of_reach_and_what_instead():
    answers = matrix(12, 5, 3)
    votes = choose_n(answers, verifier=False)
    assert votes.metric == "maj@k"
    assert not votes.stopping
    assert "pass@n is out of reach" in told(votes)
    assert "no extracted answers" in told(votes)
    plural = choose_n(answers, verifier=False, answers=answers)
    assert plural.metric == "plurality@k"
    assert "most common of n answers" in told(plural)
    assert np.isnan(plural.table.independent_gain).all()
    ragged = np.where(np.arange(60).reshape(12, 5) == 7, ABSENT, answers)
    fallen = choose_n(Outcomes(ragged), verifier=False, answers=answers)
    assert fallen.metric == "maj@k"
    assert "same number of samples" in told(fallen)


def test_few_questions_copies_and_failures_are_told():
    assert "too few" in told(choose_n(matrix(5, 4)))
    copied = np.repeat(matrix(40, 1, 1), 6, axis=1)
    assert "copies of one another" in told(choose_n(copied)) or "same verdict" in told(
        choose_n(copied)
    )
    failed = matrix(20, 5, 1)
    failed[0, :3] = FAILED
    assert "3 of 100 samples (3.0%) failed" in told(choose_n(Outcomes(failed)))


def test_few_mixed_questions_are_told():
    hopeless = np.zeros((100, 6), int)
    hopeless[:7, :2] = 1
    assert "7 questions were solved by some samples" in told(choose_n(hopeless))
    assert "solved by some samples" not in told(choose_n(matrix(100, 6)))


def test_clusters_are_resampled_as_a_whole():
    verdicts = np.repeat(matrix(10, 8, 7), 6, axis=0)
    clusters = np.repeat(np.arange(10), 6)
    alone = choose_n(Outcomes(verdicts))
    together = choose_n(Outcomes(verdicts, clusters=clusters))
    np.testing.assert_allclose(together.table.quality, alone.table.quality)
    np.testing.assert_allclose(together.table.cost, alone.table.cost)
    width = [
        np.log(c.table.cost_per_solved_high / c.table.cost_per_solved_low)
        for c in (alone, together)
    ]
    assert np.all(width[1] > 1.5 * width[0])
    assert np.ptp(together.interval) > np.ptp(alone.interval)


def test_clusters_of_different_sizes_weigh_by_their_questions():
    verdicts = matrix(9, 4, 3)
    clusters = [0, 0, 0, 0, 0, 1, 1, 2, 3]
    choice = choose_n(Outcomes(verdicts, clusters=clusters), cost_per_sample=np.ones((9, 4)))
    np.testing.assert_allclose(choice.table.quality, curve(verdicts, "pass@k").value)


def test_words_say_the_n_and_the_limit():
    choice = choose_n(matrix(100, 8), budget=2.5, value_per_solved=6)
    reach, budget, value = (
        str(choice.advice[rule].sentence("${:g}".format)) for rule in ("reach", "budget", "value")
    )
    assert (
        f"n = {choice.advice['reach'].safe_n} reaches 95% of pass@8, the largest measured" in reach
    )
    assert "about 90% bootstrap confidence" in reach
    assert "$2.5 a question" in budget
    assert "the $6 it is worth" in value
    growing = choose_n(matrix(100, 3), reach=1.0).advice["reach"].sentence()
    assert "No n below 3 is 90% sure, by resampled questions, to reach 100% of pass@3" in str(
        growing
    )
    plenty = choose_n(matrix(100, 8), budget=99, value_per_solved=1e9)
    assert "a larger one may too" in str(plenty.advice["budget"].sentence())


def test_the_table_cannot_be_changed():
    choice = choose_n(matrix())
    with pytest.raises(ValueError, match="read-only"):
        choice.table.cost[0] = 0
    assert metrics.Choice is type(choice)
