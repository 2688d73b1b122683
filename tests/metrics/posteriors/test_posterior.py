"""Posterior means and deviations of count metrics and blends, against exact rationals."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from scorio import eval as scorio

import metrics
from metrics import Posterior, Tally
from metrics.posteriors.moments import moments
from tests.metrics import exact
from tests.metrics.hard_cases import DANGEROUS, R, question
from tests.metrics.posteriors.exact_posteriors import PAYOFFS, SD, agrees

PRIORS = [(1, 1), (0.5, 0.5), (2, 7.5), (0.5, 1e6), (1e6, 0.5), (1e6, 1e6), (50, 0.1)]
PEERS = [name for name in PAYOFFS if name != "auc_at_k_ci"]


@pytest.mark.parametrize(
    ("name", "arguments", "values"),
    [
        ("pass_at_k_ci", (1,), (0.642857, 0.118451, 0.4107, 0.875)),
        ("pass_at_k_ci", (2,), (0.839286, 0.097263, 0.6487, 1.0)),
        ("pass_hat_k_ci", (1,), (0.642857, 0.118451, 0.4107, 0.875)),
        ("pass_hat_k_ci", (2,), (0.446429, 0.146167, 0.1599, 0.7329)),
        ("maj_at_k_ci", (2,), (0.446429, 0.146167, 0.1599, 0.7329)),
        ("maj_at_k_ci", (3,), (0.684524, 0.151958, 0.3867, 0.9824)),
        ("geom_at_k_ci", (2,), (0.610666, 0.133107, 0.3498, 0.8716)),
        ("geom_ds_at_k_ci", (2,), (0.612112, 0.132755, 0.3519, 0.8723)),
    ],
)
def test_documented_examples_of_the_peer(name, arguments, values):
    """Values of scorio.eval 0.2.3 documentation."""
    got = getattr(metrics, name)(R, *arguments)
    assert isinstance(got, Posterior)
    digits = (6, 6, 4, 4)
    assert tuple(round(x, d) for x, d in zip(got, digits, strict=True)) == values


@pytest.mark.parametrize("prior", PRIORS, ids=str)
@pytest.mark.parametrize("name", PAYOFFS)
def test_moments_are_exact_for_few_samples(name, prior):
    for n, k in [(1, 1), (2, 2), (5, 3), (12, 12)]:
        for c in {0, 1, n // 2, n - 1, n}:
            got = getattr(metrics, name)(
                question(n, c), k, alpha0=float(prior[0]), beta0=float(prior[1])
            )
            agrees(got, exact.latent(PAYOFFS[name](k), prior[0] + c, prior[1] + n - c))


@pytest.mark.wide
@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize(("n", "k"), [(64, 32), (128, 128), (150, 149)])
def test_moments_are_exact_for_many_samples(name, n, k):
    for c in (0, 1, n // 3, n - 1, n):
        agrees(
            getattr(metrics, name)(question(n, c), k),
            exact.latent(PAYOFFS[name](k), 1 + c, 1 + n - c),
        )


@pytest.mark.wide
@pytest.mark.parametrize("k", [1, 100, 10_000])
@pytest.mark.parametrize("c", [3, 5000, 9998])
def test_moments_are_exact_for_ten_thousand_samples(k, c):
    tally, a, b = question(10_000, c), 1 + c, 10_001 - c
    agrees(metrics.pass_hat_k_ci(tally, k), exact.latent_all(k, a, b))
    agrees(metrics.auc_at_k_ci(tally, k), exact.latent_area(k, a, b))
    mean, variance = exact.latent_all(k, b, a)
    agrees(metrics.pass_at_k_ci(tally, k), (1 - mean, variance))
    agrees(metrics.maj_at_k_ci(tally, k), exact.latent_threshold(k // 2 + 1, k, a, b))


def test_questions_add_their_means_and_variances():
    matrix = [[1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 1]]
    truths = [exact.latent(exact.majority(3), 1 + sum(r), 5 - sum(r)) for r in matrix]
    got = metrics.maj_at_k_ci(matrix, 3)
    agrees(got, (sum(t[0] for t in truths) / 5, sum(t[1] for t in truths) / 25))
    assert metrics.maj_at_k_ci(Tally.of(matrix), 3) == got


@pytest.mark.parametrize(("tau", "k"), DANGEROUS)
def test_posterior_thresholds_ask_for_their_share_and_no_more(tau, k):
    got = metrics.g_pass_at_k_tau_ci(question(k, k // 2), k, float(tau))
    payoff = exact.threshold(int(tau * k), k)
    agrees(got, exact.latent(payoff, 1 + k // 2, 1 + k - k // 2))


@pytest.mark.parametrize(
    "weights",
    [
        [0.5] + [0.0] * 30 + [0.5],
        [0.5] + [1e-11] * 30 + [0.4],
        [0.0] * 16 + [1 / 16] * 16,
        [0.0] * 31 + [0.3],
        [0.02] * 32,
    ],
    ids=["plateau", "nearly flat", "above half", "all", "even"],
)
def test_a_spectrum_is_exact_however_flat(weights):
    """A payoff that hardly varies about .5 leaves no digits of E g^2 - (E g)^2."""
    for c in (0, 20, 32, 50, 64):
        truth = exact.latent(exact.spectrum(weights), 1 + c, 65 - c)
        agrees(metrics.threshold_spectrum_at_k_ci(question(64, c), 32, weights), truth)


@pytest.mark.parametrize("k", [3, 60])
def test_the_posterior_of_a_spectrum_or_blend_may_draw_more_than_was_sampled(k):
    weights = [1 / k] * k
    truth = exact.latent(exact.spectrum(weights), 3, 2)
    agrees(metrics.threshold_spectrum_at_k_ci([1, 1, 0], k, weights), truth)
    for name in ("geom_at_k_ci", "geom_ds_at_k_ci", "geo_spectrum_at_k_ci"):
        got, peer = (getattr(lib, name)([1, 1, 0], k) for lib in (metrics, scorio))
        assert got == pytest.approx(peer, rel=1e-9)
    with pytest.raises(metrics.MetricError, match="1 <= k <= N"):
        metrics.pass_at_k_ci([1, 1, 0], k + 1)


def blended(rows, first, second, x, y, prior):
    """The delta method at the means of P and S: value, variance."""
    means = np.zeros(2, dtype=object)
    square = np.zeros((2, 2), dtype=object)
    for c, n in rows:
        a, b = prior[0] + c, prior[1] + n - c
        for i, j in product((0, 1), repeat=2):
            g, h, gh = exact.moments((first, second)[i], (first, second)[j], a, b)
            square[i, j] += exact.number(gh - g * h) / len(rows) ** 2
            if i == j:
                means[i] += exact.number(g) / len(rows)
    value = means[0] ** x * means[1] ** y
    slopes = (x * value / means[0], y * value / means[1])
    return value, sum(slopes[i] * slopes[j] * square[i, j] for i in (0, 1) for j in (0, 1))


@pytest.mark.parametrize("prior", [(1, 1), (0.5, 20), (1e6, 1e6)], ids=str)
@pytest.mark.parametrize("k", [1, 2, 9, 16])
def test_blends_follow_the_delta_method(prior, k):
    rows = [(0, 16), (3, 16), (8, 16), (16, 16)]
    tally, priors = (
        Tally([n for _, n in rows], [c for c, _ in rows], [1] * 4),
        {
            "alpha0": prior[0],
            "beta0": prior[1],
        },
    )
    passed, unanimous = exact.threshold(1, k), exact.threshold(k, k)
    x, y = 0.3, 1.5
    each = [blended([row], passed, unanimous, x, y, prior) for row in rows]
    agrees(
        metrics.geom_at_k_ci(tally, k, x, y, **priors),
        (sum(v for v, _ in each) / 4, sum(v for _, v in each) / 16),
    )
    agrees(
        metrics.geom_ds_at_k_ci(tally, k, x, y, **priors),
        blended(rows, passed, unanimous, x, y, prior),
    )
    if k > 1:
        agrees(
            metrics.geo_spectrum_at_k_ci(tally, k, x, **priors),
            blended(rows, passed, exact.mean_threshold(k), x, 1 - x, prior),
        )
        assert metrics.geo_spectrum_star_at_k_ci(tally, k) == metrics.geo_spectrum_at_k_ci(tally, k)


def test_a_blend_of_a_spectrum_that_is_always_0_is_0_without_spread():
    assert metrics.geo_spectrum_at_k_ci(R, 1) == (0, 0, 0, 0)


def test_a_blend_without_its_spectrum_is_pass():
    got = metrics.geo_spectrum_at_k_ci(R, 2, 1.0, weights="not looked at")
    assert got == pytest.approx(metrics.pass_at_k_ci(R, 2), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "n", "k", "c", "prior"),
    [
        ("maj_at_k_ci", 64, 32, 63, 1),
        ("auc_at_k_ci", 256, 64, 256, 1),
        ("auc_at_k_ci", 128, 128, 128, 1),
        ("auc_at_k_ci", 64, 32, 64, 1),
        ("auc_at_k_ci", 16, 8, 8, 1e8),
        ("maj_at_k_ci", 16, 8, 16, 1e8),
        ("pass_at_k_ci", 16, 8, 8, 1e8),
    ],
)
def test_deviations_that_the_peer_gets_wrong(name, n, k, c, prior):
    """scorio 0.2.3 errs by 4e-10 to 2e-5, relatively."""
    truth = exact.latent(PAYOFFS[name](k), prior + c, prior + n - c)
    agrees(getattr(metrics, name)(question(n, c), k, alpha0=prior, beta0=prior), truth)


def test_a_prior_of_a_trillion_leaves_the_deviation_its_digits():
    """scorio 0.2.3: 1.5e-7 off for pass^k, .34 for a majority whose deviation is 3e-42."""
    a, b = 1e12 + 5, 1 + 3
    got = metrics.pass_hat_k_ci(question(8, 5), 4, alpha0=1e12)
    assert exact.relative(got.sd, exact.root(exact.latent_all(4, a, b)[1])) < SD
    truth = blended([(5, 8)], exact.threshold(1, 4), exact.threshold(4, 4), 0.5, 0.5, (1e12, 1))
    got = metrics.geom_at_k_ci(question(8, 5), 4, alpha0=1e12)
    assert exact.relative(got.sd, exact.root(truth[1])) < SD
    got = metrics.maj_at_k_ci(question(8, 5), 7, alpha0=1e12)
    truth = exact.latent(exact.majority(7), a, b)
    assert exact.relative(got.sd, exact.root(truth[1])) < SD
    assert got.sd < 1e-40


@pytest.mark.parametrize("prior", [(1e-300, 1e-9), (0.01, 3.0), (1e300, 1e300), (1e308, 1.0)])
def test_any_prior_has_a_posterior(prior):
    got = metrics.maj_at_k_ci([[1, 1, 0, 1], [0, 0, 0, 0]], 3, alpha0=prior[0], beta0=prior[1])
    assert 0 <= got.low <= got.mean <= got.high <= 1
    if prior[0] < 1:
        truths = [exact.latent(exact.majority(3), prior[0] + c, prior[1] + 4 - c) for c in (3, 0)]
        agrees(got, (sum(t[0] for t in truths) / 2, sum(t[1] for t in truths) / 4))


def test_covariances_hold_payoffs_side_by_side():
    a, b = np.array([1.0, 7.0, 4.0]), np.array([7.0, 1.0, 4.5])
    first, second = exact.threshold(1, 5), exact.mean_threshold(5)
    earned = np.array([[float(x) for x in each] for each in (first, second)])
    means, covariance = moments(a, b, np.diff(earned))
    for u in range(3):
        g, h, gh = exact.moments(first, second, a[u], b[u])
        assert exact.error(means[0, u], g) < 1e-14
        assert exact.error(means[1, u], h) < 1e-14
        assert exact.relative(covariance[0, 1, u], gh - g * h) < 1e-12
        assert exact.relative(covariance[1, 0, u], gh - g * h) < 1e-12


@pytest.mark.wide
@pytest.mark.parametrize("name", [n for n in metrics.__all__ if n.endswith("_k_ci")])
def test_random_matrices_agree_with_the_peer(name):
    rng = np.random.default_rng(len(name))
    for m, n, k in [(7, 5, 5), (40, 16, 7), (30, 64, 32)]:
        matrix = (rng.random((m, n)) < rng.random((m, 1))).astype(int)
        extra = (rng.dirichlet(np.ones(k)) * 0.99,) if name.startswith("threshold") else ()
        level = {"confidence": 0.8}
        got, peer = (getattr(lib, name)(matrix, k, *extra, **level) for lib in (metrics, scorio))
        assert got == pytest.approx(peer, rel=2e-9, abs=1e-12), (n, k)
        assert all(type(x) is float for x in got)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_interval_is_normal_and_clipped_into_its_bounds(confidence):
    free = metrics.pass_at_k_ci(R, 2, confidence, bounds=None)
    low, high = stats.norm.interval(confidence, free.mean, free.sd)
    assert free[2:] == pytest.approx((low, high), rel=1e-12)
    for bounds in [(0, 1), (0.8, 0.9), (0.9, 5), (-np.inf, 0.5)]:
        got = metrics.pass_at_k_ci(R, 2, confidence, bounds)
        assert got[:2] == free[:2], "mean and deviation are never clipped"
        assert got[2:] == tuple(np.clip((free.low, free.high), *bounds))
