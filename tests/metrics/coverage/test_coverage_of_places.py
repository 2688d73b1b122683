"""How often all places that `rank` gives several runs hold at once, by simulation.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_places.py -s`` prints the table of
docs/intervals.md.
"""

import numpy as np
import pytest

from metrics import rank
from metrics.intervals.paired import mean_difference
from tests.metrics.coverage.coverage_study import DOUBTFUL, SEED

SETS, ERROR = 1000, 0.05
KINDS = {
    "all tied": np.ones,
    "three levels": lambda count: np.array([0.6, 1.0, 1.6])[np.arange(count) * 3 // count],
    "distinct": lambda count: np.linspace(0.6, 1.6, count),
}
"""The power of the success rate of a question that each run has: the lower, the better."""


def places(shares):
    """The first and the last place of each run, from shares of right samples, shape (runs, m).

    Holm's claims without his p-values: a pair is told apart at the error divided by the number of
    pairs that are not, until no other is.
    """
    one, other = np.triu_indices(len(shares), 1)
    means = mean_difference((shares[one] - shares[other]).T, np.ones(shares.shape[1], int))
    apart = np.zeros(len(one), int)
    while (left := np.count_nonzero(apart == 0)) > 0:
        low, high = means.limits(1 - ERROR / left)
        found = (low > 0).astype(int) - (high < 0)
        if (found == apart).all():
            break
        apart = found
    better = np.zeros((len(shares), len(shares)), int)
    better[one, other], better[other, one] = apart > 0, apart < 0
    return 1 + better.sum(axis=0), len(shares) - better.sum(axis=1)


def several(powers, m, n, rng):
    """Right samples of runs that find the same questions hard, shape (runs, m)."""
    return rng.binomial(n, rng.beta(1, 1, m) ** powers[:, None])


@pytest.mark.wide
@pytest.mark.parametrize(("count", "m", "n"), [(6, 100, 4), (6, 300, 1), (9, 60, 4)])
def test_places_are_those_of_rank(count, m, n):
    rng = np.random.default_rng(SEED)
    right = several(np.linspace(0.3, 2, count), m, n, rng)
    runs = {str(i): (np.arange(n) < c[:, None]).astype(int) for i, c in enumerate(right)}
    found = rank(runs)
    first, last = places(right / n)
    assert first.max() > 1
    for name, ranks in zip(found.names, found.ranks, strict=True):
        assert ranks == (first[int(name)], last[int(name)])


def study(count, kind, m, n, sets, seed):
    """How often all places hold, and how many places a run may have."""
    rng, powers = np.random.default_rng([seed, count, m, n]), KINDS[kind](count)
    above, below = ((powers[:, None] > powers).sum(axis=1), (powers[:, None] < powers).sum(axis=1))
    held, width = 0, 0.0
    for _ in range(sets):
        first, last = places(several(powers, m, n, rng) / n)
        held += np.all((first <= 1 + above) & (count - below <= last))
        width += np.mean(last - first + 1)
    return held / sets, width / sets


@pytest.mark.slow
@pytest.mark.parametrize("count", [6, 20])
def test_all_places_hold_at_once(count):
    """A cell counts as short only if it still is after further sets."""
    print(f"\n| {count} runs | {' | '.join(KINDS)} |\n|---|{'---|' * len(KINDS)}")
    short = []
    for m in (30, 100, 300):
        for n in (1, 4):
            words = []
            for kind in KINDS:
                held, width = study(count, kind, m, n, SETS, SEED)
                words.append(f"{held:.3f}, {width:.1f}")
                if held < 1 - ERROR:
                    again = study(count, kind, m, n, DOUBTFUL, SEED + 1)[0]
                    words[-1] += f" ({again:.4f})"
                    short += [(kind, m, n, again)] * (again < 0.93)
            print(f"| {m} x {n} | {' | '.join(words)} |", flush=True)
    assert not short
