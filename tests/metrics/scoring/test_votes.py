"""Votes by answer, against every subset of k samples counted by hand."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import MetricError, Outcomes
from metrics.scoring import vote_patterns, votes
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


def test_a_vote_of_two_answers_is_the_majority():
    for n, c in ((20, 12), (64, 29), (150, 83)):
        correct = np.arange(n)[None] < c
        for k in (1, 9, n // 2 * 2 - 1):
            got = metrics.plurality_at_k(1 - correct, correct, k)
            assert got == pytest.approx(metrics.maj_at_k(correct.astype(int), k), abs=1e-12)


@pytest.mark.wide
@given(st.integers(2, 9).flatmap(lambda n: questions(3, n)), st.data())
def test_answers_with_verdicts_that_differ_count_their_share(answers, data):
    """One answer may be right in one sample and wrong in another: the vote is for a sample."""
    n = len(answers[0])
    verdict = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    correct = data.draw(st.lists(verdict, min_size=3, max_size=3))

    def share(chosen):
        cast = Counter(answer for answer, _ in chosen if answer >= 0)
        most = max(cast.values(), default=0)
        won = [right for answer, right in chosen if answer >= 0 and cast[answer] == most]
        return Fraction(sum(won), len(won)) if won else Fraction(0)

    rows = [list(zip(*row, strict=True)) for row in zip(answers, correct, strict=True)]
    ks = np.arange(1, n + 1)
    found = votes.plurality_scores(np.array(answers), np.array(correct), ks)
    for k, values in zip(ks.tolist(), found.values, strict=True):
        for value, row in zip(values, rows, strict=True):
            assert exact.error(value, exact.enumerated(share, row, k)) < 1e-13


def test_patterns_that_share_a_hash_are_told_apart(monkeypatch):
    rng = np.random.default_rng(1)
    answers = rng.integers(0, 3, (50, 6))
    ks = np.arange(1, 7)
    truth = votes.plurality_scores(answers, answers == 0, ks).values
    monkeypatch.setattr(vote_patterns.np.random, "default_rng", lambda _seed: _Zeros())
    assert votes.plurality_scores(answers, answers == 0, ks).values == pytest.approx(truth)


class _Zeros:
    def integers(self, _low, _high, size, dtype):
        return np.zeros(size, dtype=dtype)


def test_where_counting_takes_long_subsets_are_drawn_and_this_is_said(monkeypatch):
    rng = np.random.default_rng(2)
    answers = rng.integers(0, 4, (3000, 12))
    correct = answers == 0
    ks = np.array([3, 7, 12])
    truth = votes.plurality_scores(answers, correct, ks)
    assert truth.subsets.tolist() == [0, 0, 0]
    narrow = metrics.estimate(correct, "plurality@k", 5, answers=answers, target="benchmark")
    work = vote_patterns.patterns(answers, correct).work(3)
    monkeypatch.setattr(votes, "MOST_WORK", work)
    monkeypatch.setattr(votes, "DRAWN", 4 * answers.size)
    drawn = votes.plurality_scores(answers, correct, ks)
    assert drawn.subsets.tolist() == [0, 4, 4]
    assert drawn.values[0] == pytest.approx(truth.values[0])
    assert drawn.values[2] == pytest.approx(truth.values[2])
    error = (drawn.values[1] - truth.values[1]).mean()
    assert 0 < abs(error) < 4 * 0.5 / np.sqrt(4 * 3000)
    again = votes.plurality_scores(answers, correct, ks)
    assert (again.values == drawn.values).all()
    other = votes.plurality_scores(answers, correct, ks, rng=1)
    assert (other.values[1] != drawn.values[1]).any()
    said = metrics.estimate(correct, "plurality@k", 5, answers=answers, target="benchmark")
    assert "4 were drawn at random for each question" in str(said.caveats)
    assert said.n_effective == pytest.approx(3000 / (1 / 2 + 1 / 4))
    assert narrow.n_effective == 6000


def test_padding_is_no_sample():
    answers, verdicts = [[0, 0, 1, 5], [2, 1, 5, 1]], [[1, 1, 0, -2], [0, 1, -2, 1]]
    found = metrics.estimate(Outcomes(verdicts), "plurality@k", 2, answers=answers)
    plain = metrics.plurality_at_k([[0, 0, 1], [2, 1, 1]], [[1, 1, 0], [0, 1, 1]], 2)
    assert found.value == pytest.approx(plain)


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
        (Outcomes([[1, -2], [0, 1]]), "same number of samples for every question"),
        (Outcomes([[1, 0], [0, 1]]), "no extracted answers to vote with"),
    ],
)
def test_a_vote_that_cannot_be_held_says_why(data, reason):
    answers = [[0, 1], [1, 0]] if "same" in reason else None
    with pytest.raises(MetricError, match=reason):
        metrics.estimate(data, "plurality@k", 2 if answers is None else 1, answers=answers)
