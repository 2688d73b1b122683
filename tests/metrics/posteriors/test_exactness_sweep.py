"""Points and posteriors over a wide grid of n, k, c and priors, against exact arithmetic."""

from itertools import product

import numpy as np
import pytest

import metrics
from metrics import Tally
from tests.metrics import exact
from tests.metrics.posteriors.exact_posteriors import PAYOFFS, agrees

pytestmark = pytest.mark.slow

PRIORS = [0.5, 1, 3.7, 50, 1e4, 1e6]


def rows(n):
    return sorted({0, 1, 2, n // 4, n // 2, n - n // 10, n - 1, n} & set(range(n + 1)))


def draws(n):
    return sorted({1, 2, 3, n // 3, n // 2, n // 2 + 1, n - 1, n} & set(range(1, n + 1)))


@pytest.mark.parametrize("prior", [*product(PRIORS, PRIORS)], ids=str)
@pytest.mark.parametrize("name", PAYOFFS)
def test_posteriors_up_to_a_hundred_samples(name, prior):
    for n in (1, 2, 3, 7, 16, 33, 64, 100):
        for k, c in product(draws(n), rows(n)):
            if name == "auc_at_k_ci":
                truth = exact.latent_area(k, prior[0] + c, prior[1] + n - c)
            else:
                truth = exact.latent(PAYOFFS[name](k), prior[0] + c, prior[1] + n - c)
            got = getattr(metrics, name)(Tally([n], [c], [1]), k, alpha0=prior[0], beta0=prior[1])
            agrees(got, truth)


@pytest.mark.parametrize("prior", [(1, 1), (0.5, 0.5), (0.5, 1e6), (1e6, 0.5), (1e6, 1e6)], ids=str)
@pytest.mark.parametrize("n", [256, 1000, 3000, 10_000])
def test_posteriors_of_thousands_of_samples(n, prior):
    priors = {"alpha0": prior[0], "beta0": prior[1]}
    for k, c in product(draws(n), rows(n)):
        tally, a, b = Tally([n], [c], [1]), prior[0] + c, prior[1] + n - c
        agrees(metrics.pass_hat_k_ci(tally, k, **priors), exact.latent_all(k, a, b))
        agrees(metrics.auc_at_k_ci(tally, k, **priors), exact.latent_area(k, a, b))
        mean, variance = exact.latent_all(k, b, a)
        agrees(metrics.pass_at_k_ci(tally, k, **priors), (1 - mean, variance))
        for tau, first in [(0.5, -(-k // 2)), (0.9, int(np.ceil(0.9 * k)))]:
            agrees(
                metrics.g_pass_at_k_tau_ci(tally, k, tau, **priors),
                exact.latent_threshold(max(1, first), k, a, b),
            )


@pytest.mark.parametrize("n", [2, 3, 17, 64, 257, 1000])
@pytest.mark.parametrize("name", PAYOFFS)
def test_points_and_curves(name, n):
    function = getattr(metrics, name.removesuffix("_ci"))
    label = {"pass_at_k_ci": "pass@k", "pass_hat_k_ci": "pass^k", "maj_at_k_ci": "maj@k"}
    label |= {"mg_pass_at_k_ci": "mg-pass@k", "auc_at_k_ci": "auc@k"}
    for c in rows(n):
        tally = Tally([n], [c], [1])
        curve = metrics.curve(tally, label[name], confidence_level=None)
        for k in draws(n):
            if name == "auc_at_k_ci":
                truth = exact.drawn_area(k, n, c)
            else:
                truth = exact.drawn(PAYOFFS[name](k), n, c)
            assert exact.error(function(tally, k), truth) < 1e-12
            assert all(exact.error(x, truth) < 1e-12 for x in curve.value[curve.k == k])


@pytest.mark.parametrize("seed", range(20))
def test_spectra_of_any_weights(seed):
    rng = np.random.default_rng(seed)
    for n in (5, 40, 120):
        k = int(rng.integers(2, n + 1))
        weights = rng.dirichlet(np.full(k, 10.0 ** rng.uniform(-3, 1))) * rng.choice([0.999, 0.1])
        weights[rng.random(k) < 0.3] *= rng.choice([0, 1e-12, 1e-6])
        for c in rows(n):
            tally = Tally([n], [c], [1])
            payoff = exact.spectrum(weights)
            point = metrics.threshold_spectrum_at_k(tally, k, weights)
            assert exact.error(point, exact.drawn(payoff, n, c)) < 1e-12
            agrees(
                metrics.threshold_spectrum_at_k_ci(tally, k, weights),
                exact.latent(payoff, 1 + c, 1 + n - c),
            )
