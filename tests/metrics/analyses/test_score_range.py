"""The score with unsettled samples wrong, right and left out."""

import itertools

import numpy as np
import pytest

from metrics import FAILED, Counts, MetricError, Outcomes, estimate, score_range

CUT = np.array([[0, 0, 1, 1], [0, 0, 1, 1]], dtype=bool)
RIGHT = np.array([[1, 1, 0, 0], [1, 0, 0, 1]])


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 2), ("pass^k", 3)])
def test_any_verdicts_on_the_unsettled_give_a_score_within_the_range(metric, k) -> None:
    found = score_range(RIGHT, CUT, metric, k)
    scores = []
    for verdicts in itertools.product((0, 1), repeat=int(CUT.sum())):
        tried = RIGHT.copy()
        tried[CUT] = verdicts
        scores.append(estimate(tried, metric, k).value)
    assert (found.all_wrong.value, found.all_right.value) == (min(scores), max(scores))
    assert found.judged.value == estimate(RIGHT, metric, k).value


def test_each_number_is_the_estimate_of_its_treatment_with_its_interval() -> None:
    rng = np.random.default_rng(1)
    correct = rng.integers(-2, 2, (30, 6)).astype(np.int8)
    correct[:, 0] = 1
    cut = rng.random((30, 6)) < 0.3
    cut[3] = True
    scores = np.where(correct < 0, np.nan, rng.random((30, 6)))
    data = Outcomes(correct, scores, segments={"level": ["a", "b"] * 15})
    treated = correct.copy()
    treated[cut & (correct != -2)] = -1
    plain = Outcomes(treated, segments={"level": ["a", "b"] * 15})
    for segment in (None, ("level", "b")):
        found = score_range(data, cut, missing="omit", segment=segment, confidence_level=0.9)
        each = {"all_wrong": "wrong", "all_right": "right", "answered": "omit"}
        for name, missing in each.items():
            expected = estimate(plain, "avg@n", missing=missing, segment=segment)
            assert getattr(found, name).value == expected.value
            assert getattr(found, name).confidence_level == 0.9
            assert getattr(found, name).interval.low > expected.interval.low
        part = slice(None) if segment is None else slice(1, None, 2)
        assert found.judged.value == estimate(data, "avg@n", missing="omit", segment=segment).value
        assert found.unsettled == np.count_nonzero(treated[part] == -1)
        assert found.samples == np.count_nonzero(treated[part] != -2)
        assert found.left_out == np.count_nonzero(~(treated[part] >= 0).any(axis=1))
    soft = score_range(data, cut, "soft")
    assert soft.all_wrong.value < soft.judged.value < soft.all_right.value
    assert list(soft.to_frame()["treatment"]) == ["judged", "all_wrong", "all_right", "answered"]


def test_where_no_sample_is_answered_the_third_number_has_a_reason() -> None:
    found = score_range(RIGHT, np.ones_like(CUT))
    assert (found.all_wrong.value, found.all_right.value, found.answered) == (0, 1, None)
    assert str(found.reason) == "There is no question with a gradable sample."
    few = score_range(RIGHT, CUT, "pass@k", 3)
    assert few.answered is None
    assert "needs 3 samples" in str(few.reason)


def test_a_range_of_other_metrics_is_refused() -> None:
    with pytest.raises(MetricError, match="does not always rise"):
        score_range(RIGHT, CUT, "plurality@k", 2)
    with pytest.raises(MetricError, match="of each of the"):
        score_range(RIGHT, CUT[:1])


@pytest.mark.parametrize("segment", [None, ("level", "a")])
@pytest.mark.parametrize("missing", ["wrong", "omit"])
def test_counts_tell_what_failed_requests_leave_open(segment, missing):
    correct = [[1, 0, -1, -1], [-1, -1, -1, -1], [1, 1, -2, -2], [0, -1, 1, 0]]
    data = Outcomes(correct, segments={"level": ["a", "a", "b", "a"]})
    found, expected, failed = (
        score_range(each, flags, missing=missing, segment=segment)
        for each, flags in ((Counts.of(data), None), (data, None), (data, data.correct == FAILED))
    )
    assert vars(found) == vars(expected) == vars(failed)
    assert (found.unsettled, found.left_out) == (7, 1)
