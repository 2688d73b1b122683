"""The statistics of each question, against counting by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import ABSENT, FAILED, NO_ANSWER, MetricError, Outcomes, question_statistics


def rows(elements):
    shape = st.tuples(st.integers(1, 5), st.integers(1, 9))
    return shape.flatmap(
        lambda s: st.lists(st.lists(elements, min_size=s[1], max_size=s[1]), min_size=s[0])
    )


SAMPLES = rows(st.tuples(st.sampled_from([1, 0, FAILED, ABSENT]), st.integers(-1, 3)))


@given(rows(st.integers(-2, 3)))
def test_agreement_is_that_of_a_count_by_hand(answers):
    found = metrics.agreement(answers)
    for i, row in enumerate(answers):
        cast = Counter(code for code in row if code >= 0)
        most = max(cast.values(), default=0)
        winners = [code for code, count in cast.items() if count == most]
        assert found.votes[i] == most
        assert found.answer[i] == min(winners, default=NO_ANSWER)
        assert found.tied[i] == (len(winners) > 1)
        assert found.share[i] == most / len(row)


@given(SAMPLES, st.sampled_from(["wrong", "omit", "right"]))
def test_statistics_are_those_of_a_count_by_hand(samples, missing):
    verdicts = [[verdict for verdict, _ in row] for row in samples]
    answers = [[code for _, code in row] for row in samples]
    found = question_statistics(Outcomes(verdicts), answers, missing=missing)
    counted = {FAILED: missing == "right", 0: False, 1: True}
    for i, row in enumerate(samples):
        graded = [counted[v] for v, _ in row if v != ABSENT and (v != FAILED or missing != "omit")]
        n, c = len(graded), sum(graded)
        assert (found.n[i], found.c[i]) == (n, c)
        assert found.failed[i] == sum(v == FAILED for v, _ in row)
        assert found.always_right[i] == (n > 0 and c == n)
        assert found.never_right[i] == (n > 0 and c == 0)
        assert found.flaky[i] == (0 < c < n)
        assert found.majority_wrong[i] == (0 < c <= n / 2)
        cast = Counter(a for v, a in row if v >= 0 and a >= 0)
        mode = min(cast, key=lambda a: (-cast[a], a), default=None)
        share = cast[mode] / n if n else np.nan
        assert found.agreement.share[i] == pytest.approx(share, nan_ok=True)
        right = sum(v == 1 for v, a in row if v >= 0 and a == mode)
        assert found.modal_right[i] == (right > cast[mode] / 2)
        alone = list(cast.values()).count(cast[mode]) == 1
        wrong = mode is not None and share >= 0.6 and cast[mode] > 1 and alone
        assert found.confidently_wrong(0.6)[i] == (wrong and not found.modal_right[i])


def test_one_sample_is_never_confident():
    found = question_statistics(Outcomes([[0], [1]]), [[4], [5]])
    assert found.agreement.share.tolist() == [1, 1]
    assert not found.confidently_wrong().any()
    assert found.modal_right.tolist() == [False, True]


def test_without_answers_there_are_counts_only():
    found = question_statistics(Outcomes([[0, 0], [0, 1]]))
    assert found.agreement is None
    assert found.modal_right is None
    assert found.confidently_wrong().tolist() == [False, False]
    assert found.never_right.tolist() == [True, False]


def test_a_segment_has_its_own_questions():
    outcomes = Outcomes([[1, 1], [0, 0], [0, 1]], segments={"half": ["a", "b", "b"]})
    found = question_statistics(outcomes, [[1, 1], [2, 2], [2, 3]], segment=("half", "b"))
    assert found.c.tolist() == [0, 1]
    assert found.confidently_wrong().tolist() == [True, False]


def test_more_questions_than_a_block_and_codes_of_any_kind():
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 5, (70_000, 4))
    expected = [max(map(row.count, row)) for row in answers.tolist()]
    for dtype in (np.int32, np.uint8, np.float64):
        assert metrics.agreement(answers.astype(dtype)).votes.tolist() == expected
    outcomes = Outcomes(answers == 0)
    found = question_statistics(outcomes, answers.astype(np.uint8))
    assert found.agreement.votes.tolist() == expected


def test_statistics_are_read_only_and_answers_fit():
    found = question_statistics(Outcomes([[1, 0]]), [[1, 2]])
    for array in (found.n, found.c, found.failed, found.modal_right, *found.agreement):
        assert not array.flags.writeable
    with pytest.raises(MetricError, match=r"answers must have the shape of the outcomes, \(1, 2\)"):
        question_statistics(Outcomes([[1, 0]]), [[1, 2, 3]])
    with pytest.raises(MetricError, match="0/1 outcomes"):
        question_statistics(Outcomes([[1, 2]]))


def test_answers_that_are_level_are_not_sure_of_one():
    found = question_statistics(Outcomes([[0] * 4] * 2), [[1, 1, 2, 2], [1, 1, 2, 3]])
    assert found.confidently_wrong(0.5).tolist() == [False, True]
