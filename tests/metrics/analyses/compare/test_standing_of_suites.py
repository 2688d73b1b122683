"""Who leads over several datasets: the averages, their paired differences, and all at once."""

from itertools import combinations

import numpy as np
import pytest

from metrics import (
    MetricError,
    Outcomes,
    best_of_suites,
    compare_suite,
    estimate,
    pool,
    rank,
    rank_suite,
    stand,
    stand_suite,
)
from metrics.intervals.inversion import holm


def suites(models=4, datasets=3, m=40, n=4, step=0.0, seed=0):
    rng = np.random.default_rng(seed)
    hard = {f"d{d}": rng.random(m) for d in range(datasets)}
    return {
        f"m{i}": {
            name: Outcomes((rng.random((m, n)) < (p * (1 - step * i))[:, None]).astype(int))
            for name, p in hard.items()
        }
        for i in range(models)
    }


def test_it_is_the_average_and_its_paired_difference() -> None:
    runs = suites(step=0.2)
    found = stand_suite(runs, target="population", confidence_level=0.9)
    assert found.first == found.leader == "m0"
    for model, value in found.estimates.items():
        each = [estimate(run, "avg@n", confidence_level=0.9) for run in runs[model].values()]
        assert value.interval == pool(each).interval
    apart = compare_suite(runs["m2"], runs["m0"], confidence_level=0.9)
    assert found.ahead["m2"].interval == pytest.approx(apart.interval, abs=1e-10)
    best = best_of_suites({name: runs[name] for name in found.estimates})
    assert found.means is not None
    assert found.means.values[0] == pytest.approx(found.estimates["m0"].value)
    assert best.chances[0] > 0.95


def test_weights_count() -> None:
    runs = suites(models=2, step=0.3)
    weights = {"d0": 1.0, "d1": 0.0, "d2": 3.0}
    found = stand_suite(runs, weights=weights)
    each = [estimate(run, "avg@n").value for run in runs["m0"].values()]
    assert found.estimates["m0"].value == pytest.approx((each[0] + 3 * each[2]) / 4)


def test_datasets_that_not_all_have_do_not_count() -> None:
    runs = suites(models=2, step=0.2)
    alone = {**runs, "m2": {name: runs["m0"][name] for name in ("d0", "d1")}}
    assert stand_suite(alone).ahead["m1"].n_questions == 80
    with pytest.raises(MetricError, match="no dataset in common"):
        stand_suite({**runs, "m2": {"other": runs["m0"]["d0"]}})


def test_without_the_same_questions_none_is_ahead() -> None:
    runs = suites(models=3, step=0.3)
    odd = set(map(id, runs["m1"].values()))
    found = stand_suite(runs, same_questions=lambda a, b: id(a) not in odd and id(b) not in odd)
    assert found.unpaired == ("m1",)
    assert found.ahead["m1"].interval is None
    assert found.leader is None
    assert found.leaders == ("m0",)
    assert found.means.values.shape == (2,)


def test_one_k_serves_all() -> None:
    runs = suites(models=2)
    runs["m1"]["d2"] = Outcomes(runs["m1"]["d2"].correct[:, :2])
    found = stand_suite(runs, "pass@k")
    assert found.k == 2
    assert found.estimates["m0"].value == pytest.approx(
        np.mean([estimate(run, "pass@k", 2).value for run in runs["m0"].values()])
    )


@pytest.mark.wide
def test_of_equal_models_one_is_seldom_left_out() -> None:
    """Of ten that are alike the first is surely ahead of another in 5 % of sets at most."""
    left = 0
    for seed in range(25):
        runs = {name: each["d0"] for name, each in suites(10, 1, 60, 2, seed=seed).items()}
        left += len(stand(runs).leaders) < 10
    assert left <= 4, "1.25 are expected, 4 are 2.5 deviations more"


@pytest.mark.wide
def test_who_surely_leads_is_first_in_the_ranks() -> None:
    led = 0
    for seed in range(8):
        runs = {name: each["d0"] for name, each in suites(4, 1, 80, 4, 0.2, seed).items()}
        found, ranked = stand(runs), rank(runs)
        places = zip(ranked.names, ranked.ranks, strict=True)
        assert list(found.behind) == [name for name, ranks in places if ranks.first > 1]
        led += found.leader is not None
    assert 0 < led < 8


def test_ranks_are_those_of_all_pairs_together() -> None:
    rng = np.random.default_rng(4)
    runs = {
        name: {
            place: (rng.random((60, 4)) < rng.beta(ease, 1, (60, 1))).astype(int)
            for place in ("x", "y")
        }
        for name, ease in (("a", 0.5), ("b", 0.6), ("c", 2.5))
    }
    found = rank_suite(runs, "pass@k", 2)
    pairs = {
        pair: compare_suite(runs[pair[1]], runs[pair[0]], "pass@k", 2)
        for pair in combinations(found.names, 2)
    }
    adjusted = holm([each.p_value for each in pairs.values()])
    assert list(found.p_values) == list(pairs)
    assert list(found.p_values.values()) == pytest.approx(list(adjusted))
    for place, name in enumerate(found.names):
        above = sum(p <= 0.05 for (_b, worse), p in found.p_values.items() if worse == name)
        below = sum(p <= 0.05 for (better, _w), p in found.p_values.items() if better == name)
        assert found.ranks[place] == (1 + above, 3 - below)
    assert found.names[0] == "c"
    assert [str(ranks) for ranks in found.ranks] == ["1", "2 to 3", "2 to 3"]
    best = best_of_suites(runs, "pass@k", 2)
    assert found.chances[0] == pytest.approx(best.chances[list(runs).index("c")], abs=0.01)


@pytest.mark.parametrize("clustered", [False, True])
def test_models_compared_at_once_are_as_each_two_by_themselves(clustered) -> None:
    rng, weights = np.random.default_rng(5), {"x": 1.0, "y": 2.0, "z": 0.0}
    sizes = {"x": 30, "y": 60, "z": 20}
    rates = {place: rng.beta(1, 1, (m, 1)) for place, m in sizes.items()}
    runs = {
        name: {
            place: Outcomes(
                (rng.random((m, 3)) < rates[place] ** power).astype(int),
                clusters=np.arange(m) // 3 if clustered and place == "y" else None,
            )
            for place, m in sizes.items()
        }
        for name, power in (("a", 0.9), ("b", 1.0), ("c", 1.2), ("d", 1.5), ("e", 4.0))
    }
    found = rank_suite(runs, "pass@k", 2, weights=weights)
    for (better, worse), pair in found.pairs.items():
        alone = compare_suite(runs[worse], runs[better], "pass@k", 2, weights=weights)
        assert pair.interval == pytest.approx(alone.interval, abs=1e-10)
        assert (pair.value, pair.wins, pair.p_value) == (alone.value, alone.wins, alone.p_value)
    led = stand_suite(runs, "pass@k", 2, weights=weights)
    places = zip(found.names, found.ranks, strict=True)
    assert list(led.leaders) == [name for name, ranks in places if ranks.first == 1]
    assert 1 < len(led.leaders) < 5


def test_few_questions_reach_no_farther_than_a_difference_can() -> None:
    none = {"x": [[0]] * 3, "y": [[0]] * 30}
    most = {"x": [[1], [1], [0]], "y": [[1]] * 30}
    found = rank_suite({"a": none, "b": most}).pairs["b", "a"]
    assert found.interval == pytest.approx(compare_suite(none, most).interval, abs=1e-10)
    assert found.interval.high == 1


def test_models_on_unlike_questions_have_no_ranks() -> None:
    runs = suites(models=3)
    with pytest.raises(MetricError, match="no ranking"):
        rank_suite(runs, same_questions=lambda a, b: a is not runs["m2"]["d1"])
