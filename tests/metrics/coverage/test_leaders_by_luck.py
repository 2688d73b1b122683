"""How often a leader is named among models that are equally good.

The first by the data is compared with each of the others, and named where every interval of the
difference leaves out 0. With three levels of difficulty, or none, no model is better than another.
"""

import numpy as np
import pytest

from metrics import Outcomes, compare

SETS = 400


def equal_models(rng, models, m, n, mixed):
    chance = rng.choice([0.1, 0.5, 0.95], (m, 1)) if mixed else np.full((m, 1), 0.5)
    return [Outcomes((rng.random((m, n)) < chance).astype(np.int8)) for _ in range(models)]


def has_leader(runs, target):
    first = max(runs, key=lambda run: run.correct.mean())
    others = sorted((run for run in runs if run is not first), key=lambda run: -run.correct.mean())
    return all(compare(run, first, target=target).sure for run in others)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("models", [2, 6, 20])
@pytest.mark.parametrize(("m", "n"), [(30, 4), (100, 1), (100, 4), (300, 4)])
def test_luck_makes_a_leader_in_few_sets(models, m, n, target, capsys):
    rng = np.random.default_rng(models + m + n)
    named = [
        np.mean([has_leader(equal_models(rng, models, m, n, mixed), target) for _ in range(SETS)])
        for mixed in (False, True)
    ]
    with capsys.disabled():
        print(f"{target} {models} models, {m} x {n}: {named[0]:.3f} {named[1]:.3f}")
    assert max(named) < 0.05 + 3 * (0.05 * 0.95 / SETS) ** 0.5
