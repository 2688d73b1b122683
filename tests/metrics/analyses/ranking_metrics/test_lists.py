"""What lists are worth, against every order that ties allow and every subset counted by hand."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import Facts, MetricError, Outcomes
from reports import Run
from tests.metrics import exact, plain_groups

RNG = np.random.default_rng(8)
RIGHT = (RNG.random((40, 6)) < RNG.random((40, 1))).astype(int)
SIGNAL = np.round(RIGHT + RNG.normal(size=RIGHT.shape), 1)
FEW = settings(max_examples=25, deadline=None)


def close(value):
    return pytest.approx(value, abs=1e-13)


@st.composite
def lists(draw, most=5):
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, most))

    def matrix(values):
        row = st.lists(values, min_size=n, max_size=n)
        return draw(st.lists(row, min_size=m, max_size=m))

    return matrix(st.integers(0, 4)), matrix(st.sampled_from([1, 2, 3, 7]))


def orders(places):
    """All orders of candidates by place, those in one place in any order."""
    return [
        order
        for order in permutations(range(len(places)))
        if all(places[a] <= places[b] for a, b in pairwise(order))
    ]


def mean(values):
    return sum(values) / len(values)


@FEW
@given(lists(), st.sampled_from(["linear", "exponential"]))
def test_gains_are_the_mean_over_all_orders_and_the_best_is_the_largest_of_all(group, gain):
    scores, places = group
    soft = np.array(scores) / 4
    data = Outcomes((soft > 0.5).astype(int), scores=soft)
    options = {"position": places, "gain": gain, "soft": True}
    gains = (soft if gain == "linear" else 2**soft - 1).tolist()
    found = metrics.dcg(data, **options)
    for k in range(1, len(scores[0]) + 1):
        got = [
            mean([plain_groups.dcg([row[i] for i in order], k) for order in orders(place)])
            for row, place in zip(gains, places, strict=True)
        ]
        best = [max(plain_groups.dcg(each, k) for each in permutations(row)) for row in gains]
        assert found.value[k - 1] == close(mean(got))
        some = [(x, y) for x, y in zip(got, best, strict=True) if y]
        if some:
            share = metrics.ndcg(data, k, **options)
            assert share.value[0] == close(mean([x / y for x, y in some]))
            assert (share.n_questions, share.undefined) == (len(some), len(got) - len(some))
        else:
            with pytest.raises(MetricError, match="No question has a candidate of any worth"):
                metrics.ndcg(data, k, **options)


@FEW
@given(lists())
def test_the_first_k_are_the_mean_over_all_orders(group):
    scores, places = group
    right = (np.array(scores) > 2).astype(int)
    found = metrics.first_pass(right, position=places)
    for k in found.k.tolist():
        each = [
            mean([Fraction(any(row[i] for i in order[:k])) for order in orders(place)])
            for row, place in zip(right.tolist(), places, strict=True)
        ]
        assert exact.error(found.value[k - 1], mean(each)) < 1e-14


@FEW
@given(lists(), st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_a_weighted_mean_is_the_mean_over_all_orders(group, weights):
    scores, places = group
    right, n = (np.array(scores) > 2).astype(int), len(scores[0])
    total = sum(weights[:n])
    if total:
        each = [
            mean(
                [
                    Fraction(sum(w * row[i] for w, i in zip(weights, order, strict=False)), total)
                    for order in orders(place)
                ]
            )
            for row, place in zip(right.tolist(), places, strict=True)
        ]
        found = metrics.weighted_mean(right, weights, position=places)
        assert exact.error(found.value, mean(each)) < 1e-14
    by_candidate = metrics.weighted_mean(right, places)
    each = [Fraction(int(np.dot(w, row)), sum(w)) for w, row in zip(places, right, strict=True)]
    assert exact.error(by_candidate.value, mean(each)) < 1e-14


def covered(seed, m=4, n=5, most=3):
    """Which candidates of each question cover which of its facts, question by question."""
    rng = np.random.default_rng(seed)
    return [rng.random((int(rng.integers(0, most + 1)), n)) < rng.random() for _ in range(m)]


def facts_of(groups):
    rows = [(q, fact) for q, facts in enumerate(groups) for fact in facts]
    first = [int(fact.argmax()) + 1 if fact.any() else 0 for _, fact in rows]
    question, c = [q for q, _ in rows], [int(fact.sum()) for _, fact in rows]
    return Facts(question, [groups[0].shape[1]] * len(rows), c, first)


@pytest.mark.parametrize("seed", range(6))
def test_recall_is_the_mean_over_all_subsets(seed):
    groups = covered(seed)
    data, asked = facts_of(groups), [facts for facts in groups if len(facts)]
    found, first = (metrics.recall_of_facts(data, ranked=ranked) for ranked in (False, True))
    for k in found.k.tolist():
        each = [
            mean(
                [
                    Fraction(int(facts[:, list(some)].any(axis=1).sum()), len(facts))
                    for some in combinations(range(5), k)
                ]
            )
            for facts in asked
        ]
        assert exact.error(found.value[k - 1], mean(each)) < 1e-14
        listed = [Fraction(int(facts[:, :k].any(axis=1).sum()), len(facts)) for facts in asked]
        assert exact.error(first.value[k - 1], mean(listed)) < 1e-14


def run_of(**more):
    outcomes = Outcomes(RIGHT, segments={"half": ["a", "b"] * 20}, clusters=np.arange(40) // 4)
    return Run("7B", "maths", outcomes, **more)


def test_facts_of_a_run_are_those_of_its_questions():
    facts = Facts([0, 2, 2, 39], [6] * 4, [1, 0, 6, 3])
    run = run_of()
    object.__setattr__(run, "facts", facts)
    found = metrics.recall_of_facts(run, 1, segment=("half", "a"))
    assert (found.value[0], found.n_questions, found.undefined) == (close((1 / 6 + 0.5) / 2), 2, 18)
    assert "18 questions are left out: they have no gold fact, or no candidate" in str(
        found.caveats
    )
    assert metrics.recall_of_facts(run, 1).n_questions == 3
    with pytest.raises(MetricError, match="These samples have no gold facts"):
        metrics.recall_of_facts(RIGHT)


def test_recall_says_what_is_not_there():
    for none in Facts([], [], []), Facts([0], [0], [0]):
        with pytest.raises(MetricError, match="No question has both a gold fact"):
            metrics.recall_of_facts(none)
    silent = metrics.recall_of_facts(Facts([0, 1, 1], [2, 0, 0], [1, 0, 0]))
    assert (silent.value.tolist(), silent.undefined) == ([0.5, 1], 1)
    uneven = Facts([0, 1], [2, 4], [1, 1])
    assert metrics.recall_of_facts(uneven).k.tolist() == [1, 2]
    with pytest.raises(MetricError, match="needs 3 candidates of every question; 1 of 2"):
        metrics.recall_of_facts(uneven, 3)
    with pytest.raises(MetricError, match="order of the candidates"):
        metrics.recall_of_facts(uneven, ranked=True)
    for question, covering in ([0], [4]), ([-1], [1]):
        with pytest.raises(MetricError, match="can cover a fact"):
            Facts(question, [3], covering)
    with pytest.raises(MetricError, match="first covered"):
        Facts([0], [3], [0], [1])


def test_equal_weights_are_the_average_with_its_interval():
    even = metrics.weighted_mean(RIGHT, np.ones(RIGHT.shape))
    average = metrics.estimate(RIGHT, "avg@n")
    assert (even.value, *even.interval) == close((average.value, *average.interval))


def test_a_random_order_has_any_k_as_its_first_k():
    first = metrics.first_pass(RIGHT, by=np.zeros(RIGHT.shape))
    passed = metrics.curve(RIGHT, "pass@k")
    for name in ("value", "low", "high"):
        assert getattr(first, name) == close(getattr(passed, name))


def test_groups_of_unequal_size_are_as_a_plain_harness_has_them():
    sizes = [1, 2, 3, 4, 4, 2] * 5
    right = np.full((30, 4), -2)
    for row, n in zip(right, sizes, strict=True):
        row[:n] = RNG.integers(0, 2, n)
    groups, data = [row[row >= 0].tolist() for row in right], Outcomes(right)
    assert metrics.any_pass(data).value == close(mean([*map(plain_groups.any_pass, groups)]))
    assert "Questions have 1 to 4 candidates, 2.7 on average" in str(metrics.any_pass(data).caveats)
    scores = np.where(right < 0, np.nan, RNG.random(right.shape))
    best = metrics.best_score(Outcomes(right, scores=scores))
    assert best.value == close(mean([max(row[~np.isnan(row)]) for row in scores]))
    assert best.interval.low < best.value < best.interval.high
    assert "Questions have 1 to 4 candidates" in str(best.caveats)
    with pytest.raises(MetricError, match="no soft scores"):
        metrics.best_score(data)
    votes = mean([*map(plain_groups.majority, groups)])
    assert metrics.estimate(data, "cons@n", ties="pass").value == close(votes)
    half, fail = (metrics.estimate(data, "cons@n", ties=ties).value for ties in ("half", "fail"))
    tied = mean([2 * sum(group) == len(group) for group in groups])
    assert (votes - fail, votes - half) == close((tied, tied / 2))
    common = metrics.estimate(data, "pass@k")
    assert common.value == close(mean([mean(group) for group in groups]))
    listed = np.tile(np.arange(4.0), (30, 1))
    assert metrics.dcg(data, position=listed).value == close(
        [mean([plain_groups.dcg(group, 1) for group in groups])]
    )


def test_any_pass_of_equal_groups_is_pass_at_n():
    for target in ("population", "benchmark"):
        found = metrics.any_pass(RIGHT, target=target)
        passed = metrics.estimate(RIGHT, "pass@k", target=target)
        assert (found.value, found.interval, found.caveats) == (
            passed.value,
            passed.interval,
            passed.caveats,
        )
    with pytest.raises(MetricError, match="target must be"):
        metrics.any_pass(RIGHT, target="these")


def test_intervals_know_their_range_and_hold_their_value():
    for target in ("population", "benchmark"):
        for found in (
            metrics.dcg(RIGHT, by=SIGNAL, target=target),
            metrics.ndcg(run_of(), by=SIGNAL, target=target),
            metrics.first_pass(RIGHT, by=SIGNAL, target=target),
        ):
            assert np.all(found.low <= found.value)
            assert np.all(found.value <= found.high)
            assert np.all(found.high <= found.most + 1e-12)
    all_right = metrics.dcg(np.ones((30, 3), int), by=SIGNAL[:30, :3])
    assert all_right.high == close(all_right.most)
    assert all_right.low[-1] < all_right.most[-1]
    assert not any(each.flags.writeable for each in (all_right.value, all_right.most))


def test_clusters_widen_the_interval_of_what_is_left():
    alone = metrics.ndcg(RIGHT, 3, by=SIGNAL)
    together = metrics.ndcg(run_of(), 3, by=SIGNAL)
    assert together.value == close(alone.value)
    assert together.undefined == alone.undefined > 0
    assert together.high - together.low > alone.high - alone.low


def test_other_lists_of_these_questions_differ_by_no_more_than_questions_do():
    facts = facts_of(covered(1, m=40))
    for ask in (
        lambda **more: metrics.ndcg(run_of(), 3, by=SIGNAL, **more),
        lambda **more: metrics.recall_of_facts(facts, 3, **more),
        lambda **more: metrics.recall_of_facts(facts, 2, ranked=True, **more),
    ):
        like, these = ask(), ask(target="benchmark")
        assert these.value == like.value
        assert "one draw" in str(these.method)
        assert these.high - these.low <= like.high - like.low + 1e-12
    alone = metrics.ndcg(RIGHT, 3, by=SIGNAL)
    these = metrics.ndcg(run_of(), 3, by=SIGNAL, target="benchmark")
    assert (*these.low, *these.high) == close((*alone.low, *alone.high))
    two_draws = metrics.recall_of_facts(facts, 2, target="benchmark")
    assert "disjoint draws" in str(two_draws.method)


def test_an_order_comes_from_the_column_of_positions_or_is_asked_for():
    listed = run_of(columns={"position": np.argsort(np.argsort(-SIGNAL, axis=1), axis=1) + 1.0})
    by_column = metrics.dcg(listed, 2)
    untied = -np.asarray(listed.columns["position"])
    assert by_column.value == close(metrics.dcg(RIGHT, 2, by=untied).value)
    for ask in (metrics.dcg, metrics.ndcg, metrics.first_pass):
        with pytest.raises(MetricError, match="The order of the candidates is unknown"):
            ask(RIGHT)
        with pytest.raises(MetricError, match="not both"):
            ask(RIGHT, by=SIGNAL, position=SIGNAL)
    with pytest.raises(MetricError, match="gain must be"):
        metrics.dcg(RIGHT, by=SIGNAL, gain="squared")


def test_a_candidate_without_a_place_is_last_and_counted():
    found = metrics.dcg([[1, 0, 0]], position=[[np.nan, 1, 2]])
    assert found.value == close([0, 0, 0.5])
    assert "1 of 3 candidates has no place in the list and is last." in map(str, found.caveats)


def test_weights_are_checked_and_what_has_none_is_said():
    found = metrics.weighted_mean([[1, 0], [1, 0], [0, 0]], [[1, np.nan], [3, 1], [0, 0]])
    assert (found.value, found.n_questions) == (close(0.875), 2)
    said = [*map(str, found.caveats)]
    assert "1 question has no weight above 0 and is left out." in said
    assert "1 of 6 candidates has no weight and is left out." in said
    for weights in ([[-1, 1]], [[np.inf, 1]]):
        with pytest.raises(MetricError, match="finite and at least 0"):
            metrics.weighted_mean([[1, 0]], weights)
    with pytest.raises(MetricError, match="Every weight is 0"):
        metrics.weighted_mean([[1, 0]], [[0, 0]])
    with pytest.raises(MetricError, match="1 weights for lists of up to 2"):
        metrics.weighted_mean([[1, 0]], [1.0], by=[[1, 2]])
    with pytest.raises(MetricError, match="order of the candidates"):
        metrics.weighted_mean([[1, 0]], [1.0, 2.0])
