"""What more tries than there are samples would give: the three fits, the bounds, the refusals."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import optimize, stats

from metrics import (
    FAILED,
    Interval,
    MetricError,
    Outcomes,
    Tally,
    curve,
    estimate,
    extrapolate,
    independent_curve,
)
from metrics.counts import Counts
from metrics.fits import Fits
from metrics.importance import posterior_draws
from metrics.mixtures import Likelihood, expected, fit, log_prior, shares
from metrics.nonparametric import RATES, fitted_masses, resampled_masses
from metrics.payoffs import all_correct, any_correct, area, majority
from metrics.tries import expected_of_tries
from tests import exact

METRICS = ("pass@k", "pass^k", "maj@k")
RNG = np.random.default_rng


def spread(m=120, n=8, a=0.6, b=0.9, seed=1):
    """Questions whose difficulties are Beta(a, b)."""
    rng = RNG(seed)
    return Tally.of_questions(n, rng.binomial(n, rng.beta(a, b, m)))


def ragged(m=90, seed=2):
    rng = RNG(seed)
    n = rng.choice([3, 5, 8], m)
    return Tally.of_questions(n, rng.binomial(n, rng.beta(0.7, 0.9, m)))


def flipped(tally):
    return Tally(tally.n, tally.n - tally.c, tally.questions)


def pass_score(k):
    return lambda p: expected_of_tries(any_correct, np.array([k]), p, {})


def vote_score(k, **options):
    return lambda p: expected_of_tries(majority, np.array([k]), p, options)


# The model's tries -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 17, 1024])
def test_beta_binomial_pass_is_one_less_a_ratio_of_beta_functions(k):
    rows = np.array(list(product((-9.0, -1.0, 0.5, 7.0), repeat=2)))
    for (log_a, log_b), got in zip(rows, expected(rows, k, pass_score(k))[:, 0], strict=True):
        a, b = mp.exp(mpf(log_a)), mp.exp(mpf(log_b))
        assert exact.error(got, 1 - mp.beta(a, b + k) / mp.beta(a, b)) < 1e-13


@pytest.mark.parametrize("k", [1, 2, 7, 64])
@pytest.mark.parametrize("ties", ["fail", "half", "pass"])
def test_beta_binomial_votes_are_sums_over_the_right_tries(k, ties):
    rows = np.array([[0.0, 0.0], [-2.0, -1.0], [2.0, 1.0], [-4.0, 3.0]])
    for (log_a, log_b), got in zip(rows, expected(rows, k, vote_score(k, ties=ties)), strict=True):
        chance = exact.beta_binomial(k, float(np.exp(log_a)), float(np.exp(log_b)))
        truth = sum(
            x * exact.number(y) for x, y in zip(chance, exact.majority(k, ties), strict=True)
        )
        assert exact.error(got[0], truth) < 1e-13


def test_point_masses_are_never_and_always_solved():
    row = np.array([[0.3, -0.2, np.log(2.0), np.log(0.5)]])
    assert shares(row)[0] == pytest.approx([2 / 3.5, 0.5 / 3.5, 1 / 3.5], abs=1e-15)
    for score in (pass_score(9), vote_score(9)):
        inside = expected(row[:, :2], 9, score)[0, 0]
        assert expected(row, 9, score)[0, 0] == pytest.approx((0.5 + inside) / 3.5, abs=1e-14)


@pytest.mark.parametrize("payoff", [any_correct, all_correct, majority, area])
@pytest.mark.parametrize("k", [1, 2, 5, 6])
def test_tries_at_a_known_rate_are_a_binomial_sum(payoff, k):
    p = np.array([0.0, 1e-9, 0.25, 0.5, 0.875, 1.0])
    (got,) = expected_of_tries(payoff, np.array([k]), p, {})
    earned = [Fraction(float(x)) for x in payoff(k)]
    for rate, value in zip(p, got, strict=True):
        q = Fraction(rate)
        truth = sum(comb(k, j) * q**j * (1 - q) ** (k - j) * earned[j] for j in range(k + 1))
        assert exact.error(value, truth) < 1e-14


def test_questions_alike_would_follow_the_pooled_rate():
    tally, ks, p = spread(), [1, 3, 8, 50, 500], None
    p = float(tally.c @ tally.questions) / tally.n_samples
    alike = {name: independent_curve(tally, name, ks).value for name in METRICS}
    assert alike["pass@k"] == pytest.approx([1 - (1 - p) ** k for k in ks], abs=1e-13)
    assert alike["pass^k"] == pytest.approx([p**k for k in ks], abs=1e-13)
    truth = [stats.binom.sf(k / 2, k, p) for k in ks]
    assert alike["maj@k"] == pytest.approx(truth, abs=1e-12)
    measured = curve(tally, "pass@k", [1, 3, 8], confidence_level=None).value
    assert measured[0] == pytest.approx(alike["pass@k"][0])
    assert np.all(measured[1:] < alike["pass@k"][1:3]), "questions differ in difficulty"
    with pytest.raises(MetricError, match=r"avg@n has no curve of independent tries"):
        independent_curve(tally, "avg@n", ks)


# The fits --------------------------------------------------------------------------------------


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
    constant = log_chance(tally, np.zeros(2)) - Likelihood(Counts.of(tally))(np.zeros((1, 2)))[0]
    assert np.all(np.isfinite(ways))
    got = Likelihood(Counts.of(tally))(rows) + constant
    assert got == pytest.approx([log_chance(tally, row) for row in rows], rel=1e-10)


@pytest.mark.parametrize("tally", [spread(), ragged(), spread(30, 5, 0.2, 0.2), spread(200, 16)])
@pytest.mark.parametrize("size", [2, 4])
def test_no_other_search_finds_a_likelier_fit(tally, size):
    def loss(row):
        inside = np.all(np.abs(row[2:]) < 15) and -9 <= min(row[:2]) <= max(row[:2]) <= 7
        return 0.01 * row @ row - log_chance(tally, row) if inside else np.inf

    starts = [np.zeros(size), np.full(size, -1.0)]
    options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-6, "fatol": 1e-9}
    searched = min(
        optimize.minimize(loss, s, method="Nelder-Mead", options=options).fun for s in starts
    )
    assert loss(fit(Likelihood(Counts.of(tally)), size)) < searched + 1e-4


def test_the_line_averages_both_fits_by_bic():
    tally = spread(150, 6, 0.4, 0.3)
    fits = Fits(Counts.of(tally))
    rows = [fit(Likelihood(Counts.of(tally)), size) for size in (2, 4)]
    bic = [len(row) * np.log(150) - 2 * log_chance(tally, row) for row in rows]
    weight = 1 / (1 + np.exp((bic[1] - bic[0]) / 2))
    assert fits.inflated == pytest.approx(weight, rel=1e-6)
    a, b = np.exp(rows[0])
    plain = 1 - np.exp(stats.betabinom.logpmf(0, 40, a, b))
    never, always, beta = shares(rows[1][None])[0]
    inflated = always + beta * (1 - stats.betabinom.pmf(0, 40, *np.exp(rows[1][:2])))
    assert never + always + beta == pytest.approx(1)
    line = extrapolate(tally, "pass@k", [40]).value[0]
    assert line == pytest.approx((1 - weight) * plain + weight * inflated, abs=1e-9)


@pytest.mark.parametrize("shape", [(0.3, 0.3), (1, 1), (2, 5)])
def test_the_line_finds_the_truth_of_many_questions(shape):
    ahead = extrapolate(spread(200_000, 8, *shape), "pass@k", [32, 128])
    a, b = shape
    truth = [1 - float(mp.beta(a, b + k) / mp.beta(a, b)) for k in (32, 128)]
    assert ahead.value == pytest.approx(truth, abs=0.004)


def weighted_quantiles(values, weights, tails=(0.025, 0.5, 0.975)):
    order = np.argsort(values)
    return np.interp(tails, np.cumsum(weights[order]) / weights.sum(), values[order])


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
    likelihood = Likelihood(Counts.of(tally))
    drawn = posterior_draws(
        lambda rows: likelihood(rows) + log_prior(rows), np.zeros(2), RNG(0), 20_000, 20_000
    )
    found = np.quantile(expected(drawn, 40, pass_score(40))[:, 0], [0.025, 0.5, 0.975])
    assert found == pytest.approx(truth, abs=0.006)


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
    truth = weighted_quantiles(expected(rows[:20_000], 8, pass_score(8))[:, 0], weight[:20_000])
    likelihood = Likelihood(Counts.of(tally))
    drawn = posterior_draws(
        lambda x: likelihood(x) + log_prior(x), np.zeros(4), rng, 20_000, 20_000
    )
    found = np.quantile(expected(drawn, 8, pass_score(8))[:, 0], [0.025, 0.5, 0.975])
    assert found == pytest.approx(truth, abs=0.02)


def plain_steps(tally, steps):
    """Expectation-maximisation as it is written in books, and its likelihood."""
    likelihood = stats.binom.pmf(tally.c, tally.n, RATES[:, None])
    share, masses = tally.questions / tally.n_questions, np.full(len(RATES), 1 / len(RATES))
    for _ in range(steps):
        masses = masses * (likelihood @ (share / (masses @ likelihood)))
    return float(share @ np.log(masses @ likelihood))


@pytest.mark.parametrize("tally", [spread(), ragged(), spread(500, 16, 0.3, 0.3)])
def test_masses_of_any_shape_are_as_likely_as_after_many_plain_steps(tally):
    share = tally.questions / tally.n_questions
    (masses,) = fitted_masses(Counts.of(tally), share[None])
    assert masses.min() >= 0
    assert masses.sum() == pytest.approx(1, abs=1e-12)
    found = share @ np.log(masses @ stats.binom.pmf(tally.c, tally.n, RATES[:, None]))
    assert plain_steps(tally, 600) < found < plain_steps(tally, 20_000) + 1e-6


def test_resampled_masses_vary_as_the_questions_do():
    drawn = resampled_masses(Counts.of(spread(400)), 60, RNG(0)) @ RATES
    tally = spread(400)
    error = float(np.sqrt(np.cov(tally.c / tally.n, fweights=tally.questions) / 400))
    assert drawn.mean() == pytest.approx(estimate(tally, "avg@n").value, abs=0.2 * error)
    assert drawn.std() == pytest.approx(error, rel=0.3)


# Half of the samples ---------------------------------------------------------------------------


def test_thinning_is_the_mean_over_all_ways_to_pick():
    counts = Counts.of(ragged())
    thin = counts.thinned(3)
    for j, got in enumerate(thin.questions):
        ways = (
            Fraction(comb(int(c), j) * comb(int(n - c), 3 - j), comb(int(n), 3)) * int(w)
            for n, c, w in zip(*counts, strict=True)
        )
        assert exact.error(got, sum(ways)) < 1e-11
    assert thin.total == pytest.approx(counts.total)


def test_thinning_keeps_what_fewer_tries_earn():
    tally = spread(50, 12)
    thin = Counts.of(tally).thinned(6)
    for k in (1, 3, 6):
        earned = [1 - comb(6 - j, k) / comb(6, k) for j in range(7)]
        whole = estimate(tally, "pass@k", k).value
        assert thin.questions @ earned / thin.total == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("tally", [spread(), spread(60, 9), ragged(300)])
def test_backtest_foretells_all_samples_from_half(metric, tally):
    n = tally.n_min
    found = extrapolate(tally, metric, [n + 1]).backtest
    if n < 4:
        assert found is None
        return
    assert (found.fitted, found.k) == (n // 2, n)
    assert found.observed == estimate(tally, metric).value
    assert found.error == found.predicted - found.observed
    assert abs(found.error) < 0.06


def test_backtest_is_the_line_of_the_thinned_counts():
    """Two of four samples are all there is to know when every pair is equally likely."""
    tally = Tally.of_questions(4, [0] * 6 + [2] * 6 + [4] * 6)
    pairs = Tally.of_questions(2, [0] * 7 + [1] * 4 + [2] * 7)
    line = extrapolate(pairs, "pass@k", [4]).value[0]
    assert extrapolate(tally, "pass@k", [5]).backtest.predicted == pytest.approx(line, abs=1e-5)


def test_a_backtest_that_misses_is_said():
    """Half of the questions hardly solvable and half often: no Beta distribution is like it."""
    rng = RNG(3)
    tally = Tally.of_questions(16, rng.binomial(16, np.repeat([0.02, 0.7], 2500)))
    ahead = extrapolate(tally, "pass@k", [64])
    assert ahead.backtest.error < -0.02
    assert any("Half of the samples would have foretold pass@16" in str(c) for c in ahead.caveats)
    calm = extrapolate(spread(500, 16), "pass@k", [64])
    assert not any("Half of the samples" in str(caveat) for caveat in calm.caveats)


# The result ------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bounds_hold_whatever_the_difficulties(metric, level):
    tally = spread(40, 5)
    low, high = estimate(tally, metric, confidence_level=level).interval
    ahead = extrapolate(tally, metric, [6, 40, 400], confidence_level=level)
    times = np.array([6, 40, 400]) / 5
    if metric == "pass@k":
        ends = np.full(3, low), 1 - (1 - high) ** times
    else:
        ends = low**times, np.full(3, high)
    assert ahead.bound_low == pytest.approx(ends[0], abs=1e-14)
    assert ahead.bound_high == pytest.approx(ends[1], abs=1e-14)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(1, 9), st.integers(0, 50))
def test_the_bounds_are_true_of_any_difficulties(rates, n, more):
    p, k = np.array(rates), n + more
    at_n, at_k = (float(np.mean(1 - (1 - p) ** i)) for i in (n, k))
    assert at_n - 1e-12 <= at_k <= 1 - (1 - at_n) ** (k / n) + 1e-12


def counts_of_questions(least=10):
    pair = st.tuples(st.integers(2, 9), st.floats(0, 1))
    return st.lists(pair, min_size=least, max_size=40).map(
        lambda pairs: Tally.of_questions([n for n, _ in pairs], [round(n * x) for n, x in pairs])
    )


@settings(max_examples=25)
@given(counts_of_questions(), st.sampled_from(METRICS))
def test_any_counts_give_an_ordered_result_or_a_reason(tally, metric):
    n = tally.n_min
    ks = [n + 1, n + 3, 5 * n + 1, 16 * n + 2]
    ahead = extrapolate(tally, metric, ks)
    assert len(ahead.refused) >= 1
    assert np.isnan([ahead.value[-1], ahead.low[-1], ahead.high[-1]]).all()
    for array in (ahead.value, ahead.low, ahead.high, ahead.bound_low, ahead.bound_high):
        assert array.shape == (4,)
        assert not array.flags.writeable
    if metric != "maj@k":
        bounds = np.array([ahead.bound_low, ahead.bound_high])
        assert np.all((bounds >= 0) & (bounds <= 1))
        assert np.all(ahead.bound_low <= ahead.bound_high)
    if len(ahead.refused) > 1:
        assert np.isnan([ahead.value, ahead.low, ahead.high]).all()
        return
    value, low, high = ahead.value[:-1], ahead.low[:-1], ahead.high[:-1]
    assert np.all((low >= 0) & (low <= value) & (value <= high) & (high <= 1))
    if metric != "maj@k":
        sign = 1 if metric == "pass@k" else -1
        for each in (value, low, high, *bounds):
            assert np.all(np.diff(sign * each) >= -1e-12)


@settings(max_examples=10)
@given(counts_of_questions())
def test_all_right_is_none_wrong(tally):
    ks = [tally.n_min + 2, 9 * tally.n_min, 100 * tally.n_min]
    one, other = extrapolate(tally, "pass@k", ks), extrapolate(flipped(tally), "pass^k", ks)
    for mine, theirs in (
        (one.value, other.value),
        (one.low, other.high),
        (one.high, other.low),
        (one.bound_low, other.bound_high),
        (one.bound_high, other.bound_low),
    ):
        assert mine == pytest.approx(1 - theirs, abs=1e-9, nan_ok=True)
    assert len(one.refused) == len(other.refused)


@pytest.mark.parametrize("metric", METRICS)
def test_order_of_rows_and_form_of_the_data_do_not_matter(metric):
    rng = RNG(5)
    R = (rng.random((40, 6)) < rng.random((40, 1))).astype(int)
    tally = Tally.of(R)
    turned = Tally(tally.n[::-1], tally.c[::-1], tally.questions[::-1])
    first = extrapolate(R, metric, [7, 60])
    for data in (Outcomes(R), tally, turned, R[::-1].tolist()):
        again = extrapolate(data, metric, [7, 60])
        assert again.value.tolist() == first.value.tolist()
        assert again.low.tolist() == first.low.tolist()
        assert again.high.tolist() == first.high.tolist()
    assert extrapolate(R, metric, [7, 60], rng=1).low.tolist() != first.low.tolist()
    assert extrapolate(R, metric, [7, 60], rng=1).value.tolist() == first.value.tolist()
    seeded = extrapolate(R, metric, [7, 60], rng=RNG(0))
    assert seeded.low.tolist() == first.low.tolist()


def test_a_band_is_wider_at_a_higher_level():
    tally, ks = spread(), [16, 64]
    narrow, wide = (extrapolate(tally, "pass@k", ks, confidence_level=x) for x in (0.8, 0.95))
    assert np.all(wide.low < narrow.low)
    assert np.all(wide.high > narrow.high)
    assert wide.confidence_level == 0.95
    assert (wide.metric, wide.n, wide.n_questions) == ("pass@k", 8, 120)


def test_the_smallest_number_of_samples_is_the_start():
    ahead = extrapolate(ragged(), "pass@k", [4, 48, 49])
    assert ahead.n == 3
    assert np.isfinite(ahead.value).tolist() == [True, True, False]


def test_failed_requests_and_segments_are_heard():
    rng = RNG(6)
    R = (rng.random((60, 6)) < rng.random((60, 1))).astype(int)
    R[rng.random(R.shape) < 0.05] = FAILED
    half = np.repeat(["a", "b"], 30)
    outcomes = Outcomes(R, segments={"part": half})
    wrong, right = (extrapolate(outcomes, "pass@k", [24], missing=x) for x in ("wrong", "right"))
    assert wrong.value[0] < right.value[0]
    assert any("failed" in str(caveat) for caveat in wrong.caveats)
    part = extrapolate(outcomes, "pass@k", [24], segment=("part", "a"))
    assert part.n_questions == 30
    assert part.value[0] == extrapolate(Outcomes(R[:30]), "pass@k", [24]).value[0]


def test_groups_of_questions_are_a_caveat():
    R = RNG(7).integers(0, 2, (40, 5))
    grouped = extrapolate(Outcomes(R, clusters=np.arange(40) // 4), "pass@k", [20])
    assert any("come in groups" in str(caveat) for caveat in grouped.caveats)
    assert any("bounds allow for groups" in str(caveat) for caveat in grouped.caveats)
    unbounded = extrapolate(Outcomes(R, clusters=np.arange(40) // 4), "maj@k", [20])
    assert not any("bounds" in str(caveat) for caveat in unbounded.caveats)
    apart = extrapolate(Outcomes(R), "pass@k", [20])
    assert not any("come in groups" in str(caveat) for caveat in apart.caveats)


def test_ties_of_votes_are_the_metrics():
    tally, ks = spread(), [10, 40]
    values = [extrapolate(tally, "maj@k", ks, ties=x).value for x in ("fail", "half", "pass")]
    assert np.all(np.diff(values, axis=0) > 0)
    odd = [extrapolate(tally, "maj@k", [11], ties=x).value[0] for x in ("fail", "pass")]
    assert odd[0] == pytest.approx(odd[1])


# Refusals and edges ----------------------------------------------------------------------------


def refusals(*args, **options):
    return [str(reason) for reason in extrapolate(*args, **options).refused]


@pytest.mark.parametrize(
    ("tally", "reason"),
    [
        (Tally.of_questions(1, [0, 1] * 20), "at least 2 samples of every question"),
        (Tally.of_questions(8, np.arange(9)), "9 questions are too few to fit a model"),
        (Tally.of_questions(8, [3]), "1 question is too few to fit a model"),
    ],
)
@pytest.mark.parametrize("metric", METRICS)
def test_too_little_is_refused_with_its_reason(tally, reason, metric):
    ahead = extrapolate(tally, metric, [9, 16])
    assert reason in str(ahead.refused[0])
    assert np.isnan([ahead.value, ahead.low, ahead.high]).all()
    assert ahead.backtest is None
    assert np.isnan(ahead.bound_low).all() == (metric == "maj@k")


def test_far_beyond_the_samples_only_the_bounds_are_left():
    tally = spread()
    (reason,) = refusals(tally, "pass@k", [100, 129])
    assert reason.startswith("Beyond k = 128, 16 times the samples")
    assert "bounds" in reason
    (reason,) = refusals(tally, "maj@k", [127, 129])
    assert "bounds" not in reason
    assert refusals(tally, "pass@k", [128]) == []


def test_a_fit_that_contradicts_the_measured_is_refused():
    """Two kinds of questions, neither of which a Beta distribution has beside the other."""
    rng = RNG(8)
    rates = np.concatenate([rng.beta(2, 8, 3000), rng.beta(20, 2, 3000)])
    tally = Tally.of_questions(16, rng.binomial(16, rates))
    ahead = extrapolate(tally, "pass@k", [32])
    assert "The model does not fit: it gives pass@16" in str(ahead.refused[0])
    assert np.isnan(ahead.value).all()
    assert ahead.bound_high[0] > ahead.bound_low[0]
    assert ahead.backtest is not None


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("m", [10, 30, 100_000])
def test_none_right_and_all_right(metric, m):
    never, always = (Tally([8], [c], [m]) for c in (0, 8))
    low = extrapolate(never, metric, [9, 128])
    high = extrapolate(always, metric, [9, 128])
    assert low.value == pytest.approx([0, 0], abs=0.05)
    assert high.value == pytest.approx([1, 1], abs=0.05)
    assert low.refused == high.refused == ()
    for ahead, said in ((low, "No sample is right"), (high, "Every sample is right")):
        assert any(str(caveat).startswith(said) for caveat in ahead.caveats)
    if m < 100:
        assert low.high[0] > 0.005
        assert high.low[0] < 0.995
        assert any("scores 0" in str(caveat) for caveat in low.caveats)


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize("rights", [(0, 500), (500, 1000), (0, 500, 1000), (500,)])
def test_counts_far_apart_are_no_trouble(metric, rights):
    """A resample may lack a row that no other rate explains."""
    m = 12 // len(rights)
    ahead = extrapolate(Tally([1000] * len(rights), rights, [m] * len(rights)), metric, [1001])
    assert ahead.refused == ()
    assert 0 <= ahead.low[0] <= ahead.value[0] <= ahead.high[0] <= 1


def test_one_question_bounds_nothing():
    ahead = extrapolate([[1, 0, 1]], "pass@k", [6])
    assert Interval(ahead.bound_low[0], ahead.bound_high[0]) == (0, 1)


def test_arguments_that_make_no_sense():
    tally = spread()
    for ks, message in [
        ([8, 9], "k = 8 needs no model: every question has 8 samples at least; use curve"),
        ([20, 10], "ks must ascend"),
        ([], "at least one k"),
        (12, "at least one k"),
        ([10.5], "k must be an integer"),
        ([10**9], "k must be at most"),
    ]:
        with pytest.raises(MetricError, match=message):
            extrapolate(tally, "pass@k", ks)
    with pytest.raises(MetricError, match="every question has 1 sample at least"):
        extrapolate([[1], [0]], "pass@k", [1, 2])
    with pytest.raises(MetricError, match=r"avg@n is not extrapolated"):
        extrapolate(tally, "avg@n", [9])
    with pytest.raises(MetricError, match=r"There is no metric 'pass'"):
        extrapolate(tally, "pass", [9])
    with pytest.raises(MetricError, match=r"pass@k has no option ties"):
        extrapolate(tally, "pass@k", [9], ties="half")
    with pytest.raises(MetricError, match=r"confidence_level must lie between 0 and 1"):
        extrapolate(tally, "pass@k", [9], confidence_level=1)
    with pytest.raises(MetricError, match=r"categories above 1"):
        extrapolate(Outcomes(np.full((20, 3), 2)), "pass@k", [9])
