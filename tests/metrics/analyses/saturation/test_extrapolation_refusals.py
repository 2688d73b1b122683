"""Where more tries cannot be foretold, and what is said instead."""

import numpy as np
import pytest

from metrics import Interval, MetricError, Outcomes, Tally, extrapolate
from metrics.analyses.saturation.model import Fits
from tests.metrics.analyses.saturation.spread_tallies import METRICS, spread


def refusals(*args, **options):
    return [str(reason) for reason in extrapolate(*args, **options).refused]


@pytest.mark.parametrize(
    ("tally", "reason"),
    [
        (Tally.of_questions(1, [0, 1] * 20), "One sample per question does not show"),
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


def test_a_fit_that_contradicts_the_measured_is_refused(monkeypatch):
    def low(_fits, score, *_others):
        return 0 * score(np.array([0.5]))[:, 0] + 0.2

    monkeypatch.setattr(Fits, "line", low)
    ahead = extrapolate(spread(), "pass@k", [32])
    assert "The model does not fit: it gives pass@8 = 20.0%" in str(ahead.refused[0])
    assert np.isnan(ahead.value).all()
    assert ahead.bound_high[0] > ahead.bound_low[0]
    assert ahead.backtest is not None


@pytest.mark.wide
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


@pytest.mark.wide
@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize("rights", [(0, 500), (0, 500, 1000), (500,)])
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
        ([8, 9], "k = 8 needs no model: every question has at least 8 samples; use curve"),
        ([20, 10], "ks must ascend"),
        ([], "at least one k"),
        (12, "at least one k"),
        ([10.5], "k must be an integer"),
        ([10**9], "k must be at most"),
    ]:
        with pytest.raises(MetricError, match=message):
            extrapolate(tally, "pass@k", ks)
    with pytest.raises(MetricError, match="every question has at least 1 sample"):
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
