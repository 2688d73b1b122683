"""Binomial limits, against scipy's exact test, their equation, and every true share there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.intervals.binomial import clopper_pearson, mid_p
from tests.metrics.intervals.adversaries import of_a_share

SHARES = np.array([0.0, 1e-6, 0.003, 0.05, 0.2, 0.5, 0.83, 0.999, 1.0])


@pytest.mark.parametrize(("x", "n"), [(0, 30), (1, 30), (15, 30), (29, 30), (30, 30), (3, 7)])
def test_clopper_pearson_equals_the_exact_binomial_test(x, n):
    exact = stats.binomtest(x, n).proportion_ci(0.95, method="exact")
    assert clopper_pearson(x, n, 0.95) == pytest.approx((exact.low, exact.high), abs=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999, 1 - 1e-10])
@pytest.mark.parametrize("n", [2, 30, 1000, 10**6])
def test_beyond_mid_p_limits_lies_half_the_error(n, level):
    """Of whole numbers the equation is the binomial distribution's, with what was seen by half."""
    x, tail = np.unique(np.round(n * SHARES)), (1 - level) / 2
    low, high = mid_p(x / n, n, level)
    some, few = x > 0, x < n
    beyond = stats.binom.sf(x, n, low) + stats.binom.pmf(x, n, low) / 2
    assert beyond[some] == pytest.approx(tail, rel=1e-6)
    beyond = stats.binom.cdf(x - 1, n, high) + stats.binom.pmf(x, n, high) / 2
    assert beyond[few] == pytest.approx(tail, rel=1e-6)
    assert low[~some] == pytest.approx(0, abs=0)
    assert high[~few] == pytest.approx(1, abs=0)


@given(st.floats(0, 1), st.floats(0, 1e5), st.floats(0.02, 0.999), st.floats(0.0001, 0.5))
def test_mid_p_limits_hold_the_share_and_are_nested_over_levels(share, n, level, wider):
    low, high = map(float, mid_p(share, n, level))
    assert 0 <= low <= share <= high <= 1
    least, most = map(float, mid_p(share, n, level + wider * (1 - level)))
    assert least <= low + 1e-12
    assert high <= most + 1e-12
    exact = clopper_pearson(n * share, n, level)
    assert exact[0] - 1e-9 <= low
    assert high <= exact[1] + 1e-9
    mirrored = mid_p(1 - share, n, level)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_each_share_has_the_limits_it_has_alone():
    low, high = mid_p(SHARES, 40.5, 0.9)
    for place, share in enumerate(SHARES):
        assert mid_p(share, 40.5, 0.9) == pytest.approx((low[place], high[place]), abs=1e-13)


LEAST = {0.8: 0.68, 0.9: 0.82, 0.95: 0.91, 0.99: 0.98}
"""Mid-P limits hold as often, of 10 trials or more."""


@pytest.mark.parametrize("level", LEAST)
@pytest.mark.parametrize("n", [10, 13, 45, 150])
def test_mid_p_limits_hold_every_share_as_often_as_promised(n, level):
    x = np.arange(n + 1)
    assert LEAST[level] <= of_a_share(*mid_p(x / n, n, level)) < level
    assert of_a_share(*clopper_pearson(x, n, level)) >= level


@pytest.mark.slow
@pytest.mark.parametrize("level", LEAST)
def test_mid_p_limits_hold_every_share_of_any_number_as_often(level):
    found = {}
    for n in [*range(10, 200), *range(200, 1001, 10)]:
        found[n] = of_a_share(*mid_p(np.arange(n + 1) / n, n, level))
    least = min(found, key=found.get)
    print(f"\n{level}: {found[least]:.4f} of {least}")
    assert found[least] >= LEAST[level]
