"""How often the intervals of lists and of diversity hold the truth, by simulation."""

from itertools import product

import numpy as np
import pytest

from metrics import (
    Facts,
    Interval,
    Outcomes,
    answer_diversity,
    any_pass,
    dcg,
    diversity,
    first_pass,
    ndcg,
    recall_of_facts,
    weighted_mean,
)
from tests.metrics.coverage.coverage_study import (
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
    promised,
)
from tests.metrics.difficulties import of_kinds

DIFFICULTIES = of_kinds("uniform", "Beta(.3,.3)", "Beta(.5,5)", "90 % at 1", "all .3")
SIZES = [(30, 8), (100, 8), (100, 16), (300, 8)]
PLACES = 3
WEIGHTS = 1 / np.arange(1.0, 17)
GRID, LISTS = np.linspace(0, 1, 201), 4000
SCORES = {
    "dcg": lambda right, by, target: dcg(right, PLACES, by=by, target=target),
    "ndcg": lambda right, by, target: ndcg(right, PLACES, by=by, target=target),
    "first k": lambda right, by, target: first_pass(right, PLACES, by=by, target=target),
    "weighted": lambda right, by, target: weighted_mean(right, WEIGHTS, by=by, target=target),
}


def sampled(rng, p, n):
    """Verdicts and a fair signal, one standard deviation higher for right samples."""
    right = (rng.random((len(p), n)) < p[:, None]).astype(int)
    return right, right + rng.normal(size=right.shape)


def expected(n):
    """What each metric is on average at each rate of the grid, and how often nDCG is defined."""
    rng = np.random.default_rng(SEED + n)
    discount = 1 / np.log2(np.arange(2, PLACES + 2))
    ideal = np.concatenate([[0], np.cumsum(discount), np.full(n, discount.sum())])
    table = {name: np.empty(len(GRID)) for name in (*SCORES, "defined")}
    for i, p in enumerate(GRID):
        right, by = sampled(rng, np.full(LISTS, p), n)
        listed = np.take_along_axis(right, np.argsort(-by, axis=1), axis=1)
        gained, best = listed[:, :PLACES] @ discount, ideal[right.sum(axis=1)]
        some = best > 0
        table["dcg"][i] = gained.mean()
        table["ndcg"][i] = (gained[some] / best[some]).sum() / LISTS
        table["defined"][i] = some.mean()
        table["first k"][i] = listed[:, :PLACES].any(axis=1).mean()
        table["weighted"][i] = (listed @ WEIGHTS[:n]).mean() / WEIGHTS[:n].sum()
    return table


def truth(table, name, p):
    value = np.interp(p, GRID, table[name]).mean()
    return value / np.interp(p, GRID, table["defined"]).mean() if name == "ndcg" else value


def judged(least):
    """Print the least coverage of each kind, and compare it with what is promised."""
    for kind, cells in least.items():
        print(f"\n{kind}: least {min(cell for cell, _ in cells)} of {len(cells)}")
    for cells in least.values():
        assert all(cell[0] > floor - NOISE for cell, floor in cells), min(cells)


@pytest.mark.slow
def test_lists():
    least, tables = {}, {n: expected(n) for n in {n for _, n in SIZES}}
    for (name, quantile), (m, n) in product(DIFFICULTIES.items(), SIZES):
        rng, hits = np.random.default_rng(SEED), {}
        for _ in range(REPETITIONS):
            p = quantile(rng.random(m))
            right, by = sampled(rng, p, n)
            if not right.any():
                continue
            for target, rates in (("population", quantile(QUANTILES)), ("benchmark", p)):
                for kind, score in SCORES.items():
                    found = score(right, by, target)
                    ends = getattr(found, "interval", None) or (found.low[0], found.high[0])
                    held = holds(Interval(*ends), truth(tables[n], kind, rates))
                    hits.setdefault((kind, target), []).append(held)
        for (kind, target), held in hits.items():
            cell = (float(np.mean(held)), name, m, n)
            least.setdefault((kind, target), []).append((cell, promised("population", n, n)))
    judged(least)


@pytest.mark.slow
def test_groups_of_unequal_size_and_facts():
    least = {}
    for (name, quantile), (m, n) in product(DIFFICULTIES.items(), SIZES):
        rng, hits = np.random.default_rng(SEED), {}
        everywhere = quantile(QUANTILES)
        for _ in range(REPETITIONS):
            p, sizes = quantile(rng.random(m)), rng.integers(2, n + 1, m)
            right = np.where(np.arange(n) < sizes[:, None], rng.random((m, n)) < p[:, None], -2)
            question = np.repeat(np.arange(m), rng.integers(1, 5, m))
            power = 1 + np.arange(len(question)) % 2
            rate = p[question] ** power
            facts = Facts(question, np.full(len(rate), n), rng.binomial(n, rate))
            shares = 1 / np.bincount(question)[question] / m
            for target in ("population", "benchmark"):
                these = target == "benchmark"
                found = any_pass(Outcomes(right.astype(int)), target=target).interval
                rates, each = (p, sizes) if these else (everywhere[:, None], np.arange(2, n + 1))
                hits.setdefault(("any-pass", target, n), []).append(
                    holds(found, (1 - (1 - rates) ** each).mean())
                )
                for k in (2, n // 2, n - 1):
                    covered = 1 - (1 - rate) ** k
                    both = [1 - (1 - everywhere**power) ** k for power in (1, 2)]
                    value = shares @ covered if these else np.mean(both)
                    recalled = recall_of_facts(facts, k, target=target)
                    ends = Interval(recalled.low[0], recalled.high[0])
                    hits.setdefault((f"recall@{k}", target, k), []).append(holds(ends, value))
        for (kind, target, k), held in hits.items():
            cell = (float(np.mean(held)), name, m, n)
            kind = {n // 2: "recall@n/2", n - 1: "recall@n-1"}.get(k, kind)
            least.setdefault((kind, target), []).append((cell, promised(target, k, n)))
    judged(least)


def answered(rng, p, n):
    """Verdicts and answers: wrong ones are among four, the first of them as often as the rest."""
    right = (rng.random((len(p), n)) < p[:, None]).astype(int)
    return right, np.where(right == 1, 0, rng.choice([1, 1, 1, 2, 3, 4], right.shape))


def entropies(n):
    """The entropy of n answers on average at each rate of the grid."""
    rng, found = np.random.default_rng(SEED + n), np.empty(len(GRID))
    for i, p in enumerate(GRID):
        _, answers = answered(rng, np.full(LISTS, p), n)
        found[i] = answer_diversity(answers).entropy.mean()
    return found


@pytest.mark.slow
def test_diversity():
    least, many = {}, 40_000
    tables = {n: entropies(n) for n in {n for _, n in SIZES}}
    for (name, quantile), (m, n) in product(DIFFICULTIES.items(), SIZES):
        rng, hits = np.random.default_rng(SEED), {}
        right, answers = answered(rng, quantile(rng.random(many)), n)
        solved = right.any(axis=1)
        everywhere = {each.name: each.each for each in diversity(right, answers=answers).measures}
        everywhere["distance"] = np.where(rng.random(many) < 0.2, 0, 0.4 * rng.beta(2, 5, many))
        for _ in range(REPETITIONS):
            p = quantile(rng.random(m))
            right, answers = answered(rng, p, n)
            these = diversity(right, answers=answers, target="benchmark")["entropy"].estimate
            held = holds(these.interval, np.interp(p, GRID, tables[n]).mean())
            hits.setdefault("entropy of these questions", []).append(held)
            distance = np.where(rng.random(m) < 0.2, 0, 0.4 * rng.beta(2, 5, m))
            for each in diversity(right, answers=answers, distance=distance).measures:
                values = everywhere[each.name]
                held = holds(each.estimate.interval, values.mean())
                hits.setdefault(each.name, []).append(held)
                if each.split is not None:
                    above = values > each.split.cut
                    value = solved[above].mean() - solved[~above].mean() if above.any() else 0.0
                    held = holds(each.split.difference.interval, value)
                    hits.setdefault(f"success by {each.name}", []).append(held)
        for kind, held in hits.items():
            least.setdefault(kind, []).append(((float(np.mean(held)), name, m, n), 0.93))
    judged(least)


@pytest.mark.slow
def test_a_percentile_bootstrap_of_questions_falls_short():
    """With few questions, and where nearly all or hardly any are solved."""
    cells = []
    for (name, quantile), (m, n) in product(DIFFICULTIES.items(), SIZES):
        rng, hits = np.random.default_rng(SEED), []
        value = (1 - (1 - quantile(QUANTILES)) ** n).mean()
        for _ in range(REPETITIONS):
            solved = (rng.random((m, n)) < quantile(rng.random(m))[:, None]).any(axis=1).mean()
            means = rng.binomial(m, solved, 2000) / m
            hits.append(holds(Interval(*np.quantile(means, [0.025, 0.975])), value))
        cells.append((float(np.mean(hits)), name, m, n))
    print(f"\nany-pass by a percentile bootstrap: least {min(cells)} of {len(cells)}")
    assert min(cells)[0] < 0.7
