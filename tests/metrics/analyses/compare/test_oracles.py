"""Comparisons against other software, and against counting one by one."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from metrics import FAILED, Outcomes, compare
from metrics.analyses.compare.difference import exact_mcnemar
from metrics.intervals.inversion import holm


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        (121, 59, 0.000004),
        (70, 59, 0.378688),
        (80, 59, 0.089452),
        (30, 60, 0.00206),
        (10, 30, 0.002221),
        (10, 10, 1.0),
    ],
)
def test_mcnemar_is_that_of_statsmodels(wins, losses, p):
    """Its own tests have these, from the calculator of Vassar College."""
    assert exact_mcnemar(wins, losses) == pytest.approx(p, abs=5e-7)


def test_mcnemar_is_scipys_binomial_test():
    for wins, losses in [(0, 0), (0, 1), (3, 12), (40, 41), (500, 400)]:
        n = wins + losses
        expected = stats.binomtest(wins, n).pvalue if n else 1.0
        assert exact_mcnemar(wins, losses) == pytest.approx(expected)


def test_holm_is_that_of_r():
    """As multtest of R gives them, by the tests of statsmodels."""
    p = [0.838541367553, 0.642193923795, 0.680845947633, 0.967833824309, 0.71626938238]
    p += [0.177096952723, 5.23656777208e-5, 0.0202732688798, 0.00028140506198, 0.0149877310796]
    expected = [1.0] * 6 + [5.23656777208e-4, 0.1419128821586, 0.0025326455578, 0.119901848637]
    assert holm(p) == pytest.approx(expected)


def test_holm_rejects_what_every_set_of_claims_does():
    """The closed test: a claim falls where each set that holds it has a p below error / size."""
    for seed in range(20):
        p = np.random.default_rng(seed).random(5) ** 3
        for claim, adjusted in enumerate(holm(p.tolist())):
            others = [place for place in range(5) if place != claim]
            sets = [[claim, *more] for size in range(5) for more in combinations(others, size)]
            closed = max(min(1.0, len(each) * p[each].min()) for each in sets)
            assert adjusted == pytest.approx(closed)


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 2)])
def test_of_many_questions_it_is_the_paired_t_test(metric, k):
    rng = np.random.default_rng(0)
    rate = rng.beta(1, 1, (5000, 1))
    a, b = ((rng.random((5000, 4)) < each).astype(int) for each in (rate, rate**0.96))
    found = compare(a, b, metric, k)
    wrong = [4 - each.sum(axis=1) for each in (a, b)]
    scores = [each.mean(axis=1) for each in (a, b)]
    if k == 2:
        scores = [1 - w * (w - 1) / 12 for w in wrong]
    test = stats.ttest_rel(scores[1], scores[0])
    assert found.interval == pytest.approx(tuple(test.confidence_interval()), abs=2e-4)
    assert found.p_value == pytest.approx(test.pvalue, rel=0.1)


@pytest.mark.wide
@pytest.mark.parametrize("gain", [0.0, 0.2, 0.5])
def test_of_few_questions_it_is_sure_of_little_that_signs_do_not_show(gain):
    """Against the exact test that flips the sign of every difference."""
    for seed in range(15):
        rng = np.random.default_rng(seed)
        rate = rng.beta(1, 1, (12, 1))
        a, b = ((rng.random((12, 4)) < each).astype(int) for each in (rate, rate ** (1 - gain)))
        found = compare(a, b)
        d = b.mean(axis=1) - a.mean(axis=1)
        if found.sure:
            signs = stats.permutation_test((d,), np.mean, permutation_type="samples")
            assert signs.pvalue < 0.09


def every_draw(row, k, scored):
    draws = list(combinations([x for x in row if x >= 0], k))
    return Fraction(sum(scored(sum(draw), k) for draw in draws), len(draws))


@pytest.mark.parametrize(
    ("metric", "k", "scored"),
    [
        ("pass@k", 2, lambda right, k: right > 0),
        ("pass^k", 2, lambda right, k: right == k),
        ("maj@k", 3, lambda right, k: 2 * right > k),
        ("pass@k", 1, lambda right, k: right),
    ],
)
def test_wins_ties_and_losses_are_counted_one_by_one(metric, k, scored):
    """With questions in another order, some of one alone, and unlike numbers of samples."""
    rng = np.random.default_rng(k)
    a, b = rng.integers(0, 2, (40, 3)), rng.integers(0, 2, (35, 6))
    a[rng.random(a.shape) < 0.05] = FAILED
    ids_a = [f"q{place}" for place in range(40)]
    ids_b = [f"q{place}" for place in rng.permutation(50)[:35]]
    found = compare(Outcomes(a, questions=ids_a), Outcomes(b, questions=ids_b), metric, k)
    gains = []
    for place, name in enumerate(ids_b):
        if name in ids_a:
            other = np.maximum(a[ids_a.index(name)], 0)  # a failed request counts as wrong
            gains.append(
                every_draw(b[place].tolist(), k, scored) - every_draw(other.tolist(), k, scored)
            )
    signs = [(gain > 0) - (gain < 0) for gain in gains]
    assert (found.wins, found.ties, found.losses) == tuple(map(signs.count, (1, 0, -1)))
    assert found.ties > 0
    assert found.value == pytest.approx(float(sum(gains) / len(gains)))
    assert found.n_dropped == 75 - 2 * len(gains)
