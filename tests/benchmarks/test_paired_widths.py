"""Intervals of paired differences beside those of evalstats 0.3.3, which takes Bonett and Price's.

``uv run pytest tests/benchmarks/test_paired_widths.py -s -m slow`` prints how wide
ours are beside them, and how often both hold the truth. The formula is written out here, since
evalstats brings 350 MB:

D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial
proportions based on paired data", Journal of Educational and Behavioral Statistics 37, 2012;
evalstats shrinks what is added where runs have several samples
(``bonett_price_paired_ci_multirun_shrunk``, https://github.com/ianarawjo/evalstats).
"""

import numpy as np
import pytest
from scipy.special import ndtri

from metrics.intervals.paired import MeanDifference
from tests.metrics.coverage.test_coverage_of_pairs import SCENARIOS, switched
from tests.metrics.difficulties import KINDS

SETS, WHOLE = 1000, 400_000


def jumps():
    """Questions that are all alike, and few of which one run always solves, or never."""
    for rate in (0.0, 0.02, 0.1, 0.3, 1.0):
        for share in (0.01, 0.03, 0.08, 0.25):
            to = np.ones_like if rate < 0.5 else np.zeros_like
            yield f"{rate} and {share}", (lambda u, r=rate: 0 * u + r, switched(share, to))


CELLS = {
    **SCENARIOS,
    **{f"same, {name}": (KINDS[name], lambda p, rng: p) for name in ("Beta(.5,5)", "1, else 0")},
    **dict(jumps()),
}


def bonett_price(d, differ, level=0.95):
    """Limits of mean differences of sets of questions, shape (sets, M), as evalstats has them.

    differ is the share of samples of each question in which the runs differ, taken in order.
    """
    count, squares = d.shape[1] + 2, (d**2).sum(axis=1)
    added = (squares + 2) / (differ.sum(axis=1) + 2)
    middle = d.sum(axis=1) / count
    variance = (squares + 2 * added) / count - middle**2
    reach = ndtri((1 + level) / 2) * np.sqrt(np.maximum(variance, 0) / count)
    return np.maximum(middle - reach, -1), np.minimum(middle + reach, 1)


def compared(name, m, n):
    """How often ours and theirs hold the truth, and how wide ours are against theirs."""
    quantile, other = CELLS[name]
    rng = np.random.default_rng([m, n])
    whole = quantile(rng.random(WHOLE))
    true = 0.0 if name.startswith("same") else np.mean(other(whole, rng) - whole)
    p = quantile(rng.random((SETS, m)))
    a, b = (rng.random((SETS, m, n)) < rate[..., None] for rate in (p, other(p, rng)))
    d = (b.mean(axis=2) - a.mean(axis=2)).round(12)
    ours = MeanDifference(d.T, np.ones(m)).limits(0.95)
    theirs = bonett_price(d, (a != b).mean(axis=2))
    held = [np.mean((low <= true + 1e-9) & (true - 1e-9 <= high)) for low, high in (ours, theirs)]
    return *held, np.mean(ours[1] - ours[0]) / np.mean(theirs[1] - theirs[0])


def test_seven_and_one_of_21_have_the_limits_of_the_formula():
    """By hand: -6 / 23 and 1.96 times the root of (10 / 23 - (6 / 23)^2) / 23 either way."""
    d = np.repeat([1.0, -1.0, 0.0], [1, 7, 13])[None]
    low, high = bonett_price(d, abs(d))
    assert (low[0].round(3), high[0].round(3)) == (-0.508, -0.013)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(30, 1), (30, 8), (100, 1), (100, 8), (300, 1), (300, 8)])
def test_ours_are_narrower_and_hold_as_promised(m, n):
    found = np.array([compared(name, m, n) for name in CELLS])
    (ours, theirs), ratio = found[:, :2].min(axis=0), found[:, 2]
    print(
        f"\n| {m} x {n} | {np.median(ratio):.3f} ({ratio.min():.3f} to {ratio.max():.3f}) | "
        f"{found[:, 0].mean():.3f} / {ours:.3f} | {found[:, 1].mean():.3f} / {theirs:.3f} |"
    )
    assert np.median(ratio) < 1
    assert ours > 0.93 - 3 * np.sqrt(0.93 * 0.07 / SETS)
