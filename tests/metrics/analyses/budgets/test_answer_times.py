"""Time to an answer, at once and in turn: against all orders of small data."""

from itertools import permutations

import numpy as np
import pytest

import metrics
from metrics import FAILED, MetricError, Outcomes

RNG = np.random.default_rng(23)
RIGHT = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 1, 0], [0, 1, 1, 0]])
SECONDS = RNG.integers(1, 30, RIGHT.shape) / 4


def by_orders(k):
    """Means over questions of: slowest, sum, first right at once and in turn, some right."""
    rows = []
    for right, seconds in zip(RIGHT, SECONDS, strict=True):
        each = []
        for order in permutations(range(4), k):
            times, verdicts = seconds[list(order)], right[list(order)]
            hit = verdicts.any()
            until = times[: verdicts.argmax() + 1].sum() if hit else 0
            first = times[verdicts == 1].min() if hit else 0
            each.append((times.max(), times.sum(), first, until, hit))
        rows.append(np.mean(each, axis=0))
    return np.array(rows)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_all_orders_of_the_samples_give_every_time(k) -> None:
    found = metrics.answer_times(RIGHT, SECONDS, k)
    slowest, total, first, until, some = by_orders(k).mean(axis=0)
    assert found.all_at_once.value == pytest.approx(slowest)
    assert found.all_in_turn.value == pytest.approx(total)
    assert found.right_at_once.value == pytest.approx(first / some)
    assert found.right_in_turn.value == pytest.approx(until / some)
    assert found.none_right.value == pytest.approx(1 - some)
    assert found.all_faster.value == pytest.approx(total / slowest)
    assert found.right_faster.value == pytest.approx(until / first)


def test_unequal_numbers_of_samples_are_counted_question_by_question() -> None:
    held = np.array([4, 3, 4, 2, 3])
    verdicts = np.where(np.arange(4) < held[:, None], RIGHT, -2)
    found = metrics.answer_times(Outcomes(verdicts), SECONDS, 2)
    slowest = [
        np.mean([max(pair) for pair in permutations(row[:n], 2)])
        for row, n in zip(SECONDS.tolist(), held.tolist(), strict=True)
    ]
    assert found.all_at_once.value == pytest.approx(np.mean(slowest))
    times = np.where(verdicts < 0, np.nan, SECONDS)
    times[0, 0] = np.nan
    left = metrics.answer_times(Outcomes(verdicts), times, 2)
    assert any("1 of 16 samples has none" in str(text) for text in left.all_at_once.caveats)


def test_a_failed_request_without_a_time_is_left_out_and_intervals_go_by_clusters() -> None:
    verdicts, times = [[1, 0, FAILED]] * 6, np.array([[1, 3, np.nan]] * 3 + [[2, 6, np.nan]] * 3)
    found = metrics.answer_times(Outcomes(verdicts), times, 2)
    assert (found.all_at_once.value, found.all_in_turn.value) == (4.5, 6.0)
    assert found.none_right.value == 0
    together = metrics.answer_times(Outcomes(verdicts, clusters=[0, 0, 0, 1, 1, 1]), times, 2)
    assert together.all_at_once.interval.high > found.all_at_once.interval.high


def test_intervals_are_by_question_and_a_single_one_has_none() -> None:
    found = metrics.answer_times(np.tile(RIGHT, (4, 1)), np.tile(SECONDS, (4, 1)), 2)
    for each in (found.all_at_once, found.right_at_once, found.right_faster, found.none_right):
        assert each.interval.low < each.value < each.interval.high
    alone = metrics.answer_times(RIGHT[:1], SECONDS[:1])
    assert (alone.all_at_once.interval, alone.right_at_once.interval) == (None, None)


def test_where_none_is_right_no_time_to_a_right_one_is_told() -> None:
    found = metrics.answer_times([[0, 0], [0, 0]], [[1, 2], [3, 4]])
    assert (found.right_at_once, found.right_in_turn, found.right_faster) == (None, None, None)
    assert found.none_right.value == 1
    with pytest.raises(MetricError, match="no sample has any"):
        metrics.answer_times([[0, 1]], [[np.nan, np.nan]])
    with pytest.raises(MetricError, match="k must satisfy"):
        metrics.answer_times([[0, 1]], [[1, 2]], 3)
