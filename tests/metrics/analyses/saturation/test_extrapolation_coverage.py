"""How far the line misses and how often the band holds, by simulation with known success rates.

``uv run pytest -m slow -k extrapolation_coverage -s`` prints the tables of the documents. The truth
comes from the definition of each metric and a fine grid of quantiles.
"""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from metrics import Tally, extrapolate
from tests.metrics.difficulties import BEYOND, KINDS

SEED = 20261120
SETS = 100
SIZES = [(30, 8), (100, 5), (100, 16), (500, 16)]
TIMES = np.array([1.5, 2, 3, 4, 6, 8, 12, 16])
FOUR = TIMES.tolist().index(4)

QUANTILES = (np.arange(100_000) + 0.5) / 100_000
ALIKE_A_BETA = (
    "uniform",
    "Beta(.3,.3)",
    "35 % at 0, 35 % at 1",
    "Beta(.5,5)",
    "Beta(5,.5)",
    "95 % at 0",
)
"""Difficulties that the fits were made for."""
ALL = KINDS | BEYOND
EARNED = {
    "pass@k": lambda k, p: 1 - (1 - p) ** k,
    "pass^k": lambda k, p: p**k,
    "maj@k": lambda k, p: stats.binom.sf(k / 2, k, p),
}
RULES = {
    "limits at most .15 apart": lambda ahead: ahead["apart"] <= 0.15,
    "limits at most .30 apart": lambda ahead: ahead["apart"] <= 0.30,
    "band at most .15 wide": lambda ahead: ahead["width"] <= 0.15,
    "k at most 2 n": lambda ahead: np.broadcast_to(TIMES <= 2, ahead["width"].shape),
}
"""Where a line might be drawn strong; the first is the rule of the charts."""
OFF = 0.05


@cache
def study(metric, kind, m, n):
    """Return what was foretold of many sets, arrays of shape (sets, K)."""
    rng, quantile = np.random.default_rng([SEED, m, n]), ALL[kind]
    ks = np.unique((TIMES * n).astype(int) - (metric == "maj@k") * (1 - (TIMES * n) % 2 > 0))
    ks = (TIMES * n).astype(int)
    if metric == "maj@k":
        ks -= 1 - ks % 2
    truth = np.array([EARNED[metric](k, quantile(QUANTILES)).mean() for k in ks])
    found = {"error": [], "held": [], "width": [], "bounded": [], "apart": []}
    refused = 0
    for _ in range(SETS):
        tally = Tally.of_questions(n, rng.binomial(n, quantile(rng.random(m))))
        ahead = extrapolate(tally, metric, ks)
        found["bounded"].append((ahead.bound_low <= truth + 1e-9) & (truth <= ahead.bound_high + 1e-9))
        if ahead.refused:
            refused += 1
            continue
        found["apart"].append(ahead.bound_high - ahead.bound_low)
        found["error"].append(ahead.value - truth)
        found["held"].append((ahead.low <= truth + 1e-9) & (truth <= ahead.high + 1e-9))
        found["width"].append(ahead.high - ahead.low)
    return {name: np.array(rows).reshape(-1, len(ks)) for name, rows in found.items()}, refused


def table(metric, kinds):
    """Print a line for each number of questions and samples; return the figures of all cells."""
    print(f"\n| {metric}, {len(kinds)} difficulties | error 4 n, mean (worst) | error 16 n | ", end="")
    print("band holds 4 n, mean / least | 16 n | limits hold, least | refused |")
    print("|---|---|---|---|---|---|---|")
    cells = {}
    for m, n in SIZES:
        rows = []
        for kind in kinds:
            found, refused = study(metric, kind, m, n)
            if not len(found["error"]):
                continue
            error = np.sqrt((found["error"] ** 2).mean(axis=0))
            rows.append((error[[FOUR, -1]], found["held"].mean(axis=0)[[FOUR, -1]], found["bounded"].mean(axis=0).min(), refused / SETS, kind))
        error, held, bounded, refused = (np.array([row[i] for row in rows]) for i in range(4))
        cells[m, n] = error, held, bounded
        limits = "–" if metric == "maj@k" else f"{bounded.min():.3f}"
        print(
            f"| {m} x {n} | "
            + " | ".join(f"{e.mean():.3f} ({e.max():.3f})" for e in error.T)
            + " | "
            + " | ".join(f"{h.mean():.3f} / {h.min():.3f}" for h in held.T)
            + f" | {limits} | {refused.mean():.1%} |   worst {rows[error[:, 1].argmax()][-1]}; band {rows[held[:, 1].argmin()][-1]}",
            flush=True,
        )
    return cells
