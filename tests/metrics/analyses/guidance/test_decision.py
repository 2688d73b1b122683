"""The decision matrix: where a run lies, and how likely each cell is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import MetricError, Outcomes, Tally, guidance
from metrics.analyses.guidance.decision_matrix import CELLS, LEVELS, UseCase
from metrics.data.words import Text
from tests.metrics.analyses.guidance.three_metrics import COUNTS, exact, of_counts, place


@pytest.mark.wide
@settings(max_examples=20)
@given(COUNTS, st.integers(0, 5))
def test_probabilities_sum_to_one_and_the_impossible_has_none(counted, seed):
    n, counts = counted
    found = guidance(of_counts(n, counts), rng=seed, resamples=400)
    assert set(found.probability) == set(CELLS)
    assert sum(found.probability.values()) == pytest.approx(1)
    assert all(cell in found.possible for cell, p in found.probability.items() if p)
    assert found.cell == place(exact(n, counts))
    assert found.cell in found.possible


def test_the_lines_themselves_are_medium():
    """4 of 5 is .8 and 2 of 4 is .5, also where sums round: 1/10 eight times."""
    assert guidance([[1, 1, 1, 1, 0]]).cell == ("high", "medium", "high")
    assert guidance([[1, 1, 0, 0]]).cell == ("high", "medium", "low")
    tenths = [[1]] * 8 + [[0]] * 2
    assert guidance(tenths).cell == ("medium",) * 3
    assert guidance([[1]] * 5 + [[0]] * 5).cell == ("medium",) * 3
    assert guidance(tenths, high=0.79).cell == ("high",) * 3


def test_the_worked_example():
    """Counts 2, 2, 1, 0 of 3: pass .75, avg .4167, cons .5."""
    found = guidance(of_counts(3, [2, 2, 1, 0]))
    values = [round(found.estimates[dimension].value, 4) for dimension in ("pass", "avg", "cons")]
    assert values == [0.75, 0.4167, 0.5]
    assert found.cell == ("medium", "low", "medium")


def test_clusters_reach_the_matrix():
    rng = np.random.default_rng(0)
    correct = np.repeat(rng.random((10, 1, 4)) < 0.6, 8, axis=1).reshape(80, 4).astype(int)
    clustered = guidance(Outcomes(correct, clusters=np.repeat(np.arange(10), 8)))
    assert max(clustered.probability.values()) < max(guidance(correct).probability.values())


def drawn_by_numpy(n, counts, size, seed):
    """Joint draws of pass@n, avg@n, cons@n by an independent route."""
    c = np.arange(n + 1)
    alpha = np.bincount(counts, minlength=n + 1).astype(float)
    alpha[[0, n]] += 0.5
    weights = np.random.default_rng(seed).dirichlet(np.maximum(alpha, 1e-12), size)
    return weights @ np.column_stack([c > 0, c / n, 2 * c > n])


def test_probabilities_and_verdicts_against_an_independent_simulation():
    counts = np.random.default_rng(5).binomial(4, np.random.default_rng(6).beta(3, 1, 60))
    found = guidance(of_counts(4, counts))
    drawn = drawn_by_numpy(4, counts, 100_000, seed=7)
    levels = (drawn > 0.8).astype(int) - (drawn < 0.5) + 1
    for cell in CELLS:
        share = np.mean(np.all(levels == [LEVELS.index(level) for level in cell], axis=1))
        assert found.probability[cell] == pytest.approx(share, abs=0.02)
    passed, avg, cons = drawn.T
    truth = [(cons > 0.8) & (passed > 0.9), (passed > 0.8) & (avg > 0.7), avg > 0.75]
    for verdict, met in zip(found.verdicts, truth, strict=True):
        assert verdict.probability == pytest.approx(met.mean(), abs=0.02)


def test_likely_cells_hold_their_share():
    found = guidance(of_counts(4, np.arange(40) % 5))
    for share in (0.5, 0.9, 0.95, 1.0):
        cells = found.likely(share)
        held = [found.probability[cell] for cell in cells]
        assert sum(held) >= share - 1e-9
        assert sum(held[:-1]) < share
        assert held == sorted(held, reverse=True)


def test_failed_requests_count_as_asked():
    data = Outcomes([[1, -1], [1, 1]] * 20)
    found = {
        m: guidance(data, missing=m).estimates["avg"].value for m in ("wrong", "omit", "right")
    }
    assert found == {"wrong": 0.75, "omit": 1.0, "right": 1.0}


def test_the_seed_decides_the_draws():
    data = of_counts(4, np.arange(40) % 5)
    assert guidance(data).probability == guidance(data).probability
    assert guidance(data).probability != guidance(data, rng=1).probability


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"high": 0.5, "low": 0.5}, "low must be below high; got 0.5 and 0.5"),
        ({"high": 1.2}, "high must lie in 0 … 1"),
        ({"low": -0.1}, "low must lie in 0 … 1"),
        ({"k": 3}, "needs 3 samples"),
        ({"resamples": 0}, "resamples"),
        ({"confidence_level": 2}, "confidence_level"),
        (
            {"scenarios": [UseCase("x", Text("x"), Text("x"), {"avg": 2.0})]},
            "target must lie in 0 … 1",
        ),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(MetricError, match=message):
        guidance([[1, 0]], **arguments)


def test_a_million_questions_are_as_fast_as_a_tally():
    tally = Tally(np.full(65, 64), np.arange(65), np.full(65, 20_000))
    assert max(guidance(tally, low=0.4).probability.values()) > 0.99
