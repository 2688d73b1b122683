"""How often intervals of the count metrics hold the truth, by simulation with known success rates.

``uv run pytest -m slow tests/test_coverage*.py -s`` prints the tables of docs/intervals.md.
"""

from functools import lru_cache

import numpy as np
import pytest
from scipy import stats

from metrics import Tally
from tests.metrics.coverage.coverage_study import (
    DIFFICULTIES,
    DOUBTFUL,
    QUANTILES,
    REPETITIONS,
    SEED,
    both,
    geom_bank,
    holds,
    promised,
    truth,
    wins,
)

SIZES = [(2, 4), (5, 1), (10, 4), (30, 1), (30, 4), (30, 16), (30, 64), (100, 5), (200, 8)]
SIZES += [(500, 16), (1000, 5), (1319, 4)]


def cells(n):
    """Metric, k, and the options of `estimate`, for n samples."""
    half = max(2, n // 2)
    found = [("avg@n", 1, {}), ("cons@n", n, {})]
    for k in sorted({min(2, n), min(half, n), n}):
        found += [("pass@k", k, {}), ("pass^k", k, {})]
    if n >= 3:
        found += [("maj@k", 3, {}), ("auc@k", n, {}), ("max@k", half, {}), ("geom@k", half, {})]
        found += [("g-pass@k", half, {"tau": 0.5}), ("mg-pass@k", half, {}), ("mg-pass@k", n, {})]
    return found


@lru_cache
def bank_scores(metric, k, n, tau):
    """The unbiased score of c of n right, by enumeration of the hypergeometric."""
    if metric == "geom@k":
        return geom_bank(k, n)
    c = np.arange(n + 1)[:, None]
    return stats.hypergeom.pmf(np.arange(k + 1), n, c, k) @ wins(metric, k)


def usual(tally, metric, k, n, rng):
    """The CLT interval and the percentile bootstrap of questions."""
    scores, m = bank_scores(metric, k, n, 0.5)[tally.c], tally.n_questions
    mean = tally.questions @ scores / m
    error = np.sqrt(np.cov(scores, fweights=tally.questions) / m) if m > 1 else 0
    drawn = rng.multinomial(m, tally.questions / m, size=400) @ scores / m
    return (mean - 1.96 * error, mean + 1.96 * error), np.quantile(drawn, [0.025, 0.975])


def study(difficulty, m, n, metrics, repetitions=REPETITIONS, seed=SEED):
    """Yield each metric, k and coverage: like these, these again, CLT and bootstrap."""
    rng, quantile = np.random.default_rng(seed), DIFFICULTIES[difficulty]
    whole = [truth(metric, k, n, quantile(QUANTILES)).mean() for metric, k, _ in metrics]
    hits = np.zeros((len(metrics), 4))
    for _ in range(repetitions):
        p = quantile(rng.random(m))
        tally = Tally.of_questions(n, rng.binomial(n, p))
        for i, (metric, k, options) in enumerate(metrics):
            population, benchmark = both(tally, metric, k, options)
            clt, boot = usual(tally, metric, k, n, rng)
            hits[i] += (
                holds(population.interval, whole[i]),
                holds(benchmark.interval, truth(metric, k, n, p).mean()),
                clt[0] - 1e-9 <= whole[i] <= clt[1] + 1e-9,
                boot[0] - 1e-9 <= whole[i] <= boot[1] + 1e-9,
            )
    for (metric, k, _), share in zip(metrics, hits / repetitions, strict=True):
        yield metric, k, *share


def report(title, groups):
    """Print mean and least coverage of each group as a Markdown table."""
    print(f"\n| {title}, mean / least | like these | these again | mean ± 1.96 SE | bootstrap |")
    print("|---|---|---|---|---|")
    for name, rows in groups.items():
        shares = np.array([row[-4:] for row in rows])
        pairs = zip(shares.mean(axis=0), shares.min(axis=0), strict=True)
        print(f"| {name} |", " | ".join(f"{a:.3f} / {b:.3f}" for a, b in pairs), "|")


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_count_metrics(m, n):
    rows = [(name, m, n, *cell) for name in DIFFICULTIES for cell in study(name, m, n, cells(n))]
    report("M x n", {f"{m} x {n}": rows})
    names = dict.fromkeys(row[3] for row in rows)
    report("metric", {name: [r for r in rows if r[3] == name] for name in names})
    doubtful = [
        row
        for row in rows
        if row[5] < promised("population", row[4], row[2])
        or row[6] < promised("benchmark", row[4], row[2])
    ]
    print(f"\n{len(doubtful)} of {len(rows)} cells seem short; simulated {DOUBTFUL} times:")
    for name, m, n, metric, k, *_ in doubtful:
        chosen = [cell for cell in cells(n) if cell[:2] == (metric, k)]
        (again,) = study(name, m, n, chosen, DOUBTFUL, SEED + 1)
        whole, here = again[2:4]
        print(f"  {name}, {m} x {n}, {metric}, k = {k}: like {whole:.4f}, again {here:.4f}")
        assert whole >= promised("population", k, n)
        assert here >= promised("benchmark", k, n)
    if m <= 5:
        assert min(row[7] for row in rows) < 0.5, "the usual interval must be seen to fail"
