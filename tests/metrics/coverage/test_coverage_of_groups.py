"""How often intervals over clusters, dataset blends and suites hold the truth.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_groups.py -s`` prints the figures of
docs/intervals.md.
"""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, estimate, pool
from metrics.estimating.caveats import NOTHING_TOLD
from metrics.intervals.clusters import clustered_limits
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

KINDS = (
    "uniform",
    "Beta(.3,.3)",
    "Beta(5,.5)",
    "Beta(.5,5)",
    "logit-normal(2, 2)",
    ".1, .5 or .9",
    ".02 or .98",
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


FEW = (4, 5, 8, 10, 30)
DESIGNS = {
    **{f"{count} of 10": [10] * count for count in FEW},
    **{
        f"{count} of 40, 20, 13 … 40 / {count}": [
            max(1, round(40 / k)) for k in range(1, count + 1)
        ]
        for count in FEW
    },
    **{f"{count}, one of them half": [10] * (count - 1) + [10 * (count - 1)] for count in FEW},
    "40 single ones and one of 40": [1] * 40 + [40],
    "4 of 5 and 2 of 50": [5] * 4 + [50] * 2,
    "8 of 1, 2, 4 … 128": [2**i for i in range(8)],
    "6 of 50 and 60 pairs": [50] * 6 + [2] * 60,
    "40 of 8": [8] * 40,
    "100 pairs": [2] * 100,
}
TOGETHER = 1.0, 0.5, 0.0
"""How many of a cluster's questions have its difficulty; the others have one of their own."""
SETS = 300
ORACLE = 0.4
"""Where an oracle spans more, an interval may say nothing."""


class Cell(NamedTuple):
    """How often an interval holds, its mean width and two oracles', and how often it is shown."""

    held: float
    width: float
    oracle: float
    of_design: float
    held_of_design: float
    shown: float


def cell(sizes, quantile, together):
    """One oracle knows the difficulties, too: the width that holds 95 % of the sample means.

    The other knows the design, which is how many independent questions the clusters are worth, and
    takes the variance from the scores.
    """
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    m, rng = len(clusters), np.random.default_rng(SEED)
    shared = rng.random((SETS, m)) < together
    ranks = np.where(shared, rng.random((SETS, len(sizes)))[:, clusters], rng.random((SETS, m)))
    scores = rng.binomial(8, quantile(ranks)) / 8
    low, high, _ = np.array([clustered_limits(each, clusters, 0.95) for each in scores]).T
    rates = quantile(QUANTILES)
    true, between, mean = rates.mean(), rates.var(), scores.mean(axis=1)
    alike = together**2 * between / (between + (rates * (1 - rates)).mean() / 8)
    effect = 1 + alike * ((sizes**2).sum() / m - 1)
    variance = scores.var(axis=1) / (1 - effect / m) * effect / m
    ends = population_limits(mean, variance, m / effect, 0.95)
    return Cell(
        ((low <= true) & (true <= high)).mean(),
        (high - low).mean(),
        np.subtract(*np.quantile(mean, [0.975, 0.025])),
        (ends[1] - ends[0]).mean(),
        ((ends[0] <= true) & (true <= ends[1])).mean(),
        (high - low <= NOTHING_TOLD).mean(),
    )


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_few_and_unequal_clusters(design):
    """What an interval holds and how wide it is, where an oracle's spans 40 points or less."""
    sizes = np.array(DESIGNS[design])
    cells = [cell(sizes, each, x) for each in of_kinds(*KINDS).values() for x in TOGETHER]
    told = np.array([each for each in cells if each.oracle <= ORACLE])
    held, wide, *oracles, by_design, shown = told.T
    beyond = min((each.held for each in cells if each.oracle > ORACLE), default=np.nan)
    ratios = [wide / each for each in oracles]
    print(
        f"\n| {design} | {held.min():.3f} ({held.mean():.3f}) | "
        + " | ".join(f"{each.mean():.2f} ({each.max():.2f})" for each in ratios)
        + f" | {by_design.min():.3f} | {shown.min():.2f} | {beyond:.3f} |"
    )
    assert held.min() > 0.90 - NOISE
    assert held.mean() > 0.94
    assert by_design.min() > 0.92 - NOISE
    assert ratios[0].mean() < (2 if len(sizes) < 8 or 3 * sizes.max() > sizes.sum() else 1.5)
    assert ratios[1].mean() < 1.5


@pytest.mark.slow
@pytest.mark.parametrize("count", [50, 200])
def test_questions_that_all_stand_twice(count):
    """Counted once, as pairs, and as if they were two."""
    for name, quantile in of_kinds(*KINDS[:4]).items():
        rng, hits = np.random.default_rng(SEED), np.zeros(2)
        pairs, true = np.tile(np.arange(count // 2), 2), quantile(QUANTILES).mean()
        for _ in range(REPETITIONS):
            p = np.tile(quantile(rng.random(count // 2)), 2)
            correct = rng.random((count, 8)) < p[:, None]
            for i, clusters in enumerate((pairs, None)):
                found = estimate(Outcomes(correct, clusters=clusters), "avg@n")
                hits[i] += holds(found.interval, true)
        print(f"\n{count} questions, {name}, counted once and as two: {hits / REPETITIONS}")
        assert hits[0] / REPETITIONS > 0.93 - NOISE


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
