"""How often intervals over clusters, dataset blends and suites hold the truth.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_groups.py -s`` prints the figures of
docs/intervals.md.
"""

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, estimate, pool
from metrics.intervals.clusters import clustered_limits
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
    "6 of 50 and 60 pairs": [50] * 6 + [2] * 60,
    "40 single ones and one of 40": [1] * 40 + [40],
    "20 of 5": [5] * 20,
    "15 growing by a third": [round(1.35**i) for i in range(15)],
}


TOGETHER = 1.0, 0.5, 0.0
"""How many of a cluster's questions have its difficulty; the others have one of their own."""


def held_and_width(sizes, quantile, together, sets=400):
    """How often the truth is held, the mean width, and that of an oracle.

    The oracle knows design and difficulties: the width that holds 95 % of the sample means.
    """
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    m, rng = len(clusters), np.random.default_rng(SEED)
    shared = rng.random((sets, m)) < together
    ranks = np.where(shared, rng.random((sets, len(sizes)))[:, clusters], rng.random((sets, m)))
    scores = rng.binomial(8, quantile(ranks)) / 8
    low, high, _ = np.array([clustered_limits(each, clusters, 0.95) for each in scores]).T
    true = quantile(QUANTILES).mean()
    oracle = np.subtract(*np.quantile(scores.mean(axis=1), [0.975, 0.025]))
    return np.mean((low <= true) & (true <= high)), (high - low).mean(), oracle


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_clusters_of_unequal_size(design):
    sizes, rows = np.array(DESIGNS[design]), []
    for quantile in of_kinds(*UNEQUAL).values():
        rows += [held_and_width(sizes, quantile, together) for together in TOGETHER]
    held, width, oracle = np.array(rows).T
    told = oracle <= 0.4
    ratio = width[told] / oracle[told]
    print(f"\n| {design} | {held.min():.3f} | {ratio.mean():.2f} | {ratio.max():.2f} |")
    assert held.min() >= 0.93 - NOISE


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
