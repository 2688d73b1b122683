"""How often intervals over clusters, dataset blends and suites hold the truth.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_groups.py -s`` prints the figures of
docs/intervals.md.
"""

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, estimate, pool
from metrics.intervals.korn_graubard import variance_of_mean, worth
from metrics.intervals.limits import population_limits
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
from tests.metrics.difficulties import of_kinds

UNEQUAL = ("uniform", "Beta(.3,.3)", "Beta(5,.5)", "Beta(.5,5)", ".02 or .98")


def log_normal(count, spread):
    drawn = np.random.default_rng(count).normal(1.5, spread, count)
    return np.maximum(1, np.round(np.exp(drawn))).astype(int).tolist()


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


DESIGNS = {
    "12 of 1, 2, 5 and 40": [1, 2, 5, 40] * 3,
    "30 single ones and one of 30": [1] * 30 + [30],
    "57 log-normal": log_normal(57, 1.0),
    "20 log-normal": log_normal(20, 1.0),
    "40 of 8": [8] * 40,
    "5 of 20": [20] * 5,
    "100 pairs": [2] * 100,
    "30 single ones and 3 of 30": [1] * 30 + [30] * 3,
    "8 of 1, 2, 4 ... 128": [2**i for i in range(8)],
    "10 of 1, 2, 3 ... 10": list(range(1, 11)),
    "50 single ones and one of 10": [1] * 50 + [10],
    "200 log-normal, wider": log_normal(200, 1.5),
    "4 of 5 and 2 of 50": [5] * 4 + [50] * 2,
    "15 growing by a third": [round(1.35**i) for i in range(15)],
}


def share_held(sizes, quantile, sets=2000):
    """How often the truth is held where each cluster has one difficulty."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    m, rng = len(cluster), np.random.default_rng(SEED)
    scores = rng.binomial(8, quantile(rng.random((sets, len(sizes))))[:, cluster]) / 8
    sums = (scores - scores.mean(axis=1, keepdims=True)) @ np.eye(len(sizes))[cluster]
    variance = worth(sizes).unbiased * (sums**2).sum(axis=1) / m**2
    low, high = population_limits(scores.mean(axis=1), variance, m, 0.95, worth(sizes))
    first = variance_of_mean(scores[0], np.ones(m, int), cluster)
    assert variance[0] == pytest.approx(first, rel=1e-9)
    true = quantile(QUANTILES).mean()
    return np.mean((low <= true) & (true <= high))


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_clusters_of_unequal_size(design):
    kinds = of_kinds(*UNEQUAL).values()
    least = min(share_held(np.array(DESIGNS[design]), quantile) for quantile in kinds)
    print(f"\n{design}: {least:.3f}")
    assert least >= 0.93


@pytest.mark.slow
def test_a_few_large_clusters_that_decide_are_too_few():
    """They are solved wholly or not at all, and outweigh all others."""
    held = share_held(np.array([50] * 6 + [2] * 60), of_kinds(".02 or .98")[".02 or .98"])
    print(f"\n6 of 50 and 60 of 2: {held:.3f}")
    assert 0.85 < held < 0.93


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
