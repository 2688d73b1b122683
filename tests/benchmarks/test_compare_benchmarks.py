"""Every two of six runs, against what no comparison can do without: reading them once."""

from itertools import combinations
from time import thread_time

import numpy as np
import pytest

from metrics import Outcomes, compare, leaders, rank

pytestmark = pytest.mark.benchmark(timer=thread_time)


def runs(m, n):
    rng = np.random.default_rng(0)
    rate = rng.beta(0.5, 0.5, (m, 1)).astype(np.float32)
    easier = (rate ** (0.8 + 0.1 * place) for place in range(6))
    return [(rng.random((m, n), dtype=np.float32) < each).astype(np.int8) for each in easier]


def test_all_pairs_at_every_k(side_by_side):
    matrices = runs(100_000, 64)

    def all_pairs():
        found = {str(place): Outcomes(matrix) for place, matrix in enumerate(matrices)}
        for metric in ("pass@k", "pass^k", "maj@k"):
            leaders(found, metric)
        for metric in ("avg@n", "cons@n"):
            for a, b in combinations(found.values(), 2):
                compare(a, b, metric)

    side_by_side(
        "all pairs of 6 runs of 100,000 x 64, five metrics, every k",
        all_pairs,
        lambda: [matrix.sum(axis=1, dtype=np.int16) for matrix in matrices],
        against="one sum of each row",
        limit=1.0,
    )


def test_a_ranking_of_many_runs(side_by_side):
    rng = np.random.default_rng(0)
    rate = rng.beta(0.5, 0.5, (200, 1))
    given = {
        f"run {place}": Outcomes((rng.random((200, 4)) < rate).astype(np.int8))
        for place in range(60)
    }
    pairs = list(combinations(given.values(), 2))
    side_by_side(
        "a ranking of 60 runs of 200 x 4",
        lambda: rank(given),
        lambda: [compare(a, b) for a, b in pairs],
        against="comparing its 1,770 pairs one by one",
        limit=0.5,
    )
