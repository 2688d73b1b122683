"""How often the interval of the best of several equal runs holds what all of them are worth.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_the_best.py -s`` prints the table.
"""

import numpy as np
import pytest

from tests.metrics.coverage.coverage_study import QUANTILES, SEED
from tests.metrics.coverage.many_sets import ManySets, truth
from tests.metrics.difficulties import of_kinds

KINDS = of_kinds("uniform", "Beta(.3,.3)", "Beta(.5,5)", "Beta(5,.5)", ".02 or .98", "all .5")
SIZES = [(30, 1), (30, 8), (100, 4), (100, 16), (500, 8)]
RUNS, SETS = 10, 1000


def study(quantile, m, n, k, target, *, together):
    """Coverage of the best of 10 runs, and of any of them."""
    rng = np.random.default_rng([SEED, m, n])
    rates = np.repeat(quantile(rng.random((SETS, 1, m))), RUNS, axis=1)
    if not together:
        rates = quantile(rng.random((SETS, RUNS, m)))
    each = rates.reshape(SETS * RUNS, m)
    runs = ManySets(m, n, each, rng.binomial(n, each))
    low, high = (end[:, 0].reshape(SETS, RUNS) for end in runs.limits("pass@k", [k], target))
    best = runs.means("pass@k", [k]).reshape(SETS, RUNS).argmax(axis=1)
    true = truth("pass@k", k, quantile(QUANTILES)).mean()
    if target == "benchmark":
        true = truth("pass@k", k, rates).mean(axis=2)
    held = (low - 1e-9 <= true) & (true <= high + 1e-9)
    return held[np.arange(SETS), best].mean(), held.mean()


@pytest.mark.slow
def test_the_best_of_ten():
    print("\n| best of 10, mean / least | the best | any |\n|---|---|---|")
    for name, target, together in (
        ("like these, the same questions", "population", True),
        ("like these, questions of their own", "population", False),
        ("these again", "benchmark", True),
    ):
        found = np.array(
            [
                study(quantile, m, n, k, target, together=together)
                for quantile in KINDS.values()
                for m, n in SIZES
                for k in sorted({1, n})
                if target == "population" or n > 1
            ]
        )
        cells = " | ".join(f"{c.mean():.3f} / {c.min():.3f}" for c in found.T)
        print(f"| {name} | {cells} |")
        assert found[:, 1].min() >= 0.92
        assert 0.6 < found[:, 0].min() < 0.93
