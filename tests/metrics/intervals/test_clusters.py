"""Limits over clusters: what two ways to see their variance say, and what stands in for too few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import beta

from metrics import Outcomes, estimate
from metrics.intervals.clusters import clustered_limits, effective_sizes
from metrics.intervals.korn_graubard import variance_of_mean, worth
from metrics.intervals.limits import population_limits

MOSTLY_ONE_GROUP = np.append(np.arange(40), np.full(40, 40))


def of_questions(scores, level=0.95):
    return population_limits(scores.mean(), scores.var(ddof=1) / len(scores), len(scores), level)


def test_clusters_of_one_are_questions():
    scores = np.random.default_rng(0).random(30)
    low, high, _ = clustered_limits(scores, np.arange(30), 0.9)
    assert (low, high) == pytest.approx(of_questions(scores, 0.9), rel=1e-12)


def test_copies_in_one_cluster_are_one_question():
    """Of pairs of equals the mean varies as that of half as many questions."""
    scores = np.random.default_rng(1).random(40)
    low, high, size = clustered_limits(np.repeat(scores, 2), np.repeat(np.arange(40), 2), 0.95)
    alone = of_questions(scores)
    assert high - low == pytest.approx(alone[1] - alone[0], rel=0.03)
    assert size < 200


def test_how_alike_clusters_are_is_weighed_by_the_likelihood_of_all_questions():
    """That of normal questions by the whole matrix of their covariances, mean and scale out."""
    sizes = np.array([1, 2, 4, 3])
    clusters, m = np.repeat(np.arange(4), sizes), 10
    rng = np.random.default_rng(3)
    scores = np.clip(rng.random(4)[clusters] + 0.1 * rng.normal(size=m), 0, 1)
    found = effective_sizes(scores, clusters)
    each = (sizes**2).sum() / m
    ones, alike, logs = np.ones(m), clusters[:, None] == clusters, []
    within = sum(scores[clusters == g].var() * sizes[g] for g in range(4))
    mean = scores.mean()
    could = mean * (1 - mean) + 1 / m
    most = could * m / (within + 6 * could / 1e4)
    ratios = np.expm1(np.linspace(0, np.log1p(most * each), 32)) / each
    size = []
    for ratio in ratios:
        inverse = np.linalg.inv(np.eye(m) + ratio * alike)
        total = scores @ inverse @ scores - (ones @ inverse @ scores) ** 2 / inverse.sum()
        total += 6 * could / 1e4
        determinant = np.linalg.slogdet(np.eye(m) + ratio * alike)[1]
        logs.append(-(determinant + np.log(inverse.sum()) + (m - 1) * np.log(total)) / 2)
        variance = total / (m - 1) * (each * ratio + 1) / m
        effect = 1 + (each - 1) * ratio / (1 + ratio)
        unseen = effect + (each - effect) / (1 + (within / 0.25) ** 2)
        size.append(m * (m * mean * (1 - mean) + 1) / (m**2 * variance + unseen))
    likely = np.exp(np.array(logs) - max(logs))
    beforehand = np.r_[0.5, np.ones(30), 0.5] / 31
    weights = likely * (0.75 * beforehand + 0.25 * (ratios == 0))
    weights /= weights.sum()
    assert found.weights @ found.sizes == pytest.approx(weights @ size, rel=1e-3)
    assert found.low(mean, 0.025) == pytest.approx(
        brentq(lambda p: weights @ mid_p_tail(np.array(size), mean, p) - 0.025, 1e-9, mean),
        abs=1e-4,
    )


def mid_p_tail(size, mean, share):
    """How often so many successes, or more of which these count half, come of a share."""
    x, y = size * mean, size * (1 - mean)
    return (beta.cdf(share, x, y + 1) + beta.cdf(share, x + 1, y)) / 2


def test_clusters_that_differ_as_much_as_they_may_count_one_each():
    """Nothing varies within them: as many questions as there are clusters of equal size."""
    clusters = np.repeat(np.arange(6), 20)
    alike = effective_sizes(np.ones(120), clusters)
    assert alike.weights @ alike.sizes == pytest.approx(6, rel=1e-3)
    some = effective_sizes(np.repeat([1.0, 1, 1, 0, 1, 0], 20), clusters)
    assert some.weights @ (1 / some.sizes) == pytest.approx(1 / 6, rel=0.25)


def test_many_clusters_that_are_not_alike_are_questions():
    scores = np.random.default_rng(4).random(600)
    low, high, size = clustered_limits(scores, np.repeat(np.arange(200), 3), 0.95)
    alone = of_questions(scores)
    assert high - low == pytest.approx(alone[1] - alone[0], rel=0.1)
    assert size == pytest.approx(scores.mean() * (1 - scores.mean()) * 12 * 600, rel=0.25)


def test_what_one_large_cluster_may_do_is_known_from_small_ones():
    """By luck the group is solved as often as all are; the interval is no narrower for that."""
    scores = np.append(np.tile([0.0, 1.0], 20), np.full(40, 0.5))
    low, high, _ = clustered_limits(scores, MOSTLY_ONE_GROUP, 0.95)
    assert variance_of_mean(scores, np.ones(80, int), MOSTLY_ONE_GROUP) < 0.02
    assert high - low > 0.5, "half of the questions stand or fall together"
    low, high, _ = clustered_limits(np.tile([0.0, 1.0], 40), MOSTLY_ONE_GROUP, 0.95)
    assert high - low < 0.35, "they do not"


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.integers(1, 9), st.floats(0.5, 0.99))
def test_limits_hold_the_mean_and_are_nested(scores, groups, level):
    scores, clusters = np.array(scores), np.arange(len(scores)) % groups
    low, high, _ = clustered_limits(scores, clusters, level)
    least, most, _ = clustered_limits(scores, clusters, level + 0.009)
    assert -1e-12 <= least <= low + 1e-12
    assert low <= scores.mean() + 1e-9
    assert scores.mean() <= high + 1e-9
    assert high <= most + 1e-12 <= 1 + 1e-9


def test_a_sentence_stands_where_an_interval_would_say_nothing():
    right = np.append(np.tile([0, 1], 20), np.ones(40, int))[:, None]
    groups = np.repeat([0, 1, 2], [2, 38, 40])
    found = estimate(Outcomes(right, clusters=groups), "avg@n")
    assert found.interval is None
    assert str(found.caveats[0]) == (
        "The questions are 3 groups, of which one has 50% of them, so nothing can be said of "
        "questions like these."
    )
    again = estimate(Outcomes(right, clusters=groups), "avg@n", target="benchmark")
    assert again.interval is not None, "these questions are what they are"
    one = estimate(Outcomes(right, clusters=np.zeros(80, int)), "avg@n")
    assert str(one.caveats[0]).startswith("100% of the questions are one group, so nothing")
    mixed = np.tile([0, 1], 40)[:, None]
    assert estimate(Outcomes(mixed, clusters=MOSTLY_ONE_GROUP), "avg@n").interval is not None


def test_unequal_clusters_count_for_less_than_their_number():
    assert worth(np.bincount(MOSTLY_ONE_GROUP)).number == pytest.approx(3.9, abs=0.01)
    scores = np.tile([0.0, 1.0], 40)
    wide = clustered_limits(scores, MOSTLY_ONE_GROUP, 0.95)
    narrow = clustered_limits(scores, np.arange(80) % 41, 0.95)
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
