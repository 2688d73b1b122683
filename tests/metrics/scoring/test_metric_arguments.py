"""What the functions accept and refuse: a refusal names argument, rule and what came."""

import inspect
from functools import partial

import numpy as np
import pytest
from scorio import eval as scorio

import metrics
from metrics import MetricError, Tally

R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
N = 5
NAMES = [name for name in metrics.__all__ if hasattr(scorio, name)]
REWARDED = ["bayes", "bayes_ci", "avg", "avg_ci", "max_at_k", "max_at_k_ci"]
POSTERIORS = [name for name in NAMES if name.endswith("_ci")]
GEOM = [name for name in NAMES if name.startswith("geom")]
SPECTRA = [name for name in NAMES if "threshold" in name or "geo_spectrum_at" in name]
WITH_K = [name for name in NAMES if "_k" in name]
PRIORS = [name for name in POSTERIORS if name not in REWARDED]
UNBOUNDED_K = [
    "max_at_k_ci",
    "threshold_spectrum_at_k_ci",
    "geom_at_k_ci",
    "geom_ds_at_k_ci",
    "geo_spectrum_at_k_ci",
    "geo_spectrum_star_at_k_ci",
]
NO_OUTCOMES = [
    (1, r"one dimension or two \(questions, samples\); got 0"),
    (np.zeros((2, 2, 2), int), r"one dimension or two \(questions, samples\); got 3"),
    ([], r"at least one question and one sample; got shape \(1, 0\)"),
    (np.zeros((0, 3), int), r"at least one question and one sample; got shape \(0, 3\)"),
    (np.zeros((3, 0), int), r"at least one question and one sample; got shape \(3, 0\)"),
    ([[1, 0], [1]], "R must have rows of one length; got ragged lists"),
    ([[float("nan"), 1]], "R must hold integers; got fractions, NaN or infinity"),
    ([[float("inf"), 1]], "R must hold integers; got fractions, NaN or infinity"),
    ([[0.5, 1]], "R must hold integers; got fractions, NaN or infinity"),
    ([[1 + 0j, 0]], "R must hold integers; got complex128"),
    ([["1", "0"]], "R must hold integers; got <U1"),
    (np.array([["1", 0]], dtype=object), "R must hold integers; got object"),
    ([[2**70, 1]], "R must hold integers; got object"),
    ([[2.0**63, 1]], "R must fit into 64-bit integers"),
    (None, "R must hold integers; got missing entries"),
    (np.ma.masked_array([[1, 0]], mask=[[0, 1]]), "R must hold integers; got masked entries"),
]
NOT_BINARY = [
    ([[0, 2]], "0 … 2"),
    ([[-1, 1]], "-1 … 1"),
    (np.array([[2**63, 1]], np.uint64), f"1 … {2**63}|0 … {2**63}"),
]


def extras(name, k=2):
    """The arguments a function takes between k and the rest."""
    if "g_pass_at_k_tau" in name:
        return (0.5,)
    return ([1 / k] * k,) if "threshold" in name else ()


def call(name, matrix=R, k=2, **options):
    function = getattr(metrics, name)
    if name in WITH_K:
        return function(matrix, k, *extras(name), **options)
    return function(matrix, **options)


def test_signatures_are_the_peers():
    for name in NAMES:
        ours, theirs = (
            inspect.signature(getattr(lib, name)).parameters for lib in (metrics, scorio)
        )
        kept = [p for p in ours.values() if p.name != "ties"]
        assert [p.name for p in kept] == list(theirs)
        assert [p.default for p in kept] == [p.default for p in theirs.values()]


def test_every_function_of_the_peer_is_here():
    missing = {name for name in scorio.__all__ if not hasattr(metrics, name)}
    assert missing == {"tailpass", "tailpass_empirical"}
    assert metrics.unanimous_at_k is metrics.g_pass_at_k is metrics.pass_hat_k
    assert metrics.unanimous_at_k_ci is metrics.g_pass_at_k_ci is metrics.pass_hat_k_ci


@pytest.mark.parametrize(("matrix", "message"), NO_OUTCOMES)
def test_outcomes_are_whole_numbers_in_rows(matrix, message):
    for name in NAMES:
        with pytest.raises(MetricError, match=message):
            call(name, matrix, 1 if "threshold" not in name else 2)


@pytest.mark.parametrize(("matrix", "seen"), NOT_BINARY)
def test_outcomes_are_right_or_wrong_without_rewards(matrix, seen):
    for name in NAMES:
        with pytest.raises(MetricError, match=rf"R (must be .*|is not binary .*)?.*({seen})"):
            call(name, matrix)


def test_any_whole_numbers_will_do_and_one_row_is_one_question():
    for name in NAMES:
        row = [1, 0, 1, 1, 0]
        expected = call(name, [row])
        rows = [row, np.array(row, bool), np.array(row, np.float16), np.array([row], np.longdouble)]
        for matrix in (*rows, np.array([row], np.uint64), [np.array(row)], tuple(row)):
            assert call(name, matrix) == expected


@pytest.mark.parametrize("k", [True, np.True_, 2.0, np.float64(2), "2", None, [2], np.array(2.0)])
def test_k_is_an_integer(k):
    for name in WITH_K:
        with pytest.raises(MetricError, match="k must be an integer; got"):
            call(name, k=k)


def test_k_is_at_least_one_and_at_most_n_or_any_where_a_posterior_draws():
    for name in WITH_K:
        for k in (0, -1):
            with pytest.raises(MetricError, match=f"k must be at least 1; got k={k}"):
                call(name, k=k)
        assert call(name, k=np.int64(2)) == call(name, k=2)
        more = partial(getattr(metrics, name), R, N + 1, *extras(name, N + 1))
        if name in UNBOUNDED_K:
            assert np.isfinite(more()).all()
            with pytest.raises(MetricError, match="k must be at most 100,000; got k=100001"):
                call(name, k=100_001)
        else:
            with pytest.raises(MetricError, match=r"k must satisfy 1 <= k <= N \(N=5\); got k=6"):
                more()


@pytest.mark.parametrize("confidence", [0, 1, -0.1, 1.5, float("nan"), "a", None, True, [0.9]])
def test_confidence_lies_between_0_and_1(confidence):
    for name in POSTERIORS:
        with pytest.raises(MetricError, match="confidence must lie between 0 and 1; got"):
            call(name, confidence=confidence)


@pytest.mark.parametrize(
    "bounds", [(1, 0), (0,), (0, 1, 2), "ab", 5, (float("nan"), 1), (0, None), (True, 2), {}]
)
def test_bounds_are_a_pair_in_order(bounds):
    for name in POSTERIORS:
        with pytest.raises(MetricError, match=r"bounds must be \(low, high\) or None; got"):
            call(name, bounds=bounds)


def test_bounds_clip_both_ends():
    for name in POSTERIORS:
        free = call(name, bounds=(-np.inf, np.inf))
        assert call(name, bounds=[5, 6])[2:] == (5, 5)
        assert call(name, bounds=(-2, -1))[2:] == (-1, -1)
        assert free.low < free.mean < free.high
        if name != "max_at_k_ci":
            assert call(name, bounds=None) == free


@pytest.mark.parametrize("value", [True, 0, -1, float("inf"), 10**400, "1", None, [1], 1j])
@pytest.mark.parametrize("which", ["alpha0", "beta0"])
def test_priors_are_finite_and_positive(which, value):
    for name in PRIORS:
        with pytest.raises(MetricError, match=f"{which} must be a finite positive scalar; got"):
            call(name, **{which: value})


@pytest.mark.parametrize("tau", [-0.1, 1.1, float("nan"), "a", None, True, [0.5], 1j])
def test_tau_lies_in_0_1(tau):
    for name in ["g_pass_at_k_tau", "g_pass_at_k_tau_ci"]:
        with pytest.raises(MetricError, match="tau must lie in 0 … 1; got"):
            getattr(metrics, name)(R, 2, tau)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5], r"weights must be a vector of 2 numbers; got \[0\.5\]"),
        ([0.5, 0.5, 0], "weights must be a vector of 2 numbers"),
        ([[0.5, 0.5]], "weights must be a vector of 2 numbers"),
        ([[0.5], [0.5, 0.2]], "weights must be a vector of 2 numbers"),
        (["a", "b"], "weights must be a vector of 2 numbers"),
        ([0.5j, 0.5], "weights must be a vector of 2 numbers"),
        (5, "weights must be a vector of 2 numbers; got 5"),
        ([-0.1, 0.5], "weights must be at least 0 and sum to at most 1; got -0.1 … 0.5"),
        ([0.6, 0.5], "sum to at most 1; got 0.5 … 0.6, sum 1.1"),
        ([0.5, 0.5 + 1e-11], "sum to at most 1"),
        ([float("nan"), 0.5], "weights must be finite"),
    ],
)
def test_spectrum_weights_are_k_shares(weights, message):
    for name in SPECTRA:
        with pytest.raises(MetricError, match=message):
            getattr(metrics, name)(R, 2, weights=weights)
        for fine in ([0.5, 0.5 + 1e-13], [True, False], (0, 0), np.array([0.1, 0.2], np.float32)):
            getattr(metrics, name)(R, 2, weights=fine)


def test_a_threshold_spectrum_needs_weights():
    for name in ["threshold_spectrum_at_k", "threshold_spectrum_at_k_ci"]:
        with pytest.raises(MetricError, match="weights are needed: 2 numbers"):
            getattr(metrics, name)(R, 2, None)


@pytest.mark.parametrize("lam", [-0.1, 1.1, float("nan"), "a", None, True, [0.5], 1j])
def test_lambda_has_two_names_and_lies_in_0_1(lam):
    for name in ["geo_spectrum_at_k", "geo_spectrum_at_k_ci"]:
        blend = partial(getattr(metrics, name), R, 2)
        with pytest.raises(MetricError, match="lam must lie in 0 … 1; got"):
            blend(lam)
        if lam is not None:
            with pytest.raises(MetricError, match="lam must lie in 0 … 1; got"):
                blend(lambda_=lam)
        with pytest.raises(TypeError, match="lam or lambda_"):
            blend(0.3, lambda_=0.3)
        assert blend(0.5, lambda_=0.3) == blend(0.3)


@pytest.mark.parametrize(
    "powers", [("a", 1), (1, None), (float("nan"), 1), (1, float("inf")), (True, 1)]
)
def test_powers_are_finite_numbers(powers):
    for name in GEOM:
        with pytest.raises(MetricError, match=r"(pass|unanimous)_power must be a finite number"):
            getattr(metrics, name)(R, 2, *powers)


@pytest.mark.parametrize(
    ("w", "message"),
    [
        ([], r"w must be a vector of at least one number; got \[\]"),
        ([[0, 1]], "w must be a vector of at least one number"),
        ([[0], [1, 2]], "w must be a vector of at least one number"),
        (["a", "b"], "w must be a vector of at least one number"),
        ([1j, 0], "w must be a vector of at least one number"),
        (5, "w must be a vector of at least one number; got 5"),
        ([float("nan"), 1], "w must be finite"),
        ([float("inf"), 1], "w must be finite"),
        (np.array([0, "1e4000"], np.longdouble), "w must be finite"),
        ([1.0], r"Entries of R must be integers in \[0, 0\]; got 0 … 1"),
    ],
)
def test_rewards_are_finite_numbers_one_a_category(w, message):
    for name in REWARDED:
        with pytest.raises(MetricError, match=message):
            call(name, w=w)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0, 1, 1], r"R0 must have the same number of rows as R \(2\); got 1"),
        ([[0, 1]], r"R0 must have the same number of rows as R \(2\); got 1"),
        (np.zeros((0, 2), int), "R0 must have at least one question"),
        (np.zeros((2, 2, 2), int), "R0 must have one dimension or two"),
        (5, "R0 must have one dimension or two"),
        ([[0, 2], [1, 1]], r"Entries of R0 must be integers in \[0, 1\]; got 0 … 2"),
        ([[-1], [0]], r"Entries of R0 must be integers in \[0, 1\]; got -1 … 0"),
        ([[0.5, 1], [1, 1]], "R0 must hold integers; got fractions"),
        ([["a"], ["b"]], "R0 must hold integers; got <U1"),
        ([[0], [1, 1]], "R0 must have rows of one length"),
    ],
)
def test_prior_outcomes_are_rows_beside_the_outcomes(prior, message):
    for name in ["bayes", "bayes_ci", "max_at_k_ci"]:
        with pytest.raises(MetricError, match=message):
            call(name, R0=prior)


def test_arguments_are_checked_in_their_order():
    """R before k, but k (and weights) before R where k may exceed N; R, tau, k for G-Pass."""
    for name in WITH_K:
        first = "k must be" if name in UNBOUNDED_K else "R must hold"
        with pytest.raises(MetricError, match=first):
            getattr(metrics, name)([["x"]], 0, *extras(name))
        if name == "threshold_spectrum_at_k_ci":
            with pytest.raises(MetricError, match="weights must be"):
                metrics.threshold_spectrum_at_k_ci([["x"]], 2, [5, 5])
        if name == "g_pass_at_k_tau":
            with pytest.raises(MetricError, match="R must hold"):
                metrics.g_pass_at_k_tau([["x"]], 0, 7)
            with pytest.raises(MetricError, match="tau must lie"):
                metrics.g_pass_at_k_tau(R, 0, 7)


def test_counts_are_whole_numbers_within_their_questions():
    for columns in [([2], [1.5], [1]), ([2], [1], [0.5])]:
        with pytest.raises(MetricError, match="must hold integers; got fractions"):
            Tally(*columns)
    with pytest.raises(MetricError, match="n must hold integers; got <U1"):
        Tally("a", [1], [1])
    with pytest.raises(MetricError, match="c must hold integers; got fractions"):
        Tally.of_questions([3, 3], [1, 1.5])
    with pytest.raises(MetricError, match="0 <= c <= n"):
        Tally([1], [2], [1])


@pytest.mark.parametrize("ties", ["x", None, [], True])
def test_ties_have_three_names(ties):
    for vote in (lambda t: metrics.maj_at_k(R, 2, t), lambda t: metrics.cons_at_n(R, t)):
        with pytest.raises(MetricError, match="ties must be 'fail', 'pass' or 'half'; got"):
            vote(ties)
