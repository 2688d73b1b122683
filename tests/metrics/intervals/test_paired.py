"""The limits of a mean paired difference, against a second program and worked numbers."""

import numpy as np
import pytest
from scipy import stats

from metrics import Tally, curve, estimate
from metrics.intervals.paired import independent_limits, paired_limits


def limits_of(d, level=0.95, groups=None, up=1.0, down=1.0):
    clusters = None if groups is None else np.unique(groups, return_inverse=True)[1]
    ones = np.ones(len(d), int)
    return paired_limits(np.array(d, float), ones, level, clusters=clusters, low=-down, high=up)


def reference(d, level, groups=None, up=1.0, down=1.0):
    """Gains and losses each with limits at their own size, joined by their correlation."""
    d, m, tail = np.round(d, 12), len(d), (1 - level) / 2
    groups = np.arange(m) if groups is None else np.asarray(groups)
    names, sizes = np.unique(groups, return_counts=True)
    worth, freedom = m**2 / (sizes**2).sum(), len(names)
    found, sums = [], []
    for part, unit in ((np.maximum(d, 0) / up, up), (np.maximum(-d, 0) / down, down)):
        mean = part.mean()
        sums.append([(part - mean)[groups == g].sum() for g in names])
        variance = freedom / (freedom - 1) * np.square(sums[-1]).sum() / m**2
        rho = (m**2 * variance + m / worth) / (m * mean * (1 - mean) + 1)
        ratio = stats.norm.ppf(tail) / stats.t.ppf(tail, max(worth - 1, 0.5))
        n = m / rho * ratio**2
        x, y = n * mean, n - n * mean
        a = 0.5 if level >= 0.95 else 0
        low = min(mean, stats.beta.ppf(tail, x + a, y + 1 - a)) if x > 1e-7 else 0
        high = max(mean, stats.beta.ppf(1 - tail, x + 1 - a, y + a)) if y > 1e-7 else 1
        found.append((mean * unit, low * unit, high * unit))
    (p, l1, u1), (q, l2, u2) = found
    r = np.corrcoef(*sums)[0, 1] if np.min(np.abs(sums).max(axis=1)) > 1e-9 else 0
    low = p - q - np.sqrt((p - l1) ** 2 + (u2 - q) ** 2 - 2 * r * (p - l1) * (u2 - q))
    high = p - q + np.sqrt((u1 - p) ** 2 + (q - l2) ** 2 - 2 * r * (u1 - p) * (q - l2))
    return max(low, -down), min(high, up)


@pytest.mark.parametrize(
    ("d", "options", "expected"),
    [
        ([0] * 30, {}, (-0.0864, 0.0864)),
        ([0] * 30, {"level": 0.99}, (-0.1384, 0.1384)),
        ([0] * 5, {}, (-0.5960, 0.5960)),
        ([0] * 300, {}, (-0.0084, 0.0084)),
        ([0] * 20, {"groups": np.repeat(range(4), 5)}, (-0.7501, 0.7501)),
        ([1] * 3 + [0] * 27, {}, (-0.0132, 0.2534)),
        ([1] * 3 + [-1] + [0] * 26, {}, (-0.0781, 0.2248)),
        ([1] * 15 + [-1] * 15, {}, (-0.3626, 0.3626)),
        ([0.25] * 30, {}, (0.1456, 0.3164)),
        ([1] * 30, {}, (0.8778, 1)),
        ([1] * 12 + [-1] * 3 + [0] * 85, {}, (0.0153, 0.1701)),
        ([1] * 40 + [-1] * 9 + [0] * 951, {}, (0.0178, 0.0454)),
        ([1, 0.5, 0.25, 0, 0, 0, -0.25, 0, 0.5, 0], {}, (-0.1484, 0.5200)),
        ([-1, -0.5, -0.25, 0, 0, 0, 0.25, 0, -0.5, 0], {}, (-0.5200, 0.1484)),
        (
            [1, 0.5, 0.25, 0, 0, 0, -0.25, 0, 0.5, 0],
            {"groups": np.repeat(range(5), 2)},
            (-0.4527, 0.7092),
        ),
    ],
)
def test_worked_numbers(d, options, expected):
    assert limits_of(d, **options) == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("seed", range(12))
def test_a_second_program_agrees(seed, level):
    rng = np.random.default_rng(seed)
    m, (up, down) = int(rng.integers(2, 60)), rng.choice([0.25, 0.5, 1.0], 2)
    d = np.where(rng.random(m) < 0.5, 0, rng.uniform(-down, up, m))
    groups = np.sort(rng.integers(0, m, m)) if seed % 3 == 0 and m > 4 else None
    expected = reference(d, level, groups, up, down)
    assert limits_of(d, level, groups, up, down) == pytest.approx(expected, abs=1e-9)


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
