"""How often curves, and a vote against the average, hold the truth, by simulation."""

import numpy as np
import pytest
from scipy import stats

from metrics import Tally, consistency, curve
from tests.metrics.coverage.coverage_study import (
    DIFFICULTIES,
    DOUBTFUL,
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
    promised,
    truth,
)

TARGETS = "population", "benchmark"


@pytest.mark.slow
def test_a_curve_covers_point_by_point():
    rng = np.random.default_rng(SEED)
    hits, rates = np.zeros(16), stats.beta.ppf(QUANTILES, 0.5, 0.5)
    for _ in range(REPETITIONS):
        p = rng.beta(0.5, 0.5, 100)
        found = curve(rng.random((100, 16)) < p[:, None], "pass@k")
        whole = [truth("pass@k", k, 16, rates).mean() for k in found.k]
        hits += (found.low <= whole) & (whole <= found.high)
    assert np.all(hits / REPETITIONS > 0.93 - NOISE)


def in_region(polygon, point):
    """Whether a point lies left of every side, walked counter-clockwise."""
    (ax, ay), (bx, by) = polygon.T, np.roll(polygon, -1, axis=0).T
    return np.all((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) >= -1e-9)


@pytest.mark.slow
def test_a_vote_against_the_average():
    """The interval of the difference, and the joint region of average and vote."""
    rows = []
    for m, n in [(10, 4), (30, 4), (30, 5), (30, 16), (100, 5), (200, 8), (500, 16), (1319, 4)]:
        for name, quantile in DIFFICULTIES.items():
            for k in sorted({n, max(3, n // 2)}):
                rows.append((name, m, n, k, vote_coverage(quantile, m, n, k, REPETITIONS, SEED)))
    shares = np.array([row[-1] for row in rows])
    print("\n| mean / least | like these | these again |\n|---|---|---|")
    for name, columns in ("difference", (0, 1)), ("region", (2, 3)):
        cells = (f"{shares[:, i].mean():.3f} / {shares[:, i].min():.3f}" for i in columns)
        print(f"| {name} | {' | '.join(cells)} |")
    for name, m, n, k, found in rows:
        least = np.array([promised(target, k, n) for target in TARGETS] * 2)
        if np.any(found < least):
            again = vote_coverage(DIFFICULTIES[name], m, n, k, DOUBTFUL, SEED + 1)
            print(f"  {name}, {m} x {n}, k = {k}: {again}")
            assert np.all(again >= least)


def vote_coverage(quantile, m, n, k, repetitions, seed):
    """How often the difference's interval and the region hold the truth, for both targets."""
    rng, hits = np.random.default_rng(seed), np.zeros(4)
    rates = quantile(QUANTILES)
    whole = rates.mean(), truth("maj@k", k, n, rates).mean()
    for _ in range(repetitions):
        p = quantile(rng.random(m))
        tally = Tally.of_questions(n, rng.binomial(n, p))
        here = p.mean(), truth("maj@k", k, n, p).mean()
        for i, (target, (avg, cons)) in enumerate(zip(TARGETS, (whole, here), strict=True)):
            found = consistency(tally, k, target=target)
            hits[i] += holds(found.difference.interval, cons - avg)
            hits[2 + i] += in_region(found.region, (avg, cons))
    return hits / repetitions
