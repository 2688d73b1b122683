"""Judges that err, against rational arithmetic, formulas written out, and what labels may tell."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from scipy.special import ndtri

import metrics
from metrics import MetricError, Outcomes
from metrics.analyses.judges.ratios import fieller
from reports import Run
from tests.metrics import exact

RNG = np.random.default_rng(8)
RIGHT = (RNG.random((60, 4)) < RNG.random((60, 1))).astype(int)
JUDGE = np.where(RNG.random(RIGHT.shape) < 0.9, RIGHT, 1 - RIGHT)
GOOD = {"right_labels": (45, 50), "wrong_labels": (40, 50)}
S, T = Fraction(9, 10), Fraction(4, 5)


def labelled(questions, samples=1, right=RIGHT):
    """Labels of the first samples of the first questions."""
    human = np.full(right.shape, np.nan)
    human[:questions, :samples] = right[:questions, :samples]
    return human


def corrected_by_hand(metric, k, n, c):
    """What c called right of n are worth, from every draw of k."""
    j = [S + T - 1, S, T]
    total = Fraction(0)
    for r in range(max(0, k - (n - c)), min(c, k) + 1):
        ways = Fraction(comb(c, r) * comb(n - c, k - r), comb(n, k))
        if metric == "pass@k":
            total += ways * (1 - (j[1] - 1) ** r * j[1] ** (k - r) / j[0] ** k)
        else:
            total += ways * j[2] ** r * (j[2] - 1) ** (k - r) / j[0] ** k
    return total


def called(n, right):
    """The chance of each number called right, of n of which some are right."""
    chance = [Fraction(0)] * (n + 1)
    for hits in range(right + 1):
        for false in range(n - right + 1):
            ways = comb(right, hits) * comb(n - right, false)
            yes = S**hits * (1 - S) ** (right - hits)
            no = (1 - T) ** false * T ** (n - right - false)
            chance[hits + false] += ways * yes * no
    return chance


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_the_corrected_count_is_unbiased_exactly(metric):
    for n in range(1, 6):
        for k in range(1, n + 1):
            payoff = exact.threshold(1 if metric == "pass@k" else k, k)
            for right in range(n + 1):
                each = [corrected_by_hand(metric, k, n, c) for c in range(n + 1)]
                mean = sum(p * x for p, x in zip(called(n, right), each, strict=True))
                assert mean == exact.drawn(payoff, n, right)


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_corrected_count_is_the_mean_over_all_draws(metric, k):
    found = metrics.correct_judge(JUDGE, **GOOD, metric=metric, k=k)
    each = [corrected_by_hand(metric, k, 4, int(c)) for c in JUDGE.sum(axis=1)]
    assert exact.error(found.estimate.value, sum(each) / len(each)) < 1e-13
    assert found.observed.value == metrics.estimate(JUDGE, metric, k).value


def test_samples_may_be_fewer_in_some_questions():
    holed = JUDGE.astype(float)
    holed[0, 2:] = np.nan
    found = metrics.correct_judge(holed, **GOOD, metric="pass@k", k=2)
    counts = [(2, int(JUDGE[0, :2].sum())), *((4, int(c)) for c in JUDGE[1:].sum(axis=1))]
    each = [corrected_by_hand("pass@k", 2, n, c) for n, c in counts]
    assert exact.error(found.estimate.value, sum(each) / len(each)) < 1e-13
    assert "no verdict on 2 samples, which are left out" in str(found.estimate.caveats)


def is_possible(share, q, n, x1, m1, x0, m0, z):
    """Whether a judge that is asked of a share of right ones may call q of n right."""
    s, t, more = (x1 + 1) / (m1 + 2), (x0 + 1) / (m0 + 2), n + z * z
    p = (n * q + z * z / 2) / more
    v = p * (1 - p) / more + share**2 * s * (1 - s) / m1 + (1 - share) ** 2 * t * (1 - t) / m0
    return (p - share * s - (1 - share) * (1 - t)) ** 2 <= z * z * v


def possible_shares(*told, step=1e-4):
    every = np.arange(0, 1 + step / 2, step)
    return every[is_possible(every, *told)][[0, -1]]


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_a_rate_has_the_shares_that_may_give_it_at_the_effective_number(level):
    observed = metrics.estimate(JUDGE, "avg@n", confidence_level=level)
    found = metrics.correct_judge(JUDGE, **GOOD, confidence_level=level)
    assert found.estimate.value == pytest.approx((observed.value + 0.8 - 1) / 0.7)
    z = ndtri((1 + level) / 2)
    expected = possible_shares(observed.value, observed.n_effective, 45, 50, 40, 50, z)
    assert found.estimate.interval == pytest.approx(expected, abs=2e-4)
    assert found.check == pytest.approx(found.estimate.interval, abs=0.03)
    again = metrics.correct_judge(observed, **GOOD, confidence_level=level)
    assert again.estimate == found.estimate
    given = metrics.correct_judge(observed.value, n=observed.n_effective, **GOOD)
    assert given.estimate.value == found.estimate.value
    assert observed.n_effective < JUDGE.size


@pytest.mark.parametrize("labels", [(12, 20, 12, 20), (55, 100, 50, 100), (19, 20, 2, 20)])
@pytest.mark.parametrize("rate", [0.35, 0.5, 0.65, 0.95])
def test_a_judge_near_chance_leaves_all_shares_possible_that_may_give_its_rate(rate, labels):
    x1, m1, x0, m0 = labels
    asked = {"n": 400, "right_labels": (x1, m1), "wrong_labels": (x0, m0)}
    step = np.arange(0, 1.00005, 1e-4)
    every = step[is_possible(step, rate, 400, *labels, ndtri(0.975))]
    if not len(every):
        with pytest.raises(MetricError, match="Judge and labels do not match"):
            metrics.correct_judge(rate, **asked)
        return
    found = metrics.correct_judge(rate, **asked).estimate
    low, high = min(every[0], found.value), max(every[-1], found.value)
    assert found.interval == pytest.approx((low, high), abs=2e-4)
    assert "may know nothing about what is right" in str(found.caveats[0])


def test_a_judge_without_error_changes_nothing():
    sure = {"right_labels": (10**7, 10**7), "wrong_labels": (10**7, 10**7)}
    for metric in ("avg@n", "pass@k", "pass^k"):
        found = metrics.correct_judge(RIGHT, **sure, metric=metric)
        assert found.estimate.value == pytest.approx(found.observed.value)
        low, high = found.observed.interval
        assert found.estimate.interval == pytest.approx((low, high), abs=0.02)


def test_any_pass_is_corrected_by_labels_of_questions():
    found = metrics.correct_judge(JUDGE, **GOOD, metric="any-pass")
    q = JUDGE.max(axis=1).mean()
    assert found.observed.value == q
    assert found.estimate.value == pytest.approx((q + 0.8 - 1) / 0.7)
    human = RIGHT.max(axis=1)
    errors = metrics.judge_errors(JUDGE, human=human, groups=True)
    says = JUDGE.max(axis=1)
    assert errors.sensitivity.value == (says[human == 1] == 1).mean()
    assert errors.specificity.value == (says[human == 0] == 0).mean()
    assert errors.right_labels.labels == human.sum()


def test_groups_of_unequal_size_are_told_of():
    holed = JUDGE.astype(float)
    holed[0, 2:] = np.nan
    found = metrics.correct_judge(holed, **GOOD, metric="any-pass")
    assert "2 to 4 candidates" in str(found.estimate.caveats)


def test_the_upper_bound_is_called_one():
    found = metrics.correct_judge(JUDGE, **GOOD)
    bound = found.at_most(3)
    assert bound.value == pytest.approx(1 - (1 - found.estimate.value) ** 3)
    assert bound.interval.high == pytest.approx(1 - (1 - found.estimate.interval.high) ** 3)
    assert str(bound.method).startswith("Upper bound")
    assert bound.value > metrics.correct_judge(JUDGE, **GOOD, metric="pass@k", k=3).estimate.value
    with pytest.raises(MetricError, match="upper bound is for a rate"):
        metrics.correct_judge(JUDGE, **GOOD, metric="any-pass").at_most(3)


def test_labels_that_cluster_by_question_count_as_fewer():
    human = RIGHT.astype(float)
    alone = metrics.judge_errors(JUDGE.ravel(), human=human.ravel())
    assert alone.right_labels.labels == RIGHT.sum()
    copies = np.repeat(JUDGE[:, :1], 4, axis=1), np.repeat(human[:, :1], 4, axis=1)
    copied = metrics.judge_errors(copies[0], human=copies[1])
    once = metrics.judge_errors(JUDGE[:, :1], human=human[:, :1])
    assert copied.sensitivity.value == pytest.approx(once.sensitivity.value)
    assert copied.right_labels.labels == pytest.approx(once.right_labels.labels, rel=0.15)
    assert copied.right_labels.labels < once.right_labels.labels * 1.001
    assert copied.sensitivity.interval.high >= once.sensitivity.interval.high
    with pytest.raises(MetricError, match="Labels of a single question"):
        metrics.judge_errors(JUDGE[[0]], human=[[1, 1, 0, 0]])


def test_a_threshold_is_reached_or_exceeded():
    scores, human = [0.5, 0.8, 0.2, 0.5], [1, 1, 0, 0]
    reached = metrics.judge_errors(scores, human=human)
    exceeded = metrics.judge_errors(scores, human=human, strict=True)
    higher = metrics.judge_errors(scores, human=human, threshold=0.8)
    shares = [(e.sensitivity.value, e.specificity.value) for e in (reached, exceeded, higher)]
    assert shares == [(1, 0.5), (0.5, 1), (0.5, 1)]


def test_a_judge_that_is_no_better_than_chance_is_refused():
    for agreed in (9, 10):
        with pytest.raises(
            MetricError, match=r"knows nothing about what is right: sensitivity \d+"
        ):
            metrics.correct_judge(0.5, n=100, right_labels=(agreed, 20), wrong_labels=(10, 20))
    few = metrics.correct_judge(0.5, n=100, right_labels=(11, 20), wrong_labels=(10, 20))
    assert few.estimate.interval == (0, 1)


def test_a_value_that_says_next_to_nothing_is_warned_of():
    few = {"right_labels": (9, 10), "wrong_labels": (9, 10)}
    found = metrics.correct_judge(JUDGE, **few, metric="pass@k", k=4)
    assert "says almost nothing" in str(found.estimate.caveats[0])


def test_an_impossible_rate_is_warned_of():
    found = metrics.correct_judge(0.15, n=400, **GOOD)
    assert found.estimate.value == 0 < found.estimate.interval.high
    assert "calls 15.0% right, outside the 20.0% to 90.0%" in str(found.estimate.caveats[0])
    assert not metrics.correct_judge(0.5, n=400, **GOOD).estimate.caveats


@pytest.mark.parametrize("rate", [0.02, 0.99])
def test_a_rate_that_labels_rule_out_is_refused(rate):
    with pytest.raises(MetricError, match="by more than its labels allow"):
        metrics.correct_judge(rate, n=400, **GOOD)
    verdicts = np.random.default_rng(1).random((200, 4)) < rate
    with pytest.raises(MetricError, match="Judge and labels do not match"):
        metrics.correct_judge(verdicts.astype(int), **GOOD, metric="pass@k", k=2)


def test_a_ratio_that_may_be_small_or_large_may_be_anything_between():
    """Against a grid of shares: one piece, none, or two of which all between counts too."""
    rng, grid, pieces = np.random.default_rng(2), np.linspace(0, 1, 20_001), []
    for j in rng.exponential(0.2, 300):
        of_q, of_s, of_t = rng.exponential(0.01, 3)
        n = rng.normal(j * rng.random(), 2 * (of_q + of_t) ** 0.5)
        spread = of_q + (1 - grid) ** 2 * of_t + grid**2 * of_s
        inside = (n - grid * j) ** 2 <= 1.96**2 * spread
        found = fieller((n, j), (of_q + of_t, of_s + of_t), of_t, 1.96)
        pieces.append(int((np.diff(inside.astype(int), prepend=0) == 1).sum()))
        if found is None:
            assert pieces[-1] == 0
        else:
            assert found == pytest.approx(grid[inside][[0, -1]], abs=1e-4)
    assert {*pieces} == {0, 1, 2}


def joint(rng, k):
    """Kinds of questions by how many of k are right and called so, right, wrong and called right;
    and how often there are such."""
    kinds = np.array([each for each in product(range(k + 1), repeat=4) if sum(each) == k])
    return kinds[:, :3], rng.dirichlet(np.full(len(kinds), 0.1))


@pytest.mark.wide
@pytest.mark.parametrize("k", [1, 3])
def test_the_bounds_are_all_that_errors_of_any_kind_allow(k):
    """Against linear programs over how right and wrong samples may go with their verdicts."""
    rng, tried = np.random.default_rng(k), 0
    while tried < 6:
        kinds, share = joint(rng, k)
        right_called, right_hidden, wrong_called = share @ kinds
        right = right_called + right_hidden
        s, t = right_called / right, 1 - wrong_called / (k - right)
        if s + t < 1.3:
            continue
        tried += 1
        called = np.array([share[kinds[:, 0] + kinds[:, 2] == j].sum() for j in range(k + 1)])
        verdicts = np.concatenate(
            [np.tile(np.arange(k) < j, (count, 1)) for j, count in enumerate(apportion(called))]
        )
        errors = {"right_labels": (s * 1e9, 1e9), "wrong_labels": (t * 1e9, 1e9)}
        given = [*((kinds[:, 0] + kinds[:, 2] == j).astype(float) for j in range(k + 1))]
        rows, known = [*given, kinds[:, 0], kinds[:, 1]], [*called, right_called, right_hidden]
        solved = (kinds[:, 0] + kinds[:, 1] > 0).astype(float)
        ends = [sign * linprog(sign * solved, A_eq=rows, b_eq=known).fun for sign in (1, -1)]
        low, high = metrics.correct_judge(
            verdicts, **errors, metric="pass@k", k=k
        ).estimate.interval
        assert (low, high) == pytest.approx(ends, abs=0.03)
        low, high = metrics.correct_judge(
            ~verdicts,
            right_labels=errors["wrong_labels"],
            wrong_labels=errors["right_labels"],
            metric="pass^k",
            k=k,
        ).estimate.interval
        assert (1 - high, 1 - low) == pytest.approx(ends, abs=0.03)


def apportion(shares, total=30_000):
    """Whole numbers of nearly these shares."""
    return np.diff(np.rint(np.cumsum(shares) * total).astype(int), prepend=0)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_errors_that_go_together_are_allowed_for(metric, together):
    """One draw of the judge a question, or one a sample: both err as often."""
    rng = np.random.default_rng(3)
    right = np.repeat(rng.random((300, 1)) < 0.5, 8, axis=1)
    noise = rng.random((300, 1 if together else 8))
    verdicts = np.where(noise < 0.8, right, ~right).astype(int)
    labels = {"right_labels": (400, 500), "wrong_labels": (400, 500)}
    found = metrics.correct_judge(verdicts, **labels, metric=metric, k=8)
    low, high = found.estimate.interval
    assert low < right.mean() < high
    assert low <= found.estimate.value <= high
    if together:
        assert found.check is None or not found.check.low < right.mean() < found.check.high
        assert "errors go together within a question" in str(found.estimate.caveats)
        assert found.estimate.value == pytest.approx(0.75 if metric == "pass@k" else 0.25, abs=0.04)
    else:
        assert found.check.low < right.mean() < found.check.high


@pytest.mark.parametrize("metric", ["avg@n", "pass@k"])
def test_the_width_divides_among_answers_and_labels(metric):
    found = metrics.correct_judge(JUDGE, **GOOD, metric=metric, k=2 if metric == "pass@k" else None)
    division = found.division
    assert sum(division[:3]) == pytest.approx(1)
    if metric == "avg@n":
        rate = found.estimate.value
        s, t = 46 / 52, 41 / 52
        split = rate * (s * (1 - s)) ** 0.5, (1 - rate) * (t * (1 - t)) ** 0.5
        assert division.best_split == pytest.approx(split[0] / sum(split), abs=0.02)
    many = {"right_labels": (4500, 5000), "wrong_labels": (16, 20)}
    few = metrics.correct_judge(JUDGE, **many, metric=metric)
    assert few.division.next == "wrong_labels"
    assert "Label wrong answers next" in str(few.division.words)
    sure = {"right_labels": (4500, 5000), "wrong_labels": (4000, 5000)}
    assert metrics.correct_judge(JUDGE, **sure, metric=metric).division.next == "answers"


def test_labels_that_were_chosen_by_looking_are_left_out():
    human, chance = labelled(20, 4), np.full(RIGHT.shape, 0.3)
    run = Run("m", "d", Outcomes(RIGHT), columns={"judge": JUDGE.astype(float), "human": human})
    chance[:5] = 0
    some = Run("m", "d", run.outcomes, columns={**run.columns, "human_probability": chance})
    found = metrics.judge_errors(some, "judge")
    assert (
        found.sensitivity.value
        == metrics.judge_errors(JUDGE[5:20], human=human[5:20]).sensitivity.value
    )
    assert "20 labels were chosen by looking" in str(found.caveats)
    assert metrics.prediction_powered(some, by="judge").labelled == 15
    none = Run("m", "d", run.outcomes, columns={**run.columns, "human_probability": 0 * chance})
    for analyse in (metrics.judge_errors, metrics.prediction_powered, metrics.judged_rate):
        with pytest.raises(MetricError, match="Every label was chosen by looking"):
            analyse(none, by="judge")


def powered_by_hand(y, v, x):
    """Section and formula: the labelled, the judge there, the judge elsewhere."""
    m, rest = len(y), len(x)
    weight = np.cov(y, v)[0, 1] / (v.var(ddof=1) + m / rest * x.var(ddof=1))
    return np.clip(weight, 0, 1), (y - np.clip(weight, 0, 1) * v).mean() + weight * x.mean()


def test_one_label_a_question_is_helped_by_the_judge():
    found = metrics.prediction_powered(JUDGE, labelled(40))
    weight, value = powered_by_hand(RIGHT[:40, 0], JUDGE[:40, 0], JUDGE[40:].mean(axis=1))
    assert (found.weight, found.estimate.value) == pytest.approx((weight, value))
    alone = metrics.estimate(RIGHT[:40, :1], "avg@n")
    assert found.labels_only.value == alone.value
    assert found.labels_only.interval == pytest.approx(alone.interval)
    assert found.estimate.interval.low < value < found.estimate.interval.high
    assert found.gain == pytest.approx(
        1 - np.diff(found.estimate.interval)[0] / np.diff(alone.interval)[0]
    )
    assert "It is unknown how the labelled questions were chosen" in str(found.estimate.caveats)


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_all_labels_of_a_question_tell_of_several_draws(metric):
    found = metrics.prediction_powered(JUDGE, labelled(40, 4), metric=metric, k=2)
    name = {"pass@k": metrics.pass_at_k, "pass^k": metrics.pass_hat_k}[metric]
    y, v, x = (
        np.array([name([row], 2) for row in block])
        for block in (RIGHT[:40], JUDGE[:40], JUDGE[40:])
    )
    weight, value = powered_by_hand(y, v, x)
    assert (found.weight, found.estimate.value) == pytest.approx((weight, value))
    with pytest.raises(MetricError, match="needs labels of all samples of a question; 40"):
        metrics.prediction_powered(JUDGE, labelled(40, 3), metric=metric, k=2)


def test_labels_of_questions_tell_of_any_pass():
    human = np.where(np.arange(60) < 40, RIGHT.max(axis=1), np.nan)
    found = metrics.prediction_powered(JUDGE, human, metric="any-pass")
    says = JUDGE.max(axis=1)
    weight, value = powered_by_hand(RIGHT[:40].max(axis=1), says[:40], says[40:])
    assert (found.weight, found.estimate.value) == pytest.approx((weight, value))


def test_a_useless_judge_leaves_the_labels_alone():
    found = metrics.prediction_powered(1 - RIGHT, labelled(40))
    assert found.weight == found.gain == 0
    assert found.estimate.interval == found.labels_only.interval
    assert "adds nothing" in str(found.estimate.caveats[0])
    clustered = Outcomes(JUDGE, clusters=np.arange(60) // 2)
    together = metrics.prediction_powered(clustered, labelled(40))
    assert together.weight == 0
    assert "only the labels count" in str(together.estimate.caveats[0])
    few = metrics.prediction_powered(JUDGE, labelled(29))
    assert few.estimate.interval == few.labels_only.interval
    assert "With fewer than 30 labelled questions" in str(few.estimate.caveats[0])
    assert metrics.prediction_powered(JUDGE, labelled(30)).weight > 0


def test_labels_of_an_unlike_part_are_noticed():
    easy = np.argsort(-JUDGE.sum(axis=1), kind="stable")
    found = metrics.prediction_powered(JUDGE[easy], labelled(20, 4, RIGHT[easy]))
    assert "Chance alone does not explain this" in str(found.estimate.caveats)
    found = metrics.prediction_powered(JUDGE, labelled(20, 4))
    assert "Chance alone does not explain this" not in str(found.estimate.caveats)


def test_labels_must_count_alike():
    human, chance = labelled(20), np.full(RIGHT.shape, 1 / 12)
    assert metrics.prediction_powered(JUDGE, human, probability=chance).labelled == 20
    chance[0] = 1 / 6
    with pytest.raises(MetricError, match="drawn with unequal chances"):
        metrics.prediction_powered(JUDGE, human, probability=chance)
    with pytest.raises(MetricError, match="Labels of 9 questions, drawn at random, are too few"):
        metrics.prediction_powered(JUDGE, labelled(9))
    with pytest.raises(MetricError, match="Each label needs the chance"):
        metrics.prediction_powered(JUDGE, human, probability=chance * np.nan)
    with pytest.raises(MetricError, match="must be 1"):
        metrics.prediction_powered(JUDGE, human * 2)


def test_the_way_follows_from_how_the_labels_came_about():
    errors = metrics.judge_errors(JUDGE.ravel(), human=RIGHT.ravel())
    own = metrics.judged_rate(JUDGE, labelled(20), errors=errors)
    assert isinstance(own, metrics.Powered)
    assert "belong to a random part of these questions" in str(own.way)
    separate = metrics.judged_rate(JUDGE, errors=errors)
    assert isinstance(separate, metrics.Corrected)
    assert "to other answers" in str(separate.way)
    assert separate.estimate.value == (
        metrics.correct_judge(
            JUDGE, right_labels=errors.right_labels, wrong_labels=errors.wrong_labels
        ).estimate.value
    )
    drawn = metrics.judged_rate(JUDGE, labelled(50), metric="pass@k", k=2)
    assert "some answers to these questions" in str(drawn.way)
    assert "needs labels of all samples" in str(drawn.estimate.caveats[0])
    with pytest.raises(MetricError, match="It is unknown how often this judge errs"):
        metrics.judged_rate(JUDGE)
    of_questions = metrics.judge_errors(JUDGE, human=RIGHT.max(axis=1), groups=True)
    for wrongly in ({"metric": "pass@k", "k": 3}, {"metric": "avg@n"}):
        with pytest.raises(MetricError, match="answers correct everything else"):
            metrics.judged_rate(JUDGE, errors=of_questions, **wrongly)
    holed = np.where(np.arange(4) < 3, JUDGE, np.nan)
    holed[0] = JUDGE[0]
    with pytest.raises(MetricError, match="answers correct everything else"):
        metrics.judged_rate(holed, errors=errors, metric="any-pass")


def test_passing_with_all_candidates_is_any_pass_and_takes_labels_of_either_kind():
    of_answers = metrics.judge_errors(JUDGE.ravel(), human=RIGHT.ravel())
    of_questions = metrics.judge_errors(JUDGE, human=RIGHT.max(axis=1), groups=True)
    for errors in (of_answers, of_questions):
        all_of_them = metrics.judged_rate(JUDGE, errors=errors, metric="pass@k", k=4)
        any_of_them = metrics.judged_rate(JUDGE, errors=errors, metric="any-pass")
        assert all_of_them.estimate == any_of_them.estimate
        assert (all_of_them.metric, any_of_them.metric) == ("pass@k", "any-pass")
    asked = {"right_labels": of_questions.right_labels, "wrong_labels": of_questions.wrong_labels}
    assert all_of_them.estimate.value == (
        metrics.correct_judge(JUDGE, **asked, metric="any-pass").estimate.value
    )
    human = np.where(np.arange(60) < 40, RIGHT.max(axis=1), np.nan)
    run = Run("m", "d", Outcomes(JUDGE), question_columns={"human_group": human})
    found = metrics.judged_rate(run, metric="pass@k")
    assert isinstance(found, metrics.Powered)
    assert found.estimate == metrics.judged_rate(run, metric="any-pass").estimate


def test_two_models_under_one_judge_differ_by_a_multiple():
    other = np.where(RNG.random(JUDGE.shape) < 0.3, 1, JUDGE)
    plain = metrics.compare(JUDGE, other)
    found = metrics.judged_difference(JUDGE, other, **GOOD)
    assert found.value == pytest.approx(plain.value / 0.7)
    assert found.interval.low > 0
    assert (
        found.interval.high - found.interval.low > (plain.interval.high - plain.interval.low) / 0.7
    )
    mirrored = metrics.judged_difference(other, JUDGE, **GOOD)
    assert mirrored.interval == pytest.approx((-found.interval.high, -found.interval.low))
    same = metrics.judged_difference(JUDGE, JUDGE, **GOOD)
    assert same.value == 0
    assert same.interval.low < 0 < same.interval.high
    assert "errs as often on one model as on the other" in str(found.caveats)


def test_the_list_to_look_at_keeps_labels_unbiased_and_apart():
    reward, judge = RNG.random(RIGHT.shape), RNG.random(RIGHT.shape)
    run = Run("m", "d", Outcomes(RIGHT), columns={"reward": reward, "judge": judge})
    found = metrics.spot_check(run, "reward", "judge", questions=30, picked=7, rng=3)
    random = found.why == "at random"
    assert (random.sum(), len(set(found.question_id[random]))) == (30, 30)
    assert found.human_probability[random] == pytest.approx(30 / 60 / 4)
    assert (found.human_probability[~random] == 0).all()
    assert np.isnan(found.human).all()
    rows = found.question_id[~random].astype(int)
    assert (found.sample[~random] == reward[rows].argmax(axis=1)).all()
    ranks = [each.ravel().argsort().argsort().reshape(each.shape) for each in (reward, judge)]
    apart = np.abs(ranks[0] - ranks[1])[np.arange(60), reward.argmax(axis=1)]
    seen = set(zip(found.question_id[random].astype(int), found.sample[random], strict=True))
    fresh = [row for row in np.argsort(-apart) if (row, reward[row].argmax()) not in seen]
    assert sorted(rows) == sorted(fresh[:7])
    again = metrics.spot_check(run, "reward", "judge", questions=30, picked=7, rng=3)
    assert again.to_frame().equals(found.to_frame())


def test_a_list_that_was_filled_in_gives_the_labels(tmp_path):
    found = metrics.spot_check(RIGHT, questions=25)
    found.to_frame().to_csv(tmp_path / "list.csv", index=False)
    table = pd.read_csv(tmp_path / "list.csv")
    labels = ["human", "human_unsure", "human_probability"]
    assert table.columns.tolist() == ["question_id", "sample", "why", *labels]
    human, chance = (np.full(RIGHT.shape, np.nan) for _ in range(2))
    places = table["question_id"], table["sample"]
    human[places], chance[places] = RIGHT[places], table["human_probability"]
    columns = {"judge": JUDGE.astype(float), "human": human, "human_probability": chance}
    run = Run("m", "d", Outcomes(RIGHT), columns=columns)
    powered = metrics.prediction_powered(run, by="judge")
    assert powered.labelled == 25
    assert "how the labelled questions were chosen" not in str(powered.estimate.caveats)


def test_a_longer_list_goes_on_with_a_shorter_one():
    short = metrics.spot_check(RIGHT, questions=15, rng=2)
    places = short.question_id.astype(int), short.sample
    human = np.full(RIGHT.shape, np.nan)
    human[places] = RIGHT[places]
    run = Run("m", "d", Outcomes(RIGHT), columns={"human": human})
    longer = metrics.spot_check(run, questions=40, rng=2)
    held = dict(zip(zip(longer.question_id, longer.sample, strict=True), longer.human, strict=True))
    assert (np.isnan(longer.human)).sum() == 25
    for question, sample in zip(short.question_id, short.sample, strict=True):
        assert held[question, sample] == RIGHT[int(question), sample]


def test_a_silent_judge_does_not_make_chances_unequal():
    silent = JUDGE.astype(float)
    silent[:8, 3] = np.nan
    columns = {
        "judge": silent,
        "human": labelled(20),
        "human_probability": labelled(20) * 0 + 1 / 12,
    }
    run = Run("m", "d", Outcomes(RIGHT), columns=columns)
    assert metrics.prediction_powered(run, by="judge").labelled == 20


def test_a_list_holds_samples_or_questions():
    holed = Outcomes(np.where(np.arange(4) < np.arange(1, 61)[:, None] % 4 + 1, RIGHT, -2))
    every = metrics.spot_check(holed, questions=20, each="all")
    assert every.human_probability == pytest.approx(1 / 3)
    rows = every.question_id.astype(int)
    assert (holed.correct[rows, every.sample] >= 0).all()
    assert len(rows) == (holed.correct[np.unique(rows)] >= 0).sum()
    failed = metrics.spot_check(Outcomes([[1, -1], [-1, 0], [-1, -1]]), questions=2)
    assert failed.sample.tolist() == [0, 1]
    with pytest.raises(MetricError, match="2 questions cannot be drawn from 1"):
        metrics.spot_check(Outcomes([[1, -1], [-1, -1]]), questions=2)
    one = metrics.spot_check(holed, questions=60)
    samples = (holed.correct >= 0).sum(axis=1)[one.question_id.astype(int)]
    assert one.human_probability == pytest.approx(1 / samples)
    groups = metrics.spot_check(RIGHT, questions=5, each="question").to_frame()
    assert groups.columns.tolist() == [
        "question_id",
        "why",
        "human_group",
        "human_group_probability",
    ]
    with pytest.raises(MetricError, match="61 questions cannot be drawn from 60"):
        metrics.spot_check(RIGHT, questions=61)
    with pytest.raises(MetricError, match="got one of them"):
        metrics.spot_check(RIGHT, JUDGE)
    with pytest.raises(MetricError, match="each must be one of one, all, question"):
        metrics.spot_check(RIGHT, each="some")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"rate_or_data": 0.5}, "A rate needs n"),
        ({"rate_or_data": JUDGE, "n": 5}, "n belongs to a plain rate"),
        ({"rate_or_data": 0.5, "n": 9, "metric": "pass@k"}, "from verdicts, not a rate"),
        ({"rate_or_data": JUDGE, "metric": "maj@k"}, "corrected in avg@n, pass@k, pass"),
        ({"rate_or_data": JUDGE, "right_labels": (5, 4)}, "right_labels must be how often"),
        ({"rate_or_data": JUDGE, "wrong_labels": (0, 0)}, "at least one label"),
        ({"rate_or_data": JUDGE[:1]}, "One question says nothing"),
        ({"rate_or_data": JUDGE[:1], "metric": "pass@k"}, "One question says nothing"),
        ({"rate_or_data": np.full((2, 2), np.nan)}, "has no verdict on any sample"),
    ],
)
def test_what_cannot_be_corrected_says_why(wrong, reason):
    with pytest.raises(MetricError, match=reason):
        metrics.correct_judge(**{**GOOD, **wrong})
