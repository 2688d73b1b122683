"""Datasets that count equally: means, limits and choices are those of each dataset, averaged."""

import numpy as np
import pytest

from metrics import Outcomes, choose_among, estimate, pool
from metrics.analyses.choose_n.choice import read_limits
from metrics.analyses.choose_n.suites import join_weighed, select_suite, shared_on
from metrics.analyses.choose_n.tradeoff import trade_off
from metrics.analyses.choose_n.weighing import weigh
from metrics.data.evidence import Evidence

SIZES = {"small": (20, 6), "large": (90, 4)}


def outcomes(size, ease, seed, clusters=None):
    rng = np.random.default_rng(seed)
    rates = rng.beta(ease, 1, (size[0], 1))
    return Outcomes((rng.random(size) < rates).astype(int), clusters=clusters)


def weighed(data, cost=1.0):
    return weigh(Evidence(data, "wrong", None), "pass@k", cost, verifier=True, each=True)


@pytest.mark.parametrize("clustered", [False, True])
def test_quality_and_its_limits_are_those_of_the_pooled_estimate(clustered):
    parts = {
        name: outcomes(size, 0.6, seed, np.arange(size[0]) // 2 if clustered else None)
        for seed, (name, size) in enumerate(SIZES.items())
    }
    table = trade_off(join_weighed([weighed(data) for data in parts.values()]), 0.95)
    assert table.n.tolist() == [1, 2, 3, 4]
    for place, n in enumerate(table.n.tolist()):
        found = pool([estimate(data, "pass@k", n) for data in parts.values()])
        assert table.quality[place] == pytest.approx(found.value, abs=1e-12)
        assert table.quality_low[place] == pytest.approx(found.interval.low, abs=1e-9)
        assert table.quality_high[place] == pytest.approx(found.interval.high, abs=1e-9)


def test_costs_and_attempts_are_means_and_vary_as_independent_ones():
    parts = [weighed(outcomes(size, 0.6, seed), 2.0) for seed, size in enumerate(SIZES.values())]
    whole = join_weighed(parts)
    for name in ("quality", "attempts", "cost", "cost_in_full"):
        means, variances = [], []
        for part in parts:
            ledger = part.questions
            of = getattr(ledger, name)[:4]
            mean = ledger.mean(of)
            means.append(mean)
            each = of[:, ledger.of_question]
            variances.append(each.var(axis=1) / ledger.n_questions)
        ledger = whole.questions
        of = getattr(ledger, name)
        assert ledger.mean(of) == pytest.approx(np.mean(means, axis=0))
        spread = ((of[:, ledger.of_question] - ledger.mean(of)[:, None]) ** 2).sum(axis=1)
        assert spread / ledger.n_questions**2 == pytest.approx(np.sum(variances, axis=0) / 4)


def test_a_dataset_twice_is_chosen_from_as_the_dataset_itself():
    runs = {name: outcomes((60, 8), ease, 1) for name, ease in (("a", 0.4), ("b", 1.5))}
    prices = {"a": 1.0, "b": 3.0}
    twice = {
        name: {place: weighed(data, prices[name]) for place in ("x", "y")}
        for name, data in runs.items()
    }
    limits = read_limits(None, None, None, 0.9)
    found = select_suite(twice, limits, 0.95)
    alone = choose_among(runs, cost_per_sample=prices, reach=0.9)
    assert found.run == alone.run
    for name in runs:
        table, other = found.choices[name].table, alone.choices[name].table
        assert table.quality == pytest.approx(other.quality)
        assert table.cost == pytest.approx(other.cost)
        assert (
            table.quality_high - table.quality_low < other.quality_high - other.quality_low
        ).all()


def test_a_model_that_is_good_on_the_small_dataset_alone_counts_half():
    """Of all questions it solves a fifth; of datasets that count equally half."""
    good, bad = np.ones((10, 4), int), np.zeros((40, 4), int)
    part = join_weighed([weighed(Outcomes(good)), weighed(Outcomes(bad))])
    assert trade_off(part, 0.95).quality[0] == pytest.approx(0.5)


@pytest.mark.parametrize(("more", "remarks"), [(0, ()), (5, (shared_on(1, 2),))])
def test_on_how_many_datasets_only_shared_questions_count(more, remarks):
    models = {
        name: {
            "x": outcomes((20, 4), 0.5, 1),
            "y": outcomes((20 + more * (name == "b"), 4), 0.5, 2),
        }
        for name in "ab"
    }
    each = {name: {d: weighed(data) for d, data in of.items()} for name, of in models.items()}
    found = select_suite(each, read_limits(None, None, None, 0.9), 0.95)
    assert found.remarks == remarks
