"""Choosing n at the edges: one sample, one question, all alike, ragged, very many, in clusters."""

import numpy as np
import pytest

import metrics
from kofn.choose_n.words import advice_in_words
from metrics import ABSENT, FAILED, Outcomes, Tally, choose_n, curve
from tests.metrics.analyses.choose_n.unequal_questions import matrix, told


def test_one_sample_of_each_question_leaves_nothing_to_choose():
    choice = choose_n([[1], [0], [1]], budget=1.0)
    assert choice.table.n.tolist() == [1]
    assert choice.n == 1
    reach = choice.advice["reach"]
    assert reach.n is reach.safe_n is reach.interval is None
    assert "Sample every question several times" in str(advice_in_words(reach))
    assert "a larger n needs at least 2 samples of every question" in told(choice)
    assert "With so few" not in told(choose_n([[1], [0]] * 20)), "there is no n that could be small"
    votes = choose_n([[1, 0], [0, 0], [1, 1]], verifier=False)
    assert votes.table.n.tolist() == [1]
    assert "needs at least 3 samples of every question" in told(votes)


def test_one_question_says_nothing_about_others():
    choice = choose_n([[1, 0, 0, 1]], value_per_solved=9)
    assert choice.n == 3
    assert choice.interval is choice.safe_n is None
    alone = "one question (or group of questions) says nothing"
    assert alone in str(advice_in_words(choice.advice["value"]))
    assert np.isnan(choice.table.cost_per_solved_low).all()
    group = choose_n(Outcomes(matrix(), clusters=np.zeros(40, int))).advice["reach"]
    assert alone in str(advice_in_words(group))


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
    assert "Not even one sample" in str(advice_in_words(choice.advice["value"]))
    assert choice.advice["budget"].n == 4
    reach = choice.advice["reach"]
    assert reach.n is None
    assert "No question was solved" in str(advice_in_words(reach))
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


def test_the_table_cannot_be_changed():
    choice = choose_n(matrix())
    with pytest.raises(ValueError, match="read-only"):
        choice.table.cost[0] = 0
    assert metrics.Choice is type(choice)
