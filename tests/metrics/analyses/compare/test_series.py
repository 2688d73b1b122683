"""Runs in an order: what changed, and that all claims about it hold at once."""

from itertools import combinations

import numpy as np
import pytest

from metrics import MetricError, Outcomes, compare, estimate, series

LEVEL = 0.95
REFERENCES = ("from_first", "from_previous", "from_best")


def drawn(m, n, powers, rng):
    """Return runs whose true means are 1 / (1 + power), on questions of one set."""
    return sampled(rng.random((m, 1)), n, powers, rng)


def sampled(rate, n, powers, rng):
    return {
        f"step-{place}": Outcomes((rng.random((len(rate), n)) < rate**power).astype(int))
        for place, power in enumerate(powers)
    }


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_each_difference_is_that_of_the_two_at_the_adjusted_level(target):
    runs = drawn(80, 4, [1.4, 1.0, 0.7, 0.8], np.random.default_rng(3))
    names, found = list(runs), series(runs, "pass@k", 2, target=target)
    best = max(names, key=lambda name: estimate(runs[name], "pass@k", 2).value)
    assert found.best == best
    for place, name in enumerate(names):
        others = (names[0], names[max(place - 1, 0)], best)
        for reference, other, looked_at in zip(REFERENCES, others, (3, 3, 6), strict=True):
            step = getattr(found, reference)[place]
            if other == name:
                assert step is None
                continue
            level = 1 - (1 - LEVEL) / looked_at
            alone = compare(
                runs[other], runs[name], "pass@k", 2, target=target, confidence_level=level
            )
            assert (step.value, step.interval) == (alone.value, alone.interval)
    values = [each.value for each in found.estimates]
    assert found.to_frame()["value"].tolist() == values
    assert np.nansum(found.to_frame()["from_previous"]) == pytest.approx(values[-1] - values[0])


def solving(**solved):
    """Return runs of 60 questions that solve the first so many of them."""
    return {name: [[1]] * count + [[0]] * (60 - count) for name, count in solved.items()}


def test_the_first_that_is_surely_better_or_worse_need_not_be_the_best_or_the_last():
    rising = series(solving(a=20, b=22, c=36, d=40, e=30))
    assert (rising.first_better, rising.first_worse, rising.best) == ("c", None, "d")
    falling = series(solving(a=40, b=38, c=24, d=39))
    assert (falling.first_better, falling.first_worse, falling.best) == (None, "c", "a")


def test_runs_that_are_alike_have_no_first_that_is_better():
    found = series(dict.fromkeys(("a", "b", "c"), [[1, 0]] * 40))
    assert (found.first_better, found.first_worse) == (None, None)


def test_which_questions_are_the_same_may_be_said_and_one_run_is_no_series():
    runs = drawn(40, 2, [1.0, 0.8, 0.6], np.random.default_rng(0))
    found = series(runs, same_questions=lambda a, b: False)
    assert not any(step.paired for step in found.from_previous[1:])
    with pytest.raises(MetricError, match="at least two runs"):
        series({"a": runs["step-0"]})


def wrong(m, n, powers, sets, seed, target="population"):
    """Return how often any interval of a reference misses its true difference, by reference.

    First of the intervals of the series, then of those of each difference by itself.
    """
    rng = np.random.default_rng(seed)
    missed = np.zeros((2, len(REFERENCES)))
    of_all = [1 / (1 + power) for power in powers]
    for _ in range(sets):
        rate = rng.random((m, 1))
        of_these = [float((rate**power).mean()) for power in powers]
        means = of_all if target == "population" else of_these
        true = {f"step-{place}": mean for place, mean in enumerate(means)}
        found = series(sampled(rate, n, powers, rng), target=target)
        names = found.names
        others = ([names[0]] * len(names), [names[0], *names[:-1]], [found.best] * len(names))
        for place, (reference, of) in enumerate(zip(REFERENCES, others, strict=True)):
            steps = zip(names, of, getattr(found, reference), strict=True)
            values = [(true[x] - true[y], step) for x, y, step in steps if step is not None]
            missed[0, place] += any(not lies(value, step.interval) for value, step in values)
            missed[1, place] += any(not lies(value, step.ends(LEVEL)) for value, step in values)
    return missed / sets


def lies(value, limits):
    return limits[0] <= value <= limits[1]


@pytest.mark.wide
def test_all_differences_of_a_reference_hold_at_once():
    """Each by itself, one of them would be wrong more than twice as often as is said."""
    sets = 40
    adjusted, alone = wrong(60, 2, [1.0] * 6, sets, seed=1)
    assert max(adjusted) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / sets)
    assert min(alone) > 0.1


def test_the_best_is_chosen_by_the_data_and_so_all_pairs_are_looked_at():
    """Adjusted for the runs alone, intervals from the best of equal runs would be too narrow."""
    rng, sets, runs = np.random.default_rng(2), 300, 10
    missed = 0
    for _ in range(sets):
        means = rng.standard_normal(runs)
        spread = max(abs(a - b) for a, b in combinations(means, 2)) / np.sqrt(2)
        missed += spread > 2.77  # the normal quantile at 1 - .05 / 9, on both sides
    assert missed / sets > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("m", [30, 100, 300])
@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize(
    "powers",
    [[1.0] * 3, [1.0] * 10, [1.0, 0.9, 0.8, 0.7], [1.5 - 0.1 * i for i in range(10)]],
    ids=["3 equal", "10 equal", "4 rising", "10 rising"],
)
def test_study_of_series(m, n, powers):
    adjusted, alone = wrong(m, n, powers, 1000, seed=m + n)
    print(m, n, len(powers), adjusted, alone)
    assert max(adjusted) <= 0.065


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "powers"),
    [(60, 4, [1.0] * 6), (60, 4, [1.4, 1.2, 1.0, 0.9, 0.8, 0.7]), (200, 2, [1.0] * 10)],
    ids=["6 equal", "6 rising", "10 equal"],
)
def test_study_of_series_on_these_questions(m, n, powers):
    adjusted, alone = wrong(m, n, powers, 400, seed=5, target="benchmark")
    print(m, n, len(powers), adjusted, alone)
    assert max(adjusted) <= 0.075
