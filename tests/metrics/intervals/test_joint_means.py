"""Joint draws of means: their moments, their distribution, and clusters drawn whole."""

import numpy as np
import pytest
from scipy import stats

from metrics.intervals.joint_means import joint_means


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
