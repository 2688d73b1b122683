"""How often the intervals of picking by a signal hold the truth, by simulation."""

import numpy as np
import pytest
from scipy.special import ndtr

from metrics import Interval, ranking_quality, selected, selection_efficiency
from tests.metrics.coverage.coverage_study import (
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
    promised,
)
from tests.metrics.difficulties import of_kinds

DIFFICULTIES = of_kinds("uniform", "Beta(.3,.3)", "Beta(.5,5)", "90 % at 1", "all .3")
SIZES = [(30, 8), (100, 8), (100, 16), (300, 8)]
SIGNALS = {"fair": (1.0, 0.02), "five grades": (1.5, 1.5), "harmful": (-1.0, 0.02)}
"""How much higher the signal of a right sample is, in standard deviations, and its step."""


def levels(gap, step):
    """The chance of each level of the signal, for wrong and for right samples."""
    ends = np.arange(-6.0 - 2, 6.0 + 2 + step, step)
    return [np.diff(ndtr(ends - middle), prepend=0, append=1) for middle in (0.0, gap)]


def sampled_signal(rng, right, gap, step):
    return np.floor((rng.normal(size=right.shape) + gap * right) / step)


def picked(k, p, gap, step):
    """The chance that the best of k is right, by the level of the best."""
    wrong, right = levels(gap, step)
    rows = []
    for rate in p:
        mixed = rate * right + (1 - rate) * wrong
        reached = np.minimum(np.cumsum(mixed), 1) ** k
        share = np.divide(rate * right, mixed, out=np.zeros_like(mixed), where=mixed > 0)
        rows.append(share @ np.diff(reached, prepend=0))
    return np.array(rows)


def outranks(gap, step):
    """The chance that a right sample outranks a wrong one."""
    wrong, right = levels(gap, step)
    return right @ (np.cumsum(wrong) - wrong / 2)


@pytest.mark.slow
@pytest.mark.parametrize("signal", SIGNALS)
def test_picking_by_a_signal(signal):
    gap, step = SIGNALS[signal]
    least, grid = {}, np.linspace(0, 1, 401)
    for name, quantile in DIFFICULTIES.items():
        for m, n in SIZES:
            rng, ks = np.random.default_rng(SEED), [2, n // 2, n]
            tables = {k: picked(k, grid, gap, step) for k in ks}
            everywhere = quantile(QUANTILES)
            solved = 1 - (1 - everywhere) ** n
            gains = np.interp(everywhere, grid, tables[n]) - everywhere
            efficiency = gains.mean() / (solved - everywhere).mean()
            hits = {}
            for _ in range(REPETITIONS):
                p = quantile(rng.random(m))
                right = (rng.random((m, n)) < p[:, None]).astype(int)
                by = sampled_signal(rng, right, gap, step)
                for target, rates in (("population", everywhere), ("benchmark", p)):
                    found = selected(right, by, ks, target=target)
                    for k, ends in zip(ks, zip(found.low, found.high, strict=True), strict=True):
                        truth = np.interp(rates, grid, tables[k]).mean()
                        hits.setdefault((target, k), []).append(holds(Interval(*ends), truth))
                if ((right.sum(axis=1) % n) > 0).any():
                    ranked = ranking_quality(right, by).interval
                    hits.setdefault(("ranking", 0), []).append(holds(ranked, outranks(gap, step)))
                    part = selection_efficiency(right, by).interval
                    held = part is None or holds(part, efficiency)
                    hits.setdefault(("efficiency", n), []).append(held)
            for (kind, k), held in hits.items():
                draws = {2: "two", n // 2: "half", n: "all"}.get(k, "")
                cell = (np.mean(held), name, m, n)
                least.setdefault((kind, draws), []).append(
                    (cell, promised("benchmark" if kind == "benchmark" else "population", k, n))
                )
    for (kind, draws), cells in least.items():
        print(f"\n{signal}, {kind} {draws}: least {min(cell for cell, _ in cells)}")
    for cells in least.values():
        assert all(cell[0] > floor - NOISE for cell, floor in cells), min(cells)
