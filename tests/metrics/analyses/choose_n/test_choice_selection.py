"""Which of several runs is taken at which n, by the words of the aim, and how likely it is best."""

from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from kofn.choose_n.words import advice_in_words
from metrics import MetricError, Outcomes, choose_among, choose_n
from metrics.analyses.choose_n.gains_and_costs import UNITS, resampled_together
from metrics.analyses.choose_n.rules import CONFIDENCE, confidence_among
from metrics.analyses.choose_n.weighing import weigh
from metrics.analyses.compare.best import chances_of_best
from metrics.data.evidence import Evidence
from tests.metrics.analyses.choose_n.unequal_questions import matrix

RULES = {"value_per_solved": 6.0, "budget": 2.5, "quality": 0.45, "reach": 0.9}


def runs(m=80, n=8, count=3, seed=0):
    """Runs that find the same questions hard, the later the better."""
    rng = np.random.default_rng(seed)
    rates = rng.beta(0.7, 1, (m, 1))
    return {
        name: Outcomes((rng.random((m, n)) < rates ** (1 / (1 + place))).astype(int))
        for place, name in enumerate("abc"[:count])
    }


PRICES = {"a": 1.0, "b": 1.5, "c": 4.0}


@pytest.mark.parametrize("rule", RULES)
def test_of_a_single_run_it_is_the_choice_of_n(rule):
    R = matrix(60, 8, 2)
    alone = choose_among({"x": R}, **{rule: RULES[rule]}).choices["x"]
    plain = choose_n(R, **{rule: RULES[rule]})
    assert alone.advice[alone.rule] == plain.advice[plain.rule]


def test_for_a_quality_the_cheapest_that_is_sure_is_taken():
    chosen = choose_among(runs(), quality=0.45, cost_per_sample=PRICES)
    sure = {
        run: choice.table.cost[choice.safe_n - 1]
        for run, choice in chosen.choices.items()
        if choice.safe_n
    }
    assert len(sure) == 3
    assert chosen.run == min(sure, key=sure.get) == "b"


def test_within_a_budget_the_one_that_solves_most_is_taken():
    chosen = choose_among(runs(), budget=2.5, cost_per_sample=PRICES)
    assert chosen.choices["c"].safe_n == 0
    solved = {
        run: choice.table.quality[choice.safe_n - 1]
        for run, choice in chosen.choices.items()
        if choice.safe_n
    }
    assert chosen.run == max(solved, key=solved.get)


def test_for_a_worth_the_one_that_leaves_most_beyond_its_cost_is_taken():
    prices = PRICES | {"c": 3.0}
    chosen = choose_among(runs(), value_per_solved=12.0, cost_per_sample=prices)
    solved, left = {}, {}
    for run, choice in chosen.choices.items():
        at = choice.safe_n - 1
        solved[run] = choice.table.quality[at]
        left[run] = 12 * solved[run] - choice.table.cost[at]
    assert chosen.run == max(left, key=left.get)
    assert chosen.run != max(solved, key=solved.get)


def test_a_share_is_of_the_best_run_for_all_of_them():
    chosen = choose_among(runs(), reach=0.9, cost_per_sample=PRICES)
    best = max(choice.table.quality[-1] for choice in chosen.choices.values())
    assert chosen.aim.run == "c"
    assert chosen.aim.target == pytest.approx(0.9 * best)
    for choice in chosen.choices.values():
        advice = choice.advice["reach"]
        at = np.flatnonzero(choice.table.quality >= chosen.aim.target - 1e-12)
        assert advice.n == (choice.table.n[at[0]] if len(at) else 0)
    assert chosen.choices["a"].safe_n == 0, "it never reaches what the best one does"
    assert "of pass@8 of c" in str(advice_in_words(chosen.choices["a"].advice["reach"]))


def curves(outcomes, price):
    """Quality and cost of each question at every n, by their definitions."""
    c, n = outcomes.correct.sum(axis=1), outcomes.shape[1]
    missed = np.array([[comb(n - each, k) / comb(n, k) for k in range(n + 1)] for each in c])
    return 1 - missed[:, 1:], price * np.cumsum(missed[:, :-1], axis=1)


@pytest.mark.wide
@pytest.mark.parametrize("rule", ["value_per_solved", "budget", "quality"])
@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
def test_the_chance_is_that_of_what_the_aim_values_question_by_question(rule, clusters):
    """By the covariance of merits at the n to use, where one question of each side is unseen."""
    prices, limit = {"a": 1.0, "b": 1.6}, {**RULES, "quality": 0.3}[rule]
    drawn = {run: Outcomes(of.correct, clusters=clusters) for run, of in runs(60, 6, 2).items()}
    chosen = choose_among(drawn, cost_per_sample=prices, **{rule: limit})
    merits = []
    for run, choice in chosen.choices.items():
        quality, cost = (of[:, choice.safe_n - 1] for of in curves(drawn[run], prices[run]))
        merits.append(
            {"budget": quality, "value_per_solved": limit * quality - cost}.get(rule, -cost)
        )
    columns = np.stack(merits, axis=1)
    means = columns.mean(axis=0)
    sums = columns - means
    if clusters is not None:
        sums = sums.reshape(20, 3, 2).sum(axis=1)
    covariance = (
        len(sums) * np.cov(sums.T) / 60**2
        + np.eye(2) * np.square(np.diff(columns)).mean() / 60**2 / 2
    )
    expected = chances_of_best(means, covariance)
    assert list(chosen.chances.values()) == pytest.approx(expected.chances, abs=0.002)
    assert list(chosen.losses.values()) == pytest.approx(expected.losses, rel=0.01)
    if clusters is None:
        assert chosen.chances[chosen.run] == max(chosen.chances.values())


def test_a_run_without_an_n_to_use_has_no_chance_and_one_alone_is_the_best():
    chosen = choose_among(runs(), reach=0.9, cost_per_sample=PRICES)
    assert "a" not in chosen.chances
    assert sum(chosen.chances.values()) == pytest.approx(1)
    alone = choose_among({"x": matrix(30, 4, 1)}, quality=0.2)
    assert (alone.chances, alone.losses) == ({"x": 1.0}, {"x": 0.0})
    assert alone.to_frame()["chance_of_best"].tolist() == [1.0]


def test_runs_known_by_counts_alone_are_independent():
    data = runs(200, 6)
    chosen = choose_among({name: run.tally() for name, run in data.items()}, budget=2.0)
    columns = [
        curves(run, 1.0)[0][:, chosen.choices[name].safe_n - 1] for name, run in data.items()
    ]
    means, variances = zip(
        *((each.mean(), each.var(ddof=1) / 200) for each in columns), strict=True
    )
    unlike = 2 * (200 * np.mean(variances) + np.var(means, ddof=1))
    variances = np.array(variances) + unlike / 200**2 / 2
    expected = chances_of_best([each.mean() for each in columns], np.diag(variances))
    assert list(chosen.chances.values()) == pytest.approx(expected.chances, abs=0.002)


def test_equal_runs_are_the_best_by_chance_and_a_better_one_surely():
    twins = {name: Outcomes(matrix(100, 8, seed)) for seed, name in enumerate(("one", "other"))}
    chances = choose_among(twins, budget=3.0).chances
    assert 0.02 < chances["one"] < 0.98
    better = choose_among(
        {"bad": matrix(200, 4, 1) & matrix(200, 4, 2), "good": np.ones((200, 4), int)}
    )
    assert (better.run, better.chances["good"]) == ("good", 1.0)


def test_only_questions_that_all_runs_have_count_whatever_their_order():
    first = Outcomes(matrix(30, 4, 1), questions=[f"q{i}" for i in range(30)])
    order = np.random.default_rng(3).permutation(40)
    other = Outcomes(matrix(40, 4, 2)[order], questions=[f"q{i}" for i in order])
    chosen = choose_among({"first": first, "other": other}, quality=0.3)
    assert {choice.n_questions for choice in chosen.choices.values()} == {30}
    assert (
        "Only the 30 questions that all runs share count; the runs have 30 to 40 questions."
        in map(str, chosen.remarks)
    )
    same = Outcomes(matrix(40, 4, 2)[:30], questions=[f"q{i}" for i in range(30)])
    expected = choose_among({"first": first, "other": same}, quality=0.3)
    assert chosen.chances == expected.chances
    np.testing.assert_allclose(
        chosen.choices["other"].table.quality, expected.choices["other"].table.quality
    )
    with pytest.raises(MetricError, match="No question is in all of these runs"):
        choose_among({"first": first, "x": Outcomes([[1, 0]], questions=["elsewhere"])})


def test_clusters_are_resampled_as_a_whole_for_all_runs():
    verdicts = np.repeat(matrix(12, 6, 7), 5, axis=0)
    worse = verdicts & np.repeat(matrix(12, 6, 8), 5, axis=0)
    clusters = np.repeat(np.arange(12), 5)
    alone = choose_among({"x": verdicts, "y": worse}, quality=0.3)
    together = choose_among(
        {"x": Outcomes(verdicts, clusters=clusters), "y": Outcomes(worse)}, quality=0.3
    )
    for run in ("x", "y"):
        one, all_alike = together.choices[run].advice["quality"], alone.choices[run].table
        np.testing.assert_allclose(together.choices[run].table.quality, all_alike.quality)
        assert np.ptp(one.interval) >= np.ptp(alone.choices[run].advice["quality"].interval)
    half = np.diff(np.quantile(means(together_ledgers(verdicts, worse, clusters)), [0.025, 0.975]))
    assert half > 1.5 * np.diff(
        np.quantile(means(together_ledgers(verdicts, worse)), [0.025, 0.975])
    )


def together_ledgers(verdicts, worse, clusters=None):
    return [
        weigh(Evidence(Outcomes(each, clusters=clusters)), "pass@k", 1.0, True, each=True).units
        for each in (verdicts, worse)
    ]


def means(ledgers):
    """Resampled qualities of the first at n = 1."""
    return resampled_together(ledgers, 1000, np.random.default_rng(1))[0][0][:, 0]


def test_random_blocks_of_very_many_questions_vary_as_much_as_the_questions():
    verdicts = matrix(6 * UNITS, 2, 3)
    x = verdicts.mean(axis=1)
    found = means(together_ledgers(verdicts, verdicts))
    assert found.std() == pytest.approx(x.std() / np.sqrt(len(x)), rel=0.12)
    assert found.mean() == pytest.approx(x.mean(), abs=3 * x.std() / np.sqrt(1000 * len(x)) + 1e-3)


def test_runs_of_one_sample_one_question_or_no_success_give_no_choice():
    once = choose_among({"x": matrix(30, 1, 1), "y": matrix(30, 1, 2)})
    assert once.run is None
    assert once.aim.target is None
    alone = choose_among({"x": [[1, 0, 1]], "y": [[0, 0, 1]]})
    assert alone.run is None
    assert alone.chances == {}
    nothing = choose_among({"x": np.zeros((9, 3), int), "y": np.zeros((9, 3), int)})
    assert (nothing.run, nothing.aim.target) == (None, 0)


def test_votes_by_answers_are_not_compared_with_votes_without():
    R = matrix(20, 5, 1)
    with_answers = SimpleNamespace(outcomes=Outcomes(R), answers=R)
    with pytest.raises(MetricError, match="compared by the same vote"):
        choose_among({"x": with_answers, "y": R}, verifier=False)
    assert choose_among({"x": with_answers, "y": R}, verifier=False, metric="maj@k").run


def test_limits_are_stricter_the_more_runs_there_are_to_pick_from():
    assert confidence_among(1) == CONFIDENCE
    assert confidence_among(4)["quality"] == pytest.approx(0.95)
    R = matrix(60, 8, 2)
    alone = choose_among({"x": R}, quality=0.4).choices["x"].advice["quality"]
    picked = choose_among(dict.fromkeys("wxyz", R), quality=0.4).choices["x"].advice["quality"]
    assert (alone.sure, picked.sure) == (0.9, 0.95)
    assert picked.safe_n > alone.safe_n
