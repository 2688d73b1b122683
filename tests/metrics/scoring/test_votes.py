"""Votes by answer, against every subset of k samples counted by hand."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import MetricError, Outcomes
from metrics.scoring.votes import EXACT
from tests.metrics import exact

ANSWERS = st.integers(-1, 3)


def vote(chosen):
    """The share of right ones among the most common answers; a sample without answer is silent."""
    cast = Counter(answer for answer, _ in chosen if answer >= 0)
    if not cast:
        return Fraction(0)
    most = max(cast.values())
    winners = [answer for answer, count in cast.items() if count == most]
    right = {answer for answer, correct in chosen if correct}
    return Fraction(sum(winner in right for winner in winners), len(winners))


def questions(m, n):
    """Answers of m questions, of which one code, 0, is right."""
    row = st.lists(ANSWERS, min_size=n, max_size=n)
    return st.lists(row, min_size=m, max_size=m)


@given(st.tuples(st.integers(1, 4), st.integers(1, 7)).flatmap(lambda s: questions(*s)), st.data())
def test_a_vote_is_the_mean_over_all_subsets(answers, data):
    k = data.draw(st.integers(1, len(answers[0])))
    correct = [[int(a == 0) for a in row] for row in answers]
    rows = [list(zip(*row, strict=True)) for row in zip(answers, correct, strict=True)]
    truth = sum(exact.enumerated(vote, row, k) for row in rows) / len(rows)
    assert exact.error(metrics.plurality_at_k(answers, correct, k), truth) < 1e-14


def test_scattered_wrong_answers_lose_to_fewer_right_ones():
    """Right with c <= k/2, where a majority of verdicts fails."""
    answers, correct = [[0, 0, 1, 2, 3]], [[1, 1, 0, 0, 0]]
    assert metrics.plurality_at_k(answers, correct, 5) == 1
    assert metrics.maj_at_k(correct, 5) == 0


def test_systematic_errors_win():
    answers, correct = [[7, 7, 7, 0, 0]], [[0, 0, 0, 1, 1]]
    assert metrics.plurality_at_k(answers, correct, 5) == 0


def test_ties_are_split_evenly():
    got = metrics.plurality_at_k([[0, 0, 1, 1, 2, 2]], [[1, 1, 0, 0, 0, 0]], 6)
    assert got == pytest.approx(1 / 3, abs=1e-15)


def test_a_single_draw_is_the_average():
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 4, (20, 9))
    correct = answers == 0
    assert metrics.plurality_at_k(answers, correct, 1) == pytest.approx(correct.mean())


def test_without_an_answer_there_is_no_vote():
    assert metrics.plurality_at_k([[-1, -1, 0]], [[0, 0, 1]], 3) == 1
    assert metrics.plurality_at_k([[-1, -1]], [[0, 0]], 2) == 0


def test_many_subsets_are_sampled_reproducibly_and_close_to_their_mean():
    """With all k of n alike in law, the vote of two answers is the majority of the first."""
    correct = np.array([[1] * 12 + [0] * 8, [1] * 9 + [0] * 11])
    answers = 1 - correct
    first = metrics.plurality_at_k(answers, correct, 9)
    assert first == metrics.plurality_at_k(answers, correct, 9)
    assert first != metrics.plurality_at_k(answers, correct, 9, rng=1)
    error = 4 * 0.5 / np.sqrt(EXACT)
    assert first == pytest.approx(metrics.maj_at_k(correct, 9), abs=error)


def test_an_estimate_votes_with_the_answers_of_the_graded_samples():
    answers = [[0, 0, 1], [1, 2, 2], [0, 1, 2], [5, 5, 5]]
    verdicts = [[1, 1, 0], [1, 0, 0], [-1, 0, 0], [-2, -2, -2]]
    outcomes = Outcomes(verdicts, segments={"half": ["a", "a", "b", "b"]})
    found = metrics.estimate(outcomes, "plurality@k", 3, answers=answers)
    assert found.value == pytest.approx((1 + 0 + 0) / 3)
    assert found.n_questions == 3
    first = metrics.estimate(outcomes, "plurality@k", 3, answers=answers, segment=("half", "a"))
    assert first.value == metrics.plurality_at_k(answers[:2], verdicts[:2], 3) == 0.5
    plain = metrics.estimate(verdicts[:2], "plurality@k", 3, answers=answers[:2])
    assert plain.value == 0.5


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([[1, 2]], r"answers must have the shape of the outcomes, \(2, 3\); got \(1, 2\)"),
        ([["a", "b", "c"], ["a", "a", "a"]], "answers must hold integers; got <U1"),
        ([[1, 2, 3], [1]], "answers must have rows of one length"),
        ([[0.5, 1, 1], [1, 1, 1]], "answers must hold integers; got fractions"),
    ],
)
def test_answers_are_codes_beside_the_verdicts(answers, message):
    matrix = [[1, 0, 1], [0, 0, 1]]
    for data in (matrix, Outcomes(matrix)):
        with pytest.raises(MetricError, match=message):
            metrics.estimate(data, "plurality@k", 2, answers=answers)


def test_a_vote_needs_a_verdict_beside_each_answer():
    with pytest.raises(MetricError, match=r"answers must have the shape of correct"):
        metrics.plurality_at_k([[1, 2]], [[1, 0, 1]], 1)
    with pytest.raises(MetricError, match=r"Entries of correct must be integers in \[0, 1\]"):
        metrics.plurality_at_k([[1, 2]], [[1, 2]], 1)
    with pytest.raises(MetricError, match=r"1 <= k <= N \(N=2\); got k=3"):
        metrics.plurality_at_k([[1, 2]], [[1, 0]], 3)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (Outcomes([[1, -2], [0, 1]]), "same number of samples of every question"),
        (Outcomes([[1, 0], [0, 1]]), "no extracted answers to vote with"),
    ],
)
def test_a_vote_that_cannot_be_held_says_why(data, reason):
    answers = [[0, 1], [1, 0]] if "same" in reason else None
    with pytest.raises(MetricError, match=reason):
        metrics.estimate(data, "plurality@k", 2 if answers is None else 1, answers=answers)
