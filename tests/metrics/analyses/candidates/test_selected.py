"""Picking by a signal, against every subset of k candidates and every pair counted by hand."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, stdtrit

import metrics
from metrics import MetricError, Outcomes
from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.signals import candidates
from metrics.data.evidence import Evidence
from tests.metrics import exact

RNG = np.random.default_rng(3)
RIGHT = (RNG.random((40, 8)) < RNG.random((40, 1))).astype(int)
SIGNAL = RIGHT + RNG.normal(size=RIGHT.shape)

FEW = settings(max_examples=30)


def best(chosen):
    """What the best of some candidates pays; equal ones share."""
    top = max(signal for signal, _ in chosen)
    paid = [exact.ratio(payoff) for signal, payoff in chosen if signal == top]
    return sum(paid) / len(paid)


def twice(row, k):
    """What two disjoint draws of k pay, multiplied, over all pairs of draws."""
    places = set(range(len(row)))
    products = []
    for one in combinations(places, k):
        first = best([row[i] for i in one])
        for other in combinations(places - set(one), k):
            products.append(first * best([row[i] for i in other]))
    return sum(products) / len(products)


@st.composite
def groups(draw, most=7):
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, most))

    def matrix(values):
        return draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=m, max_size=m))

    return matrix(st.integers(0, 1)), matrix(st.sampled_from([-2.0, 0.0, 0.5, 3.0]))


def rows_of(signal, payoff):
    return [list(zip(*row, strict=True)) for row in zip(signal, payoff, strict=True)]


@pytest.mark.wide
@FEW
@given(groups())
def test_the_pick_is_the_mean_over_all_subsets(group):
    right, signal = group
    found = metrics.selected(right, signal)
    for k, value in zip(found.k.tolist(), found.value, strict=True):
        each = [exact.enumerated(best, row, k) for row in rows_of(signal, right)]
        assert exact.error(value, sum(each) / len(each)) < 1e-14


@pytest.mark.wide
@FEW
@given(groups(), st.integers(0, 4))
def test_a_soft_pick_is_the_mean_over_all_subsets(group, quarter):
    right, signal = group
    soft = (np.array(right) * quarter + 1) / 8
    data = Outcomes(right, scores=soft)
    found = metrics.selected(data, signal, soft=True)
    for k, value in zip(found.k.tolist(), found.value, strict=True):
        each = [exact.enumerated(best, row, k) for row in rows_of(signal, soft)]
        assert exact.error(value, sum(each) / len(each)) < 1e-14


@pytest.mark.wide
@FEW
@given(groups(most=6))
def test_two_disjoint_draws_tell_what_other_samples_would(group):
    right, signal = group
    n = len(right[0])
    found = candidates(right, Evidence(right), signal, False)
    for k in range(1, n // 2 + 1):
        picks = Picks(found, np.array([k]), again=True)
        rows = rows_of(signal, right)
        spread = [exact.enumerated(best, row, k) ** 2 - twice(row, k) for row in rows]
        truth = max(sum(spread) / len(rows) ** 2, Fraction(0))
        within = picks.scores(0).within
        assert exact.error(within(), truth) < 1e-14


def paired(right, signal):
    """Pairs that are ranked rightly, ties half, and all pairs."""
    above = pairs = Fraction(0)
    for row in rows_of(signal, right):
        for s, y in row:
            for t, z in row:
                if y > z:
                    pairs += 1
                    above += Fraction(s > t) + Fraction(s == t) / 2
    return above, pairs


@FEW
@given(groups())
def test_ranking_quality_counts_every_pair(group):
    right, signal = group
    above, pairs = paired(right, signal)
    if pairs:
        found = metrics.ranking_quality(right, signal)
        assert exact.error(found.value, above / pairs) < 1e-14
        assert found.interval.low <= found.value <= found.interval.high
    else:
        with pytest.raises(MetricError, match="both right and wrong"):
            metrics.ranking_quality(right, signal)


@pytest.mark.wide
@FEW
@given(groups())
def test_only_the_order_within_a_question_matters(group):
    right, signal = (np.array(each) for each in group)
    moved = np.exp(signal) * np.arange(1, len(signal) + 1)[:, None] + signal[:, :1]
    one, other = (metrics.selected(right, each) for each in (signal, moved))
    assert one.value == pytest.approx(other.value, abs=1e-14)
    order = np.argsort(np.sin(np.arange(right.shape[1])))
    shuffled = metrics.selected(right[:, order], signal[:, order])
    assert one.value == pytest.approx(shuffled.value, abs=1e-14)


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_a_pick_by_the_verdict_is_pass_at_k_with_its_interval(target):
    found = metrics.selected(RIGHT, RIGHT, target=target)
    passed = metrics.curve(RIGHT, "pass@k", target=target)
    assert found.value == pytest.approx(passed.value, abs=1e-14)
    held = slice(None) if target == "population" else slice(0, 4)
    assert found.low[held] == pytest.approx(passed.low[held], abs=1e-9)
    assert found.high[held] == pytest.approx(passed.high[held], abs=1e-9)
    constant = metrics.selected(RIGHT, np.zeros(RIGHT.shape), target=target)
    avg = metrics.estimate(RIGHT, "avg@n", target=target)
    assert constant.value == pytest.approx([avg.value] * 8, abs=1e-14)
    assert (constant.low[0], constant.high[0]) == pytest.approx(avg.interval, abs=1e-9)


def test_a_soft_pick_by_the_score_is_the_best_score():
    scores = np.random.default_rng(4).integers(0, 5, (20, 6)) / 4
    data = Outcomes((scores > 0.5).astype(int), scores=scores)
    found = metrics.selected(data, scores, soft=True)
    assert found.value == pytest.approx([metrics.soft_max_at_k(scores, k) for k in range(1, 7)])


def test_what_is_missing_ranks_below_all_and_is_counted():
    right = [[1, 0, 0], [1, 1, 0]]
    holed = [[np.nan, 0.1, -5.0], [0.3, 0.2, 0.1]]
    found = metrics.selected(right, holed)
    below = metrics.selected(right, [[-9.0, 0.1, -5.0], [0.3, 0.2, 0.1]])
    assert found.value.tolist() == below.value.tolist()
    assert "1 of 6 samples has no signal: they are picked only where nothing else" in str(
        found.caveats
    )
    ranked = metrics.ranking_quality(right, holed)
    assert ranked.value == 1
    assert "1 of 6 samples has no signal: they are left out" in str(ranked.caveats)
    with pytest.raises(MetricError, match="No sample has a signal to pick by"):
        metrics.selected(right, np.full((2, 3), np.nan))


def test_failed_and_absent_samples_count_as_in_every_metric():
    data = Outcomes([[1, 0, -1, 1], [0, 1, 1, -2], [-2, -2, -2, -2]])
    signal = [[0.4, 0.6, np.nan, 0.1], [0.3, 0.2, 0.1, 9.0], [1.0, 1.0, 1.0, 1.0]]
    wrong = metrics.selected(data, signal, 3)
    assert wrong.n_questions == 2
    first = exact.enumerated(best, [(0.4, 1), (0.6, 0), (-1, 0), (0.1, 1)], 3)
    assert exact.error(wrong.value[0], first / 2) < 1e-15
    omitted = metrics.selected(data, signal, 2, missing="omit")
    first = exact.enumerated(best, [(0.4, 1), (0.6, 0), (0.1, 1)], 2)
    second = exact.enumerated(best, [(0.3, 0), (0.2, 1), (0.1, 1)], 2)
    assert exact.error(omitted.value[0], (first + second) / 2) < 1e-15


def test_a_segment_is_picked_from_alone():
    data = Outcomes(RIGHT, segments={"half": ["a", "b"] * 20})
    found = metrics.selected(data, SIGNAL, segment=("half", "b"))
    assert found.value.tolist() == metrics.selected(RIGHT[1::2], SIGNAL[1::2]).value.tolist()


def test_a_selector_that_is_gamed_is_said_to_be():
    """Its favourite among 16 is always wrong, though it ranks the others well."""
    rng = np.random.default_rng(5)
    right = (rng.random((200, 16)) < 0.5).astype(int)
    signal = right + rng.random(right.shape)
    right[:, 0], signal[:, 0] = 0, 9.0
    found = metrics.selected(right, signal)
    assert found.fall.last == 16
    assert found.fall.change.value == pytest.approx(
        found.value[-1] - found.value[found.fall.first - 1]
    )
    assert found.fall.change.interval.high < 0
    assert found.fall.change.confidence_level > 0.95
    assert "From 4 to 16 candidates it falls by" in str(found.caveats[0])
    assert metrics.selected(right, right).fall is None


def test_a_selector_of_known_quality_is_recovered():
    """Signals of right samples lie one standard deviation higher; p is uniform."""
    rng = np.random.default_rng(9)
    right = rng.random((20_000, 8)) < rng.random((20_000, 1))
    signal = right + rng.normal(size=right.shape)
    x, p = np.linspace(-9, 10, 4000), (np.arange(400) + 0.5) / 400
    density = np.exp(-((x - 1) ** 2) / 2) / np.sqrt(2 * np.pi)
    below = (1 - p[:, None]) * ndtr(x) + p[:, None] * ndtr(x - 1)
    truth = [
        float((p * np.trapezoid(k * density * below ** (k - 1), x, axis=1)).mean())
        for k in range(1, 9)
    ]
    found = metrics.selected(right.astype(int), signal)
    assert np.all((found.low <= truth) & (truth <= found.high))
    assert found.value == pytest.approx(truth, abs=0.01)
    ranked = metrics.ranking_quality(right.astype(int), signal)
    assert ranked.value == pytest.approx(ndtr(1 / np.sqrt(2)), abs=0.005)
    share = metrics.selection_efficiency(right.astype(int), signal)
    passed = 1 - ((1 - p) ** 8).mean()
    assert share.value == pytest.approx((truth[-1] - 0.5) / (passed - 0.5), abs=0.02)


@pytest.mark.wide
def test_a_useless_signal_seldom_seems_to_fall():
    rng = np.random.default_rng(6)
    falls = 0
    for _ in range(60):
        right = (rng.random((40, 8)) < 0.4).astype(int)
        falls += metrics.selected(right, rng.random((40, 8)), 8).fall is not None
    assert falls <= 4


def test_efficiency_is_the_share_of_what_an_oracle_gains():
    found = metrics.selection_efficiency(RIGHT, SIGNAL, 4)
    avg, passed = RIGHT.mean(), metrics.pass_at_k(RIGHT, 4)
    pick = metrics.selected(RIGHT, SIGNAL, 4).value[0]
    assert found.value == pytest.approx((pick - avg) / (passed - avg))
    assert found.interval.low < found.value < found.interval.high <= 1
    assert metrics.selection_efficiency(RIGHT, RIGHT).value == pytest.approx(1)
    assert metrics.selection_efficiency(RIGHT, -RIGHT).value < 0
    assert metrics.selection_efficiency(RIGHT, np.zeros(RIGHT.shape)).value == pytest.approx(0)


def test_fieller_limits_solve_their_quadratic():
    """At either end the added question leaves (a - E b)^2 at t^2 of its variance."""
    level, m = 0.9, len(RIGHT)
    low, high = metrics.selection_efficiency(RIGHT, SIGNAL, confidence_level=level).interval
    average = RIGHT.mean(axis=1)
    a = np.take_along_axis(RIGHT, SIGNAL.argmax(axis=1)[:, None], 1)[:, 0] - average
    b = RIGHT.max(axis=1) - average
    for end in {low, high} - {1.0}:
        d = a - end * b
        squares = ((d - d.mean()) ** 2).sum() + 1
        reach = stdtrit(m - 1, (1 + level) / 2) ** 2 * squares / ((m - 1) * m)
        assert d.mean() ** 2 == pytest.approx(reach)


def test_efficiency_without_an_interval_says_why():
    near = metrics.selection_efficiency([[1, 1, 1], [1, 1, 0]], [[1, 2, 3], [1, 2, 3]])
    assert near.interval is None
    assert "One sample and an oracle are too close together" in str(near.caveats)
    data = Outcomes(RIGHT, clusters=np.arange(40) // 2)
    assert metrics.selection_efficiency(data, SIGNAL).interval is None
    for right, k in (([[1, 1], [0, 0]], None), (RIGHT, 1)):
        with pytest.raises(MetricError, match="even an oracle gains nothing"):
            metrics.selection_efficiency(right, right, k)


def test_clusters_widen_what_they_should():
    clusters = np.arange(40) // 4
    for analyse in (lambda d: metrics.selected(d, SIGNAL, 8), lambda d: _ranked(d)):
        alone, together = analyse(Outcomes(RIGHT)), analyse(Outcomes(RIGHT, clusters=clusters))
        assert alone.value == together.value
        assert together.high - together.low > alone.high - alone.low


def _ranked(data):
    found = metrics.ranking_quality(data, SIGNAL)
    return metrics.Curve(*(np.array([x]) for x in (8, found.value, *found.interval)))


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        ([[1.0, 2.0]], r"shape of the outcomes, \(1, 3\); got \(1, 2\)"),
        ([["a", "b", "c"]], "must be numbers"),
        ([[1, 2], [1]], "rows of one length"),
    ],
)
def test_a_signal_stands_beside_each_sample(by, reason):
    with pytest.raises(MetricError, match=reason):
        metrics.selected([[1, 0, 1]], by)


def test_what_cannot_be_picked_from_says_why():
    with pytest.raises(MetricError, match="selected@4 needs 4 samples of every question"):
        metrics.selected([[1, 0, 1]], [[1, 2, 3]], 4)
    with pytest.raises(MetricError, match="no soft scores"):
        metrics.selected([[1, 0, 1]], [[1, 2, 3]], soft=True)
    with pytest.raises(MetricError, match="ks must ascend"):
        metrics.selected([[1, 0, 1]], [[1, 2, 3]], [2, 1])
    ungrouped = Outcomes([[1], [0]], grouped=False)
    with pytest.raises(MetricError, match="which samples belong to the same question"):
        metrics.selected(ungrouped, [[1], [0]])
    with pytest.raises(MetricError, match=r"integers in \[0, 1\]"):
        metrics.selected([[2, 0, 1]], [[1, 2, 3]])
