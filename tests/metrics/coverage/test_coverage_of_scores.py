"""How often intervals of soft scores, rewards and ragged samples hold the truth, by simulation."""

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, estimate
from tests.metrics.coverage.coverage_study import (
    DIFFICULTIES,
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
    truth,
)


def sampled_scores(rng, p, n):
    """Soft scores of ten annotators' kind: 0, .3, .6, .9 or 1."""
    return LEVELS[rng.binomial(4, p[:, None], size=(len(p), n))]


LEVELS = np.array([0.0, 0.3, 0.6, 0.9, 1.0])


def soft_truth(k, p):
    """The expected best of k soft scores."""
    below = stats.binom.cdf(np.arange(4), 4, p[:, None])
    return 1 - below**k @ np.diff(LEVELS)


def soft_case(rng, p, n):
    scores = sampled_scores(rng, p, n)
    data = Outcomes((scores > 0.5).astype(int), scores)
    return data, {("soft", 1): soft_truth(1, p), ("soft-max@k", 3): soft_truth(3, p)}, {}


def reward_case(rng, p, n):
    categories = rng.binomial(2, p[:, None], size=(len(p), n))
    below = stats.binom.cdf(np.arange(2), 2, p[:, None])
    return Outcomes(categories), {("max@k", 3): 1 - (below**3).mean(axis=1)}, {"w": (0, 0.5, 1)}


def ragged_case(rng, p, n):
    sizes = rng.integers(3, n + 1, len(p))
    tally = Tally.of_questions(sizes, rng.binomial(sizes, p))
    keys = [("avg@n", 1), ("pass@k", 3), ("pass^k", 2), ("maj@k", 3)]
    return tally, {(name, k): truth(name, k, n, p) for name, k in keys}, {}


@pytest.mark.slow
@pytest.mark.parametrize("case", [soft_case, reward_case, ragged_case])
def test_other_kinds_of_scores(case):
    least = {}
    for name, quantile in DIFFICULTIES.items():
        for m, n in [(10, 4), (30, 4), (30, 16), (100, 5), (500, 8)]:
            rng = np.random.default_rng(SEED)
            _, whole, options = case(rng, quantile(QUANTILES), n)
            hits = {key: np.zeros(2) for key in whole}
            for _ in range(REPETITIONS):
                data, here, _ = case(rng, quantile(rng.random(m)), n)
                for (metric, k), value in here.items():
                    chosen = k if metric.endswith("k") else None
                    for i, expected in enumerate((whole[metric, k].mean(), value.mean())):
                        target = ("population", "benchmark")[i]
                        found = estimate(data, metric, chosen, target=target, **options)
                        hits[metric, k][i] += holds(found.interval, expected)
            for key, count in hits.items():
                least.setdefault(key, []).append((*count / REPETITIONS, name, m, n))
    for key, rows in least.items():
        whole, here = min(rows), min(rows, key=lambda row: row[1])
        print(f"\n{case.__name__} {key}: like these, least {whole}; these again, least {here}")
        assert whole[0] > 0.93 - NOISE
        assert here[1] > 0.92 - NOISE
