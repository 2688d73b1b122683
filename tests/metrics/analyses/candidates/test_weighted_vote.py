"""Votes weighted by a signal, against every subset of k candidates counted by hand."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import MetricError, Outcomes, Way
from metrics.analyses.candidates import voting
from tests.metrics import exact

RNG = np.random.default_rng(7)
RIGHT = (RNG.random((40, 6)) < RNG.random((40, 1))).astype(int)
ANSWERS = np.where(RIGHT, 0, RNG.integers(1, 4, RIGHT.shape))
SIGNAL = RIGHT + RNG.random(RIGHT.shape)


def elected(chosen, rule):
    """What the answers of the greatest weight pay; equal ones share, without any vote 0."""
    cast = [(answer, weight, right) for answer, weight, right in chosen if answer >= 0]
    if not cast:
        return 0
    if rule == "max":
        top = max((w for _, w, _ in cast if w is not None), default=None)
        paid = [right for _, w, right in cast if w == top]
        return Fraction(sum(paid), len(paid))
    stands = {}
    for answer in {answer for answer, _, _ in cast}:
        weights = [Fraction(w) for a, w, _ in cast if a == answer and w is not None]
        total = sum(weights)
        stands[answer] = None if not weights else total if rule == "sum" else total / len(weights)
    top = max((x for x in stands.values() if x is not None), default=None)
    shares = []
    for answer, stand in stands.items():
        if stand == top:
            rights = [right for a, _, right in cast if a == answer]
            shares.append(Fraction(sum(rights), len(rights)))
    return sum(shares) / len(shares)


@st.composite
def polls(draw):
    """Verdicts, answers, some without, and weights, some missing and many alike."""
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, 7))

    def matrix(values):
        row = st.lists(values, min_size=n, max_size=n)
        return draw(st.lists(row, min_size=m, max_size=m))

    weights = [None, 0.0, 0.1, 0.2, 0.3, 1.0]
    return matrix(st.integers(0, 1)), matrix(st.integers(-1, 3)), matrix(st.sampled_from(weights))


def counted(right, answers, weights, k, rule):
    tenths = [[w if w is None else Fraction(round(10 * w), 10) for w in row] for row in weights]
    rows = [list(zip(*row, strict=True)) for row in zip(answers, tenths, right, strict=True)]
    each = [exact.enumerated(lambda chosen: elected(chosen, rule), row, k) for row in rows]
    return sum(each) / len(each)


@pytest.mark.wide
@settings(max_examples=25)
@given(polls(), st.sampled_from(["sum", "mean", "max"]))
def test_the_vote_is_the_mean_over_all_subsets(poll, rule):
    right, answers, weights = poll
    signal = np.array(weights, dtype=float)
    if np.isnan(signal).all():
        with pytest.raises(MetricError, match="No sample has a signal"):
            metrics.weighted_vote(right, signal, rule, answers=answers)
        return
    found = metrics.weighted_vote(right, signal, rule, answers=answers)
    for k, value in zip(found.k.tolist(), found.value, strict=True):
        assert exact.error(value, counted(right, answers, weights, k, rule)) < 1e-14


def test_what_rounding_keeps_apart_is_a_tie():
    found = metrics.weighted_vote([[1, 1, 0]], [[0.1, 0.2, 0.3]], k=3, answers=[[1, 1, 2]])
    assert found.value == 0.5


@pytest.mark.wide
@pytest.mark.parametrize("rule", ["sum", "mean"])
def test_what_is_drawn_lies_as_near_as_it_says(rule, monkeypatch):
    whole = metrics.weighted_vote(RIGHT, SIGNAL, rule, answers=ANSWERS)
    assert "drawn at random" not in str(whole.caveats)
    monkeypatch.setattr(voting, "EXACT", 1)
    monkeypatch.setattr(voting, "DRAWN", 4 * RIGHT.size)
    orders = [
        metrics.weighted_vote(RIGHT, SIGNAL, rule, answers=ANSWERS, rng=seed) for seed in range(30)
    ]
    drawn = np.array([each.value for each in orders])
    error = np.sqrt(whole.value * (1 - whole.value) / (4 * len(RIGHT)))
    assert np.all(drawn.std(axis=0) <= 1.1 * error)
    assert np.all(np.abs(drawn.mean(axis=0) - whole.value) <= 3 * error / np.sqrt(30))
    assert drawn[:, [0, -1]] == pytest.approx(whole.value[[0, -1]] + np.zeros((30, 2)))
    assert "4 were drawn at random for each question" in str(orders[0].caveats)
    again = metrics.weighted_vote(RIGHT, SIGNAL, rule, answers=ANSWERS, rng=3)
    assert again.value.tolist() == orders[3].value.tolist()
    data = {"answers": ANSWERS, "target": "benchmark"}
    wider = metrics.weighted_vote(RIGHT, SIGNAL, rule, 3, **data)
    monkeypatch.undo()
    width = metrics.weighted_vote(RIGHT, SIGNAL, rule, 3, **data)
    assert wider.high - wider.low > width.high - width.low


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_equal_weights_make_a_plain_vote_and_the_largest_a_pick(target):
    data = {"answers": ANSWERS, "target": target}
    plain = metrics.curve(RIGHT, "plurality@k", **data)
    equal = metrics.weighted_vote(RIGHT, np.ones(RIGHT.shape), **data)
    best = metrics.weighted_vote(RIGHT, SIGNAL, "max", **data)
    picked = metrics.selected(RIGHT, SIGNAL, target=target)
    for one, other in ((plain, equal), (best, picked)):
        for name in ("value", "low", "high"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12)


def test_a_sample_without_an_answer_is_not_picked():
    right, signal, answers = [[1, 0, 0]], [[0.2, 0.9, 0.5]], [[4, -1, 6]]
    found = metrics.weighted_vote(right, signal, "max", answers=answers)
    assert found.value == pytest.approx([1 / 3, 1 / 3, 0])
    assert "1 of 3 samples has no answer and does not vote" in str(found.caveats)


def test_columns_may_be_added_by_weights():
    columns = {"a": SIGNAL, "b": -SIGNAL + 1, "holed": np.full(RIGHT.shape, np.nan)}
    run = SimpleNamespace(outcomes=Outcomes(RIGHT), answers=ANSWERS, columns=columns)
    mixed = metrics.weighted_vote(run, {"a": 0.75, "b": 0.25})
    same = metrics.weighted_vote(RIGHT, 0.5 * SIGNAL + 0.25, answers=ANSWERS)
    assert mixed.value == pytest.approx(same.value)
    with pytest.raises(MetricError, match="There is no column c; known: a, b, holed"):
        metrics.weighted_vote(run, {"a": 1.0, "c": 1.0})
    with pytest.raises(MetricError, match="No sample has a signal"):
        metrics.weighted_vote(run, {"a": 1.0, "holed": 1.0})


def test_what_cannot_be_voted_on_says_why():
    with pytest.raises(MetricError, match="no extracted answers to vote with"):
        metrics.weighted_vote(RIGHT, SIGNAL)
    with pytest.raises(MetricError, match=r"Weights below 0 cannot be summed.*smallest is -1"):
        metrics.weighted_vote([[1, 0]], [[-1.0, 2.0]], answers=[[1, 2]])
    assert metrics.weighted_vote([[1, 0]], [[-1.0, -2.0]], "mean", 2, answers=[[1, 2]]).value == 1
    with pytest.raises(MetricError, match="must be finite"):
        metrics.weighted_vote([[1, 0]], [[np.inf, 2.0]], answers=[[1, 2]])
    with pytest.raises(MetricError, match="rule must be sum, mean or max; got 'pick'"):
        metrics.weighted_vote(RIGHT, SIGNAL, "pick", answers=ANSWERS)
    ragged = Outcomes([[1, 0], [0, -2]])
    with pytest.raises(MetricError, match="same number of samples for every question"):
        metrics.weighted_vote(ragged, np.ones((2, 2)), answers=[[1, 2], [1, -1]])


def test_two_ways_are_compared_on_the_same_candidates():
    vote, noise = Way(None), np.sin(np.arange(RIGHT.size)).reshape(RIGHT.shape)
    found = metrics.compare_ways(RIGHT, vote, SIGNAL, 4, answers=ANSWERS)
    voted = metrics.estimate(RIGHT, "plurality@k", 4, answers=ANSWERS)
    picked = metrics.selected(RIGHT, SIGNAL, 4)
    assert found.value == pytest.approx(picked.value[0] - voted.value)
    assert found.interval.low < found.value < found.interval.high
    assert found.wins + found.ties + found.losses == len(RIGHT)
    mirrored = metrics.compare_ways(RIGHT, SIGNAL, vote, 4, answers=ANSWERS)
    assert mirrored.interval == pytest.approx([-found.interval.high, -found.interval.low])
    assert mirrored.p_value == pytest.approx(found.p_value)
    same = metrics.compare_ways(RIGHT, noise, Way(noise, "max"), answers=ANSWERS)
    assert (same.value, same.ties, same.p_value) == (0, 40, 1)
    these = metrics.compare_ways(RIGHT, noise, SIGNAL, 2, target="benchmark")
    assert these.interval.low < these.value < these.interval.high
    ends = [metrics.selected(RIGHT, by, 2, target="benchmark") for by in (noise, SIGNAL)]
    lower = np.hypot(ends[1].value - ends[1].low, ends[0].high - ends[0].value)
    assert these.interval.low == pytest.approx(float(these.value - lower[0]))
    clustered = Outcomes(RIGHT, clusters=np.arange(40) // 4)
    wider = metrics.compare_ways(clustered, noise, SIGNAL, 4)
    alone = metrics.compare_ways(RIGHT, noise, SIGNAL, 4)
    assert wider.interval.high - wider.interval.low > alone.interval.high - alone.interval.low


def test_a_threshold_makes_a_judge_of_a_score():
    right, score = [[1, 0, 0]], [[0.8, 0.8, 0.5]]
    judge = metrics.compare_ways(right, Way(score, threshold=0.5), Way(score, threshold=0.8))
    assert judge.value == pytest.approx(1 / 2 - 1 / 3)
    strict = Way(score, threshold=0.5, strict=True)
    assert metrics.compare_ways(right, strict, Way(score, threshold=0.8)).value == 0
    with pytest.raises(MetricError, match="rule must be one of pick, sum, mean, max; got 'best'"):
        Way(score, "best")
