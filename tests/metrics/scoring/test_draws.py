"""The unbiased scores of a question, against enumeration and exact rational arithmetic."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.estimating.curves import scores_of_each_k
from metrics.scoring.draws import expected_payoff, expected_product, payoff_table
from metrics.scoring.payoffs import all_correct, any_correct, majority, share
from metrics.scoring.registry import METRICS

WINS = {
    any_correct: lambda j, k: Fraction(j >= 1),
    all_correct: lambda j, k: Fraction(j == k),
    majority: lambda j, k: Fraction(2 * j > k),
    share: lambda j, k: Fraction(j, k),
}


def enumerated(win, k, n, c):
    """The mean over every subset of k of the n samples, c of them right."""
    draws = list(combinations([1] * c + [0] * (n - c), k))
    return sum((win(sum(draw), k) for draw in draws), Fraction(0)) / len(draws)


@pytest.mark.parametrize("payoff", WINS, ids=lambda f: f.__name__)
def test_equals_enumeration_of_all_subsets(payoff):
    for n in range(1, 9):
        for k in range(1, n + 1):
            exact = [enumerated(WINS[payoff], k, n, c) for c in range(n + 1)]
            np.testing.assert_allclose(payoff_table(payoff, k, n), [*map(float, exact)], atol=1e-15)


def exact_tail(j, k, n, c):
    """P(X >= j) for X hypergeometric, by integer arithmetic."""
    first, last = max(j, 0, k - (n - c)), min(c, k)
    if first > last:
        return Fraction(0)
    total = term = comb(c, first) * comb(n - c, k - first)
    for i in range(first, last):
        term = term * (c - i) * (k - i) // ((i + 1) * (n - c - k + i + 1))
        total += term
    return Fraction(total, comb(n, k))


@pytest.mark.wide
@pytest.mark.parametrize("k", [1, 2, 333, 5000, 9999, 10_000])
def test_is_within_1e_12_at_ten_thousand_samples(k):
    n, c = 10_000, np.array([0, 1, 7, 120, 4999, 5000, 5001, 7000, 9990, 9999, 10_000])
    first = {any_correct: 1, all_correct: k, majority: k // 2 + 1}
    for payoff, j in first.items():
        got = expected_payoff(payoff(k), n, c)
        exact = [exact_tail(j, k, n, int(each)) for each in c]
        assert max(abs(Fraction(x) - y) for x, y in zip(got, exact, strict=True)) < 1e-12


@pytest.mark.parametrize(("metric", "reached"), [("pass@k", lambda k: 1), ("pass^k", lambda k: k)])
def test_all_k_at_once_are_as_exact(metric, reached):
    n, c = 10_000, np.array([0, 1, 120, 5000, 9999, 10_000])
    ks = np.array([1, 2, 333, 5000, 9999, 10_000])
    got = scores_of_each_k(METRICS[metric], ks, {}, n, c)
    for k, row in zip(ks.tolist(), got, strict=True):
        exact = [exact_tail(reached(k), k, n, int(each)) for each in c]
        assert max(abs(Fraction(x) - y) for x, y in zip(row, exact, strict=True)) < 1e-12


@given(st.integers(1, 200), st.data())
def test_scores_are_ordered_and_bounded(n, data):
    k = data.draw(st.integers(1, n))
    tables = {f: payoff_table(f, k, n) for f in WINS}
    for table in tables.values():
        assert np.all(np.diff(table) >= -1e-15)
        assert table[0] == 0
        assert table[n] == pytest.approx(1, abs=1e-15)
    assert np.all(tables[all_correct] <= tables[majority] + 1e-15)
    assert np.all(tables[majority] <= tables[any_correct] + 1e-15)
    np.testing.assert_allclose(tables[share], np.arange(n + 1) / n, atol=1e-14)


@given(st.integers(2, 60), st.data())
def test_pass_hat_mirrors_pass(n, data):
    k = data.draw(st.integers(1, n))
    all_wrong = 1 - payoff_table(any_correct, k, n)
    np.testing.assert_allclose(payoff_table(all_correct, k, n), all_wrong[::-1], atol=1e-14)


@pytest.mark.parametrize(("n", "k"), [(4, 2), (6, 3), (5, 2), (7, 3)])
def test_two_disjoint_draws_are_multiplied_by_enumeration(n, k):
    """Also where both together are all n samples; NaN where n does not hold two."""
    earned = np.arange(k + 1.0) ** 2
    for c in range(n + 1):
        right = [1] * c + [0] * (n - c)
        products = [
            earned[sum(right[i] for i in first)] * earned[sum(right[i] for i in second)]
            for first in combinations(range(n), k)
            for second in combinations([i for i in range(n) if i not in first], k)
        ]
        assert expected_product(earned, n)[c] == pytest.approx(np.mean(products), rel=1e-12)
    assert np.isnan(expected_product(np.arange(n // 2 + 2.0), n)).all()
