"""What more tries than there are samples would give: the line, its band and its bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import FAILED, Outcomes, Tally, estimate, extrapolate
from tests.metrics.analyses.saturation.spread_tallies import METRICS, RNG, ragged, spread


def flipped(tally):
    return Tally(tally.n, tally.n - tally.c, tally.questions)


@pytest.mark.wide
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


@pytest.mark.wide
@settings(max_examples=10)
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
        assert np.all((bounds[0, :-1] <= low) & (high <= bounds[1, :-1])), "no more than possible"
        sign = 1 if metric == "pass@k" else -1
        for each in (value, low, high, *bounds):
            assert np.all(np.diff(sign * each) >= -1e-12)


@pytest.mark.wide
@settings(max_examples=5)
@given(counts_of_questions())
def test_all_right_is_none_wrong(tally):
    ks = [tally.n_min + 2, 9 * tally.n_min, 100 * tally.n_min]
    one, other = extrapolate(tally, "pass@k", ks), extrapolate(flipped(tally), "pass^k", ks)
    assert one.value == pytest.approx(1 - other.value, abs=1e-3, nan_ok=True)
    for mine, theirs in (
        (one.bound_low, other.bound_high),
        (one.bound_high, other.bound_low),
    ):
        assert mine == pytest.approx(1 - theirs, abs=1e-9, nan_ok=True)
    assert len(one.refused) == len(other.refused)


@pytest.mark.wide
def test_the_band_of_none_wrong_is_that_of_all_right_but_for_the_luck_of_the_draws():
    def bands(tally, metric):
        every = [extrapolate(tally, metric, [12, 100], rng=seed) for seed in range(5)]
        return np.array([[each.low, each.high] for each in every])

    one, other = bands(spread(), "pass@k"), 1 - bands(flipped(spread()), "pass^k")[:, ::-1]
    error = np.sqrt((one.var(axis=0) + other.var(axis=0)) / 5)
    assert np.all(abs(one.mean(axis=0) - other.mean(axis=0)) < 4 * error + 1e-6)


@pytest.mark.wide
@pytest.mark.parametrize("metric", ["pass@k", "maj@k"])
def test_order_of_rows_and_form_of_the_data_do_not_matter(metric):
    rng = RNG(5)
    R = (rng.random((40, 6)) < rng.random((40, 1))).astype(int)
    tally = Tally.of(R)
    turned = Tally(tally.n[::-1], tally.c[::-1], tally.questions[::-1])
    first = extrapolate(R, metric, [7, 60])
    for data in (Outcomes(R[::-1]), turned):
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


@pytest.mark.wide
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


@pytest.mark.wide
def test_ties_of_votes_are_the_metrics():
    tally, ks = spread(), [10, 40]
    values = [extrapolate(tally, "maj@k", ks, ties=x).value for x in ("fail", "half", "pass")]
    assert np.all(np.diff(values, axis=0) > 0)
    odd = [extrapolate(tally, "maj@k", [11], ties=x).value[0] for x in ("fail", "pass")]
    assert odd[0] == pytest.approx(odd[1])
