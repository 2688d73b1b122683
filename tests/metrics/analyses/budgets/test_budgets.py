"""Answers cut at a length, several short ones or a long one: against all subsets of small data."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

import metrics
from metrics import FAILED, MetricError, Outcomes
from metrics.analyses.budgets.measured import TOKENS, measure
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.estimating.limits import limits
from metrics.intervals.paired import paired_limits
from metrics.scoring.scores import QuestionScores
from reports import Run

RNG = np.random.default_rng(21)
RIGHT = (RNG.random((12, 5)) < RNG.random((12, 1))).astype(int)
TOKENS_OUT = RNG.integers(1, 9, (12, 5)) * 100.0
ANSWERS = np.where(RIGHT, 0, RNG.integers(1, 3, (12, 5)))
BUDGETS = [150, 300, 500, 650]
RAGGED = Outcomes(
    np.where(np.arange(5) < RNG.integers(3, 6, (12, 1)), RIGHT, -2),
    clusters=np.repeat(np.arange(6), 2),
)


def by_subsets(k, budget):
    """What k answers cut at a budget solve and take, over all subsets, exactly."""
    solved, spent = [], []
    for right, tokens in zip(RIGHT.tolist(), TOKENS_OUT.tolist(), strict=True):
        sets = list(combinations(range(5), k))
        hits = [any(right[j] and tokens[j] <= budget for j in each) for each in sets]
        taken = [sum(min(Fraction(tokens[j]), budget) for j in each) for each in sets]
        solved.append(Fraction(sum(hits), len(sets)))
        spent.append(Fraction(sum(taken), len(sets)))
    return solved, spent


def test_all_subsets_of_samples_give_what_is_solved_and_spent() -> None:
    found = metrics.token_budgets(RIGHT, TOKENS_OUT, ks=[1, 2, 3, 5], budgets=BUDGETS)
    assert found.budget.tolist() == [*map(float, BUDGETS), TOKENS_OUT.max()] * 4
    for k, budget, value, spent, cut in zip(
        found.k, found.budget, found.value, found.spent, found.cut, strict=True
    ):
        solved, taken = by_subsets(int(k), int(budget))
        assert value == pytest.approx(float(sum(solved) / 12))
        assert spent == pytest.approx(float(sum(taken) / 12))
        assert cut == pytest.approx((budget < TOKENS_OUT).mean())


def test_no_other_is_as_good_and_cheaper_than_the_best() -> None:
    found = metrics.token_budgets(RIGHT, TOKENS_OUT, budgets=BUDGETS)
    for i, best in enumerate(found.best):
        beaten = (found.spent <= found.spent[i]) & (found.value >= found.value[i])
        beaten &= (found.spent < found.spent[i]) | (found.value > found.value[i])
        assert best == (not beaten.any())


@pytest.mark.wide
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(
    ("data", "metric"),
    [
        (Outcomes(RIGHT), "pass@k"),
        (RAGGED, "pass@k"),
        (RAGGED, "maj@k"),
        (Outcomes(np.where(RIGHT | (TOKENS_OUT > 200), RIGHT, FAILED)), "pass@k"),
        (Outcomes(RIGHT), "plurality@k"),
    ],
)
def test_each_number_is_the_estimate_of_the_outcomes_cut_there(data, metric, target) -> None:
    votes = {"answers": ANSWERS} if metric == "plurality@k" else {}
    found = metrics.token_budgets(data, TOKENS_OUT, metric, [2, 3], BUDGETS, target=target, **votes)
    for place in range(len(found.k)):
        budget, k = found.budget[place], int(found.k[place])
        if votes:
            votes = {"answers": np.where(budget < TOKENS_OUT, -1, ANSWERS)}
        cut = metrics.cut_at(data, TOKENS_OUT, budget)
        expected = metrics.estimate(cut, metric, k, target=target, **votes)
        assert found.value[place] == pytest.approx(expected.value)
        assert (found.low[place], found.high[place]) == pytest.approx(expected.interval)


def test_usual_budgets_are_round_and_whole_up_to_the_longest_answer() -> None:
    found = metrics.token_budgets(RIGHT, TOKENS_OUT + 7, ks=[1])
    assert found.budget.tolist() == [125, 150, 200, 250, 300, 400, 500, 600, 800, 807]
    few = metrics.token_budgets(RIGHT, TOKENS_OUT / 100, ks=[1])
    assert few.budget.tolist() == [1, 2, 3, 4, 5, 6, 8]


def test_a_cut_answer_gives_no_vote() -> None:
    right, tokens, answers = [[1, 0, 0]] * 9, [[100, 900, 900]] * 9, [[1, 2, 2]] * 9
    found = metrics.token_budgets(right, tokens, "plurality@k", [3], [500], answers=answers)
    assert found.value.tolist() == [1.0, 0.0]


def test_failed_requests_stay_and_unmeasured_samples_are_left_out_and_counted() -> None:
    verdicts, tokens = RIGHT.copy(), TOKENS_OUT.copy()
    verdicts[0, 0], tokens[0, 0], tokens[1, :2] = FAILED, np.nan, np.nan
    found = metrics.token_budgets(Outcomes(verdicts), tokens, ks=[1])
    left = verdicts.copy()
    left[1, :2] = -2
    assert found.value[-1] == pytest.approx(metrics.estimate(Outcomes(left), "avg@n").value)
    known = np.nanmean(tokens, axis=1)
    assert found.spent[-1] == pytest.approx(known.mean())
    assert "Tokens: 2 of 59 samples have none and are left out." in map(str, found.caveats)
    omitted = metrics.token_budgets(Outcomes(verdicts), tokens, ks=[1], missing="omit")
    assert omitted.value[-1] > found.value[-1]


def test_what_failed_requests_took_is_what_the_others_did_and_omitted_ones_took_nothing() -> None:
    verdicts = np.array([[1, 0], [FAILED, FAILED], [1, FAILED]])
    tokens = np.array([[100, 300], [np.nan, np.nan], [500, 900]])
    found = metrics.token_budgets(Outcomes(verdicts), tokens, ks=[1], budgets=[400])
    assert found.spent.tolist() == [300, 450]
    assert found.n_questions == 3
    omitted = metrics.token_budgets(Outcomes(verdicts), tokens, ks=[1], missing="omit")
    assert (omitted.spent[-1], omitted.n_questions) == (350, 2)


def test_tokens_of_questions_that_cluster_are_less_sure() -> None:
    tokens = np.repeat(np.arange(1, 7), 2)[:, None] * np.ones((1, 5)) * 100
    alone, together = (
        metrics.token_budgets(data, tokens, ks=[1, 2])
        for data in (Outcomes(RIGHT), Outcomes(RIGHT, clusters=np.repeat(np.arange(6), 2)))
    )
    assert together.spent.tolist() == alone.spent.tolist()
    assert (together.spent_high > alone.spent_high)[-1]
    long = [
        metrics.short_or_long(data, tokens, 2).long.spent.interval
        for data in (Outcomes(RIGHT), Outcomes(RIGHT, clusters=np.repeat(np.arange(6), 2)))
    ]
    assert long[1].high > long[0].high


def test_a_budget_for_a_mean_is_the_largest_whole_one() -> None:
    for numbers in (TOKENS_OUT, np.where(RAGGED.correct >= 0, TOKENS_OUT, np.nan)):
        measured = measure(RAGGED, numbers, TOKENS)
        known = measured.amounts
        for spent in (0.4, 99, 100, 333.3, np.nanmean(known, axis=1).mean()):
            budget = measured.budget_for(spent)
            means = [np.nanmean(np.minimum(known, budget + more), axis=1).mean() for more in (0, 1)]
            assert means[0] <= spent * (1 + 1e-9)
            assert means[1] > spent or spent < 1 or budget >= np.nanmax(known)
        assert measured.budget_for(1e9) == np.inf


def test_short_ones_take_what_the_long_one_does_and_are_compared_on_the_same_questions() -> None:
    found = metrics.short_or_long(RIGHT, TOKENS_OUT, 3)
    budget = found.short.budget
    assert found.long.budget is None
    assert found.long.spent.value == pytest.approx(TOKENS_OUT.mean())
    assert TOKENS_OUT.mean() - 3 < found.short.spent.value <= TOKENS_OUT.mean()
    solved, spent = by_subsets(3, int(budget))
    alone = RIGHT.mean(axis=1)
    differences = np.array(solved, dtype=float) - alone
    assert found.short.spent.value == pytest.approx(float(sum(spent) / 12))
    assert found.gain.value == pytest.approx(differences.mean())
    ends = paired_limits(differences, np.ones(12, dtype=int), 0.95)
    assert found.gain.interval == pytest.approx(ends)
    cut = metrics.cut_at(RIGHT, TOKENS_OUT, budget)
    assert found.short.value.interval == metrics.estimate(cut, "pass@k", 3).interval
    assert found.long.value.interval == metrics.estimate(RIGHT, "avg@n").interval


def test_both_are_cut_for_fewer_tokens_and_one_alone_is_weighed_against_no_cut() -> None:
    found = metrics.short_or_long(RIGHT, TOKENS_OUT, 2, spent=300)
    assert found.short.budget < found.long.budget
    assert found.short.spent.value == pytest.approx(300, abs=2)
    assert found.long.spent.value == pytest.approx(300, abs=1)
    alone = metrics.short_or_long(RIGHT, TOKENS_OUT, 1, spent=300)
    assert (alone.short.budget, alone.long.budget) == (found.long.budget, None)
    assert alone.gain.interval.high <= 0.13
    with pytest.raises(MetricError, match="5 answers cannot share the 1 token of one"):
        metrics.short_or_long(RIGHT, np.ones(RIGHT.shape), 5)
    with pytest.raises(MetricError, match=r"An answer of 0\.5 tokens is not possible"):
        metrics.short_or_long(RIGHT, np.ones(RIGHT.shape), 1, spent=0.5)
    with pytest.raises(MetricError, match="One answer takes"):
        metrics.short_or_long(RIGHT, TOKENS_OUT, 2, spent=9000)


@pytest.mark.parametrize("spent", [None, 300.0])
def test_the_gain_is_less_sure_since_the_cut_would_move_with_other_questions(spent) -> None:
    rng = np.random.default_rng(8)
    rates = rng.random((40, 1))
    right = (rng.random((40, 6)) < rates).astype(int)
    tokens = rng.lognormal(5.5, 0.3, (40, 6)) * (1 + 4 * (rng.random((40, 1)) < 0.3))
    tokens = np.ceil(tokens)
    found = metrics.short_or_long(right, tokens, 3, spent=spent)
    measured = measure(right, tokens, TOKENS)

    def solved(k, budget):
        cut = metrics.cut_at(right, tokens, min(budget, 1e9))
        c = cut.correct.sum(axis=1)
        lost = [Fraction(comb(6 - int(each), k), comb(6, k)) for each in c]
        return 1 - np.array(lost, dtype=float)

    def taken(k, budget):
        return k * np.minimum(tokens, budget).mean(axis=1)

    def off(k, budget):
        ends = [measured.budget_for(taken(1, budget).mean() * step) for step in (0.9, 1.1)]
        rise = np.diff([solved(k, end).mean() for end in ends])
        run = np.diff([taken(k, end).mean() for end in ends])
        paid = tokens.mean(axis=1) if spent is None else spent
        return rise / run * (taken(k, budget) - paid)

    several, alone = found.short.budget, found.long.budget
    fixed = solved(3, several) - solved(1, alone or np.inf)
    free = fixed - off(3, several) + (0 if alone is None else off(1, alone))
    variances = [each.var(ddof=1) / 40 for each in (fixed, free)]
    ends = paired_limits(fixed, np.ones(40, dtype=int), 0.95)
    further = 1.959964**2 * (variances[1] - variances[0])
    assert further > 0
    low, high = (np.sqrt((fixed.mean() - end) ** 2 + further) for end in ends)
    assert found.gain.interval == pytest.approx((fixed.mean() - low, fixed.mean() + high))
    again = metrics.short_or_long(right, tokens, 3, spent=spent, target="benchmark").gain
    parts = (again.value - again.interval.low, again.interval.high - again.value)
    scores = QuestionScores(fixed, np.ones(40, dtype=np.int64), 6, 6, 3, -1.0)
    expected = limits(scores, Evidence(right), Question("benchmark"))[0]
    assert parts == pytest.approx((fixed.mean() - expected.low, expected.high - fixed.mean()))


def test_these_questions_sampled_again_and_clusters_have_intervals_of_their_own() -> None:
    plain, again = (
        metrics.short_or_long(RAGGED, TOKENS_OUT, 2, target=target).gain
        for target in ("population", "benchmark")
    )
    assert plain.value == again.value
    assert plain.interval != again.interval
    alone = metrics.short_or_long(Outcomes(RAGGED.correct), TOKENS_OUT, 2).gain
    assert alone.interval != plain.interval


def test_a_run_brings_tokens_by_name_and_answers() -> None:
    run = Run("7B", "maths", Outcomes(RIGHT), answers=ANSWERS, columns={"tokens_out": TOKENS_OUT})
    named = metrics.token_budgets(run, "tokens_out", "plurality@k")
    given = metrics.token_budgets(RIGHT, TOKENS_OUT, "plurality@k", answers=ANSWERS)
    assert named.value.tolist() == given.value.tolist()
    voted = metrics.short_or_long(run, "tokens_out", 3, "plurality@k")
    cut = np.where(voted.short.budget < TOKENS_OUT, -1, ANSWERS)
    told = metrics.estimate(
        metrics.cut_at(run, "tokens_out", voted.short.budget), "plurality@k", 3, answers=cut
    )
    assert voted.short.value.value == told.value


def test_a_cut_takes_the_soft_score_too_and_nothing_else() -> None:
    soft = Outcomes([[1, 0, -1]], scores=[[0.9, 0.4, np.nan]], clusters=["a"])
    cut = metrics.cut_at(soft, [[900, 100, np.nan]], 500)
    assert cut.correct.tolist() == [[0, 0, -1]]
    np.testing.assert_equal(cut.scores, [[0.0, 0.4, np.nan]])
    assert cut.clusters.tolist() == [0]


@pytest.mark.parametrize(
    ("tokens", "options", "said"),
    [
        (np.full((12, 5), np.nan), {}, "no sample has any"),
        (-TOKENS_OUT, {}, "at least 0"),
        (TOKENS_OUT[:3], {}, "shape of the outcomes"),
        (TOKENS_OUT, {"metric": "avg@n"}, "takes no k"),
        (TOKENS_OUT, {"ks": [6]}, "needs 6 samples"),
        (TOKENS_OUT, {"budgets": [5, 5]}, "must ascend"),
        (0 * TOKENS_OUT, {}, "0 tokens"),
        (TOKENS_OUT, {"metric": "plurality@k"}, "no extracted answers"),
    ],
)
def test_what_cannot_be_told_is_refused(tokens, options, said) -> None:
    with pytest.raises(MetricError, match=said):
        metrics.token_budgets(RIGHT, tokens, **options)


def test_votes_of_unequal_samples_are_refused() -> None:
    answers = np.where(RIGHT, 0, 1)
    fewer = np.where(np.eye(*RIGHT.shape, dtype=bool), -1, RIGHT)
    with pytest.raises(MetricError, match="same number of samples"):
        metrics.short_or_long(fewer, TOKENS_OUT, 2, "plurality@k", answers=answers, missing="omit")


def test_counts_alone_do_not_tell_and_a_budget_is_above_0() -> None:
    with pytest.raises(MetricError, match="needs each sample"):
        metrics.cut_at(metrics.Tally.of(RIGHT), TOKENS_OUT, 5)
    with pytest.raises(MetricError, match="above 0"):
        metrics.cut_at(RIGHT, TOKENS_OUT, 0)
    assert Evidence(metrics.cut_at(RIGHT, TOKENS_OUT, 1)).tally.c.tolist() == [0]
