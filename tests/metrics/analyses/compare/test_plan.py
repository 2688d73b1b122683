"""What a benchmark can show, against enumeration, other ways to compute it, and simulation."""

from itertools import product
from math import comb, inf

import numpy as np
import pytest

from metrics import JointTally, MetricError, Outcomes, compare, plan
from metrics.analyses.compare.plan import _left, _with_mean

SETS = 600
PAIR = [[1, 0]] * 5


def counts(m: int, n_a: int, n_b: int, power: float, seed: int) -> JointTally:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, m)
    return JointTally.of_questions(
        n_a, rng.binomial(n_a, rate), n_b, rng.binomial(n_b, rate**power)
    )


def test_leaving_samples_out_is_exact():
    table = _left(7, 3)
    for c, left in product(range(8), range(4)):
        expected = comb(c, left) * comb(7 - c, 3 - left) / comb(7, 3)
        assert table[c, left] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 2), ("maj@k", 3)])
def test_fewer_samples_keep_the_mean_difference(metric, k):
    joint = counts(300, 8, 6, 0.7, 0)
    found = plan(joint, metric=metric, k=k)
    expected = compare(joint, metric=metric, k=k).value
    for samples in (3, 4, 6):
        values, shares = found.gains(samples)
        assert shares.sum() == pytest.approx(1)
        assert shares @ values == pytest.approx(expected)


def test_more_samples_leave_the_variance_between_questions():
    joint = counts(40_000, 32, 32, 0.6, 1)
    rate = np.random.default_rng(1).beta(1, 1, 40_000)
    between = np.var(rate**0.6 - rate)
    values, shares = plan(joint).gains(inf)
    assert shares @ (values - shares @ values) ** 2 == pytest.approx(between, rel=0.15)


def test_questions_are_weighed_to_have_the_mean_asked_for():
    gains = np.array([-1.0, -0.25, 0, 0.5, 1.0]), np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    for mean in (-0.5, 0.0, 0.05, 0.3, 0.9):
        values, shares = _with_mean(gains, mean)
        assert shares @ values == pytest.approx(mean, abs=1e-9)
        logs = np.log(shares / gains[1])
        slope = np.diff(logs) / np.diff(values)
        assert slope == pytest.approx(np.full(4, slope[0]))


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 4), ("cons@n", None)])
def test_the_smallest_difference_is_shown_as_surely_as_asked(metric, k):
    found = plan(counts(120, 8, 8, 0.8, 2), metric=metric, k=k)
    smallest = found.smallest()
    assert found.chance(smallest) == pytest.approx(0.8, abs=0.001)
    assert found.chance(0.7 * smallest) < 0.8 < found.chance(1.3 * smallest)
    assert found.smallest(questions=480) < smallest
    assert found.questions(smallest) == pytest.approx(120, rel=0.03)


def test_more_samples_help_down_to_a_floor():
    found = plan(counts(200, 8, 8, 0.8, 3))
    sizes = [found.smallest(samples=samples) for samples in (1, 2, 4, 8, 16, 64, 1000)]
    assert sizes == sorted(sizes, reverse=True)
    assert found.floor < sizes[-1] < 1.1 * found.floor
    assert plan(counts(200, 1, 1, 0.8, 3)).floor is None
    assert plan(counts(200, 8, 8, 0.8, 3), metric="pass@k", k=2).floor is None


def test_so_many_questions_make_the_interval_as_narrow():
    joint = counts(100, 4, 4, 0.8, 4)
    found = plan(joint)
    low, high = compare(joint).interval
    assert found.questions_for_width(high - low) == pytest.approx(100, rel=0.03)
    assert found.questions_for_width((high - low) / 2) > 300


def test_one_run_is_set_against_another_as_good():
    rng = np.random.default_rng(5)
    rate = rng.beta(1, 1, (400, 1))
    run = Outcomes((rng.random((400, 8)) < rate).astype(int))
    again = Outcomes((rng.random((400, 8)) < rate).astype(int))
    assert plan(run).smallest() == pytest.approx(plan(run, again).smallest(), rel=0.15)
    assert plan(run).smallest(samples=32) < plan(run).smallest()


def test_a_bill_pays_for_both_runs():
    found = plan([[0, 1]] * 30)
    assert found.affordable(300, question=2.0, sample=0.5, samples=4) == 50


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: plan([[1, 0]] * 5, metric="soft"), "more than counts"),
        (lambda: plan([[1, 0]] * 5, [[1, 0]] * 5, "pass@k", 2).smallest(samples=8), "more samples"),
        (
            lambda: plan([[1, 0]] * 5, [[1, 0]] * 5, "pass@k", 2).smallest(samples=1),
            "2 of 1 samples",
        ),
        (lambda: plan([[1]] * 5, [[0]] * 5).smallest(samples=2), "One sample a question"),
        (lambda: plan(Outcomes([[1, 0]] * 4, clusters=[0, 0, 1, 1])), "clusters"),
        (
            lambda: plan(Outcomes([[1]], questions=["a"]), Outcomes([[1]], questions=["b"])),
            "share no questions",
        ),
        (lambda: plan([[1, 0]] * 5).chance(0.1, questions=0), "at least 1"),
    ],
)
def test_what_cannot_be_planned_is_refused(asked, why):
    with pytest.raises(MetricError, match=why):
        asked()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "metric", "k"),
    [
        (30, 1, "avg@n", None),
        (30, 8, "avg@n", None),
        (100, 1, "avg@n", None),
        (100, 8, "avg@n", None),
        (100, 8, "pass@k", 4),
        (100, 16, "pass@k", 8),
        (30, 16, "pass@k", 16),
        (500, 8, "avg@n", None),
    ],
)
@pytest.mark.parametrize("power", [0.85, 0.7, 0.5])
def test_the_chance_is_that_of_simulated_comparisons(m, n, metric, k, power):
    pilot = counts(1_000_000, n, n, power, 6)
    true = compare(pilot, metric=metric, k=k).value
    foretold = plan(pilot, metric=metric, k=k).chance(true, m)
    sets = (counts(m, n, n, power, seed) for seed in range(SETS))
    shown = np.mean([compare(each, metric=metric, k=k).interval.low > 0 for each in sets])
    print(f"\n{metric} {k}, {m} x {n}: {foretold:.3f}, simulated {shown:.3f}")
    assert foretold == pytest.approx(shown, abs=0.08)
