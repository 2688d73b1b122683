"""Replicas of a run differ by chance, or one of them was made otherwise."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from metrics import MetricError, Outcomes, replicas
from metrics.analyses.replicas import judging
from metrics.analyses.replicas.judging import right_by_chance


def all_at_once(shares):
    """Return the chance of each number of right ones, exactly."""
    found = dict.fromkeys(range(len(shares) + 1), Fraction(0))
    for drawn in product((0, 1), repeat=len(shares)):
        part = Fraction(1)
        for right, share in zip(drawn, shares, strict=True):
            part *= share if right else 1 - share
        found[sum(drawn)] += part
    return found


def test_the_right_ones_of_a_replica_are_a_sum_of_binomials():
    questions, c, n = np.array([2, 3, 1, 2]), np.array([1, 2, 0, 4]), np.array([3, 4, 4, 4])
    shares = [
        Fraction(int(right), int(all_))
        for count, right, all_ in zip(questions, c, n, strict=True)
        for _ in range(count)
    ]
    exact = all_at_once(shares)
    found = right_by_chance(questions, c, n)
    for number, true in exact.items():
        place = number - found.first
        held = 0 <= place < len(found.chances)
        assert (found.chances[place] if held else 0.0) == pytest.approx(float(true), abs=1e-15)
        tails = 2 * min(
            sum(exact[i] for i in exact if i <= number), sum(exact[i] for i in exact if i >= number)
        )
        assert found.tails(number) == pytest.approx(min(1.0, float(tails)))


def test_many_kinds_of_questions_are_taken_as_normal(monkeypatch):
    rng = np.random.default_rng(0)
    questions, c = np.full(300, 4), rng.integers(1, 40, 300)
    n = np.full(300, 40)
    exact = right_by_chance(questions, c, n)
    monkeypatch.setattr(judging, "MOST_QUESTIONS", 0)
    close = right_by_chance(questions, c, n)
    for count in (560, 600, 620, 660):
        assert close.tails(count) == pytest.approx(exact.tails(count), abs=0.02)
    assert close.within(0.95) == pytest.approx(exact.within(0.95), abs=2)


def verdicts(m=200, n=8, seed=0, shape=(0.5, 0.5)):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(*shape, (m, 1))).astype(int)


def test_a_replica_that_broke_off_is_named_and_others_are_not():
    right = verdicts()
    assert replicas(right).standing_out == ()
    broken = right.copy()
    broken[120:, 5] = 0
    found = replicas(broken)
    assert found.standing_out == (6,)
    assert found.p_of_spread < 0.001
    assert found.accuracy[5] < found.low[5]
    assert found.spread > 1.5 * found.spread_by_chance
    assert found.accuracy == pytest.approx(broken.mean(axis=0))


def test_others_are_judged_without_those_that_stand_out():
    right = verdicts()
    right[120:, 5] = 0
    right[130:, 2] = 0
    found = replicas(right)
    assert found.standing_out == (3, 6)
    usual = [0, 1, 3, 4, 6, 7]
    alone = replicas(right[:, usual])
    assert found.low[usual] == pytest.approx(alone.low)
    assert found.high[usual] == pytest.approx(alone.high)


def test_cochrans_q_is_that_of_the_textbook():
    """Conover's example of three sportsmen who predict 12 games; Q = 2.8, p = 0.247."""
    games = """1 1 1; 1 1 1; 0 1 0; 1 1 0; 0 0 0; 1 1 1; 1 1 1; 1 1 0; 0 0 1; 0 1 0; 1 1 1; 1 1 1"""
    right = [[int(cell) for cell in row.split()] for row in games.split(";")]
    assert replicas(right).p_of_spread == pytest.approx(stats.chi2.sf(2.8, 2), abs=1e-6)


def test_flips_and_the_variance_within_are_what_counting_says():
    right = verdicts(40, 4)
    found = replicas(right)
    pairs = [[row[i] != row[j] for i in range(4) for j in range(i)] for row in right.tolist()]
    assert found.flips.value == pytest.approx(np.mean(pairs))
    rate = right.mean()
    assert found.within.value == pytest.approx(found.flips.value / 2 / (rate * (1 - rate)))
    assert found.within.interval.low < found.within.value < found.within.interval.high
    assert replicas(right, target="benchmark").within is None


def test_questions_alike_have_all_variance_within_and_sure_ones_none():
    rng = np.random.default_rng(1)
    assert replicas(rng.integers(0, 2, (500, 4))).within.interval.high == 1
    sure = np.repeat([[1], [0]], 30, axis=0) * np.ones((1, 4), int)
    found = replicas(sure)
    assert (found.within.value, found.flips.value, found.spread) == (0, 0, 0)
    assert (found.p_of_spread, found.standing_out) == (1, ())


def test_few_questions_alike_leave_open_how_much_of_the_variance_is_within():
    lows = [replicas([[0, 0, 1, 1]] * m).within.interval.low for m in (1, 2, 10)]
    assert lows == sorted(lows)
    assert all(low < most for low, most in zip(lows, (0.1, 0.4, 0.97), strict=True))


def test_failed_requests_count_as_they_are_told_and_short_questions_are_left_out():
    right = verdicts(60, 4).astype(np.int8)
    right[:20, 3] = -1
    assert replicas(Outcomes(right), missing="omit").n_questions.tolist() == [60, 60, 60, 40]
    wrong, left_out = (replicas(Outcomes(right), missing=each) for each in ("wrong", "omit"))
    assert wrong.accuracy[3] < left_out.accuracy[3]
    short = right.copy()
    short[20:30, 1:] = -2
    assert replicas(Outcomes(short), missing="omit").n_questions.tolist() == [50, 50, 50, 30]


def test_of_two_replicas_it_cannot_be_said_which_stands_out():
    right = verdicts(200, 2)
    right[:100, 1] = 0
    found = replicas(right)
    assert found.standing_out == ()
    assert found.p_of_spread < 0.001


def test_of_two_halves_it_cannot_be_said_which_stands_out():
    right = verdicts(200, 4)
    right[:100, :2] = 0
    found = replicas(right)
    assert found.standing_out == ()
    assert found.p_of_spread < 0.001
    assert found.low == pytest.approx(np.full(4, found.low[0]))
    assert replicas(right[:, ::-1]).p_value == pytest.approx(found.p_value[::-1])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([[1], [0]], "Each question has one sample"),
        ([[2, 0], [0, 1]], "categories"),
        (Outcomes([[1, 0]], grouped=False), "which samples"),
    ],
)
def test_what_has_no_replicas_is_refused(data, why):
    with pytest.raises(MetricError, match=why):
        replicas(data)


@pytest.mark.slow
@pytest.mark.parametrize("m", [30, 100, 400])
@pytest.mark.parametrize("shape", [(1, 1), (0.3, 0.3), (5, 0.5), (0.5, 5)])
def test_chance_alone_stands_out_seldom_and_intervals_hold(m, shape):
    """At most 6 % of 1000 sets have a replica that stands out, or too large a spread."""
    named = spread = flips = within = 0
    large = replicas(verdicts(200_000, 8, 9, shape))
    for seed in range(1000):
        found = replicas(verdicts(m, 8, seed, shape))
        named += bool(found.standing_out)
        spread += found.p_of_spread < 0.05
        low, high = found.flips.interval
        flips += low <= large.flips.value <= high
        low, high = found.within.interval if found.within else (0, 1)
        within += low <= large.within.value <= high
    print(m, shape, named, spread, flips, within)
    assert max(named, spread) <= 65
    assert flips >= 930
    assert within >= 920
