"""What half of the samples would have foretold of all."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from metrics import Tally, estimate, extrapolate
from metrics.analyses.saturation.refusals import backtest_caveats
from metrics.analyses.saturation.thinning import FractionalTally
from metrics.data.results import Backtest, Interval
from tests.metrics import exact
from tests.metrics.analyses.saturation.spread_tallies import METRICS, RNG, ragged, spread


def test_thinning_is_the_mean_over_all_ways_to_pick():
    counts = FractionalTally.of(ragged())
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
    thin = FractionalTally.of(tally).thinned(6)
    for k in (1, 3, 6):
        earned = [1 - comb(6 - j, k) / comb(6, k) for j in range(7)]
        whole = estimate(tally, "pass@k", k).value
        assert thin.questions @ earned / thin.total == pytest.approx(whole, abs=1e-12)


@pytest.mark.wide
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
    measured = Interval(0.58, 0.66)
    (said,) = backtest_caveats("pass@16", Backtest(8, 16, 0.57, 0.62), measured)
    assert "Half of the samples would have predicted pass@16 = 57.0%" in str(said)
    assert list(backtest_caveats("pass@16", Backtest(8, 16, 0.6, 0.62), measured)) == []
    calm = extrapolate(spread(500, 16), "pass@k", [64])
    assert not any("Half of the samples" in str(caveat) for caveat in calm.caveats)


def test_two_kinds_of_questions_are_foretold_from_half():
    """Half of the questions hardly solvable and half often: no Beta distribution is like it."""
    rng = RNG(3)
    tally = Tally.of_questions(16, rng.binomial(16, np.repeat([0.02, 0.7], 2500)))
    ahead = extrapolate(tally, "pass@k", [64])
    assert abs(ahead.backtest.error) < 0.02
    assert ahead.value[0] == pytest.approx(1 - (0.98**64 + 0.3**64) / 2, abs=0.06)
