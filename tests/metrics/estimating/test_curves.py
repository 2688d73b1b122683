"""Curves say at every k what the single estimate says, and resamples what resampling says."""

import numpy as np
import pytest

import metrics
from metrics import METRICS, MetricError, Outcomes, Tally, curve, estimate
from tests.metrics import exact

TARGETS = ["population", "benchmark"]
COUNTS = [m.name for m in METRICS.values() if m.payoff is not None and m.takes_k]
OPTIONS = {
    "g-pass@k": [{}, {"tau": 0.28}, {"tau": 0}],
    "maj@k": [{}, {"ties": "half"}, {"ties": "pass"}],
    "geom@k": [{}, {"pass_power": 1, "unanimous_power": 2.5}],
    "geom-ds@k": [{}, {"pass_power": 0, "unanimous_power": 1}],
    "geo-spectrum@k": [{}, {"lam": 0.2}, {"lam": 1}],
    "max@k": [{}, {"w": [-1, 3]}, {"w": np.array([0, 1e300])}],
}
CURVES = [
    (name, options)
    for name, metric in METRICS.items()
    if metric.takes_k and metric.needs == ""
    for options in OPTIONS.get(name, [{}])
]


def matrix(m=30, n=7, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.random((m, 1))).astype(int)


def ragged():
    verdicts = matrix(40, 9, 1)
    verdicts[::3, 7:] = -2
    verdicts[1, 6] = -1
    return Outcomes(verdicts)


def clustered():
    return Outcomes(matrix(24, 5, 2), clusters=np.arange(24) // 3)


DATA = {
    "matrix": matrix(n=5),
    "ragged": ragged(),
    "clustered": clustered(),
    "one question": [[1, 0, 1, 1]],
    "all right": np.ones((6, 4), int),
    "all wrong": np.zeros((6, 4), int),
    "unsorted": Tally([2, 2, 2], [2, 0, 1], [3, 5, 4]),
}


def holds_estimates(found, data, name, target, **options):
    for i, k in enumerate(found.k.tolist()):
        one = estimate(data, name, k, target=target, **options)
        scale = max(1.0, abs(one.bounds.high))
        expected = np.array([one.value, *one.interval]) / scale
        got = np.array([found.value[i], found.low[i], found.high[i]]) / scale
        np.testing.assert_allclose(got, expected, atol=1e-12, err_msg=f"{name} {k}")


@pytest.mark.wide
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "options"), CURVES, ids=str)
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_curve_is_its_estimates_one_by_one(data, name, options, target):
    if name == "max@k" and options and isinstance(data, Tally):
        with pytest.raises(MetricError, match="a tally has counts only"):
            curve(data, name, target=target, **options)
        return
    found = curve(data, name, target=target, **options)
    holds_estimates(found, data, name, target, **options)
    points = curve(data, name, target=target, confidence_level=None, **options)
    np.testing.assert_allclose(points.value, found.value, atol=1e-12)
    assert np.isnan(points.low).all()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", [list, tuple, np.array])
@pytest.mark.parametrize("data", [DATA["matrix"], DATA["ragged"]], ids=["matrix", "ragged"])
def test_weights_are_of_one_k(data, kind, target):
    weights = kind([0.2, 0.0, 0.5])
    found = curve(data, "threshold-spectrum@k", [3], target=target, weights=weights)
    holds_estimates(found, data, "threshold-spectrum@k", target, weights=weights)
    assert found.high[0] <= 0.7, "the weights' sum is the most"
    blend = curve(data, "geo-spectrum@k", [3], target=target, weights=weights)
    holds_estimates(blend, data, "geo-spectrum@k", target, weights=weights)


@pytest.mark.parametrize("target", TARGETS)
def test_curves_of_soft_scores_and_votes_are_their_estimates(target):
    rng = np.random.default_rng(3)
    scores = rng.random((20, 5))
    outcomes = Outcomes((scores > 0.5).astype(int), scores, clusters=np.arange(20) // 4)
    holds_estimates(curve(outcomes, "soft-max@k", target=target), outcomes, "soft-max@k", target)
    answers = rng.integers(0, 3, (20, 5))
    votes = curve(outcomes, "plurality@k", target=target, answers=answers)
    holds_estimates(votes, outcomes, "plurality@k", target, answers=answers)


def test_a_curve_starts_where_its_score_can_vary():
    """mG-Pass@1 is 0 whatever the outcomes."""
    for name in ("mg-pass@k", "geo-spectrum@k"):
        assert curve(matrix(), name).k.tolist() == [2, 3, 4, 5, 6, 7]
        for ks in ([1, 2], [1]):
            with pytest.raises(MetricError, match=r"@1 is 0 whatever the outcomes"):
                curve(matrix(), name, ks)
        with pytest.raises(MetricError, match=r"@1 is 0 whatever the outcomes"):
            curve([[1], [0]], name)
    assert curve(matrix(), "geo-spectrum@k", lam=1).k[0] == 1


def test_chosen_k_come_back_as_chosen():
    for ks in ([1, 2, 5], [5], range(2, 7, 2)):
        found = curve(matrix(), "maj@k", ks)
        assert found.k.tolist() == list(ks)
        holds_estimates(found, matrix(), "maj@k", "population")
        posterior = metrics.posterior_curve(matrix(), "maj@k", ks)
        assert posterior.k.tolist() == list(ks)
    for ks in ([2, 1], [3, 3]):
        with pytest.raises(MetricError, match="ks must ascend"):
            curve(matrix(), "maj@k", ks)


@pytest.mark.parametrize("target", TARGETS)
def test_more_samples_than_are_tabled_make_no_difference(target):
    wide = matrix(4, 1100, 5)
    for name in ("pass@k", "maj@k", "auc@k"):
        found = curve(wide, name, [1, 2, 550, 1100], target=target)
        holds_estimates(found, wide, name, target)


def test_curves_of_many_samples_are_exact():
    """The table of all k is built one sample at a time; nothing may pile up."""
    n = 200
    tally = Tally([n] * 3, [3, 90, 199], [1, 1, 1])
    payoffs = {"maj@k": exact.majority, "mg-pass@k": exact.mean_threshold}
    for name, payoff in payoffs.items():
        found = curve(tally, name, confidence_level=None)
        for k in (2, 99, 150, 200):
            truth = sum(exact.drawn(payoff(k), n, c) for c in (3, 90, 199)) / 3
            assert exact.error(found.value[found.k == k][0], truth) < 1e-13


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 30.0), (1e6, 1e6)], ids=str)
def test_a_posterior_curve_is_the_posterior_at_every_k(name, prior):
    data, n = matrix(12, 20, 7), 20
    function = getattr(metrics, f"{FUNCTIONS[name]}_ci")
    extra, options, ks = (), {}, [k for k in range(1, n + 1) if name != "mg-pass@k" or k > 1]
    if name == "g-pass@k":
        extra, options = (0.3,), {"tau": 0.3}
    if name == "threshold-spectrum@k":
        extra, options, ks = ([0.5, 0, 0.1],), {"weights": [0.5, 0, 0.1]}, [3]
    priors = {"alpha0": prior[0], "beta0": prior[1], "confidence": 0.9}
    found = metrics.posterior_curve(data, name, ks, **priors, **options)
    for i, k in enumerate(ks):
        one = function(data, k, *extra, **priors)
        got = (found.value[i], found.low[i], found.high[i])
        assert got == pytest.approx((one.mean, one.low, one.high), abs=1e-12)


def test_a_posterior_curve_of_ten_thousand_samples_does_not_overflow():
    tally, ks = Tally([10_000], [5000], [1]), [1, 100, 5000, 10_000]
    for name, function in [("pass@k", metrics.pass_at_k_ci), ("pass^k", metrics.pass_hat_k_ci)]:
        found = metrics.posterior_curve(tally, name, ks, bounds=None)
        for i, k in enumerate(ks):
            one = function(tally, k, bounds=None)
            got = (found.value[i], found.low[i], found.high[i])
            assert got == pytest.approx((one.mean, one.low, one.high), abs=1e-13)


FUNCTIONS = {
    "pass@k": "pass_at_k",
    "pass^k": "pass_hat_k",
    "g-pass@k": "g_pass_at_k_tau",
    "mg-pass@k": "mg_pass_at_k",
    "maj@k": "maj_at_k",
    "auc@k": "auc_at_k",
    "threshold-spectrum@k": "threshold_spectrum_at_k",
}


def test_a_bootstrap_is_reproducible_by_its_seed():
    one, same, other = (metrics.bootstrap_curve(matrix(), "pass@k", rng=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.low, same.low)
    assert (one.low != other.low).any()
    generator = np.random.default_rng(1)
    given = metrics.bootstrap_curve(matrix(), "pass@k", rng=generator)
    np.testing.assert_array_equal(given.high, one.high)


@pytest.mark.parametrize("name", ["pass@k", "maj@k", "auc@k"])
@pytest.mark.parametrize("data", [matrix(), ragged().tally()], ids=["matrix", "ragged"])
def test_a_bootstrap_is_what_resampling_questions_gives(name, data):
    tally = Tally.of(data)
    found = metrics.bootstrap_curve(tally, name, resamples=4000, confidence_level=0.9)
    n, c = (np.repeat(each, tally.questions) for each in (tally.n, tally.c))
    rng, k = np.random.default_rng(9), 3
    questions = [Tally([i], [j], [1]) for i, j in zip(n, c, strict=True)]
    scores = np.array([estimate(question, name, k).value for question in questions])
    naive = scores[rng.integers(0, len(n), (4000, len(n)))].mean(axis=1)
    low, high = np.quantile(naive, [0.05, 0.95])
    noise = 4 * naive.std() * np.sqrt(0.05 * 0.95 / 4000) / 0.1
    at = found.k == k
    assert found.value[at] == pytest.approx(scores.mean(), abs=1e-12)
    assert found.low[at] == pytest.approx(low, abs=noise)
    assert found.high[at] == pytest.approx(high, abs=noise)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: curve(r, "avg@n"), "avg@n takes no k, so it has no curve"),
        (lambda r: curve(r, "pass@k", []), r"ks must be a sequence of at least one k; got \[\]"),
        (lambda r: curve(r, "pass@k", 3), "ks must be a sequence of at least one k; got 3"),
        (lambda r: curve(r, "pass@k", [True]), "k must be an integer; got True"),
        (lambda r: curve(r, "pass@k", [0]), "k must be at least 1; got k=0"),
        (lambda r: curve(r, "pass@k", [8]), "needs 8 samples of every question"),
        (lambda r: curve(r, "pass@k", target="us"), "target must be"),
        (lambda r: curve(r, "pass@k", confidence_level=2), "confidence_level must lie between"),
        (lambda r: curve(r, "pass@k", tau=1), "pass@k has no option tau; it takes none"),
        (lambda r: metrics.posterior_curve(r, "geom@k"), "geom@k has no posterior for each k"),
        (lambda r: metrics.posterior_curve(r, "pass@k", bounds=(1, 0)), r"bounds .* got \(1, 0\)"),
        (lambda r: metrics.posterior_curve(r, "pass@k", alpha0=0), "alpha0 must be a finite"),
        (lambda r: metrics.posterior_curve(r, "pass@k", confidence=1), "confidence must lie"),
        (lambda r: metrics.bootstrap_curve(r, "geom@k"), "geom@k cannot be resampled by counts"),
        (lambda r: metrics.bootstrap_curve(r, "pass@k", resamples=0), "resamples must be at least"),
        (lambda r: metrics.bootstrap_curve(r, "pass@k", resamples=2.5), "must be an integer"),
    ],
)
def test_what_cannot_be_drawn_is_named(call, message):
    with pytest.raises(MetricError, match=message):
        call(matrix())
