"""The limits of a mean paired difference, against a second program and worked numbers."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from metrics import Tally, curve, estimate
from metrics.intervals.paired import (
    MeanDifference,
    independent_limits,
    mean_difference,
    paired_limits,
)
from tests.metrics.intervals.adversaries import gains_and_losses, of_gains_and_losses


def limits_of(d, level=0.95, groups=None, up=1.0, down=1.0):
    clusters = None if groups is None else np.unique(groups, return_inverse=True)[1]
    ones = np.ones(len(d), int)
    return paired_limits(np.array(d, float), ones, level, clusters=clusters, low=-down, high=up)


def reference(d, level, groups=None, up=1.0, down=1.0):
    """The farthest means whose best weights are not much less likely, by Owen's multiplier."""
    unit, m = max(up, down), len(d)
    d, top, bottom = np.round(d, 12) / unit, up / unit, -down / unit
    mean, share, quantile = d.mean(), np.ones(m), stats.norm.ppf((1 + level) / 2)
    if groups is not None:
        names, sizes = np.unique(groups, return_counts=True)
        worth, far = m**2 / (sizes**2).sum(), max(top - mean, mean - bottom) ** 2
        sums = np.array([(d - mean)[groups == g].sum() for g in names])
        variance = len(names) / (len(names) - 1) * (sums**2).sum()
        effect = (variance + m / worth * far) / (((d - mean) ** 2).sum() + far)
        share, quantile = share / effect, stats.t.ppf((1 + level) / 2, max(worth - 1, 0.5))
    ends = []
    for x, to, fro in ((d, top, bottom), (-d, -bottom, -top)):
        middle = x.mean()
        alike = (share * (1 - x**2)).sum()
        far = max(to - middle, middle - fro)
        two, four = ((share * (abs(x - middle) / far) ** power).sum() for power in (2, 4))
        limit = quantile**2 * (1 + 0.3 * four / (1 + two) ** 2 + 0.1 / (1 + alike))
        two, four = ((share * (abs(x - middle) / (to - middle)) ** power).sum() for power in (2, 4))
        at_end = min(two, four)
        between = min(two - at_end, (share * (x**2 - x**4)).sum())
        ties = 2 * ((1 - middle / to) * (1 - middle / fro)) ** 2 * alike / (10 + alike)
        noise = between / (0.4 if groups is None else 4)
        unseen = 0.3 / ((1 + at_end / 4) * (1 + noise**2)) ** 2
        values, weights = np.append(x, [0, to]), np.append(share, [ties, unseen])
        own = weights @ values / weights.sum()

        def less_likely(mean, values=values, weights=weights, limit=limit, to=to):
            below = values - mean
            most, least = -1 / below.min(), -1 / (to - mean)
            slack = 1e-13 * (most - least)
            multiplier = brentq(
                lambda by: (weights * below / (1 + by * below)).sum(), least + slack, most - slack
            )
            return 2 * (weights * np.log1p(multiplier * below)).sum() - limit

        ends.append(brentq(less_likely, own + 1e-9, to - 1e-7 * (to - own), xtol=1e-13))
    high, low = (max(end, side * mean) for end, side in zip(ends, (1, -1), strict=True))
    return -low * unit, high * unit


@pytest.mark.parametrize(
    ("d", "options", "expected"),
    [
        ([0] * 30, {}, (-0.0878, 0.0878)),
        ([0] * 30, {"level": 0.99}, (-0.1308, 0.1308)),
        ([0] * 5, {}, (-0.3968, 0.3968)),
        ([0] * 300, {}, (-0.0096, 0.0096)),
        ([0] * 20, {"groups": np.repeat(range(4), 5)}, (-0.7425, 0.7425)),
        ([1] * 3 + [0] * 27, {}, (-0.0160, 0.2362)),
        ([1] * 3 + [-1] + [0] * 26, {}, (-0.0765, 0.2144)),
        ([1] * 15 + [-1] * 15, {}, (-0.3640, 0.3640)),
        ([0.25] * 30, {}, (0.1292, 0.3080)),
        ([1] * 30, {}, (0.8037, 1)),
        ([1] * 12 + [-1] * 3 + [0] * 85, {}, (0.0161, 0.1679)),
        ([1] * 40 + [-1] * 9 + [0] * 951, {}, (0.0179, 0.0454)),
        ([1, 0.5, 0.25, 0, 0, 0, -0.25, 0, 0.5, 0], {}, (-0.0659, 0.4384)),
        ([-1, -0.5, -0.25, 0, 0, 0, 0.25, 0, -0.5, 0], {}, (-0.4384, 0.0659)),
        (
            [1, 0.5, 0.25, 0, 0, 0, -0.25, 0, 0.5, 0],
            {"groups": np.repeat(range(5), 2)},
            (-0.5222, 0.7228),
        ),
    ],
)
def test_worked_numbers(d, options, expected):
    assert limits_of(d, **options) == pytest.approx(expected, abs=6e-5)


@pytest.mark.wide
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("seed", range(12))
def test_a_second_program_agrees(seed, level):
    rng = np.random.default_rng(seed)
    m, (up, down) = int(rng.integers(2, 60)), rng.choice([0.25, 0.5, 1.0], 2)
    d = np.where(rng.random(m) < 0.5, 0, rng.uniform(-down, up, m))
    groups = np.sort(rng.integers(0, m, m)) if seed % 3 == 0 and m > 4 else None
    expected = reference(d, level, groups, up, down)
    assert limits_of(d, level, groups, up, down) == pytest.approx(expected, abs=1e-9)


LEAST = {0.8: 0.72, 0.9: 0.865, 0.95: 0.93, 0.99: 0.984}
"""What is promised at each level from 20 questions on; with 5 at 95 % it is .92."""


@pytest.mark.wide
@pytest.mark.parametrize(("m", "level"), [(20, 0.95), (30, 0.8), (30, 0.95), (30, 0.99)])
def test_every_share_of_gains_and_losses_is_held(m, level):
    assert of_gains_and_losses(trinomial_limits(m, level), m) >= LEAST[level]


LEAST_OF_PARTS = {0.8: 0.71, 0.9: 0.82, 0.95: 0.91, 0.99: 0.979}
"""The same where questions are gained in part, as those of which samples differ."""
PARTS = [0.125, 0.25, 0.5, 0.75, 0.9]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("m", "level", "part"), [(20, 0.95, 0.75), (30, 0.8, 0.9), (60, 0.95, 0.9)]
)
def test_rare_losses_among_many_gains_in_part_are_held(m, level, part):
    least = of_gains_and_losses(trinomial_limits(m, level, part), m, part)
    assert least >= LEAST_OF_PARTS[level]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEAST)
@pytest.mark.parametrize("m", [5, 10, 20, 50, 100, 200])
def test_every_share_is_held_at_more_sizes(m, level):
    least = of_gains_and_losses(trinomial_limits(m, level), m)
    parts = min(of_gains_and_losses(trinomial_limits(m, level, x), m, x) for x in PARTS)
    print(f"\n| {m} | {level} | {least:.4f} | in part {parts:.4f} |")
    assert least >= LEAST[level] - (0.01 if m < 20 else 0)
    assert parts >= LEAST_OF_PARTS[level] - (0.02 if m < 20 else 0)


def trinomial_limits(m, level, part=1.0):
    gained, lost = gains_and_losses(m)
    counts = np.stack([lost, m - gained - lost, gained])
    return MeanDifference(np.array([-1.0, 0, part]), counts).limits(level)


def test_higher_levels_are_wider_and_p_is_where_0_becomes_an_end():
    rng = np.random.default_rng(7)
    for _ in range(20):
        d = rng.choice([-1, -0.25, 0, 0, 0, 0.5, 1], int(rng.integers(5, 80)))
        found = mean_difference(d, np.ones(len(d)))
        levels = [0.5, 0.8, 0.94, 0.95, 0.99, 0.999]
        lows, highs = zip(*map(found.ends, levels), strict=True)
        assert list(lows) == sorted(lows, reverse=True)
        assert list(highs) == sorted(highs)
        assert lows[0] <= found.value <= highs[0]
        if 1e-6 < found.p_value < 1:
            low, high = found.ends(1 - float(found.p_value))
            assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-6)


def test_equal_differences_may_be_counted_together():
    together = paired_limits(np.array([0.5, 0.0, -1.0]), np.array([3, 7, 2]), 0.95)
    assert together == pytest.approx(limits_of([0.5] * 3 + [0] * 7 + [-1] * 2), abs=1e-12)


def test_one_question_or_cluster_says_nothing():
    assert limits_of([0.5], up=0.75) == (-1, 0.75)
    assert limits_of([0.5] * 8, groups=[1] * 8) == (-1, 1)


def test_rounding_of_floats_does_not_count_as_a_difference():
    assert limits_of([0.1 + 0.2 - 0.3] * 30) == limits_of([0] * 30)


def of(found):
    return found.value, *found.interval


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0.5, 0.5, 0.5), (0.7, 0.7, 0.7), (0.2, 0.2)),
        ((0.5, 0.45, 0.6), (0.5, 0.45, 0.6), (-0.1118, 0.1118)),
        ((0.2, 0.17, 0.24), (0.5, 0.47, 0.54), (0.25, 0.35)),
        ((1.0, 0.9, 1.0), (0.0, 0.0, 0.1), (-1.0, -0.8586)),
        ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), (-1.0, 1.0)),
    ],
)
def test_worked_numbers_of_independent_means(first, second, expected):
    low, high = independent_limits(first, second)
    assert (low, high) == pytest.approx(expected, abs=6e-5)
    back = independent_limits(second, first)
    assert back == pytest.approx((-high, -low), abs=1e-12)


def test_two_runs_of_these_questions_have_the_limits_of_each():
    """Unlike numbers of samples; a run that solves nothing, so that one limit is its end."""
    few = Tally.of_questions(4, [0] * 40)
    many = Tally.of_questions(16, [0] * 10 + [4] * 10 + [12] * 10 + [16] * 10)
    for metric in ("avg@n", "pass@k"):
        a, b = (of(estimate(run, metric, target="benchmark")) for run in (few, many))
        low, high = independent_limits(a, b)
        assert low == pytest.approx(b[0] - np.hypot(b[0] - b[1], a[2]), abs=1e-12)
        assert high == pytest.approx(b[2], abs=1e-12), "nothing below 0 to gain from"


def test_independent_limits_of_every_k_at_once():
    runs = [Tally.of_questions(6, c) for c in ([0, 1, 2, 6] * 10, [0, 3, 5, 6] * 10)]
    a, b = (curve(run, "pass@k", target="benchmark") for run in runs)
    low, high = independent_limits((a.value, a.low, a.high), (b.value, b.low, b.high))
    one, other = (of(estimate(run, "pass@k", 3, target="benchmark")) for run in runs)
    assert (low[2], high[2]) == pytest.approx(independent_limits(one, other), abs=1e-12)
    assert np.all((low <= b.value - a.value) & (b.value - a.value <= high))


def test_limits_are_nested_and_near_the_mean_at_every_level():
    """Newton's steps alone went astray beyond 99.8 %, to a limit of -1 or to the mean."""
    rng = np.random.default_rng(1)
    levels = (0.8, 0.9, 0.95, 0.99, 0.998, 0.999, 0.9995)
    for m, n in ((60, 4), (100, 1), (20, 3)):
        shares = rng.beta(0.7, 0.7, (m, 60))
        both = (rng.binomial(n, shares) - rng.binomial(n, shares[:, ::-1])) / n
        found = mean_difference(both, np.ones(m, int))
        ends = np.array([found.limits(level) for level in levels])
        assert (np.diff(ends[:, 0], axis=0) <= 1e-9).all()
        assert (np.diff(ends[:, 1], axis=0) >= -1e-9).all()
        reach = 8 * both.std(axis=0, ddof=1) / m**0.5 + 0.15
        assert (np.abs(ends - both.mean(axis=0)) <= reach).all()
