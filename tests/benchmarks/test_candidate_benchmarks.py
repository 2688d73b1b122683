"""How long picking by a signal and votes by answer take for many questions, at every k."""

from time import thread_time

import numpy as np
import pytest

from metrics import (
    Outcomes,
    Way,
    choose_n,
    compare_ways,
    curve,
    nested_choice,
    optimism,
    selected,
    signal_calibration,
    weighted_vote,
)

pytestmark = pytest.mark.benchmark(timer=thread_time)


def answered(m, n):
    """Verdicts and answers, wrong ones among nine of unlike frequency."""
    rng = np.random.default_rng(0)
    right = rng.random((m, n)) < rng.beta(1, 2, (m, 1))
    return Outcomes(right), np.where(right, 0, np.minimum(rng.geometric(0.4, (m, n)), 9))


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("kind", ["all unlike", "in tenths"])
def test_picking(side_by_side, target, kind):
    run, _ = answered(100_000, 64)
    signal = run.correct + np.random.default_rng(1).normal(size=run.shape)
    signal = signal if kind == "all unlike" else np.round(signal, 1)
    side_by_side(
        f"selected@k for all k with intervals ({target}), signal {kind}, 100k x 64",
        lambda: selected(run, signal, target=target),
        lambda: np.argsort(signal, axis=1),
        against="np.argsort of the signal",
        limit=0.5,
    )


@pytest.mark.parametrize(("m", "n", "most", "limit"), [(1_000_000, 16, 16, 2), (100_000, 64, 8, 3)])
def test_votes(side_by_side, m, n, most, limit):
    run, answers = answered(m, n)
    side_by_side(
        f"plurality@k for k to {most} with intervals, {m // 1000}k x {n}",
        lambda: curve(run, "plurality@k", range(1, most + 1), answers=answers),
        lambda: np.argsort(answers, axis=1),
        against="np.argsort of the answers",
        limit=limit,
    )


@pytest.mark.parametrize("rule", ["sum", "mean"])
def test_weighted_votes(side_by_side, rule):
    run, answers = answered(100_000, 64)
    signal = run.correct + np.random.default_rng(1).random(size=run.shape)
    side_by_side(
        f"weighted vote ({rule}) for all k with intervals, 100k x 64",
        lambda: weighted_vote(run, signal, rule, answers=answers),
        lambda: np.argsort(answers, axis=1),
        against="np.argsort of the answers",
        limit=4,
    )


TRUST = {
    "calibration in ten bins": lambda run, one, other: signal_calibration(run, one),
    "optimism at 8 k": lambda run, one, other: optimism(
        run, one, None, [1, 2, 4, 8, 16, 32, 48, 64]
    ),
    "two signals compared at k = 16": lambda run, one, other: compare_ways(run, one, other, 16),
    "two signals and 7 k chosen on halves": lambda run, one, other: nested_choice(
        run, [one, other], [1, 2, 4, 8, 16, 32, 64]
    ),
    "n chosen where a signal picks": lambda run, one, other: choose_n(run, metric=Way(one)),
}


@pytest.mark.parametrize("name", TRUST)
def test_trust_in_a_signal(side_by_side, name):
    run, _ = answered(100_000, 64)
    rng = np.random.default_rng(1)
    one, other = ((run.correct + rng.random(run.shape)) / 2 for _ in range(2))
    side_by_side(
        f"{name}, 100k x 64",
        lambda: TRUST[name](run, one, other),
        lambda: np.argsort(one, axis=1),
        against="np.argsort of the signal",
        limit=3,
    )
