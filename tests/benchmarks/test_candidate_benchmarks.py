"""How long picking by a signal and votes by answer take for many questions, at every k."""

from time import thread_time

import numpy as np
import pytest

from metrics import Outcomes, curve, selected

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
