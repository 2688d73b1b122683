"""The decision matrix of means over datasets against each dataset's own."""

import numpy as np
import pytest

from metrics import estimate, guidance, pool
from metrics.analyses.guidance.decision_matrix import DIMENSIONS
from metrics.analyses.guidance.suites import guidance_of_means


def drawn(m, ease, seed):
    rng = np.random.default_rng(seed)
    return (rng.random((m, 4)) < rng.beta(ease, 1, (m, 1))).astype(int)


def test_its_numbers_are_pooled_and_its_draws_are_means():
    parts = [drawn(40, 2.0, 0), drawn(200, 0.5, 1)]
    found = guidance_of_means(parts, answers=[None, None])
    names = {"pass": ("pass@k", 4), "avg": ("avg@n", None), "cons": ("cons@n", None)}
    for dimension in DIMENSIONS:
        metric, k = names[dimension]
        value = pool([estimate(part, metric, k) for part in parts])
        assert found.estimates[dimension].value == value.value
        assert found.estimates[dimension].interval == value.interval
    assert sum(found.probability.values()) == pytest.approx(1)
    assert found.probability[found.cell] > 0.3
    gain = np.mean([guidance(part).gaps.checked.value for part in parts])
    assert found.gaps.checked.value == pytest.approx(gain)
    assert found.gaps.solved.value[0] == pytest.approx(found.estimates["pass"].value)


def test_of_one_dataset_twice_it_lies_where_that_does_and_surer():
    part = drawn(60, 0.8, 3)
    alone, twice = guidance(part), guidance_of_means([part, part], answers=[None, None])
    assert twice.cell == alone.cell
    for dimension in DIMENSIONS:
        one, both = alone.estimates[dimension], twice.estimates[dimension]
        assert both.value == pytest.approx(one.value)
        assert both.interval.high - both.interval.low < one.interval.high - one.interval.low
    assert twice.probability[twice.cell] > alone.probability[alone.cell] - 0.02
