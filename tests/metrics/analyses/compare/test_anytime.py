"""A comparison that may be stopped at any question is wrong no more often than it says."""

from itertools import product

import numpy as np
import pytest

from metrics import MetricError, Outcomes, compare, compare_anytime
from metrics.analyses.compare.anytime import _stakes, betting_limits


def pairs(rng, m, gained, lost):
    return rng.choice([1.0, 0.0, -1.0], m, p=[gained, 1 - gained - lost, lost])


@pytest.mark.parametrize("m", [0.3, 0.5, 0.62])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_gambler_gains_on_average_where_the_mean_is_what_was_said(m, sign):
    """Over all ways in which six questions may come out, by the bets that the limits place."""
    shares = {0.0: 0.75 * (1 - m), 0.5: 0.0, 1.0: 0.75 * m}
    shares[0.5] = 1 - sum(shares.values())
    centre = sum(x * p for x, p in shares.items())
    whole = 0.0
    for way in product(shares, repeat=6):
        x = np.array(way)
        edge = centre if sign > 0 else 1 - centre
        bets = np.minimum(_stakes(x, 0.05), 0.5 / edge)
        whole += np.prod([shares[each] for each in way]) * np.prod(1 + sign * bets * (x - centre))
    assert whole == pytest.approx(1, abs=1e-12)


def test_what_was_known_does_not_change_as_more_comes_in():
    x = (1 + pairs(np.random.default_rng(0), 1200, 0.2, 0.1)) / 2
    low, high = betting_limits(x, 0.95)
    for so_far in (1, 40, 512, 700):
        early = betting_limits(x[:so_far], 0.95)
        np.testing.assert_array_equal(early, (low[:so_far], high[:so_far]))
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    narrower = betting_limits(x, 0.8)
    assert (narrower[0] >= low).all()
    assert (narrower[1] <= high).all()


def test_a_comparison_is_that_of_the_differences_question_by_question():
    rng = np.random.default_rng(1)
    a, b = (rng.random((80, 4)) < 0.3).astype(int), (rng.random((80, 4)) < 0.7).astype(int)
    found, gained = compare_anytime(a, b), (b - a).mean(axis=1)
    low, high = betting_limits((1 + gained) / 2, 0.95)
    np.testing.assert_allclose(found.low, 2 * low - 1)
    np.testing.assert_allclose(found.high, 2 * high - 1)
    assert found.value[-1] == pytest.approx(compare(a, b).value)
    assert found.low[-1] < compare(a, b).interval.low
    assert found.decided == 1 + np.argmax(found.low > 0)
    assert found.within(0.1) < found.decided
    assert compare_anytime(b, a).within(0.1) is None
    assert compare_anytime(a, a).decided is None
    assert found.to_frame()["n"].tolist() == list(range(1, 81))


def test_questions_of_a_cluster_count_as_one_when_the_first_comes():
    rng = np.random.default_rng(2)
    a, b = ((rng.random((60, 2)) < rate).astype(int) for rate in (0.3, 0.6))
    clusters = np.roll(np.arange(60) // 3, 7)
    found = compare_anytime(Outcomes(a, clusters=clusters), Outcomes(b, clusters=clusters))
    gained = (b - a).mean(axis=1)
    order = list(dict.fromkeys(clusters.tolist()))
    means = [gained[clusters == each].mean() for each in order]
    np.testing.assert_allclose(found.value, np.cumsum(means) / np.arange(1, 21))


def test_what_cannot_be_bet_on_is_refused():
    one = np.ones((5, 2), int)
    with pytest.raises(MetricError, match="not a mean of scores"):
        compare_anytime(one, one, "geom-ds@k")
    with pytest.raises(MetricError, match="on the same questions"):
        compare_anytime(Outcomes(one).tally(), Outcomes(one).tally())


KINDS = {
    "10 % gained, 10 % lost": (0.1, 0.1),
    "2 % gained, 2 % lost": (0.02, 0.02),
    "45 % gained, 45 % lost": (0.45, 0.45),
    "2 % gained": (0.02, 0.0),
    "4 % gained, 2 % lost": (0.04, 0.02),
    "10 % gained, 5 % lost": (0.1, 0.05),
    "20 % gained, 10 % lost": (0.2, 0.1),
    "40 % gained, 20 % lost": (0.4, 0.2),
}


def study(gained, lost, sets, m, seed):
    """Share that was ever wrong, by betting and by the interval of a fixed number; and the ends."""
    rng, wrong, naive, ends = np.random.default_rng([seed, m]), 0, 0, []
    truth, n = gained - lost, np.arange(1, m + 1)
    for _ in range(sets):
        d = pairs(rng, m, gained, lost)
        low, high = (2 * end - 1 for end in betting_limits((1 + d) / 2, 0.95))
        wrong += bool(((low > truth) | (high < truth)).any())
        mean = np.cumsum(d) / n
        error = 1.96 * np.sqrt(np.maximum(np.cumsum(d**2) / n - mean**2, 0) / n)
        naive += bool((np.abs(mean - truth) > error)[30:].any())
        sure = (low > 0) | (high < 0)
        ends.append(1 + sure.argmax() if sure.any() else np.inf)
    return wrong / sets, naive / sets, np.array(ends)


@pytest.mark.wide
@pytest.mark.parametrize("kind", ["10 % gained, 10 % lost", "45 % gained, 45 % lost"])
def test_looking_after_each_question_misleads_no_more_often_than_said(kind):
    wrong, naive, _ = study(*KINDS[kind], 60, 200, 0)
    assert wrong <= 0.1
    assert naive > 0.15


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_of_1000_questions_none_misleads_more_often_than_said(kind):
    """``-s`` prints how often a look misled, and after how many questions it was decided."""
    sets = 1000
    wrong, naive, ends = study(*KINDS[kind], sets, 1000, 1)
    quarter, half = (np.quantile(ends, share, method="higher") for share in (0.25, 0.5))
    print(
        f"\n{kind}: {wrong:.3f}, naive {naive:.3f}; {np.isfinite(ends).mean():.2f} decided, ",
        end="",
    )
    print(f"a quarter after {quarter:g}, half after {half:g}")
    assert wrong <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / sets)
