"""How many samples to pay for where a signal picks one of them."""

import numpy as np
import pytest

import metrics
from metrics import MetricError, Outcomes, Way, choose_among, choose_n
from metrics.analyses.choose_n.simulation import CERTAIN, NOT_SIMULATED, one_run_reliability

RNG = np.random.default_rng(8)
RIGHT = (RNG.random((60, 8)) < RNG.random((60, 1))).astype(int)
SIGNAL = 1.5 * RIGHT + RNG.normal(size=RIGHT.shape)
COSTS = RNG.integers(1, 9, RIGHT.shape).astype(float)


def test_quality_is_that_of_the_pick_and_every_sample_is_paid_for():
    choice = choose_n(RIGHT, metric=Way(SIGNAL), cost_per_sample=COSTS)
    picked = metrics.selected(RIGHT, SIGNAL)
    table = choice.table
    assert (choice.metric, choice.stopping, choice.votes) == ("selected@k", False, False)
    assert table.n.tolist() == list(range(1, 9))
    assert table.quality == pytest.approx(picked.value)
    assert table.quality_low == pytest.approx(picked.low)
    assert table.quality_high == pytest.approx(picked.high)
    assert table.attempts == pytest.approx(table.n)
    assert table.cost == pytest.approx(table.n * COSTS.mean())
    assert np.isnan(table.independent_gain).all()
    assert choice.advice["reach"].best == "selected@8"
    said = " ".join(map(str, choice.remarks))
    assert "Quality is selected@n" in said
    assert "pass@n is out of reach" in said
    assert "Even n are left out" not in said
    assert choice.held == NOT_SIMULATED
    alike = choose_n(RIGHT, metric=Way(SIGNAL))
    assert alike.held == one_run_reliability("reach", 60, alike.mixed, "selected@k")
    assert choose_n(RIGHT, metric=Way(SIGNAL), budget=3.0).held == CERTAIN


def test_a_verdict_that_picks_is_a_check_that_pays_for_all():
    picked, checked = choose_n(RIGHT, metric=Way(RIGHT)), choose_n(RIGHT)
    assert picked.table.quality == pytest.approx(checked.table.quality)
    assert np.all(picked.table.cost[1:] > checked.table.cost[1:])
    assert "judges its own picks" in str(picked.remarks)


def test_a_signal_that_is_gamed_is_told_and_stops_early():
    right, signal = RIGHT.copy(), SIGNAL.copy()
    right[:, 0], signal[:, 0] = 0, 9.0
    choice = choose_n(right, metric=Way(signal), value_per_solved=100.0)
    assert "candidates it falls by" in str(choice.remarks)
    assert choice.n < 8
    holed = np.where(SIGNAL > 2, np.nan, SIGNAL)
    assert "have no signal" in str(choose_n(RIGHT, metric=Way(holed)).remarks)


def test_runs_are_chosen_among_by_one_pick():
    better = np.maximum(RIGHT, np.roll(RIGHT, 1, axis=1))
    runs = {"a": RIGHT, "b": better}
    found = choose_among(runs, metric=Way(SIGNAL), budget=4.0)
    assert (found.run, found.choices["b"].safe_n) == ("b", 4)
    assert {each.metric for each in found.choices.values()} == {"selected@k"}
    clustered = Outcomes(RIGHT, clusters=np.arange(60) // 3)
    wide, narrow = (choose_n(data, metric=Way(SIGNAL)).table for data in (clustered, RIGHT))
    assert wide.quality == pytest.approx(narrow.quality)
    assert np.all(wide.quality_high - wide.quality_low > narrow.quality_high - narrow.quality_low)


def test_votes_of_a_way_are_refused():
    with pytest.raises(MetricError, match="a way that picks by a signal, not for its votes"):
        choose_n(RIGHT, metric=Way(SIGNAL, "sum"))
    with pytest.raises(MetricError, match="There is no column reward"):
        choose_n(RIGHT, metric=Way("reward"))
