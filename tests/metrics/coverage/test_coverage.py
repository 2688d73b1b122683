"""How often intervals of the count metrics hold the truth, by simulation with known success rates.

``uv run pytest -m slow tests/metrics/coverage/test_coverage.py -s`` prints the table of
docs/intervals.md, in about a minute.
"""

from functools import lru_cache

import numpy as np
import pytest
from scipy import stats

from metrics import Tally
from tests.metrics.coverage.coverage_study import (
    DOUBTFUL,
    QUANTILES,
    SEED,
    both,
    geom_bank,
    promised,
    truth,
    wins,
)
from tests.metrics.coverage.many_sets import ManySets
from tests.metrics.difficulties import KINDS

SIZES = [(2, 4), (5, 1), (10, 4), (30, 1), (30, 4), (30, 16), (30, 64), (100, 5), (200, 8)]
SIZES += [(500, 16), (1000, 5), (1319, 4)]
SETS, BATCH, RESAMPLED = 500, 500, 50
TARGETS = "population", "benchmark"


def cells(n):
    """Metric, k and options for n samples; max@k of verdicts is pass@k."""
    half = max(2, n // 2)
    found = [("avg@n", 1, {}), ("cons@n", n, {})]
    for k in sorted({min(2, n), min(half, n), n}):
        found += [("pass@k", k, {}), ("pass^k", k, {})]
    if n >= 3:
        found += [("maj@k", 3, {}), ("auc@k", n, {}), ("geom@k", half, {})]
        found += [("g-pass@k", half, {"tau": 0.5}), ("mg-pass@k", half, {}), ("mg-pass@k", n, {})]
    return found


@lru_cache
def bank_scores(metric, k, n):
    """The unbiased score of c of n right, by enumeration of the hypergeometric."""
    if metric == "geom@k":
        return geom_bank(k, n)
    c = np.arange(n + 1)[:, None]
    return stats.hypergeom.pmf(np.arange(k + 1), n, c, k) @ wins(metric, k)


def ours(drawn, metric, k, options, whole):
    """Whether the limits of each set hold the truth, like these and these again."""
    here = truth(metric, k, drawn.n, drawn.rates).mean(axis=1)
    for target, true in (("population", whole), ("benchmark", here)):
        low, high = (ends[:, 0] for ends in drawn.limits(metric, [k], target, **options))
        yield (low - 1e-9 <= true) & (true <= high + 1e-9)


def usual(drawn, resampled, metric, k, whole):
    """Whether mean ± 1.96 SE and the percentile bootstrap of questions hold it, like these."""
    scores = bank_scores(metric, k, drawn.n)
    error = 1.96 * np.sqrt(drawn.variances(scores[None])[:, 0])
    yield np.abs(drawn.questions @ scores / drawn.m - whole) <= error + 1e-9
    low, high = np.quantile(resampled @ scores, [0.025, 0.975], axis=1)
    yield (low - 1e-9 <= whole) & (whole <= high + 1e-9)


def study(difficulty, m, n, metrics, sets, seed):
    """Yield each metric, k and coverage: like these, these again, CLT and bootstrap."""
    rng, quantile = np.random.default_rng([seed, m, n]), KINDS[difficulty]
    each = [ManySets.drawn(quantile, m, n, BATCH, rng) for _ in range(sets // BATCH)]
    shares = each[0].questions[:RESAMPLED, None] / m
    resampled = rng.multinomial(m, shares, (len(shares), 400)) / m
    for metric, k, options in metrics:
        whole = truth(metric, k, n, quantile(QUANTILES)).mean()
        held = [list(ours(drawn, metric, k, options, whole)) for drawn in each]
        known = usual(each[0], resampled, metric, k, whole)
        yield metric, k, *np.mean(held, axis=(0, 2)), *(found.mean() for found in known)


def report(title, groups):
    """Print mean and least coverage of each group as a Markdown table."""
    print(f"\n| {title}, mean / least | like these | these again | mean ± 1.96 SE | bootstrap |")
    print("|---|---|---|---|---|")
    for name, rows in groups.items():
        shares = np.array([row[-4:] for row in rows])
        pairs = zip(shares.mean(axis=0), shares.min(axis=0), strict=True)
        print(f"| {name} |", " | ".join(f"{a:.3f} / {b:.3f}" for a, b in pairs), "|")


@pytest.mark.parametrize(("m", "n"), [(7, 3), (30, 8), (40, 1)])
def test_many_sets_have_the_limits_of_estimates(m, n):
    drawn = ManySets.drawn(KINDS[".02 or .98"], m, n, 2, np.random.default_rng(SEED))
    for metric, k, options in cells(n):
        found = [drawn.limits(metric, [k], target, **options) for target in TARGETS]
        for i, c in enumerate(drawn.c):
            each = both(Tally.of_questions(n, c), metric, k, options)
            for estimate, (low, high) in zip(each, found, strict=True):
                assert estimate.interval == pytest.approx((low[i, 0], high[i, 0]), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_count_metrics(m, n):
    """A cell counts as short only if it still is after further sets."""
    rows = [(name, *row) for name in KINDS for row in study(name, m, n, cells(n), SETS, SEED)]
    report("M x n", {f"{m} x {n}": rows})
    names = dict.fromkeys(row[1] for row in rows)
    report("metric", {name: [r for r in rows if r[1] == name] for name in names})
    least = {k: tuple(promised(target, k, n) for target in TARGETS) for k in range(1, n + 1)}
    doubtful = {(name, metric, k) for name, metric, k, *found in rows if short(found, least[k])}
    print(f"\n{len(doubtful)} of {len(rows)} cells seem short; simulated {DOUBTFUL} times:")
    lasting = []
    for name in sorted({name for name, *_ in doubtful}):
        chosen = [cell for cell in cells(n) if (name, *cell[:2]) in doubtful]
        for metric, k, *found in study(name, m, n, chosen, DOUBTFUL, SEED + 1):
            like, again = found[:2]
            print(f"  {name}, {m} x {n}, {metric}, k = {k}: like {like:.4f}, again {again:.4f}")
            if short(found, least[k]):
                lasting.append((name, metric, k, like, again))
    assert not lasting
    if m <= 5:
        assert min(row[5] for row in rows) < 0.5, "the usual interval must be seen to fail"


def short(found, least):
    return found[0] < least[0] or found[1] < least[1]
