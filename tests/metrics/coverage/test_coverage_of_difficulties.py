"""How often intervals hold the truth on difficulties that no method was tuned to.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_difficulties.py -s`` prints the
table of docs/intervals.md.
"""

import numpy as np
import pytest

from metrics import Tally, curve, estimate
from tests.metrics.coverage.coverage_study import QUANTILES, SEED, promised
from tests.metrics.coverage.many_sets import ManySets, truth
from tests.metrics.difficulties import KINDS, UNTUNED

SIZES = [(2, 2), (2, 4), (3, 8), (5, 4), (10, 4), (12, 8), (30, 1), (30, 2), (30, 4), (30, 8)]
SIZES += [
    (30, 16),
    (30, 64),
    (100, 3),
    (100, 4),
    (100, 8),
    (100, 16),
    (100, 64),
    (198, 8),
    (300, 16),
    (500, 16),
]
SIZES += [(500, 32), (1000, 2), (1000, 4), (1000, 16), (1000, 64)]
SETS, AGAIN, BATCH = 500, 20_000, 500
METRICS = ("pass@k", "pass^k", "maj@k")

POLARISED = [
    (".02 or .98", 100, 8),
    (".02 or .98", 1000, 4),
    (".05 or .95", 100, 16),
    (".05 or .95", 198, 8),
    (".9, else 0", 1000, 4),
    (".02 or .98", 30, 16),
]
"""Where a Beta distribution does not fit the difficulties and limits by it failed most."""


HARDLY_EVER = [
    ("all .03", 30, 32, "pass^k", 4),
    ("all .97", 30, 64, "pass@k", 4),
    ("all .5", 100, 64, "pass^k", 20),
    ("all .3", 500, 32, "pass^k", 13),
]
"""Where less than one question succeeds, or fails, and shares are tiny."""
EVERY = 16
"""Up to so many samples every k is tried."""


def chosen_ks(metric, n):
    ks = range(1, n + 1) if n <= EVERY else {*range(1, n // 2, n // EVERY), n // 2, n - 1, n}
    if metric == "maj@k":
        return [k for k in sorted(ks) if k >= 3 and (k % 2 or k == n)]
    return [k for k in sorted(ks) if k > 1 or metric == "pass@k"]


def cells(difficulty, m, n, sets, seed, level=0.95):
    """Yield metric, k, target, coverage and width."""
    quantile, rng = KINDS[difficulty], np.random.default_rng([seed, m, n])
    parts = [min(BATCH, sets - start) for start in range(0, sets, BATCH)]
    found = {}
    for size in parts:
        drawn = ManySets.drawn(quantile, m, n, size, rng)
        for metric in METRICS:
            if not (ks := chosen_ks(metric, n)):
                continue
            whole = [truth(metric, k, quantile(QUANTILES)).mean() for k in ks]
            for target in ("population", "benchmark"):
                shares = drawn.coverage(metric, ks, target, whole, level)
                for k, share in zip(ks, shares, strict=True):
                    found.setdefault((metric, k, target), []).append((size, *share))
    for key, rows in found.items():
        size, share, width = np.array(rows).T
        yield *key, size @ share / size.sum(), size @ width / size.sum()


@pytest.mark.parametrize(("m", "n"), [(7, 3), (30, 16), (100, 5), (30, 1), (160, 4)])
def test_many_sets_have_the_limits_of_curves(m, n):
    drawn = ManySets.drawn(KINDS[".02 or .98"], m, n, 3, np.random.default_rng(SEED))
    ks = np.arange(1, n + 1)
    for metric in METRICS:
        for target in ("population", "benchmark"):
            low, high = drawn.limits(metric, ks, target)
            for i, c in enumerate(drawn.c):
                one = curve(Tally.of_questions(n, c), metric, target=target)
                assert one.low == pytest.approx(low[i], abs=1e-6)
                assert one.high == pytest.approx(high[i], abs=1e-6)


@pytest.mark.wide
@pytest.mark.parametrize(("difficulty", "m", "n"), POLARISED)
def test_these_questions_are_held_where_difficulties_are_polarised(difficulty, m, n):
    rng, sets = np.random.default_rng(SEED), 60
    for metric in ("pass@k", "pass^k"):
        ks = chosen_ks(metric, n)
        hits = np.zeros(len(ks))
        for _ in range(sets):
            p = KINDS[difficulty](rng.random(m))
            tally = Tally.of_questions(n, rng.binomial(n, p))
            found = curve(tally, metric, ks, target="benchmark")
            true = [truth(metric, k, p).mean() for k in ks]
            hits += (found.low - 1e-9 <= true) & (true <= found.high + 1e-9)
        assert hits.min() / sets >= 0.87, dict(zip(ks, hits, strict=True))


@pytest.mark.wide
@pytest.mark.parametrize(("difficulty", "m", "n", "metric", "k"), HARDLY_EVER)
def test_these_questions_are_held_where_hardly_any_succeeds(difficulty, m, n, metric, k):
    drawn = ManySets.drawn(KINDS[difficulty], m, n, SETS, np.random.default_rng(SEED))
    true = truth(metric, k, drawn.rates).mean(axis=1)
    low, high = (ends[:, 0] for ends in drawn.limits(metric, [k], "benchmark"))
    assert np.mean((low <= true) & (true <= high)) >= 0.92


@pytest.mark.wide
@pytest.mark.parametrize(("solved", "share"), [(0.05, 0.3), (0.15, 0.3), (0.3, 0.6)])
def test_pairs_of_samples_are_held_where_they_do_not_tell_the_variance(solved, share):
    """All others are always right: of all that give such counts, pass@2 varies most there."""
    rng, held, sets = np.random.default_rng(SEED), 0, 120
    for _ in range(sets):
        p = np.where(rng.random(1000) < share, solved, 1.0)
        tally = Tally.of_questions(2, rng.binomial(2, p))
        low, high = estimate(tally, "pass@k", 2, target="benchmark").interval
        held += low <= (1 - (1 - p) ** 2).mean() <= high
    assert held / sets >= 0.89, "a fitted Beta and a free fit held in .80"


LEVELS = {
    "population": {0.8: 0.75, 0.9: 0.87, 0.99: 0.98},
    "benchmark": {0.8: 0.66, 0.9: 0.80, 0.99: 0.97},
}


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.8, 0.9, 0.99])
def test_every_difficulty_at_other_levels(level):
    found = {target: (1.0,) for target in LEVELS}
    for m, n in [(2, 2), (10, 4), (30, 2), (30, 8), (100, 4), (300, 16), (1000, 4), (1000, 64)]:
        for name in KINDS:
            for metric, k, target, share, _ in cells(name, m, n, SETS, SEED, level):
                found[target] = min(found[target], (share, name, m, n, metric, k))
    print(f"\n{level}: {found}")
    for target, (share, *_) in found.items():
        assert share >= LEVELS[target][level] - 2.6 * np.sqrt(level * (1 - level) / SETS)


@pytest.mark.slow
def test_every_difficulty():
    """A cell counts as short only if it still is after further sets."""
    rows, short = [], []
    for m, n in SIZES:
        for name in KINDS:
            rows += [(name, m, n, *cell) for cell in cells(name, m, n, SETS, SEED)]
    doubtful = {}
    for name, m, n, metric, k, target, share, _ in rows:
        if share < promised(target, k, n):
            doubtful.setdefault((name, m, n), set()).add((metric, k, target))
    print(f"\n{len(rows)} cells, {sum(map(len, doubtful.values()))} doubtful; {AGAIN} sets more:")
    for (name, m, n), keys in doubtful.items():
        for metric, k, target, share, _ in cells(name, m, n, AGAIN, SEED + 1):
            if (metric, k, target) in keys:
                print(f"  {name}, {m} x {n}, {metric}, k = {k}, {target}: {share:.4f}")
                if share < promised(target, k, n):
                    short.append((name, m, n, metric, k, target, share))
    print("| questions x samples | like these | these again, 2k <= n | these again, k > n/2 |")
    print("|---|---|---|---|")
    for m, n in SIZES:
        here = [r for r in rows if r[1:3] == (m, n)]
        groups = (
            [r[6] for r in here if r[5] == "population"],
            [r[6] for r in here if r[5] == "benchmark" and 2 * r[4] <= n],
            [r[6] for r in here if r[5] == "benchmark" and 2 * r[4] > n],
        )
        words = [f"{np.mean(g):.3f} / {min(g):.3f}" if g else "" for g in groups]
        print(f"| {m} x {n} | {' | '.join(words)} |")
    like = {r[:5]: r[7] for r in rows if r[5] == "population"}
    again = [(r[7] / like[r[:5]], 2 * r[4] <= r[2]) for r in rows if r[5] == "benchmark"]
    for words, half in (("2k <= n", True), ("k > n/2", False)):
        ends = np.quantile([ratio for ratio, is_half in again if is_half == half], [0, 0.5, 1])
        print(f"these again, {words}: {ends.round(2)} as wide as like these: least, middle, most")
    worst = min((r for r in rows if r[0] in UNTUNED), key=lambda r: r[6])
    print("least on difficulties no method was tuned to:", worst)
    assert not short
