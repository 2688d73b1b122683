"""The limits KG1 and KG2, against scipy's quantiles and the rule of three."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from metrics import Tally
from metrics.difficulties.fits import extremes_of_pairs
from metrics.intervals.binomial import clopper_pearson, mid_p
from metrics.intervals.korn_graubard import (
    benchmark_size,
    population_size,
    sampled_size,
    variance_of_mean,
    worth,
)


def population_interval(mean, variance, m, level, sizes=None):
    clusters = None if sizes is None else worth(np.array(sizes))
    size = population_size(mean, variance, m, level, clusters)
    return tuple(map(float, clopper_pearson(size * mean, size, level)))


def benchmark_interval(mean, variance, m, draws, level):
    size = benchmark_size(mean, variance, m, draws, level)
    return tuple(map(float, clopper_pearson(size * mean, size, level)))


@pytest.mark.parametrize(("m", "high"), [(30, 0.125), (100, 0.037)])
def test_no_success_gives_the_rule_of_three_and_not_a_point(m, high):
    low, got = population_interval(0.0, 0.0, m, 0.95)
    assert low == 0
    assert got == pytest.approx(high, abs=5e-4)


def test_one_success_rate_over_all_answers_when_nothing_is_right():
    """None of 30 x 16 answers: at most .8 % (the pooled rule of three)."""
    assert benchmark_interval(0.0, 0.0, 30, 16, 0.95)[1] == pytest.approx(0.0077, abs=5e-5)


def test_population_interval_follows_its_formula():
    m, mean, variance = 40, 0.425, 0.13 / 40
    rho = (m * 0.13 + 1) / (m * mean * (1 - mean) + 1)
    n = m / rho * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, m - 1)) ** 2
    low = stats.beta.ppf(0.025, n * mean, n - n * mean + 1)
    high = stats.beta.ppf(0.975, n * mean + 1, n - n * mean)
    assert population_interval(mean, variance, m, 0.95) == pytest.approx((low, high), abs=1e-12)


def test_population_interval_of_clusters_of_one_is_the_plain_one():
    x = np.random.default_rng(0).random(50)
    ones = np.ones(50, dtype=int)
    plain = variance_of_mean(x, ones)
    clustered = variance_of_mean(x, ones, np.arange(50))
    assert clustered == pytest.approx(plain, rel=1e-12)
    assert population_interval(x.mean(), plain, 50, 0.9) == pytest.approx(
        population_interval(x.mean(), clustered, 50, 0.9, [1] * 50), rel=1e-12
    )


def test_copies_of_a_question_in_one_cluster_add_almost_no_evidence():
    x = np.random.default_rng(1).random(40)
    alone = population_interval(x.mean(), variance_of_mean(x, np.ones(40, int)), 40, 0.95)
    copies, cluster = np.repeat(x, 10), np.repeat(np.arange(40), 10)
    variance = variance_of_mean(copies, np.ones(400, int), cluster)
    together = population_interval(x.mean(), variance, 400, 0.95, [10] * 40)
    assert together[1] - together[0] == pytest.approx(alone[1] - alone[0], rel=0.12)


def test_a_single_question_or_cluster_says_nothing_about_others():
    assert population_interval(0.5, 0.0, 1, 0.95) == (0, 1)
    assert population_interval(0.5, 0.0, 20, 0.95, [20]) == (0, 1)


@given(
    st.floats(0, 1),
    st.floats(0, 0.25),
    st.integers(1, 5000),
    st.integers(1, 64),
    st.floats(0.5, 0.99),
)
@example(0.0, 0.125, 4, 5, 0.96875)
def test_intervals_hold_the_mean_stay_in_range_and_widen_with_the_level(mean, s2, m, draws, level):
    for interval in (
        lambda level: population_interval(mean, s2 / m, m, level),
        lambda level: benchmark_interval(mean, s2 / m, m, draws, level),
    ):
        narrow, wide = interval(level), interval(level + 0.009)
        assert 0 <= wide[0] <= narrow[0] <= mean + 1e-9
        assert mean - 1e-9 <= narrow[1] <= wide[1] <= 1
        assert narrow[1] > narrow[0]


@pytest.mark.parametrize(("within", "between"), [(0.002, 0.001), (0.001, 0.002)])
def test_the_variance_of_samples_is_no_more_than_that_between_questions(within, between):
    """What differs between questions holds what differs between their samples."""
    size = sampled_size(0.5, lambda: within, between, 40, 5, 1, 0.95)
    assert size == benchmark_size(0.5, 0.001, 40, 1, 0.95)
    one = sampled_size(0.5, lambda: within, between, 1, 5, 1, 0.95)
    assert one == benchmark_size(0.5, within, 1, 1, 0.95), "one question says nothing of others"


@pytest.mark.parametrize(
    ("m", "level", "least"), [(30, 0.8, 0.76), (30, 0.95, 0.92), (30, 0.99, 0.98)]
)
def test_rare_failures_beside_hopeless_questions_are_held(m, level, least):
    """Half of the questions are never solved, the others nearly always: two samples of each.

    Nothing varies while no sample fails, which happens at .99 as often as failures are few.
    """
    once, twice = (each.ravel() for each in np.indices((m // 2 + 1, 4)))
    once, twice = (each[once + twice <= m // 2] for each in (once, twice))
    half = m // 2 - once - twice
    mean = (half + once / 2) / m
    within, spread = once / 4 / m**2, (half + once / 4) / m - mean**2
    size = sampled_size(mean, lambda: within, spread / (m - 1), m, 2, 2, level)
    low, high = mid_p(mean, size, level)
    for failures in np.linspace(0.2, 7, 60):
        p = failures / m
        ways = stats.multinomial.pmf(
            np.stack([half, once, twice], axis=1), m // 2, [(1 - p) ** 2, 2 * p * (1 - p), p * p]
        )
        true = (1 - p) / 2
        assert ways @ ((low <= true) & (true <= high)) >= least


def test_the_variance_between_unequal_clusters_is_unbiased():
    """Every way to give three clusters one of two difficulties, by enumeration."""
    sizes = np.array([1, 3, 8])
    cluster = np.repeat(np.arange(3), sizes)
    ways = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    found = [variance_of_mean(w[cluster] * 1.0, np.ones(12, int), cluster) for w in ways]
    means = ways @ sizes / 12
    assert np.mean(found) == pytest.approx(np.var(means), rel=1e-12)


def test_unequal_clusters_are_worth_fewer():
    few = worth(np.array([40, 1, 1, 1]))
    assert few.number == pytest.approx(43**2 / 1603)
    assert few.freedom == pytest.approx(43 * 1603 / 64003 - 1)
    assert worth(np.full(7, 3)) == pytest.approx((7, 6, 7 / 6))


@pytest.mark.parametrize("counts", [[0, 3, 7], [5, 1, 4], [2, 6, 2], [0, 0, 9], [0, 5, 0]])
def test_pairs_have_two_extreme_distributions_with_their_moments(counts):
    """But where pairs agree less often than by chance: then all questions are alike."""
    tally = Tally.of_questions(2, np.repeat(np.arange(3), counts))
    rates = np.sin(np.pi * np.arange(161) / 320) ** 2
    mean, square = np.arange(3) @ counts / 2 / sum(counts), counts[2] / sum(counts)
    for masses in extremes_of_pairs(tally):
        assert masses.sum() == pytest.approx(1)
        assert masses @ rates == pytest.approx(mean, abs=1e-12)
        assert masses @ rates**2 == pytest.approx(max(square, mean**2), abs=1e-4)
        assert (masses > 1e-9).sum() <= 3
