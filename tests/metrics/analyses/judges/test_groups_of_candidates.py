"""400 questions with 3 candidates each, one of which an internal judge picks: what can be said.

Candidates are messages with a score of the internal judge (it passes from .8), that of a second
judge, and 100 questions in which a person says whether any message meets the bar. What is commonly
told of such groups is followed step by step, and each rule of thumb is shown to hold or corrected.
"""

import numpy as np
import pytest
from scipy.special import expit

import metrics
from metrics import Outcomes
from reports import Run

M, N, LABELLED = 400, 3, 100


def made(seed=5, *, clones=0.0):
    """Candidates of a model, what two judges say of them, and what a person says of some."""
    rng = np.random.default_rng(seed)
    rate = rng.beta(0.8, 1.2, (M, 1))
    right = (rng.random((M, N)) < rate).astype(int)
    copied = rng.random((M, 1)) < clones
    right = np.where(copied, right[:, :1], right)
    said = np.where(copied, 0, np.arange(N))
    texts = [
        [f"dear {row} we write about matter {row} {which} of {row * 3 + which}" for which in places]
        for row, places in enumerate(said.tolist())
    ]
    noise = rng.normal(size=(2, M, N)) * 0.9
    internal = expit(1.8 + 1.4 * (right - 0.6) + noise[0])
    second = expit(1.8 + 4.0 * (right - 0.5) + noise[1])
    group = np.full(M, np.nan)
    drawn = rng.choice(M, LABELLED, replace=False)
    group[drawn] = right[drawn].max(axis=1)
    chance = np.where(np.isnan(group), np.nan, LABELLED / M)
    run = Run(
        "agent",
        "threads",
        Outcomes((internal >= 0.8).astype(int), scores=internal),
        columns={"internal": internal, "second": second},
        question_columns={"human_group": group, "human_group_probability": chance},
    )
    return run, right, texts


RUN, RIGHT, TEXTS = made()


def passes(judge="second", run=RUN):
    return (run.columns[judge] >= 0.8).astype(int)


def differing(right, texts, name="distinct-2"):
    """How much candidates differ: by default by their pairs of words."""
    return metrics.diversity(right, texts=texts)[name]


def test_steps_1_and_2_each_number_has_an_interval_by_groups():
    any_pass = metrics.any_pass(RUN)
    assert any_pass.value == passes("internal").max(axis=1).mean()
    best = metrics.selected(RUN, "internal", 3, soft=True)
    assert best.value[0] == pytest.approx(RUN.columns["internal"].max(axis=1).mean())
    ranked = metrics.ndcg(RUN, 3, by="internal", soft=True)
    assert ranked.value[0] == pytest.approx(1)
    majority = metrics.estimate(RUN, "maj@k", 3)
    assert majority.value == (passes("internal").sum(axis=1) >= 2).mean()
    rng = np.random.default_rng(1)
    groups = passes("internal").max(axis=1)
    resampled = groups[rng.integers(0, M, (2000, M))].mean(axis=1)
    ends = np.quantile(resampled, [0.025, 0.975])
    assert any_pass.interval == pytest.approx(tuple(ends), abs=0.012)
    spread = differing(RIGHT, TEXTS).estimate
    assert spread.interval.low <= spread.value <= spread.interval.high <= 1


def test_step_3_another_judge_and_a_person_tell_less_of_it():
    own = metrics.estimate(RUN, "pass@k", 3).value
    other = metrics.estimate(passes(), "pass@k", 3).value
    truth = RIGHT.max(axis=1).mean()
    assert own > other + 0.05
    found = metrics.judged_rate(RUN, by="second", threshold=0.8, metric="any-pass")
    assert isinstance(found, metrics.Powered)
    assert found.labelled == LABELLED
    assert found.estimate.interval.low < truth < found.estimate.interval.high
    picked_by_itself = metrics.selected(RUN, "internal", 3).value[0]
    assert picked_by_itself == own  # whoever picks and judges by one signal never errs
    picked = metrics.selected(RIGHT, RUN.columns["internal"], 3).value[0]
    assert RIGHT.mean() < picked < truth < own


def calibrated():
    """How often the internal judge errs, by a calibration set of its own."""
    other, right, _texts = made(9)
    return metrics.judge_errors(other.columns["internal"][:, 0], human=right[:, 0], threshold=0.8)


def test_step_4_the_curve_of_independent_tries_is_an_upper_bound():
    errors = calibrated()
    labels = {"right_labels": errors.right_labels, "wrong_labels": errors.wrong_labels}
    rate = metrics.correct_judge(RUN, **labels)
    assert rate.estimate.interval.low < RIGHT.mean() < rate.estimate.interval.high
    assert rate.observed.value > rate.estimate.interval.high
    for k in (2, 3):
        solved = metrics.pass_at_k(RIGHT, k)
        unbiased = metrics.correct_judge(RUN, **labels, metric="pass@k", k=k)
        assert unbiased.estimate.interval.low < solved < unbiased.estimate.interval.high
        assert rate.at_most(k).value > solved + 0.05
        assert rate.at_most(k).value > unbiased.estimate.value


def test_rule_1_any_pass_and_best_score_are_not_on_one_scale():
    """That any-pass far above best-score blames the selector is wrong either way."""
    rng = np.random.default_rng(2)
    oracle = Outcomes(RIGHT, scores=np.where(RIGHT, 0.3, 0.1))
    any_pass = metrics.any_pass(oracle).value
    assert any_pass > metrics.selected(oracle, RIGHT, 3, soft=True).value[0] + 0.1
    assert metrics.selected(oracle, RIGHT, 3).value[0] == any_pass  # nothing is left on the table
    bold = rng.random(RIGHT.shape) / 10 + 0.9
    useless = Outcomes(RIGHT, scores=bold)
    assert metrics.selected(useless, bold, 3, soft=True).value[0] > any_pass
    assert metrics.selected(useless, bold, 3).value[0] < any_pass - 0.1  # much is
    lost = metrics.compare_ways(RIGHT, RUN.columns["internal"], RIGHT, 3)
    assert lost.interval.low > 0
    assert metrics.selection_efficiency(RIGHT, RUN.columns["internal"]).interval.high < 1


def test_rule_2_clones_explain_what_more_samples_do_not_solve():
    _run, right, texts = made(clones=0.6)
    spread = differing(right, texts)
    assert spread.estimate.interval.high < differing(RIGHT, TEXTS).estimate.interval.low
    alike = spread.each < 0.5
    gain = right.max(axis=1) - right.mean(axis=1)
    assert gain[alike].max() == 0 < gain[~alike].mean()
    assert spread.split.difference.interval.low > 0  # and questions with clones fail more
    unlike = [["a b " * 30, "c d " * 30, "e f " * 30]] * 2
    low = differing(np.eye(2, 3, dtype=int), unlike).estimate.value
    assert low < 0.2 < spread.estimate.value  # as texts that repeat themselves have
    assert differing(np.eye(2, 3, dtype=int), unlike, "clones").estimate.value == 0


def test_rule_3_a_good_order_says_nothing_of_how_many_pass():
    """nDCG is of the order alone: few passing under a good one accuses neither judge nor gains."""
    hard = RIGHT * (np.arange(M) % 5 == 0)[:, None]
    best_order = metrics.ndcg(hard, 3, by=hard)
    assert best_order.value[0] == pytest.approx(1)
    assert metrics.any_pass(hard).value < 0.2
    second = metrics.ndcg(RIGHT, 3, by=RUN.columns["second"])
    assert second.value[0] > 0.9


def test_exercise_1_reports_means_and_intervals():
    part = {"segment": ("half", "first")}
    data = Outcomes(RIGHT, segments={"half": np.where(np.arange(M) < 200, "first", "last")})
    for found in (metrics.estimate(data, "pass@k", 3, **part), metrics.any_pass(data, **part)):
        assert found.n_questions == 200
        assert found.interval.low < found.value < found.interval.high


def test_exercise_2_selectors_are_compared_question_by_question():
    """That their intervals overlap does not say that selectors are alike: the pairs tell."""
    rng = np.random.default_rng(3)
    first = RIGHT + rng.normal(size=RIGHT.shape) * 1.0
    better = np.where(
        rng.random(RIGHT.shape) < 0.75, first, RIGHT + rng.normal(size=RIGHT.shape) / 3
    )
    one, other = (metrics.selected(passes(), by, 3) for by in (first, better))
    assert one.high[0] > other.low[0]
    found = metrics.compare_ways(passes(), first, better, 3)
    assert found.value == pytest.approx(other.value[0] - one.value[0])
    assert found.interval.low > 0


def test_exercise_3_the_curve_saturates_later_than_independent_tries_do():
    errors = calibrated()
    rate = metrics.correct_judge(
        RUN, right_labels=errors.right_labels, wrong_labels=errors.wrong_labels
    )
    tries, p = range(1, 12), rate.estimate.value
    bound = np.array([rate.at_most(n).value for n in tries])
    assert np.diff(bound) == pytest.approx([p * (1 - p) ** n for n in tries[:-1]])
    solved = np.array([1 - np.prod([(1.2 + i) / (2.0 + i) for i in range(n)]) for n in tries])
    assert (bound[1:] > solved[1:]).all()
    assert np.diff(bound)[-1] < 0.005 < np.diff(solved)[-1]  # it says too early that all is had


def test_exercise_4_variety_is_compared_on_the_same_questions():
    _run, right, _texts = made(clones=0.6)
    found = metrics.compare(right, RIGHT, "pass@k", 3)
    assert found.interval.low > 0
    assert abs(metrics.compare(right, RIGHT).value) < 0.05


@pytest.mark.parametrize("judge", ["internal", "second"])
def test_exercise_5_labels_of_groups_correct_any_pass(judge):
    errors = metrics.judge_errors(RUN, judge, groups=True, threshold=0.8)
    assert errors.right_labels.labels + errors.wrong_labels.labels == LABELLED
    found = metrics.correct_judge(
        RUN,
        right_labels=errors.right_labels,
        wrong_labels=errors.wrong_labels,
        by=judge,
        threshold=0.8,
        metric="any-pass",
    )
    truth = RIGHT.max(axis=1).mean()
    assert found.estimate.interval.low < truth < found.estimate.interval.high
    powered = metrics.prediction_powered(RUN, by=judge, threshold=0.8, metric="any-pass")
    assert powered.estimate.interval.low < truth < powered.estimate.interval.high
    assert abs(found.observed.value - truth) > abs(found.estimate.value - truth)
