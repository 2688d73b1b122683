"""Who leads is what single comparisons with the first say, on the same questions only."""

from dataclasses import replace

import numpy as np
import pytest

from metrics import MetricError, Outcomes, compare, estimate, rank, stand
from metrics.analyses.compare.best import Best, chances_of_best


def runs(seed: int = 0, m: int = 80, n: int = 4) -> dict[str, Outcomes]:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, (m, 1))
    return {
        name: Outcomes((rng.random((m, n)) < rate**power).astype(np.int8))
        for name, power in (("low", 3.0), ("high", 0.6), ("near", 0.65))
    }


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 3), ("geom@k", 2)])
def test_the_first_is_set_against_each_other(metric, k, target):
    given = runs()
    found = stand(given, metric, k, target=target)
    values = {name: estimate(run, metric, k, target=target).value for name, run in given.items()}
    assert list(found.estimates) == sorted(values, key=lambda name: -values[name])
    for name, ahead in found.ahead.items():
        alone = compare(given[name], given[found.first], metric, k, target=target)
        assert ahead.value == alone.value
        assert ahead.interval == pytest.approx(alone.interval, abs=1e-10)
        assert (name in found.leaders) is not alone.sure


@pytest.mark.parametrize("clustered", [False, True])
def test_those_that_may_lead_are_those_that_a_ranking_lets_be_the_best(clustered):
    """Also where Holm's step takes pairs without the first, or another one than this is better."""
    rng, beyond = np.random.default_rng(3), 0
    clusters = np.arange(60) // 3 if clustered else None
    for _ in range(5):
        rate = rng.beta(1, 1, (60, 1))
        given = {
            f"run {i}": Outcomes(
                (rng.random((60, 3)) < rate**power).astype(np.int8), clusters=clusters
            )
            for i, power in enumerate([1.0, 0.9, 0.6, 0.5, 1.4, 3.0, 4.0, 5.0])
        }
        found, ranked = stand(given), rank(given)
        best = [name for name, each in zip(ranked.names, ranked.ranks, strict=True) if each[0] == 1]
        assert list(found.leaders) == best
        beyond += len(replace(found, behind=None).leaders) > len(best)
    assert beyond


def test_one_leads_only_where_it_is_surely_better_than_each_other():
    given = runs()
    assert stand(given).leader is None
    assert stand({name: given[name] for name in ("low", "high")}).leader == "high"
    assert stand({"alone": given["high"]}).leader is None


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 3)])
def test_where_several_may_lead_each_has_the_chance_of_a_ranking(metric, k, target):
    given = runs()
    found, ranked = stand(given, metric, k, target=target), rank(given, metric, k, target=target)
    assert tuple(found.estimates) == ranked.names
    assert (found.best.chances, found.best.losses) == (ranked.chances, ranked.losses)
    assert stand({name: given[name] for name in ("low", "high")}, metric, k).best is None


@pytest.mark.wide
def test_where_no_run_surely_leads_the_chance_is_no_more_than_an_interval_allows():
    """Of 60 runs one is three errors ahead: with 1,770 pairs in view that may be chance."""
    rng = np.random.default_rng(0)
    level = (rng.random((60, 400, 1)) < 0.5).astype(np.int8)
    level[0, :150] = 1
    given = {f"run {i}": Outcomes(right) for i, right in enumerate(level)}
    found, ranked = stand(given), rank(given)
    free = chances_of_best(*found.means)
    assert len(found.leaders) > 1
    assert ranked.ranks[0].last > 1
    assert free.chances[0] > 0.98
    assert found.best == Best(ranked.chances, ranked.losses)
    assert found.best.chances[0] == 0.975
    assert sum(found.best.chances) == pytest.approx(1)
    wrong = free.losses[0] / (1 - free.chances[0])
    assert found.best.losses[0] / 0.025 == pytest.approx(wrong)


def test_a_chance_of_1_that_is_not_allowed_has_a_cost():
    found = chances_of_best([0.9, 0.5, 0.1], 0.0004 * np.eye(3), 0.975)
    assert found.chances == (0.975, pytest.approx(0.025), 0)
    assert 0 < found.losses[0] < 0.025 * 0.4


def test_nobody_leads_those_that_are_not_on_the_same_questions():
    given = runs()
    found = stand(given, same_questions=lambda a, b: b is given["high"] and a is given["near"])
    assert found.unpaired == ("low",)
    assert found.leader is None
    assert "low" not in found.leaders


def test_arrays_of_soft_scores_lead_as_they_are_compared():
    scores = np.random.default_rng(0).random((40, 2))
    given = {"low": scores * 0.5, "high": scores}
    found = stand(given, "soft")
    assert found.leader == "high"
    alone = compare(given["low"], given["high"], "soft")
    assert found.ahead["low"].interval == pytest.approx(alone.interval, abs=1e-10)
    assert rank(given, "soft").names == ("high", "low")


def test_a_run_without_the_number_is_left_out_with_the_reason():
    given = runs() | {"once": Outcomes(np.ones((80, 1), dtype=np.int8))}
    found = stand(given, "pass@k", 4)
    assert "once" not in found.estimates
    assert "needs 4 samples" in str(found.left_out["once"])
    with pytest.raises(MetricError, match="needs 4 samples"):
        stand({"once": given["once"]}, "pass@k", 4)
    with pytest.raises(MetricError, match="no run that could lead"):
        stand({})
    assert stand(given, "pass@k").k == 1
