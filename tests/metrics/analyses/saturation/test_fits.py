"""The fits of difficulties against scipy: their likelihood, their best, their draws."""

import numpy as np
import pytest
from mpmath import mp
from scipy import optimize, stats

from metrics import Tally, estimate, extrapolate
from metrics.analyses.saturation.any_shape import RATES, AnyShape, likelihood, resampled_shares
from metrics.analyses.saturation.beta_binomial import (
    Likelihood,
    expected_scores,
    fit,
    log_prior,
    shares,
)
from metrics.analyses.saturation.model import Fits, posterior_draws
from metrics.analyses.saturation.thinning import FractionalTally
from metrics.difficulties.fits import fitted_masses
from tests.metrics.analyses.saturation.spread_tallies import RNG, pass_score, ragged, spread


def log_chance(tally, row):
    """The log-likelihood by scipy's beta-binomial, with point masses where the row has them."""
    chance = stats.betabinom.pmf(tally.c, tally.n, *np.exp(row[:2]))
    if len(row) == 4:
        never, always, beta = shares(row[None])[0]
        chance = never * (tally.c == 0) + always * (tally.c == tally.n) + beta * chance
    return float(tally.questions @ np.log(chance))


@pytest.mark.parametrize("tally", [spread(), ragged(), spread(30, 1), spread(40, 64)])
@pytest.mark.parametrize("size", [2, 4])
def test_likelihood_is_scipys_up_to_a_constant(tally, size):
    rows = RNG(0).normal(0, 1.5, (9, size))
    ways = stats.betabinom.logpmf(tally.c, tally.n, 1, 1)
    constant = (
        log_chance(tally, np.zeros(2)) - Likelihood(FractionalTally.of(tally))(np.zeros((1, 2)))[0]
    )
    assert np.all(np.isfinite(ways))
    got = Likelihood(FractionalTally.of(tally))(rows) + constant
    assert got == pytest.approx([log_chance(tally, row) for row in rows], rel=1e-10)


@pytest.mark.wide
@pytest.mark.parametrize("tally", [spread(), ragged(), spread(30, 5, 0.2, 0.2), spread(200, 16)])
@pytest.mark.parametrize("size", [2, 4])
def test_no_other_search_finds_a_likelier_fit(tally, size):
    def loss(row):
        inside = np.all(np.abs(row[2:]) < 15) and -9 <= min(row[:2]) <= max(row[:2]) <= 7
        return 0.01 * row @ row - log_chance(tally, row) if inside else np.inf

    starts = [np.zeros(size), np.full(size, -1.0)]
    options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-4, "fatol": 1e-6}
    searched = min(
        optimize.minimize(loss, s, method="Nelder-Mead", options=options).fun for s in starts
    )
    assert loss(fit(Likelihood(FractionalTally.of(tally)), size)) < searched + 1e-4


def test_the_line_averages_the_fits_and_starts_at_the_measured_value():
    """Both Beta fits by BIC, that of any shape by AIC at half the price of its notable masses."""
    n, m = 16, 100
    tally = Tally.of_questions(n, RNG(2).binomial(n, np.repeat([0.02, 0.98], [70, 30])))
    fits = Fits(FractionalTally.of(tally))
    rows = [fit(Likelihood(FractionalTally.of(tally)), size) for size in (2, 4)]
    chances = [log_chance(tally, row) for row in rows]
    bic = [len(row) * np.log(m) - 2 * chance for row, chance in zip(rows, chances, strict=True)]
    weight = 1 / (1 + np.exp((bic[1] - bic[0]) / 2))
    assert fits.inflated == pytest.approx(weight, rel=1e-6)
    masses = fits.any_shape().masses
    chance = stats.binom.pmf(tally.c[:, None], n, RATES) @ masses
    likelihoods = np.array([*chances, tally.questions @ np.log(chance)])
    aic = 2 * np.array([2, 4, (masses > 0.01).sum() - 0.5]) - 2 * likelihoods
    free = 1 / np.exp((aic[2] - aic) / 2).sum()
    assert 0.01 < fits.freely() == pytest.approx(free, rel=1e-6)

    def line(k):
        plain = stats.betabinom.sf(0, k, *np.exp(rows[0]))
        never, always, beta = shares(rows[1][None])[0]
        assert never + always + beta == pytest.approx(1)
        inflated = always + beta * stats.betabinom.sf(0, k, *np.exp(rows[1][:2]))
        shaped = (1 - weight) * plain + weight * inflated
        return (1 - free) * shaped + free * (1 - (1 - RATES) ** k) @ masses

    measured = estimate(tally, "pass@k", n).value
    expected_line = 1 - (1 - measured) * (1 - line(40)) / (1 - line(n))
    assert extrapolate(tally, "pass@k", [40]).value[0] == pytest.approx(expected_line, abs=1e-8)


@pytest.mark.wide
@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize(
    "tally", [spread(), spread(30, 16), spread(12, 8), Tally.of_questions(4, [0] * 20)]
)
def test_the_line_starts_at_the_measured_value_and_never_turns(metric, tally):
    n = tally.n_min
    line = extrapolate(tally, metric, np.arange(n + 1, 4 * n)).value
    steps = np.diff(np.append(estimate(tally, metric, n).value, line))
    assert np.all((steps if metric == "pass@k" else -steps) >= -1e-12)
    assert abs(steps[0]) < 0.05


@pytest.mark.wide
@pytest.mark.parametrize("shape", [(0.3, 0.3), (1, 1), (2, 5)])
def test_the_line_finds_the_truth_of_many_questions(shape):
    ahead = extrapolate(spread(200_000, 8, *shape), "pass@k", [32, 128])
    a, b = shape
    truth = [1 - float(mp.beta(a, b + k) / mp.beta(a, b)) for k in (32, 128)]
    assert ahead.value == pytest.approx(truth, abs=0.004)


def weighted_quantiles(values, weights, tails=(0.025, 0.5, 0.975)):
    order = np.argsort(values)
    return np.interp(tails, np.cumsum(weights[order]) / weights.sum(), values[order])


@pytest.mark.wide
def test_draws_of_two_parameters_follow_the_posterior_on_a_grid():
    """The oracle is a sum over a fine grid of means and concentrations with scipy's likelihood."""
    tally = spread(30, 5)
    mean, scale = np.meshgrid((np.arange(300) + 0.5) / 300, (np.arange(300) + 0.5) / 300)
    a, b = mean * (1 / scale - 1), (1 - mean) * (1 / scale - 1)
    log = sum(
        w * stats.betabinom.logpmf(c, n, a, b)
        for n, c, w in zip(tally.n, tally.c, tally.questions, strict=True)
    )
    solved = 1 - np.exp(stats.betabinom.logpmf(0, 40, a, b))
    truth = weighted_quantiles(solved.ravel(), np.exp(log - log.max()).ravel())
    likelihood = Likelihood(FractionalTally.of(tally))
    drawn = posterior_draws(
        lambda rows: likelihood(rows) + log_prior(rows), np.zeros(2), RNG(0), 20_000, 20_000
    )
    found = np.quantile(expected_scores(drawn, 40, pass_score(40))[:, 0], [0.025, 0.5, 0.975])
    assert found == pytest.approx(truth, abs=0.006)


@pytest.mark.wide
def test_draws_of_four_parameters_follow_the_prior_weighed_by_the_likelihood():
    """The oracle weighs draws from the prior itself by scipy's likelihood."""
    tally, rng = Tally.of_questions(2, [0] * 5 + [1] * 3 + [2] * 4), RNG(4)
    mean, scale = rng.random((2, 400_000))
    rows = np.empty((400_000, 4))
    rows[:, 0] = np.log(mean * (1 / scale - 1))
    rows[:, 1] = np.log((1 - mean) * (1 / scale - 1))
    rows[:, 2:] = rng.normal(-2, 2, (400_000, 2))
    rows = rows[(rows[:, :2] > -9).all(axis=1) & (rows[:, :2] < 7).all(axis=1)]
    a, b = np.exp(rows[:, :2]).T
    never, always, beta = shares(rows).T
    none, one = b * (b + 1) / ((a + b) * (a + b + 1)), 2 * a * b / ((a + b) * (a + b + 1))
    weight = (never + beta * none) ** 5 * (beta * one) ** 3
    weight *= (always + beta * (1 - none - one)) ** 4
    truth = weighted_quantiles(
        expected_scores(rows[:20_000], 8, pass_score(8))[:, 0], weight[:20_000]
    )
    likelihood = Likelihood(FractionalTally.of(tally))
    drawn = posterior_draws(
        lambda x: likelihood(x) + log_prior(x), np.zeros(4), rng, 20_000, 20_000
    )
    found = np.quantile(expected_scores(drawn, 8, pass_score(8))[:, 0], [0.025, 0.5, 0.975])
    assert found == pytest.approx(truth, abs=0.02)


def plain_steps(tally, steps):
    """Expectation-maximisation as it is written in books, and its likelihood."""
    likelihood = stats.binom.pmf(tally.c, tally.n, RATES[:, None])
    share, masses = tally.questions / tally.n_questions, np.full(len(RATES), 1 / len(RATES))
    for _ in range(steps):
        masses = masses * (likelihood @ (share / (masses @ likelihood)))
    return float(share @ np.log(masses @ likelihood))


@pytest.mark.wide
@pytest.mark.parametrize("tally", [spread(), ragged(), spread(500, 16, 0.3, 0.3)])
def test_masses_of_any_shape_are_as_likely_as_after_many_plain_steps(tally):
    share = tally.questions / tally.n_questions
    (masses,) = fitted_masses(likelihood(FractionalTally.of(tally)), share[None])
    assert masses.min() >= 0
    assert masses.sum() == pytest.approx(1, abs=1e-12)
    found = share @ np.log(masses @ stats.binom.pmf(tally.c, tally.n, RATES[:, None]))
    assert plain_steps(tally, 600) < found < plain_steps(tally, 20_000) + 1e-6


def test_resampled_masses_vary_as_the_questions_do():
    counts = FractionalTally.of(spread(400))
    drawn = AnyShape(counts).fitted_to(resampled_shares(counts, 60, RNG(0))) @ RATES
    tally = spread(400)
    error = float(np.sqrt(np.cov(tally.c / tally.n, fweights=tally.questions) / 400))
    assert drawn.mean() == pytest.approx(estimate(tally, "avg@n").value, abs=0.2 * error)
    assert drawn.std() == pytest.approx(error, rel=0.3)
