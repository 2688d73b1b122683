"""Outcomes in categories with rewards: avg, Bayes@N and max@k, against exact rationals."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorio import eval as scorio

import metrics
from metrics import MetricError, Tally
from tests.metrics import exact

BINARY = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
R, W, R0 = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]], [0.0, 0.5, 1.0], [[0, 2], [1, 2]]
"""The data of scorio.eval 0.2.3 documentation."""

REWARDS = [
    [0, 1],
    [0, 0.5, 1],
    [1, 0, 0.5],
    [-1, 2, 2, 0.3],
    [3, 3, 3],
    [5.0],
    [True, False],
    [1e300, -1e300, 0],
    [1e-300, 1e-250],
    [1e15, 1e15 + 2, 1e15 + 4],
    [1, 1 + 1e-10],
    [-1.7e308, 0, 1.7e308],
    [1.7e308, 1.7e308],
]


def rounded(values):
    return tuple(round(x, d) for x, d in zip(values, (6, 6, 4, 4), strict=False))


@pytest.mark.parametrize(
    ("got", "values"),
    [
        (metrics.bayes(R, W, R0), (0.575, 0.084275)),
        (metrics.bayes(R, W), (0.5625, 0.091998)),
        (metrics.bayes_ci(BINARY, bounds=(0.0, 1.0)), (0.642857, 0.118451, 0.4107, 0.875)),
        (metrics.avg(BINARY), (0.7, 0.165831)),
        (metrics.avg(R, W), (0.6, 0.147196)),
        (metrics.avg_ci(BINARY, bounds=(0.0, 1.0)), (0.7, 0.165831, 0.375, 1.0)),
        (metrics.avg_ci(R, W), (0.6, 0.147196, 0.3115, 0.8885)),
        (metrics.max_at_k_ci(BINARY, 2), (0.839286, 0.097263, 0.6487, 1.0)),
        (metrics.max_at_k_ci(R, 2, W), (0.75, 0.08812, 0.5773, 0.9227)),
    ],
)
def test_documented_examples_of_the_peer(got, values):
    """Values of scorio.eval 0.2.3 documentation."""
    assert rounded(got) == values


def test_documented_best_rewards_of_the_peer():
    assert round(metrics.max_at_k(BINARY, 2), 6) == 0.95
    assert round(metrics.max_at_k(R, 2, w=W), 6) == 0.85


def samples(categories, n, seed):
    rng = np.random.default_rng(seed)
    return [
        rng.integers(0, categories, n).tolist(),
        [0] * n,
        [categories - 1] * n,
        rng.integers(0, categories, n).tolist(),
    ]


@pytest.mark.parametrize("w", REWARDS, ids=str)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 2), (20, 20), (12, 40)])
def test_rewards_of_any_size_are_exact(w, n, k):
    """Errors are relative to the largest reward; deviations to themselves."""
    matrix, scale = samples(len(w), n, n), max(abs(float(x)) for x in w)
    prior = samples(len(w), 3, k)
    mean, variance = exact.bayes(matrix, w)
    total = Fraction(len(w) + n, n)
    plain = sum(exact.ratio(w[x]) for row in matrix for x in row) / (4 * n)
    truths = [
        (metrics.bayes(matrix, w), mean, variance),
        (metrics.avg(matrix, w), plain, variance * total**2),
        (metrics.bayes(matrix, w, prior), *exact.bayes(matrix, w, prior)),
        (metrics.max_at_k_ci(matrix, k, w), *exact.latent_best(k, matrix, w)),
        (metrics.max_at_k_ci(matrix, k, w, prior), *exact.latent_best(k, matrix, w, prior)),
    ]
    for (got, sd, *_), truth, spread in truths:
        assert exact.error(got, truth) / scale < 1e-15
        assert exact.relative(sd, exact.root(spread)) < 1e-12
    if k <= n:
        best = sum(exact.best_of(k, [w[x] for x in row]) for row in matrix) / 4
        assert exact.error(metrics.max_at_k(matrix, k, w), best) / scale < 1e-15


@pytest.mark.parametrize("k", [1, 1500])
def test_ten_thousand_samples_are_exact(k):
    w = [0, 1, 0.25]
    matrix = [[0] * 9990 + [1] * 10, [2] * 5000 + [1] * 2500 + [0] * 2500, [1] * 10_000]
    got = metrics.max_at_k_ci(matrix, k, w)
    mean, variance = exact.latent_best(k, matrix, w)
    assert exact.error(got.mean, mean) < 1e-12
    assert exact.relative(got.sd, exact.root(variance)) < 1e-9
    counts = [(9990, 9990), (2500, 7500), (0, 0)]
    best = sum(
        1
        - Fraction(3, 4) * exact.drawn(exact.threshold(k, k), 10_000, b)
        - Fraction(1, 4) * exact.drawn(exact.threshold(k, k), 10_000, a)
        for a, b in counts
    )
    assert exact.error(metrics.max_at_k(matrix, k, w), best / 3) < 1e-12
    mean, variance = exact.bayes(matrix, w)
    got = metrics.bayes(matrix, w)
    assert exact.error(got[0], mean) < 1e-12
    assert exact.relative(got[1], exact.root(variance)) < 1e-9


@given(st.integers(1, 4), st.integers(1, 7), st.data())
def test_the_best_reward_is_the_mean_over_all_subsets(m, n, data):
    w = data.draw(st.lists(st.integers(-4, 4), min_size=1, max_size=4))
    cell = st.integers(0, len(w) - 1)
    matrix = [data.draw(st.lists(cell, min_size=n, max_size=n)) for _ in range(m)]
    k = data.draw(st.integers(1, n))
    truth = sum(exact.enumerated(max, [w[x] for x in row], k) for row in matrix) / m
    assert exact.error(metrics.max_at_k(matrix, k, w), truth) < 1e-14


def test_the_number_of_rewards_sets_the_prior_and_not_the_categories_seen():
    """T = len(w) + N: an unseen category has its pseudo-outcome."""
    assert metrics.bayes([[0, 1, 1]], [0, 1])[0] == pytest.approx(3 / 5)
    assert metrics.bayes([[0, 1, 1]], [0, 1, 1])[0] == pytest.approx(4 / 6)
    assert metrics.avg([[0, 1, 1]], [0, 1, 1])[1] > metrics.avg([[0, 1, 1]], [0, 1])[1]


def test_prior_outcomes_count_like_samples_of_each_question():
    got = metrics.bayes([[0, 1], [1, 1]], R0=[[1], [0]])
    assert got == pytest.approx(metrics.bayes([[0, 1, 1], [1, 1, 0]]))
    flat = metrics.bayes([[0, 1], [1, 1]], R0=[1, 0])
    assert flat == got, "one dimension is spread over the questions"
    for nothing in (None, [], [[], []], np.zeros((2, 0), int)):
        assert metrics.bayes(BINARY, R0=nothing) == metrics.bayes(BINARY)
    assert metrics.max_at_k_ci([0, 1], 2, R0=[1, 1, 1]) == pytest.approx(
        metrics.max_at_k_ci([0, 1, 1, 1, 1], 2)
    )


def test_categories_of_one_reward_are_one_level():
    split = metrics.max_at_k_ci([[0, 1, 2, 2]], 3, [0, 1, 1])
    peer = scorio.max_at_k_ci([[0, 1, 2, 2]], 3, [0, 1, 1])
    assert split == pytest.approx(peer, rel=1e-9)
    assert metrics.max_at_k([[0, 2, 2]], 2, [0, 1, 1]) == metrics.max_at_k(
        [[0, 1, 2]], 2, [0, 1, 1]
    )


def test_rewards_need_not_ascend():
    assert metrics.max_at_k([[0, 1, 2]], 2, [1, 0, 0.5]) == pytest.approx(
        metrics.max_at_k([[2, 0, 1]], 2, [0, 0.5, 1])
    )


def test_the_best_of_one_is_the_mean_reward_and_its_interval_stays_in_the_rewards():
    """scorio 0.2.3 leaves the interval of k = 1 unclipped."""
    for matrix in ([[0, 0, 0]], [[1, 1, 1]], BINARY):
        best, mean = metrics.max_at_k_ci(matrix, 1), metrics.bayes_ci(matrix)
        assert best[:2] == pytest.approx(mean[:2], rel=1e-14)
        assert best[2:] == pytest.approx(tuple(np.clip(mean[2:], 0, 1)))
    assert scorio.max_at_k_ci([[0, 0, 0]], 1)[2] < 0 <= metrics.max_at_k_ci([[0, 0, 0]], 1).low
    rewards = metrics.max_at_k_ci([[0, 0]], 1, [-3, 5])
    assert -3 <= rewards.low < rewards.high <= 5
    assert metrics.max_at_k_ci([[0, 0]], 1, [-3, 5], bounds=(-inf, inf)).low < -3


def test_intervals_of_means_are_clipped_only_on_request():
    low, high = metrics.bayes_ci([[1, 1, 1]])[2:]
    assert low < high
    assert high > 1
    assert metrics.bayes_ci([[1, 1, 1]], bounds=(0, 1)).high == 1
    assert metrics.avg_ci([[1, 1]], confidence=0.99).high > metrics.avg_ci([[1, 1]]).high


def test_huge_rewards_do_not_overflow():
    """scorio 0.2.3 returns inf for the mean."""
    got = metrics.max_at_k_ci([[2, 2, 1]], 2, [-1.7e308, 0, 1.7e308])
    mean, _ = exact.latent_best(2, [[2, 2, 1]], [-1.7e308, 0, 1.7e308])
    assert float(exact.number(mean)) == pytest.approx(got.mean, rel=1e-14)
    assert np.isfinite(got).all()


def test_means_and_counts_need_the_same_number_of_samples():
    assert metrics.avg(Tally.of(BINARY)) == metrics.avg(BINARY)
    assert metrics.bayes(Tally.of(BINARY)) == metrics.bayes(BINARY)
    with pytest.raises(MetricError, match="same number of samples"):
        metrics.bayes(Tally([2, 3], [1, 1], [1, 1]))


@pytest.mark.parametrize("name", ["bayes", "bayes_ci", "avg", "avg_ci", "max_at_k", "max_at_k_ci"])
def test_random_matrices_agree_with_the_peer(name):
    rng = np.random.default_rng(len(name))
    for m, n, k, c in [(1, 1, 1, 2), (7, 5, 2, 3), (40, 16, 16, 4), (9, 64, 30, 2)]:
        matrix, w = rng.integers(0, c, (m, n)), rng.normal(size=c)
        extra = (k,) if "max" in name else ()
        for rewards in (w, w.tolist(), np.round(w)):
            got, peer = (
                np.array(getattr(lib, name)(matrix, *extra, w=rewards)) for lib in (metrics, scorio)
            )
            if name == "max_at_k_ci" and k == 1:
                peer[2:] = np.clip(peer[2:], min(rewards), max(rewards))
            assert got == pytest.approx(peer, rel=1e-9, abs=1e-13)
