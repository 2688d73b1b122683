"""Labels of kinds of unequal size: the number they give, how often it holds, and what to label."""

from itertools import pairwise

import numpy as np
import pytest

from metrics import (
    MetricError,
    Outcomes,
    Strata,
    estimate,
    labelled_rate,
    planned_widths,
    spot_check,
)

NAMES = ("agrees, right", "agrees, wrong", "missed", "generous", "divided, right", "divided, wrong")
EXPECTED = (0.98, 0.02, 0.95, 0.05, 0.5, 0.5)


def drawn(rng, questions, n, doubtful, precision):
    """Draw verdicts, kinds and what is true: kinds of unequal size, hard and easy questions."""
    p = rng.beta(0.8, 0.8, size=(questions, 1))
    truth = (rng.random((questions, n)) < p).astype(int)
    odd = rng.random(truth.shape) < doubtful
    divided = odd & (rng.random(truth.shape) < 0.4)
    verdict = np.where(odd & ~divided, 1 - truth, truth)
    verdict = np.where(divided, rng.integers(0, 2, truth.shape), verdict)
    kinds = np.where(odd, np.where(verdict == 1, 3, 2), 1 - verdict)
    kinds = np.where(divided, 5 - verdict, kinds)
    errs = rng.random(truth.shape) > precision
    truth = np.where(errs & ~divided, 1 - truth, truth)
    return verdict, Strata(kinds, NAMES, EXPECTED), truth, p


def labelled(verdict, strata, truth, labels, seed):
    listed = spot_check(verdict, strata=strata, questions=labels, rng=seed)
    human = np.full(truth.shape, np.nan)
    at = listed.question_id.astype(int), listed.sample
    human[at] = truth[at]
    return human


def test_all_labels_give_the_truth_of_these_samples():
    verdict, strata, truth, _ = drawn(np.random.default_rng(1), 30, 4, 0.3, 0.9)
    found = labelled_rate(verdict, strata, truth.astype(float))
    right = estimate(truth, "avg@n")
    assert found.estimate.value == pytest.approx(right.value)
    assert found.estimate.interval == pytest.approx(right.interval, abs=0.03)
    assert found.labels == 120
    assert sum(each.weight for each in found.strata) == pytest.approx(1)


def test_a_kind_that_is_labelled_wholly_adds_no_doubt():
    right = np.ones((20, 4), dtype=int)
    strata = Strata(np.zeros(right.shape, dtype=int), ("agrees",), (0.98,))
    found = labelled_rate(right, strata, right.astype(float), target="benchmark")
    own = estimate(right, "avg@n", target="benchmark").interval
    assert found.estimate.interval == pytest.approx(own, abs=1e-12)


def test_a_kind_without_labels_leaves_open_what_it_could_add():
    verdict = np.array([[1, 1], [1, 0], [0, 0], [0, 1]] * 25)
    strata = Strata(
        np.where(np.arange(100)[:, None] < 20, 1, 0) + 0 * verdict, ("a", "b"), (0.5, 1)
    )
    human = np.where(np.arange(100)[:, None] < 20, np.nan, verdict)
    found = labelled_rate(verdict, strata, human)
    assert found.estimate.value == pytest.approx(0.4 + 0.2)
    assert found.estimate.interval.low < 0.4 < 0.6 < found.estimate.interval.high
    assert any("The kinds b have no label yet" in str(each) for each in found.estimate.caveats)


def test_labels_that_cannot_tell_widen_both_ends():
    verdict, strata, truth, _ = drawn(np.random.default_rng(2), 200, 4, 0.3, 0.9)
    human = labelled(verdict, strata, truth, 100, 0)
    told = labelled_rate(verdict, strata, human).estimate
    unsure = np.zeros(human.shape)
    some = np.argwhere(~np.isnan(human))[::5]
    unsure[tuple(some.T)], human[tuple(some.T)] = 1, np.nan
    found = labelled_rate(verdict, strata, human, unsure=unsure)
    low, high = found.estimate.interval
    assert low < told.interval.low
    assert high > told.interval.high
    assert sum(each.unsure for each in found.strata) == len(some)
    assert found.labels == 100


def test_samples_of_no_kind_count_by_their_verdict():
    verdict = np.array([[1], [0], [1], [0]] * 10)
    places = np.where(np.arange(40)[:, None] < 20, -1, 0)
    human = np.where(places == 0, 1.0, np.nan)
    found = labelled_rate(verdict, Strata(places, ("all",), (0.5,)), human)
    assert found.estimate.value == pytest.approx(0.25 + 0.5)


def test_failed_requests_and_questions_of_unequal_size_weigh_as_in_the_mean():
    correct = np.array([[1, 0, -1, -2], [1, 1, 1, 1], [0, -2, -2, -2]])
    outcomes = Outcomes(correct)
    strata = Strata(np.where(correct < 0, -1, 0), ("all",), (0.5,))
    human = np.where(correct < 0, np.nan, correct)
    for missing in ("wrong", "omit"):
        found = labelled_rate(outcomes, strata, human, missing=missing)
        assert found.estimate.value == pytest.approx(found.observed.value)
        assert found.observed.value == estimate(outcomes, "avg@n", missing=missing).value


def test_labels_of_whole_questions_are_worth_fewer():
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.integers(0, 2, (200, 1)), 8, axis=1)
    strata = Strata(np.zeros(truth.shape, dtype=int), ("all",), (0.5,))
    once, whole = (np.full(truth.shape, np.nan) for _ in range(2))
    once[:160, 0], whole[:20] = truth[:160, 0], truth[:20]
    alone, together = (
        labelled_rate(truth, strata, human, target="benchmark").estimate.interval
        for human in (once, whole)
    )
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_the_beginning_of_a_longer_list_is_the_shorter_one():
    verdict, strata, _, _ = drawn(np.random.default_rng(4), 300, 4, 0.2, 0.95)
    long, short = (spot_check(verdict, strata=strata, questions=m) for m in (300, 30))
    assert long.question_id[:30].tolist() == short.question_id.tolist()
    assert long.sample[:30].tolist() == short.sample.tolist()
    pairs = {*zip(long.question_id.tolist(), long.sample.tolist(), strict=True)}
    assert len(pairs) == 300
    of = strata.places[long.question_id.astype(int), long.sample]
    for kind in np.unique(of):
        chance = long.human_probability[of == kind]
        assert chance == pytest.approx((of == kind).sum() / strata.sizes[kind])


def test_more_labels_go_to_kinds_that_weigh_more_or_are_less_sure():
    kinds = np.repeat([[0], [1], [2]], [800, 100, 100], axis=0)
    strata = Strata(kinds, ("large and sure", "small and sure", "small, open"), (0.98, 0.98, 0.5))
    listed = spot_check(np.zeros((1000, 1), dtype=int), strata=strata, questions=100)
    counts = np.bincount(kinds[listed.question_id.astype(int), 0])
    spread = [0.8 * 0.14, 0.1 * 0.14, 0.1 * 0.5]
    assert counts == pytest.approx(100 * np.array(spread) / sum(spread), abs=3)


def test_a_list_longer_than_the_samples_has_them_all():
    strata = Strata(np.array([[0, 0], [1, -1]]), ("a", "b"), (0.5, 0.5))
    listed = spot_check(np.array([[1, 0], [1, 0]]), strata=strata, questions=50)
    assert len(listed.sample) == 3
    assert listed.human_probability.tolist() == [1, 1, 1]


def test_what_labels_will_give_is_what_they_give():
    verdict, strata, truth, _ = drawn(np.random.default_rng(5), 1000, 4, 0.2, 0.95)
    planned = planned_widths(verdict, strata, (30, 100, 300))
    for count, half in zip((30, 100, 300), planned, strict=True):
        found = [
            labelled_rate(verdict, strata, labelled(verdict, strata, truth, count, seed)).estimate
            for seed in range(5)
        ]
        got = np.mean([(each.interval.high - each.interval.low) / 2 for each in found])
        assert half == pytest.approx(got, rel=0.3)
    assert all(a > b for a, b in pairwise(planned))


def test_what_cannot_be_is_refused():
    verdict = np.array([[1, 0], [0, 1]])
    strata = Strata(np.zeros((2, 2), dtype=int), ("all",), (0.5,))
    with pytest.raises(MetricError, match="no human label"):
        labelled_rate(verdict, strata, np.full((2, 2), np.nan))
    with pytest.raises(MetricError, match="shape of the outcomes"):
        labelled_rate(np.ones((3, 2), dtype=int), strata, np.ones((3, 2)))
    with pytest.raises(MetricError, match="from -1 to 0"):
        Strata(np.ones((2, 2), dtype=int), ("all",), (0.5,))
    with pytest.raises(MetricError, match="from 0 to 1"):
        Strata(np.zeros((2, 2), dtype=int), ("all",), (1.5,))
    with pytest.raises(MetricError, match="name and an expected share"):
        Strata(np.zeros((2, 2), dtype=int), ("all",), ())
    with pytest.raises(MetricError, match="whole numbers"):
        Strata(np.zeros((2, 2)), ("all",), (0.5,))


def holds(questions, n, doubtful, precision, labels, target, sets, seed):
    """Return how often the interval holds the truth, and half its width on average."""
    rng = np.random.default_rng(seed)
    hit, width = 0, 0.0
    for each in range(sets):
        verdict, strata, truth, p = drawn(rng, questions, n, doubtful, precision)
        told = labelled_rate(
            verdict, strata, labelled(verdict, strata, truth, labels, each), target=target
        )
        # an error of a kind turns the truth, alike at all questions
        meant = p.mean() if target == "benchmark" else 0.5
        turned = (1 - doubtful) + doubtful * 0.6
        wrong = (1 - precision) * turned
        meant = meant * (1 - wrong) + (1 - meant) * wrong
        low, high = told.estimate.interval
        hit += low <= meant <= high
        width += (high - low) / 2
    return hit / sets, width / sets


@pytest.mark.wide
@pytest.mark.parametrize("labels", [10, 100])
def test_the_interval_holds_with_few_labels_and_with_many(labels):
    share, _ = holds(60, 4, 0.25, 0.95, labels, "population", 80, labels)
    assert share >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("questions", [30, 200, 1000])
def test_the_interval_holds_whatever_the_sizes_of_kinds(questions, target):
    cells = [
        (doubtful, precision, labels)
        for doubtful in (0.02, 0.1, 0.4)
        for precision in (1.0, 0.95, 0.7)
        for labels in (10, 30, 100, 300)
        if labels <= questions * 4
    ]
    found = {
        cell: holds(questions, 4, *cell, target, 400, place) for place, cell in enumerate(cells)
    }
    for cell, (share, half) in found.items():
        print(questions, target, *cell, f"{share:.3f} {100 * half:.1f}")
    assert min(share for share, _ in found.values()) >= 0.93
