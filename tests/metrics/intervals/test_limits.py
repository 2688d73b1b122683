"""The limits of a mean score, against their formulas by scipy and worked numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.intervals.korn_graubard import worth
from metrics.intervals.limits import population_limits
from tests.metrics.intervals.adversaries import of_two_scores


def limits_of(x, level=0.95, **clusters):
    x = np.asarray(x, float)
    variance = x.var(ddof=1) / len(x) if len(x) > 1 else 0.0
    return tuple(map(float, population_limits(x.mean(), variance, len(x), level, **clusters)))


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1] * 27 + [0] * 3, (0.7500, 0.9814)),
        ([0] * 10, (0, 0.2975)),
        ([0] * 30, (0, 0.1036)),
        ([0] * 100, (0, 0.0317)),
        ([0.5] * 30, (0.4488, 0.5512)),
        ([1] * 30, (0.8964, 1)),
        ([0.3], (0, 1)),
    ],
)
def test_worked_numbers(scores, expected):
    assert limits_of(scores) == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("m", [2, 7, 40, 400])
def test_questions_at_each_end_are_added_and_the_result_cut(m, level):
    x, tail = np.random.default_rng(m).beta(0.4, 1.1, m), (1 - level) / 2
    z = stats.norm.ppf(tail)
    w = max(1, (z / stats.norm.ppf(0.025)) ** 2)
    spread = m * x.var() + 1.25 * w * (x.mean() ** 2 + (1 - x.mean()) ** 2)
    middle = (x.sum() + w) / (m + 2 * w)
    reach = stats.t.ppf(1 - tail, m + 1) * np.sqrt(spread / (m + 1) / (m + 2 * w))
    rho = (m * x.var(ddof=1) + 1) / (m * x.mean() * (1 - x.mean()) + 1)
    n = m / max(rho, 1) * (z / stats.t.ppf(tail, m - 1)) ** 2
    low = stats.beta.ppf(tail, n * x.mean(), n - n * x.mean() + 1)
    high = stats.beta.ppf(1 - tail, n * x.mean() + 1, n - n * x.mean())
    expected = max(low, middle - reach), min(high, middle + reach)
    assert limits_of(x, level) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0.5, 0.99))
def test_limits_are_nested_over_levels(scores, level):
    narrow, wide = limits_of(scores, level), limits_of(scores, level + 0.009)
    assert wide[0] <= narrow[0] + 1e-12
    assert narrow[1] <= wide[1] + 1e-12


def test_clusters_have_the_exact_limits_alone():
    n = 30 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 9)) ** 2 / 3
    low, high = limits_of([0] * 30, clusters=worth(np.full(10, 3)))
    assert (low, high) == pytest.approx((0, 1 - 0.025 ** (1 / n)), abs=1e-12)
    assert limits_of([0] * 30, clusters=worth(np.ones(30))) == limits_of([0] * 30)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0.5, 0.999))
def test_the_mean_lies_within(scores, level):
    low, high = limits_of(scores, level)
    assert 0 <= low <= np.mean(scores) + 1e-12
    assert np.mean(scores) - 1e-12 <= high <= 1
    assert low < high
    mirrored = limits_of([1 - x for x in scores], level)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


LEAST = {0.8: 0.75, 0.9: 0.88, 0.95: 0.93, 0.99: 0.98}
SCORES = [0, 0.001, 0.05, 0.25, 0.5, 0.75, 0.95]
"""One of two; the other is 1, and by symmetry 0."""


@pytest.mark.parametrize("level", LEAST)
@pytest.mark.parametrize("m", [10, 30, 150])
def test_every_share_of_two_scores_is_held_as_promised(m, level):
    """Rare zeros among scores of .95, say, of which none may be seen."""
    assert least_of_scores(m, level, SCORES if m < 100 else [0, 0.05]) >= LEAST[level]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEAST)
def test_every_share_of_two_scores_is_held_at_every_size(level):
    scores = [*SCORES, 0.01, 0.1, 0.4, 0.9, 0.99]
    found = {m: least_of_scores(m, level, scores) for m in (*range(10, 100), 150, 300, 1000, 3000)}
    least = min(found, key=found.get)
    print(f"\n{level}: {found[least]:.4f} of {least}")
    assert found[least] >= LEAST[level]


def least_of_scores(m, level, scores):
    share = np.arange(m + 1) / m
    found = []
    for score in scores:
        mean, spread = score + (1 - score) * share, (1 - score) ** 2 * share * (1 - share)
        found.append(of_two_scores(*population_limits(mean, spread / (m - 1), m, level), score))
    return min(found)


@pytest.mark.wide
@pytest.mark.parametrize("score", [0.05, 0.5, 0.95])
def test_rare_zeros_and_rare_ones_among_alike_scores_are_held(score):
    """Three scores, 30 questions: every count of each, at many true shares."""
    m, rng = 30, np.random.default_rng(0)
    nothing, all_of_it = (each.ravel() for each in np.indices((m + 1, m + 1)))
    some = nothing + all_of_it <= m
    counts = np.stack([nothing, all_of_it, m - nothing - all_of_it])[:, some]
    values = np.array([0, 1, score])
    mean = values @ counts / m
    variance = np.maximum(values**2 @ counts / m - mean**2, 0) / (m - 1)
    low, high = population_limits(mean, variance, m, 0.95)
    for zeros, ones in np.exp(rng.uniform(np.log(0.1), np.log(0.45 * m), (400, 2))) / m:
        shares = np.array([zeros, ones, 1 - zeros - ones])
        true = values @ shares
        chances = stats.multinomial.pmf(counts.T, m, shares)
        assert chances @ ((low <= true) & (true <= high)) >= LEAST[0.95]
