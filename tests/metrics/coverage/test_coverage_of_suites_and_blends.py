"""How often a difference lies in its interval: of two suites, and of two blends of means."""

import numpy as np
import pytest

from metrics import JointTally, compare, compare_suite
from metrics.scoring.blends import power_blend

DIFFICULTIES = {
    "uniform": lambda rng, m: rng.beta(1, 1, m),
    "hard": lambda rng, m: rng.beta(0.5, 5, m),
    "easy": lambda rng, m: rng.beta(5, 0.5, m),
    "polar": lambda rng, m: np.where(rng.random(m) < 0.7, 0.02, 0.98),
    "alike": lambda rng, m: np.full(m, 0.3),
    "saturated": lambda rng, m: np.where(rng.random(m) < 0.9, 1.0, rng.beta(2, 2, m)),
}
SETS, MANY = 400, 400_000


def drawn(rng: np.random.Generator, rate: np.ndarray, n: int, power: float) -> JointTally:
    right = rng.binomial(n, rate), rng.binomial(n, rate**power)
    return JointTally.of_questions(n, right[0], n, right[1])


@pytest.mark.slow
@pytest.mark.parametrize("power", [1.0, 0.7])
@pytest.mark.parametrize("name", DIFFICULTIES)
@pytest.mark.parametrize(("m", "n", "k"), [(10, 8, 4), (30, 4, 4), (30, 8, 4), (100, 8, 8)])
def test_blends(m, n, k, name, power):
    rng = np.random.default_rng(m + n)
    rate = DIFFICULTIES[name](rng, MANY)

    def blend(p: np.ndarray) -> float:
        return float(power_blend((1 - (1 - p) ** k).mean(), (p**k).mean(), 0.5, 0.5))

    true, held = blend(rate**power) - blend(rate), 0
    for _ in range(SETS):
        joint = drawn(rng, DIFFICULTIES[name](rng, m), n, power)
        low, high = compare(joint, metric="geom-ds@k", k=k).interval
        held += low <= true <= high
    print(f"\ngeom-ds@{k}, {m} x {n}, {name}, {power}: {held / SETS:.3f}")
    assert held / SETS >= 0.91


@pytest.mark.slow
@pytest.mark.parametrize("power", [1.0, 0.7])
@pytest.mark.parametrize("name", DIFFICULTIES)
@pytest.mark.parametrize(
    "sizes", [(30, 30), (20, 100, 300), (30,) * 10, (10, 20, 50, 200) * 5, (20,) * 57]
)
def test_suites(sizes, name, power):
    rng = np.random.default_rng(len(sizes))
    rate = DIFFICULTIES[name](rng, MANY)
    true, held, width = float((rate**power - rate).mean()), 0, 0.0
    for _ in range(SETS):
        suite = {
            str(i): drawn(rng, DIFFICULTIES[name](rng, m), 4, power) for i, m in enumerate(sizes)
        }
        low, high = compare_suite(suite, dict.fromkeys(suite)).interval
        held += low <= true <= high
        width += (high - low) / SETS
    print(f"\n{len(sizes)} datasets, {name}, {power}: {held / SETS:.3f}, width {width:.3f}")
    assert held / SETS >= 0.91


@pytest.mark.slow
@pytest.mark.parametrize("power", [1.0, 0.7])
@pytest.mark.parametrize("name", DIFFICULTIES)
@pytest.mark.parametrize(
    ("n", "metric", "k"), [(4, "avg@n", None), (8, "pass@k", 4), (4, "pass@k", 4)]
)
@pytest.mark.parametrize("sizes", [(30, 30), (20, 100, 300), (30,) * 10])
def test_suites_of_these_questions(sizes, n, metric, k, name, power):
    """The questions stay, the samples are drawn anew."""
    rng = np.random.default_rng(len(sizes) + n)
    rates = [DIFFICULTIES[name](rng, m) for m in sizes]
    tries = 1 if k is None else k
    gains = [(1 - p) ** tries - (1 - p**power) ** tries for p in rates]
    true, held, width = float(np.mean([gain.mean() for gain in gains])), 0, 0.0
    for _ in range(SETS):
        suite = {str(i): drawn(rng, p, n, power) for i, p in enumerate(rates)}
        found = compare_suite(suite, dict.fromkeys(suite), metric, k, target="benchmark")
        low, high = found.interval
        held += low <= true <= high
        width += (high - low) / SETS
    cell = f"{len(sizes)} datasets, {metric} {k} of {n}, {name}, {power}"
    print(f"\nthese questions, {cell}: {held / SETS:.3f}, width {width:.3f}")
    assert held / SETS >= 0.91
