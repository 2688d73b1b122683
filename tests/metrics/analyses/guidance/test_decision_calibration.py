"""How often cells of the decision matrix given a probability are right, by simulation.

``uv run pytest -m slow -k decision_calibration -s`` prints the table.
"""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from metrics import guidance
from tests.metrics.analyses.guidance.three_metrics import of_counts, place
from tests.metrics.difficulties import of_kinds

DISTRIBUTIONS = of_kinds(
    "uniform", "Beta(.3,.3)", "35 % at 0, 35 % at 1", "Beta(5,.5)", "Beta(2,1)", "Beta(1,2)"
)


@pytest.mark.slow
def test_among_draws_given_a_probability_about_so_many_are_right():
    """Calibration over distributions, sizes, and lines that know nothing of the truth."""
    rng = np.random.default_rng(20261120)
    lines = [(high, high - width) for high in np.linspace(0.35, 0.95, 7) for width in (0.1, 0.3)]
    given, right = [], []
    sizes = [(30, 4), (30, 16), (100, 5), (500, 3)]
    for quantile, (m, n) in product(DISTRIBUTIONS.values(), sizes):
        p = quantile((np.arange(4000) + 0.5) / 4000)
        c = np.arange(n + 1)
        chance = stats.binom.pmf(c, n, p[:, None]).mean(axis=0)
        truth = chance @ np.column_stack([c > 0, c / n, 2 * c > n])
        for high, low in lines * 6:
            counts = rng.binomial(n, quantile(rng.random(m)))
            found = guidance(of_counts(n, counts), high=high, low=low, resamples=2000)
            there = place(truth, high, low)
            for cell, probability in found.probability.items():
                if probability > 0.005:
                    given.append(probability)
                    right.append(cell == there)
    given, right = np.array(given), np.array(right)
    print("\n| given | cells | mean probability | share right |\n|---|---|---|---|")
    for first, last in [
        (0, 0.05),
        (0.05, 0.2),
        (0.2, 0.4),
        (0.4, 0.6),
        (0.6, 0.8),
        (0.8, 0.95),
        (0.95, 1.01),
    ]:
        inside = (given >= first) & (given < last)
        print(
            f"| {first} to {min(last, 1)} | {inside.sum()} | {given[inside].mean():.3f} "
            f"| {right[inside].mean():.3f} |"
        )
        noise = 3 * np.sqrt(given[inside].mean() * (1 - given[inside].mean()) / inside.sum())
        assert abs(given[inside].mean() - right[inside].mean()) < noise + 0.05
