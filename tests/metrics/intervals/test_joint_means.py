"""Joint draws of means: their moments, their distribution, and clusters drawn whole."""

import numpy as np
import pytest
from scipy import stats

from metrics.intervals.joint_means import joint_means, joint_sums


def test_draws_have_the_moments_of_their_dirichlet():
    scores, questions = np.array([[0.0, 0.0], [1.0, 0.25], [1.0, 1.0]]), np.array([7, 20, 3])
    drawn = joint_means(scores, questions, resamples=200_000, rng=1)
    alpha = np.array([7.5, 20, 3.5])
    mean = alpha @ scores / alpha.sum()
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=2e-3)
    share = alpha / alpha.sum()
    spread = (np.diag(share) - np.outer(share, share)) / (alpha.sum() + 1)
    assert np.cov(drawn.T) == pytest.approx(scores.T @ spread @ scores, abs=2e-5)


def test_draws_are_distributed_as_numpy_s():
    scores, questions = np.array([[0.0], [0.5], [1.0]]), np.array([4, 10, 2])
    drawn = joint_means(scores, questions, resamples=20_000, rng=2)[:, 0]
    other = np.random.default_rng(3).dirichlet([4.5, 10, 2.5], 20_000) @ scores[:, 0]
    assert stats.ks_2samp(drawn, other).pvalue > 0.01


def test_clusters_are_drawn_whole():
    """Ten clusters of four equal questions vary as ten questions do."""
    scores = np.repeat(np.linspace(0, 1, 10), 4)[:, None]
    ones, clusters = np.ones(40, dtype=np.int64), np.repeat(np.arange(10), 4)
    whole = joint_means(scores, ones, clusters=clusters, resamples=50_000, rng=0)
    alone = joint_means(scores[::4], ones[::4], resamples=50_000, rng=1)
    apart = joint_means(scores, ones, resamples=50_000, rng=2)
    assert whole.std() == pytest.approx(alone.std(), rel=0.02)
    assert whole.std() > 1.8 * apart.std()


def test_sums_are_weighed_alike_whatever_is_summed():
    scores = np.random.default_rng(0).random((60, 3))
    drawn, sizes = joint_sums(scores, resamples=300, rng=np.random.default_rng(1))
    for place in range(3):
        column = scores[:, [place]]
        alone, same = joint_sums(column, resamples=300, rng=np.random.default_rng(1))
        assert alone[:, 0] == pytest.approx(drawn[:, place])
        assert same == pytest.approx(sizes)


@pytest.mark.wide
@pytest.mark.parametrize("ordered", [True, False])
def test_sums_of_many_questions_vary_as_they_should_in_any_order(ordered):
    """With mean p of M, means vary by p (1 - p) / (M + 1), also where like stands beside like."""
    m = 4500
    scores = (np.arange(m) < m / 3).astype(float)
    if not ordered:
        scores = np.random.default_rng(0).permutation(scores)
    sums, sizes = joint_sums(scores[:, None], resamples=10_000, rng=np.random.default_rng(1))
    means = sums[:, 0] / sizes
    assert means.mean() == pytest.approx(1 / 3, abs=2e-4)
    assert means.std() == pytest.approx(np.sqrt(2 / 9 / (m + 1)), rel=0.07)
    clusters = np.arange(m) // 9
    sums, sizes = joint_sums(
        scores[:, None], clusters=clusters, resamples=10_000, rng=np.random.default_rng(1)
    )
    usual = joint_means(
        scores[:, None], np.ones(m, int), clusters=clusters, resamples=10_000, rng=2
    )
    assert (sums[:, 0] / sizes).std() == pytest.approx(usual.std(), rel=0.05)
