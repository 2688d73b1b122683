"""Soft scores: their mean and the best of k, against enumeration."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import MetricError, Outcomes, estimate
from tests.metrics import exact

SCORE = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]))
NAN = float("nan")


@given(st.lists(st.lists(SCORE, min_size=1, max_size=7), min_size=1, max_size=5), st.data())
def test_the_best_of_k_is_the_mean_over_all_subsets(rows, data):
    """Rows of any length: the missing end is NaN."""
    width, fewest = max(map(len, rows)), min(map(len, rows))
    k = data.draw(st.integers(1, fewest))
    padded = [row + [NAN] * (width - len(row)) for row in rows]
    truth = sum(exact.enumerated(max, list(map(exact.ratio, row)), k) for row in rows) / len(rows)
    assert exact.error(metrics.soft_max_at_k(padded, k), truth) < 1e-15
    means = sum(sum(map(exact.ratio, row)) / len(row) for row in rows) / len(rows)
    assert exact.error(metrics.soft_accuracy(padded), means) < 1e-15
    with pytest.raises(MetricError, match=rf"1 <= k <= N \(N={fewest}\)"):
        metrics.soft_max_at_k(padded, fewest + 1)


@pytest.mark.parametrize("k", [1, 10, 1999, 2000])
def test_the_best_of_thousands_is_exact(k):
    scores = np.random.default_rng(k).random((2, 2000))
    truth = sum(exact.best_of(k, row) for row in scores) / 2
    assert exact.error(metrics.soft_max_at_k(scores, k), truth) < 1e-12


def test_the_best_of_hard_scores_is_pass_and_of_one_the_mean():
    scores = (np.random.default_rng(1).random((30, 8)) < 0.3).astype(float)
    for k in (1, 3, 8):
        assert metrics.soft_max_at_k(scores, k) == pytest.approx(metrics.pass_at_k(scores, k))
    soft = np.random.default_rng(2).random((30, 8))
    assert metrics.soft_max_at_k(soft, 1) == pytest.approx(metrics.soft_accuracy(soft))
    assert metrics.soft_max_at_k(soft, 8) == pytest.approx(soft.max(axis=1).mean())


def test_soft_and_hard_accuracy_differ_where_credit_is_partial():
    """Soft scores .6 .4 .6: accuracy .533, avg@3 .667 (scores above .5 are right)."""
    outcomes = Outcomes([[1, 0, 1]], [[0.6, 0.4, 0.6]])
    assert metrics.soft_accuracy([[0.6, 0.4, 0.6]]) == pytest.approx(8 / 15)
    assert estimate(outcomes, "soft").value == pytest.approx(8 / 15)
    assert estimate(outcomes, "avg@n").value == pytest.approx(2 / 3)


def test_questions_count_equally_however_many_scores_they_have():
    assert metrics.soft_accuracy([[1.0, NAN, NAN], [0.0, 0.5, 0.25]]) == pytest.approx(0.625)


def test_failed_requests_score_nothing_or_all_or_are_left_out():
    outcomes = Outcomes([[1, -1], [0, -2]], [[0.8, NAN], [0.4, NAN]])
    for missing, value in [
        ("wrong", Fraction(4, 10)),
        ("omit", Fraction(6, 10)),
        ("right", Fraction(65, 100)),
    ]:
        assert estimate(outcomes, "soft", missing=missing).value == pytest.approx(float(value))


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("metric", ["soft", "soft-max@k"])
def test_soft_estimates_are_their_functions(metric, target):
    rng = np.random.default_rng(4)
    scores = rng.random((25, 6))
    outcomes = Outcomes((scores > 0.5).astype(int), scores)
    k = 3 if metric.endswith("k") else None
    found = estimate(outcomes, metric, k, target=target)
    value = metrics.soft_max_at_k(scores, 3) if k else metrics.soft_accuracy(scores)
    assert found.value == pytest.approx(value, abs=1e-15)
    assert 0 < found.interval.low < value < found.interval.high < 1


def test_soft_scores_need_no_verdict_of_right_or_wrong():
    """Where outcomes have categories, scores still average."""
    outcomes = Outcomes([[0, 2, 1], [1, 1, 2]], [[0.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    assert estimate(outcomes, "soft").value == pytest.approx(3.5 / 6)
    assert estimate(outcomes, "soft-max@k", 3).value == 1


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.5, 1.1]], "must lie in 0 … 1"),
        ([[-0.1, 1]], "must lie in 0 … 1"),
        ([[float("inf")]], "must lie in 0 … 1"),
        ([[NAN, NAN]], "Every question needs at least one score"),
        ([0.5, 0.2], r"shape \(questions, samples\); got \(2,\)"),
        ([], r"shape \(questions, samples\); got \(0,\)"),
        ([[0.5], [0.5, 0.2]], "rows of one length"),
        ([["a"]], "must be numbers, NaN where missing; got <U1"),
        ([[1j]], "must be numbers, NaN where missing; got complex128"),
        (None, "must have shape"),
    ],
)
def test_scores_that_are_none_are_named(scores, message):
    for function in (metrics.soft_accuracy, lambda s: metrics.soft_max_at_k(s, 1)):
        with pytest.raises(MetricError, match=message):
            function(scores)


def test_soft_scores_may_stand_alone():
    scores = [[0.6, 0.4, NAN], [0.9, 0.5, 0.1]]
    alone = Outcomes(scores=scores)
    assert alone.correct.tolist() == [[1, 0, -2], [1, 0, 0]]
    for metric in ("soft", "soft-max@k"):
        assert estimate(alone, metric) == estimate(scores, metric)
        whole = Outcomes(alone.correct, scores)
        assert estimate(whole, metric, target="benchmark") == estimate(
            scores, metric, target="benchmark"
        )
    assert estimate(scores, "soft").value == (0.5 + 0.5) / 2
    assert metrics.curve(scores, "soft-max@k").value.tolist() == [
        estimate(scores, "soft-max@k", k).value for k in (1, 2)
    ]
    others = [[0.5, 0.4, 0.9], [0.2, 0.5, 0.1]]
    pair = Outcomes(scores=scores), Outcomes(scores=others)
    found = metrics.compare(scores, others, "soft")
    assert found.interval == metrics.compare(*pair, "soft").interval
    assert found.value == pytest.approx((0.6 + 0.8 / 3) / 2 - 0.5)
    with pytest.raises(MetricError, match=r"verdicts .correct. or soft scores"):
        Outcomes()
    with pytest.raises(MetricError, match="must hold integers"):
        estimate([[0.6, 0.4]], "avg@n")


def test_there_is_no_soft_score_without_scores():
    tally = metrics.Tally.of_questions([2], [1])
    for verdicts in (tally, Outcomes([[1, 0]])):
        with pytest.raises(MetricError, match="no soft scores; every verdict is right or wrong"):
            estimate(verdicts, "soft")
