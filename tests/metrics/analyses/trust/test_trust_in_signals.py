"""What a signal promises, what it says of its own picks, and choices judged on other questions."""

from types import SimpleNamespace

import numpy as np
import pytest

import metrics
from metrics import MetricError, Outcomes, Way
from tests.metrics import exact
from tests.metrics.analyses.candidates.test_selected import best

RNG = np.random.default_rng(11)
P = RNG.random((50, 6))
RIGHT = (RNG.random(P.shape) < P).astype(int)
JUDGE = np.clip(P + RNG.normal(0, 0.3, P.shape), 0, 1)
OTHER = np.clip(P + RNG.normal(0, 0.3, P.shape), 0, 1)


def test_bins_hold_what_they_say():
    found = metrics.signal_calibration(RIGHT, JUDGE, bins=4)
    inside = np.minimum((JUDGE * 4).astype(int), 3)
    for row in range(4):
        here = inside == row
        assert (found.least[row], found.most[row]) == (row / 4, (row + 1) / 4)
        assert found.samples[row] == here.sum()
        assert found.signal[row] == pytest.approx(JUDGE[here].mean())
        assert found.value[row] == pytest.approx(RIGHT[here].mean())
        assert found.low[row] < found.value[row] < found.high[row]
    weights = found.samples / RIGHT.size
    assert found.error == pytest.approx(weights @ np.abs(found.value - found.signal))
    assert found.brier.value == pytest.approx(((JUDGE - RIGHT) ** 2).mean())
    assert found.excess.value == pytest.approx((JUDGE - RIGHT).mean())
    for each in (found.brier, found.excess):
        assert each.interval.low < each.value < each.interval.high
    assert "more likely too large" in str(found.caveats[0])


def test_a_calibrated_signal_errs_about_as_much_as_by_chance():
    """And one that promises too much errs by more."""
    errors, chances = [], []
    rng = np.random.default_rng(12)
    for _ in range(40):
        p = np.broadcast_to(rng.beta(2, 2, (60, 1)), (60, 8))
        found = metrics.signal_calibration((rng.random(p.shape) < p).astype(int), p)
        errors.append(found.error)
        chances.append(found.error_by_chance)
    assert np.mean(chances) == pytest.approx(np.mean(errors), rel=0.2)
    bold = metrics.signal_calibration(RIGHT, np.sqrt(P))
    assert bold.error > 2 * bold.error_by_chance
    assert bold.excess.interval.low > 0


def test_what_is_not_known_is_left_out_of_calibration():
    holed = JUDGE.copy()
    holed[0], holed[1, :2] = np.nan, np.nan
    found = metrics.signal_calibration(Outcomes(RIGHT, clusters=np.arange(50) // 2), holed)
    assert found.n_questions == 49
    assert found.samples.sum() == RIGHT.size - 8
    assert found.brier.value == pytest.approx(np.nanmean((holed - RIGHT)[1:] ** 2, axis=1).mean())
    assert "8 of 300 samples have no signal: they are left out" in str(found.caveats)
    with pytest.raises(MetricError, match=r"from 0 to 1; this signal goes from -1 to 2"):
        metrics.signal_calibration([[1, 0]], [[-1.0, 2.0]])


def test_a_signal_overrates_its_own_picks():
    found = metrics.optimism(RIGHT, JUDGE)
    for at, k in enumerate(found.k.tolist()):
        own, other = (
            sum(exact.enumerated(best, list(zip(s, y, strict=True)), k) for s, y in each) / 50
            for each in (
                list(zip(JUDGE, JUDGE, strict=True)),
                list(zip(JUDGE, RIGHT, strict=True)),
            )
        )
        assert exact.error(found.claimed[at], own) < 1e-14
        assert exact.error(found.found[at], other) < 1e-14
        assert exact.error(found.gap[at], own - other) < 1e-14
    assert found.optimism == pytest.approx(found.gap - found.gap[0], abs=1e-14)
    assert np.all(np.diff(found.optimism) > 0)
    assert found.optimism_low[-1] > 0
    assert "to that gap" in str(found.caveats[0])
    two = metrics.optimism(RIGHT, JUDGE, OTHER, [4])
    assert two.claimed[0] == pytest.approx(found.claimed[3])
    assert two.optimism_low[0] < two.optimism[0] < two.optimism_high[0]


def test_labels_of_some_samples_are_enough():
    """Labelled at random, they are candidates like all others."""
    rng = np.random.default_rng(13)
    p = rng.random((4000, 6))
    right, judge = (rng.random(p.shape) < p).astype(float), p
    labels = np.where(rng.random(p.shape) < 0.5, right, np.nan)
    run = SimpleNamespace(
        outcomes=Outcomes(right.astype(int), clusters=np.arange(4000)),
        answers=None,
        columns={"judge": judge, "human": labels},
    )
    some = metrics.optimism(run, "judge", "human", 2)
    whole = metrics.optimism(run, "judge", None, 2)
    assert some.found[0] == pytest.approx(whole.found[0], abs=0.02)
    few = (~np.isnan(labels)).sum(axis=1) < 2
    assert (some.n_dropped, some.n_questions) == (few.sum(), 4000 - few.sum())
    said = str(some.caveats)
    assert "were not hand-picked" in said
    assert f"{few.sum()} questions have fewer samples that both rate" in said


def test_optimism_that_cannot_be_said():
    with pytest.raises(MetricError, match="Only scores from 0 to 1"):
        metrics.optimism(RIGHT, 10 * JUDGE)
    half = np.where(np.arange(6) < 3, JUDGE, np.nan)
    with pytest.raises(MetricError, match="No sample is rated by both"):
        metrics.optimism(RIGHT, half, np.where(np.arange(6) < 3, np.nan, JUDGE))
    with pytest.raises(MetricError, match="No question has 4 samples that both signals rate"):
        metrics.optimism(RIGHT, half, k=4)


def test_who_judges_its_own_picks_is_told():
    judged = (JUDGE >= 0.5).astype(int)
    told = [str(metrics.selected(right, JUDGE).caveats) for right in (judged, RIGHT)]
    assert ["judges its own picks" in each for each in told] == [True, False]
    assert "judges its own" in str(metrics.selection_efficiency(judged, JUDGE).caveats)
    voted = metrics.weighted_vote(judged, JUDGE, answers=np.arange(6) + 0 * judged)
    assert "judges its own" in str(voted.caveats)
    data = Outcomes(judged, scores=JUDGE)
    assert "judges its own picks" in str(metrics.selected(data, JUDGE, soft=True).caveats)
    assert "judges its own picks" not in str(metrics.selected(data, OTHER, soft=True).caveats)


def test_halves_choose_for_one_another():
    ways = [Way(JUDGE, threshold=t) for t in (0.2, 0.5, 0.8)]
    found = metrics.nested_choice(RIGHT, ways, [2, 4, 6], splits=3, rng=5)
    scores = np.array(
        [
            [metrics.selected(RIGHT, w.threshold <= JUDGE, k).value[0] for k in (2, 4, 6)]
            for w in ways
        ]
    )
    assert found.scores == pytest.approx(scores)
    at = np.unravel_index(scores.argmax(), scores.shape)
    assert (found.place, found.k) == (at[0], [2, 4, 6][at[1]])
    assert found.way is ways[found.place]
    assert found.seen.value == pytest.approx(scores.max())
    assert found.optimism.value == pytest.approx(found.seen.value - found.value.value)
    assert found.shares.sum() == pytest.approx(1)
    again = metrics.nested_choice(RIGHT, ways, [2, 4, 6], splits=3, rng=5)
    assert again.value.value == found.value.value
    alone = metrics.nested_choice(RIGHT, [JUDGE], 6)
    assert alone.value.value == pytest.approx(alone.seen.value)
    assert alone.optimism.value == pytest.approx(0)


def test_a_choice_among_useless_signals_gains_nothing_elsewhere():
    rng = np.random.default_rng(14)
    seen, value, truth = [], [], []
    for _ in range(15):
        right = (rng.random((60, 4)) < 0.5).astype(int)
        found = metrics.nested_choice(right, [rng.random(right.shape) for _ in range(10)], splits=5)
        seen.append(found.seen.value)
        value.append(found.value.value)
        truth.append(right.mean())
    assert np.mean(seen) > np.mean(truth) + 0.05
    assert np.mean(value) == pytest.approx(np.mean(truth), abs=0.02)


def test_clusters_stay_together_in_a_half():
    """Copies of a question in both halves would let a half choose for itself."""
    rng = np.random.default_rng(15)
    right = np.repeat((rng.random((30, 4)) < 0.5).astype(int), 4, axis=0)
    signals = [np.repeat(rng.random((30, 4)), 4, axis=0) for _ in range(10)]
    clusters = np.repeat(np.arange(30), 4)
    apart = metrics.nested_choice(right, signals)
    together = metrics.nested_choice(Outcomes(right, clusters=clusters), signals)
    once = metrics.nested_choice(right[::4], [signal[::4] for signal in signals])
    assert together.value.value == pytest.approx(once.value.value)
    assert apart.optimism.value < together.optimism.value
    assert together.value.interval.high - together.value.interval.low > 0.2
    with pytest.raises(MetricError, match="at least 4 questions, or groups of them"):
        metrics.nested_choice(right[:3], [signals[0][:3]])
    with pytest.raises(MetricError, match="There is no way to choose"):
        metrics.nested_choice(right, [])
