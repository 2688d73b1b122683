"""Which n a rule chooses, by the words of the rule, and how safely."""

from itertools import pairwise
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from kofn.choose_n.words import advice_in_words
from metrics import Tally, choose_n
from metrics.analyses.choose_n.rules import Aim, Sure, advise, chosen_by
from metrics.analyses.choose_n.weighing import mixed_remarks
from tests.metrics import exact
from tests.metrics.analyses.choose_n.unequal_questions import matrix

SOLVED = [0.4, 0.6, 0.7, 0.72]
PAID = [1.0, 1.6, 2.0, 2.3]


@pytest.mark.parametrize(
    ("rule", "limit", "n"),
    [
        ("reach", 0.684, 3),
        ("quality", 0.4, 1),
        ("quality", 0.41, 2),
        ("quality", 0.72, 4),
        ("quality", 0.73, 0),
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


def test_value_given_comes_first_then_budget_then_quality_then_reach():
    R = matrix()
    both = choose_n(R, value_per_solved=5, budget=2)
    assert both.rule == "value"
    assert set(both.advice) == {"reach", "budget", "value"}
    assert choose_n(R, budget=2, quality=0.5).rule == "budget"
    assert choose_n(R, quality=0.5).rule == "quality"
    plain = choose_n(R)
    assert plain.rule == "reach"
    assert set(plain.advice) == {"reach"}
    advice = both.advice["value"]
    assert (both.n, both.interval, both.safe_n) == (advice.n, advice.interval, advice.safe_n)


def test_the_safe_n_is_the_quantile_of_resampled_questions():
    """A bootstrap of single questions, by its definition, gives the same up to its own noise."""
    R, rng = matrix(50, 8, 1), np.random.default_rng(1)
    solved = np.array([[1 - float(exact.none_right(8, c, k)) for k in range(9)] for c in range(9)])
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


@pytest.mark.parametrize("budget", [1.3, 2.0, 2.6, 4.0])
def test_the_safe_n_of_a_budget_is_within_the_upper_limit_of_the_cost(budget):
    """Clopper-Pearson at Korn and Graubard's size, one-sided, of each question's share of n."""
    right = matrix(60, 6, 3).sum(axis=1)
    safe = 0
    for n in range(1, 7):
        tries = [sum(comb(6 - c, k) / comb(6, k) for k in range(n)) for c in right]
        x = np.array(tries) / n
        m, mean = len(x), x.mean()
        rho = (m * x.var(ddof=1) + 1) / (m * mean * (1 - mean) + 1)
        size = m / rho * (stats.norm.ppf(0.9) / stats.t.ppf(0.9, m - 1)) ** 2
        most = stats.beta.ppf(0.9, size * mean + 1, size * (1 - mean)) if mean < 1 else 1.0
        if n * most > budget:
            break
        safe = n
    found = choose_n(matrix(60, 6, 3), budget=budget, resamples=50).advice["budget"]
    assert found.safe_n == safe <= found.n


def test_a_larger_value_or_budget_never_buys_less():
    R = matrix(60, 12, 8)
    for name in ("value_per_solved", "budget"):
        ns = [choose_n(R, resamples=1, **{name: limit}).n for limit in (0.5, 1, 2, 3, 5, 8, 20, 99)]
        assert all(a <= b for a, b in pairwise(ns))
        assert ns[0] == 0
        assert ns[-1] > 1


def test_words_say_the_n_and_the_limit():
    choice = choose_n(matrix(100, 8), budget=2.5, value_per_solved=6)
    reach, budget, value = (
        str(advice_in_words(choice.advice[rule], "${:g}".format))
        for rule in ("reach", "budget", "value")
    )
    target = 0.95 * choice.table.quality[-1]
    safe = choice.advice["reach"].safe_n
    assert reach == f"n = {safe} is 95% sure to reach {target:.1%}, which is 95% of pass@8."
    assert "90% sure to stay within $2.5 a question" in budget
    assert "the $6 it is worth" in value
    growing = advice_in_words(choose_n(matrix(100, 3), reach=1.0).advice["reach"])
    assert "No n below 3, the largest measured, is 95% sure to reach" in str(growing)
    plenty = choose_n(matrix(100, 8), budget=99, value_per_solved=1e9)
    assert "a larger one may too" in str(advice_in_words(plenty.advice["budget"]))


def laid_out():
    """Eight resamples of which the first is good at n = 1, the next at 2, and so on."""
    n = np.arange(1, 9)
    quality = np.where(n >= n[:, None], 1.0, 0.1)
    cost = np.where(n <= n[:, None], 1.0, 99.0)
    table = SimpleNamespace(n=n, quality=quality[3], cost=cost[3])
    return table, Sure(quality[5], cost[0], (quality, cost))


@pytest.mark.parametrize(
    ("aim", "safe"),
    [
        (Aim("reach", 0.9, 0.9, "", "pass@8", np.full((8, 1), 0.9)), 8),
        (Aim("quality", 0.9, 0.9), 6),
        (Aim("budget", 1.0), 1),
    ],
)
def test_quantiles_lie_outside_where_they_fall_between_resamples(aim, safe):
    """To reach a share takes nearly all resamples, a quality and a budget their limits."""
    advice = advise(aim, *laid_out(), 0.5)
    assert (advice.n, advice.interval, advice.safe_n) == (4, (2, 7), safe)


@pytest.mark.parametrize("target", [0.3, 0.5, 0.58])
def test_the_safe_n_of_a_quality_is_where_its_lower_limit_is_enough(target):
    """Clopper-Pearson at Korn and Graubard's size, one-sided."""
    right = matrix(60, 6, 3).sum(axis=1)
    safe = 0
    for n in range(6, 0, -1):
        x = np.array([1 - comb(6 - c, n) / comb(6, n) for c in right])
        m, mean = len(x), x.mean()
        rho = (m * x.var(ddof=1) + 1) / (m * mean * (1 - mean) + 1)
        size = m / rho * (stats.norm.ppf(0.9) / stats.t.ppf(0.9, m - 1)) ** 2
        if stats.beta.ppf(0.1, size * mean, size * (1 - mean) + 1) >= target:
            safe = n
    found = choose_n(matrix(60, 6, 3), quality=target, resamples=50)
    assert found.rule == "quality"
    assert found.safe_n == safe
    assert safe == 0 or found.n <= safe


def test_a_quality_that_nothing_is_sure_to_reach_has_no_n():
    advice = choose_n(matrix(60, 6, 3), quality=0.95).advice["quality"]
    assert advice.n == advice.safe_n == 0
    assert "No n up to 6, the largest measured, is 90% sure to solve 95%" in str(
        advice_in_words(advice)
    )


@pytest.mark.parametrize(("mixed", "said"), [(0, True), (24, True), (25, False)])
def test_fewer_than_25_questions_that_some_samples_solve_are_said(mixed, said):
    tally = Tally.of_questions(4, [2] * mixed + [0] * 30)
    assert bool([*mixed_remarks(tally, 4)]) is said
    assert not [*mixed_remarks(tally, 1)], "there is nothing to choose"
