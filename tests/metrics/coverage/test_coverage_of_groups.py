"""How often intervals over clusters, whole datasets and suites hold the truth, by simulation."""

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, estimate, pool
from tests.metrics.coverage.coverage_study import (
    DIFFICULTIES,
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    both,
    holds,
    truth,
)


@pytest.mark.slow
def test_clustered_questions():
    """Questions of one passage share their difficulty; ignoring that covers far too rarely."""
    rng = np.random.default_rng(SEED)
    passages, each, n = 40, 8, 4
    hits = np.zeros((3, 2))
    for _ in range(REPETITIONS):
        p = np.repeat(rng.beta(0.8, 0.8, passages), each)
        correct = rng.random((len(p), n)) < p[:, None]
        clusters = np.repeat(np.arange(passages), each)
        for j, clustered in enumerate((clusters, None)):
            data = Outcomes(correct, clusters=clustered)
            for i, (metric, k) in enumerate([("avg@n", 1), ("pass@k", 2), ("maj@k", 3)]):
                whole = truth(metric, k, n, stats.beta.ppf(QUANTILES, 0.8, 0.8)).mean()
                found = estimate(data, metric, k if i else None)
                hits[i, j] += holds(found.interval, whole)
    print("\nclustered, ignored:", hits / REPETITIONS)
    assert np.all(hits[:, 0] / REPETITIONS > 0.93 - NOISE)
    assert np.all(hits[:, 1] / REPETITIONS < 0.8)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["geom-ds@k", "geo-spectrum@k"])
def test_dataset_blends(metric):
    n, k = 8, 4
    other = "pass^k" if metric == "geom-ds@k" else "mg-pass@k"
    for name, quantile in DIFFICULTIES.items():
        rng = np.random.default_rng(SEED)
        parts = [truth(m, k, n, quantile(QUANTILES)).mean() for m in ("pass@k", other)]
        hits = np.zeros(2)
        for _ in range(REPETITIONS):
            p = quantile(rng.random(60))
            tally = Tally.of_questions(n, rng.binomial(n, p))
            here = [truth(m, k, n, p).mean() for m in ("pass@k", other)]
            for i, found in enumerate(both(tally, metric, k, {})):
                hits[i] += holds(found.interval, np.sqrt(np.prod((parts, here)[i])))
        print(f"\n{metric}, {name}: {hits / REPETITIONS}")
        assert np.all(hits / REPETITIONS > 0.93 - NOISE)


@pytest.mark.slow
def test_suites():
    """The naive average of five subsets of different size and difficulty."""
    sizes, names = (15, 30, 60, 20, 100), list(DIFFICULTIES)
    for first in range(len(names)):
        quantiles = [DIFFICULTIES[names[(first + g) % len(names)]] for g in range(5)]
        rng = np.random.default_rng(SEED)
        hits = np.zeros(2)
        whole = np.mean([truth("pass@k", 2, 4, q(QUANTILES)).mean() for q in quantiles])
        for _ in range(REPETITIONS):
            rates = [q(rng.random(m)) for q, m in zip(quantiles, sizes, strict=True)]
            tallies = [Tally.of_questions(4, rng.binomial(4, p)) for p in rates]
            here = np.mean([truth("pass@k", 2, 4, p).mean() for p in rates])
            for i, target in enumerate(("population", "benchmark")):
                found = pool([estimate(t, "pass@k", 2, target=target) for t in tallies])
                hits[i] += holds(found.interval, (whole, here)[i])
        print(f"\nsuite from {names[first]}: {hits / REPETITIONS}")
        assert np.all(hits / REPETITIONS > 0.93 - NOISE)
