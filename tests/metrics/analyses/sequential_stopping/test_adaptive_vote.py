"""Votes that end early take and answer what all orders of the stored samples say."""

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

from metrics import (
    Confidence,
    Decided,
    MetricError,
    Outcomes,
    Windows,
    adaptive_curve,
    adaptive_vote,
    choose_n,
    estimate,
)
from metrics.analyses.sequential_stopping import counted, decided, orders, windows
from metrics.analyses.sequential_stopping.orders import replay_in_orders
from metrics.analyses.sequential_stopping.replay import replay
from metrics.estimating.estimation import METHODS, PAIRED

RULES = [Decided(), Confidence(0.8), Confidence(0.6), Windows(2), Windows(3)]


def ends_at(said, rule, cap):
    """Return how many samples a rule takes of answers in an order, by its own words."""
    for drawn in range(1, cap + 1):
        votes = sorted((said[:drawn].count(a) for a in {*said[:drawn]} - {-1}), reverse=True)
        first, second, *_ = [*votes, 0, 0]
        match rule:
            case Decided():
                ended = first - second > cap - drawn
            case Confidence(threshold=threshold):
                ended = 1 - betainc(first + 1, second + 1, 0.5) > threshold
            case Windows(width=width):
                window = {*said[drawn - width : drawn]} if drawn % width == 0 else {-1}
                ended = len(window) == 1 and -1 not in window
        if ended:
            return drawn
    return cap


def in_all_orders(codes, verdicts, rule, cap):
    """Return the mean of samples and of right answers over all orders of a question, exactly."""
    rights = {
        a: Fraction(sum(v for c, v in zip(codes, verdicts, strict=True) if c == a), codes.count(a))
        for a in {*codes} - {-1}
    }
    taken, right = [], []
    for order in permutations(codes):
        at = ends_at(order, rule, cap)
        window = isinstance(rule, Windows) and at < cap
        said = order[at - rule.width : at] if window else order[:at]
        if isinstance(rule, Windows) and at == cap and cap % rule.width == 0:
            last = {*order[cap - rule.width : cap]}
            said = tuple(last) if len(last) == 1 and -1 not in last else said
        votes = {a: said.count(a) for a in {*said} - {-1}}
        leading = [a for a in votes if votes[a] == max(votes.values())]
        taken.append(at)
        right.append(sum(map(rights.get, leading)) / len(leading) if leading else Fraction(0))
    return float(Fraction(sum(taken), len(taken))), float(sum(right) / len(right))


@pytest.mark.wide
@pytest.mark.parametrize("rule", RULES, ids=str)
@settings(max_examples=8, derandomize=True, deadline=None)
@given(answered=st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 1)), min_size=3, max_size=5))
def test_one_question_is_what_all_its_orders_say(rule, answered):
    codes, verdicts = zip(*answered, strict=True)
    caps = np.arange(1, len(codes) + 1)
    found = replay(np.array([codes]), np.array([verdicts]), rule, caps)
    for place, cap in enumerate(caps.tolist()):
        assert (found.samples[place, 0], found.right[place, 0]) == pytest.approx(
            in_all_orders(codes, verdicts, rule, cap), abs=1e-12
        )
    assert not found.orders.any()


@pytest.mark.parametrize("rule", [Decided(), Confidence(0.9), Windows(3), Windows(4)], ids=str)
def test_random_orders_agree_with_all_of_them(rule):
    rng = np.random.default_rng(3)
    codes = rng.geometric(0.4, (40, 10)) - 2
    verdicts = (codes == 0).astype(int)
    caps = np.array([3, 6, 9, 10])
    exact = replay(codes, verdicts, rule, caps)
    drawn = replay_in_orders(codes, verdicts, rule, caps, 400, rng=1)
    assert not exact.orders.any()
    for found, truth, most in zip(drawn, exact[:2], (caps[:, None], 1), strict=True):
        assert (np.abs(found - truth) < 4.5 * most / 2 / np.sqrt(400)).all()


def window_by_window(right, wrong, width, cap):
    """Return samples and how often two answers end right, by the states after each window."""
    states, taken, won = {(0, 0): Fraction(1)}, Fraction(0), Fraction(0)
    for at in range(0, cap, width):
        size, after = min(width, cap - at), {}
        for (a, b), chance in states.items():
            for more in range(max(0, size - wrong + b), min(size, right - a) + 1):
                ways = comb(right - a, more) * comb(wrong - b, size - more)
                here = chance * Fraction(ways, comb(right + wrong - at, size))
                if size == width and more in (0, size):
                    taken += here * (at + width)
                    won += here * (more > 0)
                else:
                    key = a + more, b + size - more
                    after[key] = after.get(key, 0) + here
        states = after
    taken += cap * sum(states.values())
    won += sum(chance * Fraction((a > b) + (a >= b), 2) for (a, b), chance in states.items())
    return float(taken), float(won)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("right", "wrong", "width", "error"),
    [(12, 8, 2, 1e-12), (30, 10, 4, 1e-12), (63, 1, 2, 2e-7), (122, 6, 4, 2e-7)],
)
def test_windows_of_two_answers_are_counted_up_to_the_most_that_is_promised(
    right, wrong, width, error
):
    codes = np.repeat([[0, 1]], [right, wrong], axis=1)
    n = right + wrong
    caps = np.array([width - 1, n // 2, n - 2, n - 1, n])
    found = replay(codes, 1 - codes, Windows(width), caps)
    assert not found.orders.any()
    wanted = [window_by_window(right, wrong, width, int(cap)) for cap in caps]
    assert np.c_[found.samples, found.right] == pytest.approx(np.array(wanted), abs=error)


def test_windows_that_take_long_to_count_are_drawn_except_of_all_samples(monkeypatch):
    monkeypatch.setattr(windows, "MOST_WORK", 0)
    monkeypatch.setattr(orders, "MOST_ORDERS", 20)
    correct, answers = made()
    found = adaptive_curve(correct, Windows(3), [6, 9, 12], answers=answers)
    assert [each.orders for each in found.each] == [20, 20, 0]
    assert [any("random" in str(t) for t in each.value.caveats) for each in found.each] == [
        True,
        True,
        False,
    ]


def made(m=60, n=12, seed=0):
    rng = np.random.default_rng(seed)
    rates = rng.beta(1, 1, (m, 1))
    codes = np.where(rng.random((m, n)) < rates, 0, rng.integers(1, 6, (m, n)))
    codes[rng.random((m, n)) < 0.1] = -1
    return (codes == 0).astype(int), codes


def test_decided_answers_what_all_samples_would():
    correct, answers = made()
    for cap in (12, 7):
        found = adaptive_vote(correct, Decided(), cap, answers=answers)
        voted = estimate(correct, "plurality@k", cap, answers=answers)
        assert found.value.value == pytest.approx(voted.value)
        assert tuple(found.value.interval) == pytest.approx(tuple(voted.interval))
        assert found.gain.value == pytest.approx(0)
        assert found.saved.value == pytest.approx(1 - found.samples.value / cap)
        assert 0 < found.saved.value < 0.5


def test_what_decided_answers_is_counted_where_its_samples_are_drawn(monkeypatch):
    monkeypatch.setattr(decided, "MOST_WORK", 0)
    monkeypatch.setattr(orders, "MOST_ORDERS", 3)
    correct, answers = made()
    found = adaptive_vote(correct, Decided(), 7, answers=answers)
    assert found.orders == 3
    assert found.value.value == estimate(correct, "plurality@k", 7, answers=answers).value
    assert found.gain.value == 0
    assert not any("random" in str(text) for text in found.value.caveats)


@pytest.mark.wide
def test_what_is_saved_and_lost_grows_as_the_rule_grows_hasty():
    correct, answers = made()
    found = [adaptive_vote(correct, Confidence(each), answers=answers) for each in (0.99, 0.9, 0.7)]
    saved = [each.saved.value for each in found]
    assert saved == sorted(saved)
    for each in found:
        low, high = each.gain.interval
        assert low < each.gain.value < high
        assert each.samples.interval.high < 12
    here = adaptive_vote(correct, Confidence(0.9), answers=answers, target="benchmark").gain
    assert (found[1].gain.method, here.method) == (PAIRED, METHODS["pooled"])
    assert here.target == "benchmark"


def test_a_rule_that_never_ends_early_is_a_vote_of_all():
    correct, answers = made()
    found = adaptive_vote(correct, Windows(12), 12, answers=np.arange(12) + 0 * answers)
    assert (found.samples.value, found.saved.value) == (12, 0)


def test_one_sample_is_one_sample():
    found = adaptive_vote([[1], [0], [1]] * 10, answers=[[3], [4], [5]] * 10)
    assert (found.samples.value, found.saved.value) == (1, 0)
    assert found.value.value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"answers": None}, "There are no extracted answers to vote with"),
        ({"cap": 5}, "needs 5 samples"),
        ({"data": Outcomes([[1, 1], [1, -2]])}, "the same number of samples"),
        ({"target": "none"}, "target"),
    ],
)
def test_what_cannot_be_replayed_is_refused(given, why):
    whole = {"data": [[1, 0], [1, 1]], "answers": [[1, 2], [1, 1]]} | given
    with pytest.raises(MetricError, match=why):
        adaptive_vote(whole.pop("data"), **whole)


@pytest.mark.parametrize("make", [lambda: Confidence(0.4), lambda: Windows(1)])
def test_a_rule_that_is_none_is_refused(make):
    with pytest.raises(MetricError, match="must be"):
        make()


def test_the_same_seed_gives_the_same_numbers_and_says_how_far_others_lie(monkeypatch):
    monkeypatch.setattr(counted, "MOST_WORK", 0)
    monkeypatch.setattr(orders, "MOST_ORDERS", 20)
    correct, answers = made()
    one, same, other = (adaptive_vote(correct, answers=answers, rng=seed) for seed in (1, 1, 2))
    assert one.samples.value == same.samples.value != other.samples.value
    assert one.orders == 20
    assert any("20 were drawn at random" in str(text) for text in one.samples.caveats)


@pytest.mark.wide
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_curve_is_the_votes_of_each_cap(rule):
    correct, answers = made(n=8)
    found = adaptive_curve(correct, rule, [3, 8], answers=answers)
    for place, cap in enumerate((3, 8)):
        one = adaptive_vote(correct, rule, cap, answers=answers)
        assert found.at(cap).samples.value == found.samples[place]
        if not one.orders:
            assert one.samples.value == pytest.approx(found.samples[place])
            assert one.value.interval == pytest.approx((found.low[place], found.high[place]))
        assert found.voted[place] == pytest.approx(
            estimate(correct, "plurality@k", cap, answers=answers).value
        )
    assert adaptive_curve(correct, rule, answers=answers).cap.tolist() == [1, 3, 5, 7]


def test_a_curve_names_the_fewest_samples_that_vote_as_well():
    correct, answers = made()
    found = adaptive_curve(correct, Decided(), answers=answers)
    for cap, as_accurate in zip(found.cap, found.as_accurate, strict=True):
        assert found.voted[found.cap == as_accurate] >= found.voted[found.cap == cap] - 1e-9
        assert as_accurate <= cap
    best = adaptive_curve([[1, 0]] * 9, Confidence(0.5), [1, 2], answers=[[1, 2]] * 9)
    assert best.as_accurate.tolist() == [1, 1]


def test_a_vote_costs_the_mean_sample_of_a_question_times_its_samples():
    correct, answers = made(m=20, n=7)
    prices = np.random.default_rng(2).random(correct.shape) + correct
    found = adaptive_vote(correct, answers=answers, cost_per_sample=prices)
    replayed = replay(answers, correct, Confidence(), np.array([7]))
    wanted = float((prices.mean(axis=1) * replayed.samples[0]).mean())
    assert found.cost.value == pytest.approx(wanted)
    assert found.cost.interval.low < wanted < found.cost.interval.high
    flat = adaptive_vote(correct, answers=answers, cost_per_sample=3)
    assert flat.cost.value == pytest.approx(3 * flat.samples.value)
    whole = choose_n(
        correct, metric="plurality@k", answers=answers, cost_per_sample=prices, verifier=False
    )
    never = adaptive_vote(correct, Windows(8), answers=answers, cost_per_sample=prices)
    assert never.cost.value == pytest.approx(whole.table.cost[-1])


def test_fresh_samples_cost_what_wald_says():
    """A right answer is dear here, and ends votes early: still costs are unbiased."""
    rng = np.random.default_rng(5)
    p, price = np.array([0.2, 0.5, 0.9]), np.array([1.0, 4.0])
    right = (rng.random((3, 20_000, 9)) < p[:, None, None]).astype(int)
    flat = right.reshape(-1, 9)
    found = adaptive_vote(flat, answers=flat, cost_per_sample=price[flat])
    said = np.array([ends_at(row, Confidence(), 9) for row in flat[::30].tolist()])
    spent = np.array([price[row[:at]].sum() for row, at in zip(flat[::30], said, strict=True)])
    error = spent.std() / np.sqrt(len(spent))
    assert abs(found.cost.value - spent.mean()) < 4 * error + 0.02 * spent.mean()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(30, 8), (100, 16), (300, 12)])
@pytest.mark.parametrize("beta", [(1, 1), (0.3, 0.3), (5, 0.5), (0.5, 5)])
def test_intervals_hold(shape, beta):
    """Least 0.93 of 400 sets in every cell, of samples, share right and gain."""
    m, n = shape

    def drawn(rng, m):
        rates = rng.beta(*beta, (m, 1))
        codes = np.where(rng.random((m, n)) < rates, 0, rng.integers(1, 4, (m, n)))
        return (codes == 0).astype(int), codes

    rng = np.random.default_rng(7)
    for rule in (Confidence(0.9), Windows(4)):
        correct, codes = drawn(np.random.default_rng(8), 40_000)
        large = adaptive_vote(correct, rule, answers=codes)
        truth = {name: getattr(large, name).value for name in ("samples", "value", "gain")}
        held = dict.fromkeys(truth, 0)
        for _ in range(400):
            correct, codes = drawn(rng, m)
            found = adaptive_vote(correct, rule, answers=codes)
            for name, true in truth.items():
                low, high = getattr(found, name).interval
                held[name] += low - 1e-9 <= true <= high + 1e-9
        print(shape, beta, rule, {name: count / 400 for name, count in held.items()})
        assert min(held.values()) >= 0.93 * 400
