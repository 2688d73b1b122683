"""The unbiased functions of a matrix: documented values, exact rationals, enumeration, the peer."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorio import eval as scorio

import metrics
from metrics import MetricError, Tally
from tests.metrics import exact
from tests.metrics.hard_cases import DANGEROUS, R, question

MATRICES = st.tuples(st.integers(1, 6), st.integers(1, 9)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 1), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)
POINTS = {
    "pass_at_k": lambda k: exact.threshold(1, k),
    "pass_hat_k": lambda k: exact.threshold(k, k),
    "maj_at_k": exact.majority,
    "mg_pass_at_k": exact.mean_threshold,
    "auc_at_k": exact.area,
}
PEERS = [name for name in metrics.__all__ if name.endswith("_at_k") and hasattr(scorio, name)]


def mean(scores):
    scores = list(scores)
    return sum(scores) / len(scores)


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("pass_at_k", (1,), 0.7),
        ("pass_at_k", (2,), 0.95),
        ("pass_hat_k", (1,), 0.7),
        ("pass_hat_k", (2,), 0.45),
        ("unanimous_at_k", (2,), 0.45),
        ("g_pass_at_k", (1,), 0.7),
        ("g_pass_at_k", (2,), 0.45),
        ("g_pass_at_k_tau", (2, 0.5), 0.95),
        ("g_pass_at_k_tau", (2, 1.0), 0.45),
        ("mg_pass_at_k", (2,), 0.45),
        ("mg_pass_at_k", (3,), 0.166667),
        ("auc_at_k", (1,), 0.7),
        ("auc_at_k", (2,), 0.825),
        ("auc_at_k", (3,), 0.9),
        ("maj_at_k", (1,), 0.7),
        ("maj_at_k", (2,), 0.45),
        ("maj_at_k", (3,), 0.85),
        ("geom_at_k", (2,), 0.647106),
        ("geom_ds_at_k", (2,), 0.653835),
        ("geo_spectrum_at_k", (3,), 0.408248),
        ("geo_spectrum_at_k", (3, 1.0), 1.0),
        ("geo_spectrum_star_at_k", (3,), 0.408248),
        ("max_at_k", (2,), 0.95),
    ],
)
def test_documented_examples_of_the_peer(name, arguments, value):
    """Values of scorio.eval 0.2.3 documentation."""
    assert round(getattr(metrics, name)(R, *arguments), 6) == value


@pytest.mark.wide
@pytest.mark.parametrize("name", POINTS)
@given(MATRICES, st.data())
def test_points_are_means_over_all_subsets(name, matrix, data):
    k = data.draw(st.integers(1, len(matrix[0])))
    payoff = POINTS[name](k)
    truth = mean(exact.enumerated(lambda drawn: payoff[sum(drawn)], row, k) for row in matrix)
    assert exact.error(getattr(metrics, name)(matrix, k), truth) < 1e-15


@pytest.mark.wide
@pytest.mark.parametrize("k", [2, 97, 1000])
def test_points_of_a_thousand_samples_are_exact(k):
    for c, name in product([0, 1, 3, 250, 500, 501, 997, 1000], POINTS):
        got = getattr(metrics, name)(question(1000, c), k)
        if name == "auc_at_k":
            truth = exact.drawn_area(k, 1000, c)
        else:
            truth = exact.drawn(POINTS[name](k), 1000, c)
        assert exact.error(got, truth) < 1e-12, (name, c)


@pytest.mark.wide
@pytest.mark.parametrize("k", [63, 10_000])
def test_points_of_ten_thousand_samples_are_exact(k):
    for c in (0, 5, 5000, 9990):
        tally = question(10_000, c)
        assert exact.error(metrics.auc_at_k(tally, k), exact.drawn_area(k, 10_000, c)) < 1e-12
        for name in ("pass_at_k", "pass_hat_k", "maj_at_k"):
            truth = exact.drawn(POINTS[name](k), 10_000, c)
            assert exact.error(getattr(metrics, name)(tally, k), truth) < 1e-12, (name, c)


@pytest.mark.parametrize("n", [200_000, 1_000_000])
def test_points_of_very_many_samples_are_exact(n):
    """The peer errs by up to 7e-12 here."""
    few = exact.mp.fprod(exact.mpf(n // 2 - i) / (n - i) for i in range(5))
    assert exact.error(metrics.pass_at_k(question(n, 5), n // 2), 1 - few) < 1e-13
    h, log = n // 4, exact.mp.loggamma
    ways = 2 * (log(n // 2 + 1) - log(h + 1) - log(n // 2 - h + 1))
    tie = ways - log(n + 1) + 2 * log(n // 2 + 1)
    truth = (1 - exact.mp.exp(tie)) / 2
    assert exact.error(metrics.maj_at_k(question(n, n // 2), n // 2), truth) < 1e-12


@pytest.mark.parametrize("ties", ["fail", "half", "pass"])
@given(MATRICES, st.data())
def test_a_tied_vote_earns_what_it_is_told_to(ties, matrix, data):
    k = data.draw(st.integers(1, len(matrix[0])))
    payoff = exact.majority(k, ties)
    truth = mean(exact.drawn(payoff, len(row), sum(row)) for row in matrix)
    assert exact.error(metrics.maj_at_k(matrix, k, ties), truth) < 1e-15
    whole = exact.majority(len(matrix[0]), ties)
    assert exact.error(metrics.cons_at_n(matrix, ties), mean(whole[sum(r)] for r in matrix)) < 1e-15


def test_there_are_32_thresholds_at_which_a_plain_ceiling_errs():
    assert len(DANGEROUS) == 32
    assert (Fraction(7, 25), 25) in DANGEROUS


@pytest.mark.parametrize(("tau", "k"), DANGEROUS)
def test_a_threshold_asks_for_its_share_and_no_more(tau, k):
    needed = int(tau * k)
    for c in (needed - 1, needed, k):
        assert metrics.g_pass_at_k_tau(question(k, c), k, float(tau)) == float(c >= needed)
    n, c = 2 * k, k
    truth = exact.drawn(exact.threshold(needed, k), n, c)
    assert exact.error(metrics.g_pass_at_k_tau(question(n, c), k, float(tau)), truth) < 1e-14


@given(st.integers(1, 64), st.data())
def test_every_share_of_k_is_the_threshold_it_says(k, data):
    j = data.draw(st.integers(1, k))
    assert metrics.g_pass_at_k_tau(question(k, j), k, j / k) == 1
    assert metrics.g_pass_at_k_tau(question(k, j - 1), k, j / k) == 0


@given(MATRICES, st.data())
def test_extreme_thresholds_are_pass_and_unanimous(matrix, data):
    k = data.draw(st.integers(1, len(matrix[0])))
    at = lambda tau: metrics.g_pass_at_k_tau(matrix, k, tau)  # noqa: E731
    assert at(0) == at(0.5 / k) == metrics.pass_at_k(matrix, k)
    assert at(1) == metrics.pass_hat_k(matrix, k)
    assert at((k // 2 + 1) / k) == metrics.maj_at_k(matrix, k)


def test_mean_threshold_is_the_mean_of_the_thresholds_above_half():
    """Liu et al. 2024: (2 / k) times the sum of G-Pass@k_{i/k} over i > k/2."""
    for k in range(1, 6):
        parts = [metrics.g_pass_at_k_tau(R, k, i / k) for i in range((k + 1) // 2 + 1, k + 1)]
        assert metrics.mg_pass_at_k(R, k) == pytest.approx(2 / k * sum(parts), abs=1e-15)
    assert metrics.mg_pass_at_k([[1, 1, 1]], 1) == 0
    assert metrics.mg_pass_at_k([[1, 1, 1]], 3) == pytest.approx(2 / 3)


@given(MATRICES, st.data())
def test_a_spectrum_weighs_thresholds(matrix, data):
    k = data.draw(st.integers(1, len(matrix[0])))
    raw = data.draw(st.lists(st.integers(0, 5), min_size=k, max_size=k))
    weights = [x / max(1, sum(raw)) * 0.999 for x in raw]
    truth = mean(exact.drawn(exact.spectrum(weights), len(row), sum(row)) for row in matrix)
    got = metrics.threshold_spectrum_at_k(matrix, k, weights)
    assert exact.error(got, truth) < 1e-15
    first = [1.0] + [0.0] * (k - 1)
    assert metrics.threshold_spectrum_at_k(matrix, k, first) == metrics.pass_at_k(matrix, k)


def test_weights_that_round_to_more_than_one_earn_one():
    """The peer returns 1.0000000000005."""
    assert metrics.threshold_spectrum_at_k([[1, 1]], 2, [0.5, 0.5 + 5e-13]) == 1


@given(MATRICES, st.data())
def test_blends_are_products_of_powers(matrix, data):
    n, m = len(matrix[0]), len(matrix)
    k = data.draw(st.integers(1, n))
    a, b = (data.draw(st.floats(0.01, 3)) for _ in range(2))
    counts = [sum(row) for row in matrix]
    passed, unanimous, spectrum = (
        [exact.number(exact.drawn(payoff, n, c)) for c in counts]
        for payoff in (exact.threshold(1, k), exact.threshold(k, k), exact.mean_threshold(k))
    )
    each = sum(p**a * u**b for p, u in zip(passed, unanimous, strict=True)) / m
    p, u, s = (sum(x) / m for x in (passed, unanimous, spectrum))
    lam = a / 3
    assert exact.error(metrics.geom_at_k(matrix, k, a, b), each) < 1e-14
    assert exact.error(metrics.geom_ds_at_k(matrix, k, a, b), p**a * u**b) < 1e-14
    got = metrics.geo_spectrum_at_k(matrix, k, lam)
    assert exact.error(got, p**lam * s ** (1 - exact.mpf(lam))) < 1e-14
    assert metrics.geo_spectrum_at_k(matrix, k, lambda_=lam) == got
    assert metrics.geo_spectrum_star_at_k(matrix, k) == metrics.geo_spectrum_at_k(matrix, k)


def test_a_blend_whose_spectrum_has_no_weight_ignores_the_spectrum():
    assert metrics.geo_spectrum_at_k(R, 2, 1, weights="anything") == metrics.pass_at_k(R, 2)
    assert metrics.geo_spectrum_at_k(R, 2, 0, [0, 1]) == pytest.approx(metrics.pass_hat_k(R, 2))


@pytest.mark.parametrize("blend", [metrics.geom_at_k, metrics.geom_ds_at_k])
def test_negative_powers_divide_unless_there_is_nothing_to_divide(blend):
    assert blend([[1, 1, 0]], 2, -1, 1) == pytest.approx(1 / 3)
    assert blend([[1, 1, 0]], 2, 1, -1) == pytest.approx(3)
    assert blend([[0, 0, 0]], 2, -1, 1) == 0, "both bases 0, the other power positive"
    with pytest.raises(MetricError, match="negative power of 0 is undefined"):
        blend([[1, 0, 0]], 2, 1, -1)
    with pytest.raises(MetricError, match="must not both be 0"):
        blend(R, 2, 0, 0)


def test_aisbench_consensus_counts_over_all_samples_and_warns_below_n():
    """n = 16, k = 4: AISBench takes 3 right of 16 for a majority of 4."""
    matrix = [[1] * 3 + [0] * 13]
    with pytest.warns(UserWarning, match=r"cons@4 counts right answers among all 16 samples"):
        assert metrics.aisbench_cons_at_k(matrix, 4) == 1
    assert metrics.maj_at_k(matrix, 4) < 0.03
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metrics.aisbench_cons_at_k(matrix, 16) == metrics.cons_at_n(matrix) == 0


def test_tied_votes_are_right_or_wrong_by_the_convention():
    """AISBench and scorio ask for more than half; the evaluation lesson for half."""
    matrix = [[1, 1, 0, 0], [1, 1, 1, 0]]
    assert metrics.cons_at_n(matrix) == 0.5
    assert metrics.cons_at_n(matrix, "pass") == 1
    assert metrics.cons_at_n(matrix, "half") == 0.75


def test_worked_examples():
    assert metrics.pass_at_k(question(5, 3), 2) == pytest.approx(0.9)
    assert metrics.avg([[1] * 20 + [0] * 80])[0] == pytest.approx(0.2)
    four = Tally.of_questions(3, [2, 2, 1, 0])
    assert metrics.pass_at_k(four, 3) == 0.75
    assert metrics.avg(four)[0] == pytest.approx(5 / 12)
    assert metrics.cons_at_n(four) == 0.5
    for counts, average, consensus in [((2, 2), 2 / 3, 1), ((1, 1), 1 / 3, 0), ((3, 0), 0.5, 0.5)]:
        tally = Tally.of_questions(3, counts)
        assert metrics.avg(tally)[0] == pytest.approx(average)
        assert metrics.cons_at_n(tally) == consensus


@given(MATRICES)
def test_passing_once_is_no_harder_than_passing_on_average_or_by_vote(matrix):
    best = metrics.pass_at_k(matrix, len(matrix[0]))
    assert best >= metrics.avg(matrix)[0] - 1e-15
    assert best >= metrics.cons_at_n(matrix)


@pytest.mark.parametrize("name", PEERS)
def test_random_matrices_agree_with_the_peer(name):
    rng = np.random.default_rng(len(name))
    for m, n in [(1, 1), (7, 5), (40, 16), (30, 64)]:
        matrix = (rng.random((m, n)) < rng.random((m, 1))).astype(int)
        for k in sorted({1, 2, n // 2, n - 1, n}):
            if 1 <= k <= n:
                extra = (rng.dirichlet(np.ones(k)) * 0.99,) if name.startswith("threshold") else ()
                got, peer = (getattr(lib, name)(matrix, k, *extra) for lib in (metrics, scorio))
                assert got == pytest.approx(peer, abs=2e-14), (n, k)
                assert isinstance(got, float)
