"""What independent tries earn, at a known rate and where rates are Beta distributed."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import stats

from metrics import MetricError, curve, independent_curve
from metrics.analyses.saturation.beta_binomial import expected_scores, shares
from metrics.analyses.saturation.independent_tries import expected_of_tries
from metrics.scoring.payoffs import all_correct, any_correct, area, majority
from tests.metrics import exact
from tests.metrics.analyses.saturation.spread_tallies import METRICS, pass_score, spread, vote_score


@pytest.mark.parametrize("k", [1, 2, 17, 1024])
def test_beta_binomial_pass_is_one_less_a_ratio_of_beta_functions(k):
    rows = np.array(list(product((-9.0, -1.0, 0.5, 7.0), repeat=2)))
    for (log_a, log_b), got in zip(
        rows, expected_scores(rows, k, pass_score(k))[:, 0], strict=True
    ):
        a, b = mp.exp(mpf(log_a)), mp.exp(mpf(log_b))
        assert exact.error(got, 1 - mp.beta(a, b + k) / mp.beta(a, b)) < 1e-13


@pytest.mark.parametrize("k", [1, 2, 7, 64])
@pytest.mark.parametrize("ties", ["fail", "half", "pass"])
def test_beta_binomial_votes_are_sums_over_the_right_tries(k, ties):
    rows = np.array([[0.0, 0.0], [-2.0, -1.0], [2.0, 1.0], [-4.0, 3.0]])
    for (log_a, log_b), got in zip(
        rows, expected_scores(rows, k, vote_score(k, ties=ties)), strict=True
    ):
        chance = exact.beta_binomial(k, float(np.exp(log_a)), float(np.exp(log_b)))
        truth = sum(
            exact.number(x) * exact.number(y)
            for x, y in zip(chance, exact.majority(k, ties), strict=True)
        )
        assert exact.error(got[0], truth) < 1e-13


def test_point_masses_are_never_and_always_solved():
    row = np.array([[0.3, -0.2, np.log(2.0), np.log(0.5)]])
    assert shares(row)[0] == pytest.approx([2 / 3.5, 0.5 / 3.5, 1 / 3.5], abs=1e-15)
    for score in (pass_score(9), vote_score(9)):
        inside = expected_scores(row[:, :2], 9, score)[0, 0]
        assert expected_scores(row, 9, score)[0, 0] == pytest.approx(
            (0.5 + inside) / 3.5, abs=1e-14
        )


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
