"""How far the line misses and how often the band holds, by simulation with known success rates.

``uv run pytest -m slow -k extrapolation_coverage -s`` prints the tables of docs/intervals.md.
The truth comes from the definition of each metric and a fine grid of quantiles.
"""

import numpy as np
import pytest
from scipy import stats

from metrics import Tally, extrapolate
from tests.metrics.difficulties import of_kinds

SEED = 20261120
REPETITIONS = 150

QUANTILES = (np.arange(100_000) + 0.5) / 100_000
DIFFICULTIES = of_kinds(
    "uniform", "Beta(.3,.3)", "35 % at 0, 35 % at 1", "Beta(.5,5)", "Beta(5,.5)", "95 % at 0"
)
UNLIKE = {
    "log-uniform from .001": lambda u: 10 ** (3 * u - 3),
    "half .02, half .7": lambda u: np.where(u < 0.5, 0.02, 0.7),
}
"""Difficulties that no fit with a Beta distribution can have."""
MOST_ERROR = {(30, 16): 0.065, (100, 5): 0.055, (200, 8): 0.035, (500, 16): 0.02}
EARNED = {
    "pass@k": lambda k, p: 1 - (1 - p) ** k,
    "pass^k": lambda k, p: p**k,
    "maj@k": lambda k, p: stats.binom.sf(k / 2, k, p),
}


def study(metric, quantile, m, n, repetitions=REPETITIONS):
    """Return errors, hits and widths at 4 n and 16 n, hits of the bounds and refusals."""
    rng, odd = np.random.default_rng(SEED), metric == "maj@k"
    ks = [4 * n - odd, 16 * n - odd]
    truth = np.array([EARNED[metric](k, quantile(QUANTILES)).mean() for k in ks])
    errors, hits, widths, bounded, refused = [], [], [], [], 0
    for _ in range(repetitions):
        tally = Tally.of_questions(n, rng.binomial(n, quantile(rng.random(m))))
        ahead = extrapolate(tally, metric, ks)
        bounded.append((ahead.bound_low <= truth + 1e-9) & (truth <= ahead.bound_high + 1e-9))
        if ahead.refused:
            refused += 1
            continue
        errors.append(ahead.value - truth)
        hits.append((ahead.low <= truth + 1e-9) & (truth <= ahead.high + 1e-9))
        widths.append(ahead.high - ahead.low)
    error = np.sqrt(np.square(errors).mean(axis=0))
    return error, np.mean(hits, axis=0), np.mean(widths, axis=0), np.mean(bounded, axis=0), refused


def table(metric, difficulties):
    """Print a line for each number of questions and samples; return the figures of all cells."""
    print(
        f"\n| {metric}: M x n | error 4 n / 16 n (worst) | band holds 4 n, mean / least | ", end=""
    )
    print("16 n, mean / least | width 4 n / 16 n | bounds hold, least | refused |")
    print("|---|---|---|---|---|---|---|")
    cells = {}
    for m, n in MOST_ERROR:
        found = [study(metric, quantile, m, n) for quantile in difficulties.values()]
        error, hits, widths, bounded = (np.array([row[i] for row in found]) for i in range(4))
        refused = sum(row[4] for row in found) / (REPETITIONS * len(found))
        cells[m, n] = error, hits, bounded
        mean, least = hits.mean(axis=0), hits.min(axis=0)
        holds = "–" if metric == "maj@k" else f"{bounded.min():.3f}"
        print(
            f"| {m} x {n} | {error[:, 0].mean():.3f} / {error[:, 1].mean():.3f} "
            f"({error[:, 1].max():.3f}) | {mean[0]:.3f} / {least[0]:.3f} | "
            f"{mean[1]:.3f} / {least[1]:.3f} | {widths[:, 0].mean():.3f} / "
            f"{widths[:, 1].mean():.3f} | {holds} | {refused:.1%} |",
            flush=True,
        )
    return cells


@pytest.mark.slow
@pytest.mark.parametrize("metric", EARNED)
def test_line_and_band(metric):
    for size, (error, hits, bounded) in table(metric, DIFFICULTIES).items():
        assert error[:, 1].mean() <= MOST_ERROR[size]
        assert np.all(hits.mean(axis=0) >= 0.9)
        assert np.all(hits >= 0.8)
        if metric != "maj@k":
            assert np.all(bounded >= 0.93)


@pytest.mark.slow
def test_difficulties_unlike_any_beta_distribution():
    """The line misses and the band is wrong more often the farther it goes; the bounds hold."""
    for _, hits, bounded in table("pass@k", UNLIKE).values():
        assert np.all(bounded >= 0.93)
        assert hits[:, 0].min() >= 0.8
