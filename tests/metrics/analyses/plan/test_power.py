"""How surely a plan says that a difference is shown, against simulated comparisons."""

from itertools import product

import numpy as np
import pytest

from metrics import JointTally, Outcomes, compare, plan
from metrics.analyses.plan.pilot import Gains
from metrics.intervals.paired import MeanDifference

MANY, SETS = 400_000, 3000
SIZES = {30: 0.065, 100: 0.04, 500: 0.025}
"""Questions, and how far the plan may be off."""
REPAIRED = [(0.9, 0.08, 1.0), (0.9, 0.08, 0.6), (0.8, 0.15, 0.6), (0.95, 0.05, 0.3)]
"""Shares of hopeless questions, and of repaired ones, and what these are then solved in."""
METRICS = [
    (1, "avg@n", None),
    (8, "avg@n", None),
    (8, "pass@k", 4),
    (8, "pass@k", 8),
    (16, "pass@k", 4),
    (8, "pass^k", 4),
    (8, "cons@n", None),
]


def difficulties(rng):
    return {
        "uniform": rng.beta(1, 1, MANY),
        "either way": rng.beta(0.3, 0.3, MANY),
        "easy": rng.beta(5, 0.5, MANY),
        "hard": rng.beta(0.5, 5, MANY),
        "mixed": np.where(rng.random(MANY) < 0.7, rng.integers(0, 2, MANY), rng.beta(1, 1, MANY)),
    }


def effects(rng):
    few, noise = rng.random(MANY) < 0.1, rng.standard_normal(MANY)
    return {
        "a little on all": lambda p: p**0.85,
        "much on all": lambda p: p**0.6,
        "much on few": lambda p: np.where(few, np.minimum(1, p + 0.5), p),
        "up and down": lambda p: np.clip(p + 0.03 + 0.1 * noise, 0, 1),
    }


def pairs():
    rng = np.random.default_rng(1)
    for (name, rate), (kind, effect) in product(difficulties(rng).items(), effects(rng).items()):
        yield f"{name}, {kind}", rate, effect(rate)
    place = rng.random(MANY)
    for hopeless, repaired, to in REPAIRED:
        rate = np.where(place < hopeless, 0.0, 0.5)
        yield f"{hopeless} hopeless, {repaired} to {to}", rate, np.where(place < repaired, to, rate)


def counted(rate, other, n, rng):
    return JointTally.of_questions(n, rng.binomial(n, rate), n, rng.binomial(n, other))


def simulated(gains: Gains, m: int, rng, times=1) -> float:
    """Return how often b is surely better on m questions."""
    shares, shown = gains.shares / gains.shares.sum(), 0
    for _ in range(times):
        drawn = rng.multinomial(m, shares, size=SETS).T
        shown += (MeanDifference(gains.expected, drawn).limits(0.95)[0] > 0).sum()
    return float(shown / (times * SETS))


def errors(cells, title):
    """Print the worst of several cells; return how far off the plan is in each."""
    found = np.array([foretold - shown for *_, foretold, shown in cells])
    *cell, foretold, shown = cells[int(np.abs(found).argmax())]
    rms = np.sqrt((found**2).mean())
    print(f"\n{title}, {len(cells)} cells: mean {found.mean():.3f}, root mean square {rms:.3f}")
    print(f"worst {found[np.abs(found).argmax()]:+.3f}: {cell}, {foretold:.3f} for {shown:.3f}")
    return found


def test_simulated_intervals_are_those_of_compare():
    rng = np.random.default_rng(4)
    joint = counted(*rng.beta(1, 1, (2, 50)), 2, rng)
    gains = plan(joint).gains(2)
    low = compare(joint).interval.low
    assert gains.of(50).limits(0.95)[0] == pytest.approx(low)


@pytest.mark.slow
@pytest.mark.parametrize("m", SIZES)
def test_the_chance_is_that_of_simulated_comparisons(m):
    """A cell that seems off by more than half of what is allowed is told by ten times the sets."""
    rng = np.random.default_rng(2)
    cells = []
    for (name, rate, other), (n, metric, k) in product(pairs(), METRICS):
        found = plan(counted(rate, other, n, rng), metric=metric, k=k)
        if found.value > 0:
            foretold, gains = found.chance(found.value, m), found.gains(n)
            shown = simulated(gains, m, rng, 2)
            if abs(foretold - shown) > SIZES[m] / 2:
                shown = simulated(gains, m, rng, 20)
            cells.append((name, n, metric, k, foretold, shown))
    off = np.abs(errors(cells, f"{m} questions"))
    assert off.max() < SIZES[m]
    assert np.sqrt((off**2).mean()) < 0.015


@pytest.mark.slow
@pytest.mark.parametrize("m", SIZES)
def test_more_samples_are_foretold_from_few(m):
    rng = np.random.default_rng(3)
    asked = [("avg@n", None), ("pass@k", 4), ("pass^k", 2), ("maj@k", 3)]
    cells = []
    for (name, rate, other), (metric, k), n in product(pairs(), asked, (16, 32, 128)):
        pilot = plan(counted(rate, other, 8, rng), metric=metric, k=k)
        truth = plan(counted(rate, other, n, rng), metric=metric, k=k)
        if pilot.value > 0:
            foretold = pilot.chance(pilot.value, m, n)
            cells.append((name, n, metric, k, foretold, simulated(truth.gains(n), m, rng)))
    off = errors(cells, f"{m} questions, more samples than the pilot's 8")
    assert np.abs(off).max() < 0.23
    assert np.sqrt((off**2).mean()) < 0.035


@pytest.mark.slow
def test_another_difference_than_the_pilots_is_foretold_roughly():
    rng = np.random.default_rng(5)
    shift, noise = rng.random(MANY), rng.standard_normal(MANY)
    kinds = {
        "on all": [lambda p, x=x: p**x for x in (0.97, 0.85, 0.7, 0.5)],
        "on few": [
            lambda p, x=x: np.where(shift < x, np.minimum(1, p + 0.5), p)
            for x in (0.02, 0.05, 0.1, 0.2)
        ],
        "up and down": [
            lambda p, x=x: np.clip(p + x + 0.2 * noise, 0, 1) for x in (0.01, 0.03, 0.06, 0.12)
        ],
    }
    cells = []
    for (name, rate), kind, (n, metric, k) in product(
        difficulties(rng).items(), kinds, METRICS[:3]
    ):
        plans = [
            plan(counted(rate, effect(rate), n, rng), metric=metric, k=k) for effect in kinds[kind]
        ]
        for truth, pilot in product(plans, plans):
            m = truth.questions(truth.value) if truth.value > 0 else None
            if pilot is not truth and m is not None and m < 100_000:
                foretold = pilot.chance(truth.value, m)
                cells.append(
                    (name, kind, n, metric, m, foretold, simulated(truth.gains(n), m, rng))
                )
    off = errors(cells, "another difference")
    assert np.abs(off).max() < 0.32
    assert np.sqrt((off**2).mean()) < 0.08


def grouped(rng, groups, size, n, shift):
    rate = rng.beta(1, 1, groups)
    better = np.clip(rate + shift + 0.15 * rng.standard_normal(groups), 0, 1)
    clusters = np.repeat(np.arange(groups), size)
    return [
        Outcomes(
            (rng.random((len(clusters), n)) < each[clusters][:, None]).astype(int),
            clusters=clusters,
        )
        for each in (rate, better)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "size", "n", "shift"),
    [(20, 5, 1, 0.15), (20, 5, 8, 0.12), (60, 5, 4, 0.06), (100, 3, 8, 0.04)],
)
def test_clusters_are_foretold(groups, size, n, shift):
    rng = np.random.default_rng(6)
    pilot = plan(*grouped(rng, 4000, size, n, shift))
    foretold = pilot.chance(pilot.value, groups * size)
    sets = (compare(*grouped(rng, groups, size, n, shift)) for _ in range(1500))
    shown = np.mean([found.interval.low > 0 for found in sets])
    print(f"\n{groups} clusters of {size}, {n} samples: {foretold:.3f}, simulated {shown:.3f}")
    assert foretold == pytest.approx(shown, abs=0.09)
