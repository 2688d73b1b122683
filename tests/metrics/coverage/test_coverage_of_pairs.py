"""How often the limits of a mean paired difference hold the truth, and how wide they are.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_pairs.py -s`` prints the table.
"""

import numpy as np
import pytest
from scipy import stats

from metrics.intervals.paired import independent_limits, paired_limits
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import any_correct
from tests.metrics.coverage.coverage_study import SEED
from tests.metrics.coverage.many_sets import ManySets, truth
from tests.metrics.difficulties import KINDS, at_points

SETS, AGAIN, WHOLE = 2000, 6000, 400_000
HALF_SOLVED = at_points((0.0, 0.5), (1.0, 0.5))


def switched(share, to):
    """A part of the questions takes another rate."""
    return lambda p, rng: np.where(rng.random(p.shape) < share, to(p), p)


SCENARIOS = {
    "same, uniform": (KINDS["uniform"], lambda p, rng: p),
    "same, U-shaped": (KINDS["Beta(.3,.3)"], lambda p, rng: p),
    "same, easy": (KINDS["Beta(5,.5)"], lambda p, rng: p),
    "same, .02 or .98": (KINDS[".02 or .98"], lambda p, rng: p),
    "same, all .03": (KINDS["all .03"], lambda p, rng: p),
    "15 % of what lacked": (KINDS["uniform"], lambda p, rng: p + 0.15 * (1 - p)),
    "2 % gained": (HALF_SOLVED, switched(0.04, lambda p: np.ones_like(p))),
    "10 % turned round": (HALF_SOLVED, switched(0.1, lambda p: 1 - p)),
    "3 % of easy lost": (KINDS["Beta(5,.5)"], switched(0.03, lambda p: 0 * p)),
    "worse, U-shaped": (KINDS["Beta(.3,.3)"], lambda p, rng: p**2),
    "unrelated": (KINDS["Beta(.3,.3)"], lambda p, rng: rng.beta(0.5, 0.5, p.shape)),
    "all .9 against .95": (lambda u: 0 * u + 0.9, lambda p, rng: p + 0.05),
}
SHAPES = [(1, 1, 1), (8, 8, 1), (16, 4, 1), (8, 8, 2), (8, 8, 8), (16, 4, 4)]
"""Samples of one run, of the other, and k of pass@k."""


def study(scenario, m, shape, level, sets, seed):
    """Coverage, width against Student's t with one pseudo-question, and how often 0 is left out."""
    (quantile, other), (n, n_other, k) = SCENARIOS[scenario], shape
    rng = np.random.default_rng([seed, m, *shape])
    first = quantile(rng.random(WHOLE))
    true = np.mean((1 - first) ** k - (1 - other(first, rng)) ** k)
    if scenario.startswith("same"):
        true = 0.0
    ones, ratio, held, left = np.ones(m, int), 0.0, 0, 0
    reach = stats.t.ppf((1 + level) / 2, m - 1)
    for _ in range(sets):
        p = quantile(rng.random(m))
        q = other(p, rng)
        scores = payoff_table(any_correct, k, n)[rng.binomial(n, p)]
        d = payoff_table(any_correct, k, n_other)[rng.binomial(n_other, q)] - scores
        low, high = paired_limits(d, ones, level)
        spread = ((d - d.mean()) ** 2).sum() + 1
        ratio += (high - low) / (2 * reach * np.sqrt(spread / (m * (m - 1))))
        held += low - 1e-9 <= true <= high + 1e-9
        left += low > 0 or high < 0
    return held / sets, ratio / sets, left / sets


@pytest.mark.slow
@pytest.mark.parametrize(("level", "least"), [(0.95, 0.93), (0.99, 0.98)])
@pytest.mark.parametrize("m", [10, 30, 100, 300])
def test_paired_differences(m, level, least):
    ratios = []
    for name in SCENARIOS:
        for shape in SHAPES:
            held, ratio, left = study(name, m, shape, level, SETS, SEED)
            null, ratios = name.startswith("same"), [*ratios, ratio]
            if held < least or (null and left > 0.06):
                held, _, left = study(name, m, shape, level, AGAIN, SEED + 1)
                print(f"  {name}, {m} questions, {shape}, again: {held:.4f}, 0 left out {left:.4f}")
            assert held >= least
            assert not null or left <= 0.06
    print(f"\n{m} questions, level {level}: median width {np.median(ratios):.3f} of t's")
    assert m < 30 or level > 0.95 or np.median(ratios) <= 1.09


SIZES_OF_TWO = [(8, 8), (16, 4), (16, 2), (8, 4), (64, 8)]
"""Samples of one run and of the other."""
SETS_OF_TWO, AGAIN_OF_TWO = 1000, 20_000
KS_OF_TWO = {
    "pass@k": lambda n: sorted({1, 2, n // 2, n - 1, n}),
    "pass^k": lambda n: sorted({2, n // 2, n - 1, n} - {1}),
    "maj@k": lambda n: sorted({k for k in (3, n - 1) if k % 2 == 1 and 3 <= k <= n}),
}


def two_runs(scenario, m, sizes, sets, seed):
    """How often differences on these questions are held, by metric and k."""
    quantile, other = SCENARIOS[scenario]
    rng = np.random.default_rng([seed, m, *sizes])
    rates = quantile(rng.random((sets, m)))
    each = [
        ManySets(m, n, p, rng.binomial(n, p))
        for n, p in zip(sizes, (rates, other(rates, rng)), strict=True)
    ]
    least, found = min(sizes), {}
    for metric in ("pass@k", "pass^k", "maj@k"):
        for k in KS_OF_TWO[metric](least):
            limited = []
            for run in each:
                (low, high) = (ends[:, 0] for ends in run.limits(metric, [k], "benchmark"))
                limited.append((run.means(metric, [k])[:, 0], low, high))
            low, high = independent_limits(*limited)
            first, second = (truth(metric, k, run.rates).mean(axis=1) for run in each)
            held = (low - 1e-9 <= second - first) & (second - first <= high + 1e-9)
            found[metric, k] = held.mean()
    return found


@pytest.mark.slow
def test_two_runs_of_these_questions():
    """A cell counts as short only if it still is after further sets."""
    short = []
    print("\n| questions | 2k <= n of both, mean / least | beyond, mean / least | cells |")
    print("|---|---|---|---|")
    for m in (5, 12, 30, 100, 300):
        groups = [], []
        for name in SCENARIOS:
            for sizes in SIZES_OF_TWO:
                found = two_runs(name, m, sizes, SETS_OF_TWO, SEED)
                least = {key: 0.90 if 2 * key[1] > min(sizes) else 0.92 for key in found}
                if any(found[key] < least[key] for key in found):
                    found = two_runs(name, m, sizes, AGAIN_OF_TWO, SEED + 1)
                for key, held in found.items():
                    groups[least[key] == 0.90].append(held)
                    if held < least[key]:
                        short.append((name, m, sizes, *key, held))
        words = [f"{np.mean(group):.3f} / {min(group):.3f}" for group in groups]
        print(f"| {m} | {' | '.join(words)} | {sum(map(len, groups))} |", flush=True)
    assert not short
