"""Limits over clusters: what two ways to see their variance say, and what stands in for too few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Outcomes, estimate
from metrics.intervals.clusters import clustered_limits
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


def test_the_variance_of_like_clusters_is_unbiased():
    """Every way to give each of three clusters one of two difficulties, and each question a luck.

    A question is right if it has luck, or if its cluster is easy and it has none; so clusters
    differ, and questions within them too.
    """
    from metrics.intervals.clusters import _variance_of_like_clusters

    sizes = np.array([1, 2, 4])
    clusters = np.repeat(np.arange(3), sizes)
    kinds = np.stack(np.meshgrid(*[[0, 1]] * 10)).reshape(10, -1).T
    scores = np.where(kinds[:, 3:] == 1, 1.0, 0.5 * kinds[:, :3][:, clusters])
    found = [_variance_of_like_clusters(each, clusters, sizes) for each in scores]
    assert np.mean(found) == pytest.approx(scores.mean(axis=1).var(), rel=1e-12)


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
    assert estimate(Outcomes(right, clusters=MOSTLY_ONE_GROUP), "avg@n").interval is not None


def test_unequal_clusters_count_for_less_than_their_number():
    assert worth(np.bincount(MOSTLY_ONE_GROUP)).number == pytest.approx(3.9, abs=0.01)
    scores = np.tile([0.0, 1.0], 40)
    wide = clustered_limits(scores, MOSTLY_ONE_GROUP, 0.95)
    narrow = clustered_limits(scores, np.arange(80) % 41, 0.95)
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
