"""A vote against the average: AISBench's scenarios, what is possible, and how sure one can be."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import FAILED, MetricError, Outcomes, Tally, consistency, feasible_region
from metrics.data.results import Interval
from tests.metrics import exact

TARGETS = ["population", "benchmark"]
COUNTS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=12))
)


def point(n, k, c):
    """Where a question with c of n right stands, as fractions."""
    return Fraction(c, n), exact.drawn(exact.majority(k), n, c)


def inside(polygon, point, slack=1e-12):
    """Whether a point lies left of every side, walked counter-clockwise."""
    corners = [*polygon, polygon[0]]
    turns = [
        (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)
        for (ax, ay), (bx, by) in pairwise(corners)
    ]
    return min(turns) >= -slack


def of_counts(n, counts):
    return Tally.of_questions(n, counts)


@pytest.mark.parametrize(
    ("counts", "n", "avg", "cons"),
    [
        ((2, 2, 1, 0), 3, 5 / 12, 0.5),
        ((2, 2), 3, 2 / 3, 1.0),
        ((1, 1), 3, 1 / 3, 0.0),
        ((3, 0), 3, 0.5, 0.5),
    ],
)
def test_the_worked_examples_of_aisbench(counts, n, avg, cons):
    found = consistency(of_counts(n, counts))
    assert found.avg.value == pytest.approx(avg)
    assert found.cons.value == pytest.approx(cons)
    assert found.difference.value == pytest.approx(cons - avg)
    assert found.label == f"cons@{n}"


@pytest.mark.parametrize(
    ("counts", "name"),
    [((2,), "above"), ((1,), "below"), ((3, 0), "about equal")],
)
@pytest.mark.parametrize("target", TARGETS)
def test_with_many_questions_the_three_scenarios_are_told(counts, name, target):
    found = consistency(of_counts(3, counts * 400), target=target)
    assert found.scenario().name == name


@pytest.mark.parametrize("target", TARGETS)
def test_with_few_questions_nothing_can_be_told(target):
    assert consistency(of_counts(3, (3, 0, 2)), target=target).scenario().name == "cannot tell"


@pytest.mark.parametrize(
    ("interval", "margin", "name"),
    [
        ((0.001, 0.01), 0.02, "above"),
        ((-0.3, -0.001), 0.02, "below"),
        ((0.0, 0.01), 0.02, "about equal"),
        ((-0.02, 0.02), 0.02, "about equal"),
        ((-0.02, 0.021), 0.02, "cannot tell"),
        ((-0.02, 0.021), 0.03, "about equal"),
        ((-0.02, 0.02), 0.0, "cannot tell"),
    ],
)
def test_a_scenario_is_read_off_the_interval_of_the_difference(interval, margin, name):
    found = consistency([[1, 0, 0]])
    found = replace(found, difference=replace(found.difference, interval=Interval(*interval)))
    assert found.scenario(margin).name == name


def test_a_margin_is_a_share():
    with pytest.raises(MetricError, match="margin must lie in 0 … 1; got 2"):
        consistency([[1, 0, 0]]).scenario(2)


@given(COUNTS, st.data())
def test_numbers_are_those_of_the_metrics_and_pair_question_by_question(case, data):
    n, counts = case
    k = data.draw(st.one_of(st.none(), st.integers(1, n)))
    target = data.draw(st.sampled_from(TARGETS))
    tally = of_counts(n, counts)
    found = consistency(tally, k, target=target)
    where = [point(n, k or n, c) for c in counts]
    truth = sum(vote - share for share, vote in where) / len(where)
    assert exact.error(found.difference.value, truth) < 1e-14
    metric = ("cons@n", None) if k is None else ("maj@k", k)
    assert found.cons == metrics.estimate(tally, *metric, target=target)
    assert found.avg == metrics.estimate(tally, "avg@n", target=target)
    low, high = found.difference.interval
    assert low <= found.difference.value <= high
    ends = [vote - share for share, vote in (point(n, k or n, c) for c in range(n + 1))]
    assert min(ends) - 1e-12 <= low
    assert high <= max(ends) + 1e-12
    expected = [float(point(n, k or n, c)[1]) for c in found.tally.c]
    assert found.chance == pytest.approx(expected, abs=1e-14)


@given(COUNTS, st.sampled_from(TARGETS))
def test_what_is_wrong_for_one_is_right_for_its_mirror(case, target):
    """With odd votes, swapping right and wrong turns the difference and its interval round."""
    n, counts = case
    n, counts = 2 * n + 1, [2 * c for c in counts]
    one = consistency(of_counts(n, counts), target=target).difference
    other = consistency(of_counts(n, [n - c for c in counts]), target=target).difference
    assert other.value == pytest.approx(-one.value, abs=1e-12)
    assert other.interval == pytest.approx((-one.interval.high, -one.interval.low), abs=1e-9)


@given(st.integers(1, 5), st.integers(1, 3), st.data())
def test_every_set_of_questions_lies_in_the_feasible_region(n, m, data):
    k = data.draw(st.integers(1, n))
    region = feasible_region(n, k)
    places = [point(n, k, c) for c in range(n + 1)]
    for chosen in combinations_with_replacement(places, m):
        share, vote = (sum(axis) / m for axis in zip(*chosen, strict=True))
        assert inside(region, (float(share), float(vote)))


@given(st.integers(1, 40), st.data())
def test_every_corner_of_the_feasible_region_is_a_question(n, data):
    k = data.draw(st.integers(1, n))
    places = np.array([[float(x) for x in point(n, k, c)] for c in range(n + 1)])
    for corner in feasible_region(n, k):
        assert np.abs(places - corner).max(axis=1).min() < 1e-12
    if k == n:
        assert np.array_equal(feasible_region(n), feasible_region(n, n))


def test_the_feasible_region_of_all_votes_is_a_parallelogram():
    assert feasible_region(5).tolist() == [[0, 0], [0.4, 0], [1, 1], [0.6, 1]]
    assert feasible_region(4).tolist() == [[0, 0], [0.5, 0], [1, 1], [0.75, 1]]
    assert feasible_region(7, 1).tolist() == feasible_region(1).tolist() == [[0, 0], [1, 1]]


def test_questions_of_several_sizes_widen_what_is_possible():
    region = feasible_region([3, 2])
    assert region.tolist() == [[0, 0], [0.5, 0], [1, 1], [2 / 3, 1]]
    with pytest.raises(MetricError, match=r"1 <= k <= N \(N=2\); got k=3"):
        feasible_region([3, 2], 3)


@given(COUNTS, st.sampled_from(TARGETS), st.sampled_from([0.5, 0.95]))
def test_the_joint_region_holds_the_estimate_and_lies_in_each_interval(case, target, level):
    n, counts = case
    tally = of_counts(n, counts)
    found = consistency(tally, target=target, confidence_level=level)
    assert inside(found.region, (found.avg.value, found.cons.value), 1e-9)
    wider = consistency(tally, target=target, confidence_level=1 - (1 - level) / 3)
    feasible = feasible_region(n)
    for avg, cons in found.region:
        assert inside(feasible, (avg, cons), 1e-9)
        for value, part in (
            (avg, wider.avg),
            (cons, wider.cons),
            (cons - avg, wider.difference),
        ):
            assert part.interval.low - 1e-9 <= value <= part.interval.high + 1e-9


@pytest.mark.wide
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_joint_region_is_all_that_three_intervals_at_a_third_of_the_error_allow(level):
    tally = of_counts(5, [0, 1, 1, 2, 2, 3, 3, 4, 5, 5] * 3)
    region = consistency(tally, confidence_level=level).region
    each = consistency(tally, confidence_level=1 - (1 - level) / 3)
    feasible = feasible_region(5)
    held = []
    for avg, cons in np.random.default_rng(0).random((5_000, 2)):
        allowed = inside(feasible, (avg, cons)) and all(
            part.interval.low <= value <= part.interval.high
            for value, part in ((avg, each.avg), (cons, each.cons), (cons - avg, each.difference))
        )
        assert inside(region, (avg, cons)) == allowed
        held.append(allowed)
    assert sum(held) > 50


def test_one_sample_votes_for_itself():
    for data, k in (([[1], [0], [1]], None), ([[1, 0, 1], [0, 0, 1]], 1)):
        found = consistency(data, k)
        assert found.cons.value == pytest.approx(found.avg.value)
        assert found.difference.interval == (0, 0)
        assert found.scenario().name == "about equal"
        assert "by construction" in str(found.scenario().text)
        assert found.region[:, 0] == pytest.approx(found.region[:, 1])


def test_one_question_says_nothing_of_questions_like_it():
    found = consistency([[1, 1, 0]])
    assert found.difference.interval == pytest.approx((-1 / 3, 1 / 3))
    assert found.scenario().name == "cannot tell"
    assert found.region.tolist() == feasible_region(3).tolist()
    assert any("One question" in str(caveat) for caveat in found.difference.caveats)


@pytest.mark.parametrize("verdict", [0, 1])
@pytest.mark.parametrize("target", TARGETS)
def test_all_right_or_all_wrong_is_not_certain_to_be_equal(verdict, target):
    found = consistency(np.full((30, 5), verdict), target=target)
    low, high = found.difference.interval
    assert low < found.difference.value == 0 < high
    assert found.scenario(0.1).name == "about equal"


def test_ties_of_even_votes_are_counted_and_told():
    found = consistency([[1, 0], [1, 1], [0, 1], [0, 0]])
    assert found.tied == 0.5
    (remark,) = found.remarks()
    assert "50.0% of the votes are ties" in str(remark)
    assert "cons@2 would be 50.0%" in str(remark)
    assert found.by_aisbench is None
    drawn = consistency([[1, 0, 0], [1, 1, 1]], 2)
    assert drawn.tied == pytest.approx(1 / 3)
    assert drawn.label == "maj@2"
    assert drawn.cons.value == 0.5
    assert not list(consistency([[1, 0, 0], [1, 1, 0]]).remarks())


def test_the_formula_of_aisbench_for_fewer_votes_is_told_as_what_it_is():
    found = consistency([[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], 3)
    assert found.cons.value == pytest.approx((0.3 + 0) / 2)
    assert found.by_aisbench == 0.5
    (remark,) = found.remarks()
    assert "not a majority of 3. It gives 50.0%" in str(remark)


def test_each_question_votes_with_its_own_samples():
    tally = Tally.of_questions([3, 5], [2, 2])
    found = consistency(tally)
    assert (found.cons.value, found.avg.value) == (0.5, pytest.approx((2 / 3 + 2 / 5) / 2))
    assert found.label == "cons@n"
    assert found.chance.tolist() == [1, 0]
    assert consistency(tally, 3).cons.value == pytest.approx((1 + 0.3 + 0) / 2, abs=0.01)
    with pytest.raises(MetricError, match="maj@4 needs 4 samples of every question"):
        consistency(tally, 4)


def test_failed_requests_count_as_chosen_and_segments_stand_alone():
    outcomes = Outcomes(
        [[1, 1, FAILED], [1, 0, FAILED], [0, 0, 0]], segments={"half": ["a", "a", "b"]}
    )
    assert consistency(outcomes).cons.value == pytest.approx(1 / 3)
    assert consistency(outcomes, missing="right").cons.value == pytest.approx(2 / 3)
    omitted = consistency(outcomes, missing="omit")
    assert omitted.avg.value == pytest.approx(0.5)
    assert omitted.tied == pytest.approx(1 / 3)
    assert any("failed" in str(caveat) for caveat in omitted.cons.caveats)
    assert consistency(outcomes, segment=("half", "a")).cons.value == 0.5


def test_soft_scores_vote_by_their_verdicts_and_categories_do_not_vote():
    verdicts = [[1, 1, 0], [0, 0, 1]]
    soft = Outcomes(verdicts, [[0.6, 0.9, 0.4], [0.1, 0.2, 0.7]])
    assert consistency(soft).cons == consistency(Outcomes(verdicts)).cons
    with pytest.raises(MetricError, match="0/1 outcomes"):
        consistency(Outcomes([[1, 2, 0]]))


def test_questions_of_one_passage_count_less():
    rng = np.random.default_rng(0)
    rates = np.repeat(rng.random(20), 10)
    correct = rng.random((200, 5)) < rates[:, None]
    apart = consistency(Outcomes(correct)).difference.interval
    together = consistency(Outcomes(correct, clusters=np.repeat(np.arange(20), 10)))
    low, high = together.difference.interval
    assert high - low > apart.high - apart.low


@given(st.integers(1, 30))
def test_the_curve_of_a_vote_is_that_of_independent_tries(k):
    rates, chances = metrics.vote_curve(k, 9)
    for rate, chance in zip(rates, chances, strict=True):
        p, earned = Fraction(rate), exact.majority(k)
        truth = sum(a * exact.comb(k, j) * p**j * (1 - p) ** (k - j) for j, a in enumerate(earned))
        assert exact.error(chance, truth) < 1e-14
