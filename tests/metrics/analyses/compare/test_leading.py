"""Which run surely leads at which k is what single comparisons say at each."""

import numpy as np
import pytest

from metrics import MetricError, Outcomes, compare, lead, leaders, rank
from metrics.analyses.compare.leading import Lead

STEADY = [[1] * 8] * 60 + [[0] * 8] * 40
LUCKY = [[1] * 3 + [0] * 5] * 100


def several(m: int, n: int, count: int, seed: int) -> dict[str, Outcomes]:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, (m, 1))
    powers = np.linspace(0.7, 1.4, count)
    return {
        f"m{i}": Outcomes((rng.random((m, n)) < rate**power).astype(np.int8))
        for i, power in enumerate(powers)
    }


@pytest.mark.wide
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("metric", ["pass@k", "maj@k", "geom@k", "geom-ds@k", "auc@k"])
def test_at_each_k_it_is_what_compare_says(metric, target):
    a, b = several(60, 6, 2, 0).values()
    b = Outcomes(b.correct[:, :5])
    found = lead(a, b, metric, [2, 3, 5], target=target)
    for place, k in enumerate((2, 3, 5)):
        alone = compare(a, b, metric, k, target=target)
        assert found.value[place] == pytest.approx(alone.value)
        assert (found.low[place], found.high[place]) == pytest.approx(tuple(alone.interval))
        assert found.sure[place] == alone.sure * np.sign(alone.value)


def test_options_may_be_lists():
    asked = {"metric": "threshold-spectrum@k", "weights": [0.2, 0.3, 0.5]}
    found, alone = lead(STEADY, LUCKY, ks=[3], **asked), compare(STEADY, LUCKY, k=3, **asked)
    assert found.value[0] == pytest.approx(alone.value)


def test_clusters_and_unlike_numbers_of_samples_are_minded():
    a, b = several(60, 6, 2, 1).values()
    clustered = Outcomes(a.correct, clusters=np.arange(60) // 3)
    ragged = b.correct.copy()
    ragged[::2, 4:] = -2
    for one, other in ((clustered, b), (a, Outcomes(ragged))):
        found = lead(one, other)
        assert found.k[-1] == (6 if one is clustered else 4)
        for place, k in enumerate(found.k.tolist()):
            alone = compare(one, other, "pass@k", k)
            assert (found.low[place], found.high[place]) == pytest.approx(tuple(alone.interval))


@pytest.mark.parametrize(
    ("value", "apart", "expected"),
    [
        ([-3, -2, -1, 1, 2, 3], 1.5, (4, 2, 5, True)),
        ([-3, -2, -1, 1, 2, 3], 0.5, (4, 3, 4, True)),
        ([3, 2, 1, -1, -2, -3], 1.5, (4, 2, 5, False)),
        ([-1, -1, -1, 1, 1, 1], 1.5, (4, None, None, True)),
        ([-3, -1, -2, 1, 2, 1], 1.5, (4, 1, None, True)),
        ([1, 2, 3, 3, 2, 1], 0.5, None),
        ([-1, 1, -1, 1, -1, -1], 0.5, None),
    ],
)
def test_the_crossing_lies_where_neither_surely_leads(value, apart, expected):
    value = np.array(value, dtype=float)
    found = Lead(np.arange(1, 7), value, value - apart, value + apart)
    assert found.crossed == expected


def test_the_interval_of_the_crossing_holds_the_true_one():
    """On pass@k .6 for one and 1 - .7^k for the other: they cross between k = 2 and 3."""
    held, rng = 0, np.random.default_rng(2)
    for _ in range(30):
        a = np.repeat(rng.random((100, 1)) < 0.6, 8, axis=1).astype(int)
        b = (rng.random((100, 8)) < 0.3).astype(int)
        found = lead(a, b).crossed
        held += found is not None and (found.low or 0) <= 2 and (found.high or 9) >= 3
    assert held >= 27


def test_the_leader_is_surely_better_than_each_other():
    runs = several(300, 8, 3, 3) | {
        "steady": Outcomes(np.repeat([[1], [0]], [200, 100], 0).repeat(8, 1))
    }
    found = leaders(runs, confidence_level=0.9)
    for place, k in enumerate(found.k.tolist()):
        sure = [
            name
            for name in runs
            if all(
                compare(runs[other], runs[name], "pass@k", k, confidence_level=0.9).interval.low > 0
                for other in runs
                if other != name
            )
        ]
        assert sure == ([] if found.first[place] is None else [found.first[place]])
    assert {"steady", "m0"} == set(found.first) - {None}


@pytest.mark.wide
@pytest.mark.parametrize(("metric", "target"), [("pass@k", "population"), ("maj@k", "benchmark")])
def test_places_along_k_are_those_of_a_ranking_at_each(metric, target):
    runs = several(200, 8, 6, 5) | {
        "steady": Outcomes(np.repeat([[1], [0]], [130, 70], 0).repeat(8, 1))
    }
    asked = {"target": target, "confidence_level": 0.9}
    found = leaders(runs, metric, [1, 4, 7], **asked)
    for place, k in enumerate(found.k.tolist()):
        alone = rank(runs, metric, k, **asked)
        ranks = dict(zip(alone.names, alone.ranks, strict=True))
        assert [each[place] for each in found.ranks] == [ranks[name] for name in found.names]
        values = dict(zip(alone.names, (each.value for each in alone.estimates), strict=True))
        assert found.values[:, place] == pytest.approx([values[name] for name in found.names])
        order = sorted(found.names, key=lambda name: found.places[found.names.index(name), place])
        assert order == list(alone.names)
    assert {ranks.first for each in found.ranks for ranks in each} > {1, 2}


def test_nobody_leads_runs_that_are_not_on_the_same_questions():
    runs = {"a": STEADY, "b": [[0] * 8] * 100}
    assert leaders(runs, ks=[1, 2]).first == ("a", "a")
    apart = leaders(runs, ks=[1, 2], same_questions=lambda a, b: False)
    assert apart.first == (None, None)
    assert not apart.pairs["a", "b"].paired


def test_equal_runs_have_no_leader():
    assert set(leaders({"a": LUCKY, "b": LUCKY}).first) == {None}
    assert lead(LUCKY, LUCKY).crossed is None


def test_what_has_no_k_and_what_is_alone_is_refused():
    with pytest.raises(MetricError, match="no k to lead at"):
        lead(STEADY, LUCKY, "avg@n")
    with pytest.raises(MetricError, match="at least two runs"):
        leaders({"a": STEADY})
    with pytest.raises(MetricError, match="mg-pass@1 is 0 whatever"):
        lead(STEADY, LUCKY, "mg-pass@k")
    with pytest.raises(MetricError, match="needs 9 samples"):
        lead(STEADY, LUCKY, ks=[1, 9])


@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
@pytest.mark.parametrize("metric", ["pass@k", "maj@k"])
def test_all_pairs_at_once_are_as_each_by_itself(metric, clusters, monkeypatch):
    rng = np.random.default_rng(8)
    rate = rng.beta(0.5, 0.5, (60, 1))
    runs = {
        name: Outcomes((rng.random((60, 6)) < rate**power).astype(int), clusters=clusters)
        for name, power in (("a", 1.0), ("b", 0.5), ("c", 0.9), ("d", 4.0))
    }
    found = leaders(runs, metric, confidence_level=0.9)
    for (one, other), pair in found.pairs.items():
        alone = lead(runs[one], runs[other], metric, confidence_level=0.9)
        for name in ("value", "low", "high"):
            assert getattr(pair, name) == pytest.approx(getattr(alone, name), abs=1e-10)
        assert pair.paired
    monkeypatch.setattr("metrics.analyses.compare.leading._QUICK", 0)
    slowly = leaders(runs, metric, confidence_level=0.9)
    assert found.first == slowly.first
    assert found.ranks == slowly.ranks
    assert {str(each) for each in found.ranks[-1]} == {"4"}
