"""The limits of a mean score, against their formulas by scipy and worked numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.intervals.korn_graubard import clopper_pearson, population_size, worth
from metrics.intervals.limits import ENOUGH, MANY, benchmark_limits, jeffreys, population_limits


def limits_of(x, level=0.95, **clusters):
    x = np.asarray(x, float)
    variance = x.var(ddof=1) / len(x) if len(x) > 1 else 0.0
    return tuple(map(float, population_limits(x.mean(), variance, len(x), level, **clusters)))


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1] * 27 + [0] * 3, (0.7539, 0.9814)),
        ([0] * 10, (0, 0.2670)),
        ([0] * 30, (0, 0.095)),
        ([0] * 100, (0, 0.0293)),
        ([0] * 300, (0, 0.0124)),
        ([0.5] * 30, (0.4542, 0.5458)),
        ([1] * 30, (0.905, 1)),
        ([0.3], (0, 1)),
    ],
)
def test_worked_numbers(scores, expected):
    assert limits_of(scores) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("m", [2, 7, 40, MANY, MANY + 1])
def test_a_question_at_each_end_is_added_and_the_result_cut(m, level):
    x = np.random.default_rng(m).beta(0.4, 1.1, m)
    more, tail = [*x, 0, 1], (1 - level) / 2
    reach = stats.t.ppf(1 - tail, m + 1) * stats.sem(more)
    rho = (m * x.var(ddof=1) + 1) / (m * x.mean() * (1 - x.mean()) + 1)
    n = m / rho * (stats.norm.ppf(tail) / stats.t.ppf(tail, m - 1)) ** 2
    low = stats.beta.ppf(tail, n * x.mean(), n - n * x.mean() + 1)
    high = stats.beta.ppf(1 - tail, n * x.mean() + 1, n - n * x.mean())
    expected = low, high
    if m <= MANY and level <= 0.95:
        expected = max(low, np.mean(more) - reach), min(high, np.mean(more) + reach)
    assert limits_of(x, level) == pytest.approx(expected, abs=1e-12)


def of_shares(m, level=0.95):
    """The limits of 0, 1 … m right of m questions, and Korn and Graubard's, which they cut."""
    share = np.arange(m + 1) / m
    variance = share * (1 - share) / (m - 1)
    size = population_size(share, variance, m, level)
    whole = clopper_pearson(size * share, size, level)
    return population_limits(share, variance, m, level), whole


@pytest.mark.parametrize(
    ("m", "middle", "most"),
    [(5, 0.18, 0.36), (30, 0.08, 0.24), (100, 0.05, 0.21), (MANY, 0.04, 0.21)],
)
def test_limits_are_as_much_narrower_as_the_documents_say(m, middle, most):
    (low, high), (lower, upper) = of_shares(m)
    narrower = 1 - (high - low) / (upper - lower)
    assert np.median(narrower) == pytest.approx(middle, abs=0.006)
    assert narrower.max() == pytest.approx(most, abs=0.006)


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


@pytest.mark.parametrize(("x", "n"), [(0, 30), (1, 30), (15, 30), (30, 30), (2.5, 17.25)])
def test_jeffreys_is_the_posterior_of_its_prior(x, n):
    low, high = stats.beta.ppf([0.025, 0.975], x + 0.5, n - x + 0.5)
    expected = 0 if x == 0 else low, 1 if x == n else high
    assert jeffreys(x / n, n, 0.95) == pytest.approx(expected, abs=1e-12)


def test_jeffreys_holds_its_mean():
    """Next to an end the posterior's tail lies beyond the share itself."""
    low, high = jeffreys(1e-6, 30, 0.95)
    assert stats.beta.ppf(0.025, 0.50003, 30.49997) > 1e-5
    assert low == 1e-6 < high


def test_these_questions_have_jeffreys_limits_only_where_they_hold():
    exact = stats.beta.ppf([0.025, 0.975], [4, 5], [77, 76])
    narrow = stats.beta.ppf([0.025, 0.975], 4.5, 76.5)
    for m, draws, expected in [
        (ENOUGH, 2, narrow),
        (ENOUGH - 1, 2, exact),
        (ENOUGH, 1, exact),
    ]:
        assert benchmark_limits(0.05, 80, m, draws, 0.95) == pytest.approx(expected, abs=1e-12)
    below = benchmark_limits(0.05, 80, ENOUGH, 2, 0.9)
    assert below == pytest.approx(stats.beta.ppf([0.05, 0.95], [4, 5], [77, 76]), abs=1e-12)
    low, high = benchmark_limits(np.full(2, 0.05), np.full(2, 80.0), 40, np.array([2, 1]), 0.95)
    assert pytest.approx(np.stack([narrow, exact]), abs=1e-12) == np.stack([low, high]).T


@pytest.mark.parametrize("x", [1e-6, 1e-3, 0.1, 0.5, 1, 1.5])
def test_of_less_than_one_success_jeffreys_half_counts_for_as_much(x):
    part = min(x, 1) / 2
    low, high = stats.beta.ppf([0.025, 0.975], [x + part, x + 0.5], [81 - x - part, 80.5 - x])
    found = benchmark_limits(x / 80, 80, ENOUGH, 2, 0.95)
    assert found == pytest.approx((low, high), abs=1e-12)
    assert low < x / 80 / 4
    mirrored = benchmark_limits(1 - x / 80, 80, ENOUGH, 2, 0.95)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("level", "promised"), [(0.9, 0.87), (0.95, 0.93), (0.99, 0.98)])
@pytest.mark.parametrize("m", [5, 10, 20, 30, 100, MANY, 300, 1000])
def test_a_share_of_right_answers_is_held_as_promised(m, level, promised):
    """Exact, by the binomial distribution, beside every limit: there coverage is least."""
    x = np.arange(m + 1)
    low, high = population_limits(x / m, x / m * (1 - x / m) / (m - 1), m, level)
    shares = np.concatenate([high[:-1] + 1e-9, low[1:] - 1e-9])
    shares = shares[(shares > 0) & (shares < 1)]
    held = (low <= shares[:, None]) & (shares[:, None] <= high)
    assert (stats.binom.pmf(x, m, shares[:, None]) * held).sum(axis=1).min() >= promised
