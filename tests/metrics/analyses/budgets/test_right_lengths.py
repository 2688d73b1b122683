"""The lengths of right answers beside those of wrong ones: against all pairs."""

from itertools import product

import numpy as np
import pytest

import metrics
from metrics import MetricError, Outcomes

RNG = np.random.default_rng(22)
RIGHT = (RNG.random((14, 6)) < 0.5).astype(int)
RIGHT[3] = 1
LENGTHS = RNG.integers(1, 6, RIGHT.shape) * 10.0


def pairs(right, lengths):
    """Lengths of right and of wrong answers, of each question that has both."""
    for verdicts, found in zip(np.asarray(right), np.asarray(lengths), strict=True):
        if {0, 1} <= set(verdicts.tolist()):
            yield found[verdicts == 1], found[verdicts == 0]


def test_all_pairs_of_a_right_and_a_wrong_answer_are_compared() -> None:
    found = metrics.right_lengths(RIGHT, LENGTHS)
    mixed = list(pairs(RIGHT, LENGTHS))
    wins = [np.mean([(a > b) + (a == b) / 2 for a, b in product(*each)]) for each in mixed]
    assert found.longer.value == pytest.approx(np.mean(wins))
    assert found.n_questions == len(mixed) < 14
    right, wrong = (np.array([each[side].mean() for each in mixed]) for side in (0, 1))
    assert found.ratio.value == pytest.approx(right.mean() / wrong.mean())
    assert (found.right, found.wrong) == pytest.approx((right.mean(), wrong.mean()))
    everything = LENGTHS[RIGHT == 1].mean() / LENGTHS[RIGHT == 0].mean()
    assert found.over_all.value == pytest.approx(everything)


def test_samples_that_are_missing_or_not_measured_make_no_pair() -> None:
    verdicts = RIGHT.copy()
    verdicts[0, :2], verdicts[1, 0] = -2, -1
    lengths = np.where(verdicts < 0, np.nan, LENGTHS)
    lengths[2, 3] = np.nan
    verdicts[2, 3] = 1
    found = metrics.right_lengths(Outcomes(verdicts), lengths)
    mixed = list(pairs(np.where(np.isnan(lengths), -2, verdicts), lengths))
    wins = [np.mean([(a > b) + (a == b) / 2 for a, b in product(*each)]) for each in mixed]
    assert found.longer.value == pytest.approx(np.mean(wins))
    assert any("1 of 81 samples has none" in str(text) for text in found.longer.caveats)


def test_hard_questions_with_long_answers_make_right_ones_look_short() -> None:
    p = np.linspace(0.05, 0.95, 60)[:, None]
    rng = np.random.default_rng(5)
    right = (rng.random((60, 8)) < p).astype(int)
    lengths = rng.lognormal(8 - 2 * p, 0.3, right.shape)
    found = metrics.right_lengths(right, lengths)
    assert found.over_all.interval.high < 0.8
    assert found.ratio.interval.low < 1 < found.ratio.interval.high
    assert found.longer.interval.low < 0.5 < found.longer.interval.high


def test_the_ratio_has_student_s_interval_of_its_logarithm_with_one_question_more() -> None:
    right = np.array([[1, 0]] * 8)
    lengths = np.array([[2, 1], [3, 2], [1, 1], [5, 4]] * 2) * 10.0
    found = metrics.right_lengths(right, lengths).ratio
    a, b = lengths.T
    e = a / a.mean() - b / b.mean()
    reach = 2.364624 * np.sqrt((e @ e + max(e**2)) / 7 / 8)
    assert np.log(found.interval) == pytest.approx(np.log(found.value) + reach * np.array([-1, 1]))
    clustered = metrics.right_lengths(
        Outcomes(right, clusters=np.tile(np.arange(4), 2)), lengths
    ).ratio
    assert clustered.value == found.value
    assert clustered.interval.low < found.interval.low
    alone = metrics.right_lengths(right[:1], lengths[:1])
    assert alone.ratio.interval is None
    assert alone.longer.interval == (0, 1)


def test_no_pair_is_refused_and_empty_wrong_answers_have_no_ratio() -> None:
    with pytest.raises(MetricError, match="No question has both right and wrong answers"):
        metrics.right_lengths([[1, 1], [0, 0]], [[1, 2], [3, 4]])
    empty = metrics.right_lengths([[1, 0], [1, 0]], [[5, 0], [6, 0]])
    assert (empty.ratio, empty.over_all, empty.longer.value) == (None, None, 1.0)
