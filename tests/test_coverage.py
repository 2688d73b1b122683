"""How often intervals hold the truth, by simulation with known success rates.

``uv run pytest -m slow tests/test_coverage.py -s`` prints the tables of the README. The truth of
each metric comes from its definition and scipy's binomial probabilities, not from the product.
"""

from functools import lru_cache
from math import ceil, comb

import numpy as np
import pytest
from scipy import stats

from metrics import Outcomes, Tally, consistency, curve, estimate, pool

SEED = 20261120
REPETITIONS = 400
NOISE = 2.6 * np.sqrt(0.93 * 0.07 / REPETITIONS)
"""Five cells in a thousand fall further below their coverage by chance alone."""
DOUBTFUL = 4000
"""How often a cell is simulated that seemed to fall short."""

QUANTILES = (np.arange(20_000) + 0.5) / 20_000
DIFFICULTIES = {
    "uniform": lambda u: u,
    "Beta(.3,.3)": lambda u: stats.beta.ppf(u, 0.3, 0.3),
    "35 % at 0, 35 % at 1": lambda u: np.clip((u - 0.35) / 0.3, 0, 1),
    "Beta(.5,5)": lambda u: stats.beta.ppf(u, 0.5, 5),
    "Beta(5,.5)": lambda u: stats.beta.ppf(u, 5, 0.5),
    "90 % at 1": lambda u: np.where(u < 0.1, stats.beta.ppf(np.minimum(u, 0.1) / 0.1, 2, 2), 1.0),
    "95 % at 0": lambda u: np.clip((u - 0.95) / 0.05, 0, 1),
    "all .3": lambda u: np.full_like(u, 0.3),
}
SIZES = [(2, 4), (5, 1), (10, 4), (30, 1), (30, 4), (30, 16), (30, 64), (100, 5), (200, 8)]
SIZES += [(500, 16), (1000, 5), (1319, 4)]


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
    if metric == "geom@k":
        return stats.binom.pmf(np.arange(n + 1), n, p[:, None]) @ geom_bank(k, n)
    return stats.binom.pmf(np.arange(k + 1), k, p[:, None]) @ wins(metric, k)


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


def both(data, metric, k, options):
    """The intervals for both targets."""
    chosen = None if metric in ("avg@n", "cons@n") else k
    for target in ("population", "benchmark"):
        yield estimate(data, metric, chosen, target=target, **options)


def holds(interval, value):
    return interval.low - 1e-9 <= value <= interval.high + 1e-9


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
    """Yield each metric, k and coverage of KG2, KG1, CLT and bootstrap."""
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
    print(
        f"\n| {title} | KG2 mean / min | KG1 mean / min | CLT mean / min | bootstrap mean / min |"
    )
    print("|---|---|---|---|---|")
    for name, rows in groups.items():
        shares = np.array([row[-4:] for row in rows])
        pairs = zip(shares.mean(axis=0), shares.min(axis=0), strict=True)
        print(f"| {name} |", " | ".join(f"{a:.3f} / {b:.3f}" for a, b in pairs), "|")


@pytest.mark.slow
def test_count_metrics():
    rows = [
        (name, m, n, *cell)
        for m, n in SIZES
        for name in DIFFICULTIES
        for cell in study(name, m, n, cells(n))
    ]
    report("M x n", {f"{m} x {n}": [r for r in rows if r[1:3] == (m, n)] for m, n in SIZES})
    names = dict.fromkeys(row[3] for row in rows)
    report("metric", {name: [r for r in rows if r[3] == name] for name in names})
    doubtful = [row for row in rows if row[5] < 0.93 or row[6] < 0.92]
    print(f"\n{len(doubtful)} of {len(rows)} cells seem short; simulated {DOUBTFUL} times:")
    for name, m, n, metric, k, *_ in doubtful:
        chosen = [cell for cell in cells(n) if cell[:2] == (metric, k)]
        (again,) = study(name, m, n, chosen, DOUBTFUL, SEED + 1)
        print(f"  {name}, {m} x {n}, {metric}, k = {k}: KG2 {again[2]:.4f}, KG1 {again[3]:.4f}")
        assert again[2] >= 0.93
        assert again[3] >= 0.92
    assert min(row[7] for row in rows) < 0.5, "the usual interval must be seen to fail"


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
        kg2, kg1 = min(rows), min(rows, key=lambda row: row[1])
        print(f"\n{case.__name__} {key}: KG2 least {kg2}, KG1 least {kg1}")
        assert kg2[0] > 0.93 - NOISE
        assert kg1[1] > 0.92 - NOISE


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
    means = np.mean([row[-1] for row in rows], axis=0)
    print("\ndifference KG2, KG1, region KG2, KG1: mean", means)
    print("least", np.min([row[-1] for row in rows], axis=0))
    for name, m, n, k, shares in rows:
        if shares.min() < 0.93:
            again = vote_coverage(DIFFICULTIES[name], m, n, k, DOUBTFUL, SEED + 1)
            print(f"  {name}, {m} x {n}, k = {k}: {again}")
            assert again.min() >= 0.93


def vote_coverage(quantile, m, n, k, repetitions, seed):
    """How often the difference's interval and the region hold the truth, for both targets."""
    rng, hits = np.random.default_rng(seed), np.zeros(4)
    rates = quantile(QUANTILES)
    whole = rates.mean(), truth("maj@k", k, n, rates).mean()
    for _ in range(repetitions):
        p = quantile(rng.random(m))
        tally = Tally.of_questions(n, rng.binomial(n, p))
        here = p.mean(), truth("maj@k", k, n, p).mean()
        for i, (target, (avg, cons)) in enumerate(
            zip(("population", "benchmark"), (whole, here), strict=True)
        ):
            found = consistency(tally, k, target=target)
            hits[i] += holds(found.difference.interval, cons - avg)
            hits[2 + i] += in_region(found.region, (avg, cons))
    return hits / repetitions
