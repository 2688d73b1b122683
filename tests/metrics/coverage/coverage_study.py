"""Success rates of many kinds, the truth of each metric under them, and when it is covered.

The truth comes from the metric's definition, averaged over binomial probabilities by scipy's
Bernstein polynomials, not from the product.
"""

from math import ceil, comb

import numpy as np
from scipy.interpolate import BPoly

from metrics import estimate
from tests.metrics.difficulties import of_kinds

SEED = 20261120
REPETITIONS = 400
NOISE = 2.6 * np.sqrt(0.93 * 0.07 / REPETITIONS)
"""Five cells in a thousand fall further below their coverage by chance alone."""
DOUBTFUL = 4000
"""How often a cell is simulated that seemed to fall short."""

QUANTILES = (np.arange(20_000) + 0.5) / 20_000
DIFFICULTIES = of_kinds(
    "uniform",
    "Beta(.3,.3)",
    "35 % at 0, 35 % at 1",
    "Beta(.5,5)",
    "Beta(5,.5)",
    "90 % at 1",
    "95 % at 0",
    "all .3",
)


def promised(target, k, n):
    """What is promised at level .95: these questions have less where a model is asked."""
    if target == "population":
        return 0.93
    return 0.91 if 2 * k <= n else 0.90


def wins(metric, k):
    """The payoff of j right of k, from each metric's definition."""
    j = np.arange(k + 1)
    if metric == "auc@k":
        solved = [[1 - comb(k - r, i) / comb(k, i) for i in range(1, k + 1)] for r in j]
        return np.array([np.trapezoid(s) / (k - 1) if k > 1 else s[0] for s in solved])
    return {
        "avg@n": j / k,
        "pass@k": j >= 1,
        "pass^k": j == k,
        "maj@k": 2 * j > k,
        "cons@n": 2 * j > k,
        "g-pass@k": j >= ceil(k / 2),
        "mg-pass@k": 2 / k * np.maximum(j - ceil(k / 2), 0),
        "max@k": j >= 1,
    }[metric].astype(float)


def geom_bank(k, n):
    """Geom@k of a question with c of n right."""
    lost = np.array([comb(n - c, k) / comb(n, k) for c in range(n + 1)])
    return np.sqrt((1 - lost) * lost[::-1])


def truth(metric, k, n, p):
    """The expected score of questions with success rates p."""
    earned = geom_bank(k, n) if metric == "geom@k" else wins(metric, k)
    return BPoly(earned[:, None], [0, 1])(p)


def both(data, metric, k, options):
    """The intervals for both targets."""
    chosen = None if metric in ("avg@n", "cons@n") else k
    for target in ("population", "benchmark"):
        yield estimate(data, metric, chosen, target=target, **options)


def holds(interval, value):
    return interval.low - 1e-9 <= value <= interval.high + 1e-9
