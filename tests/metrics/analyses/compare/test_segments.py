"""Two runs are compared in each segment, and the segments with one another."""

from itertools import combinations

import numpy as np
import pytest

from metrics import MetricError, Outcomes, compare, compare_segments
from metrics.analyses.compare.segments import heterogeneity
from metrics.intervals.paired import MeanDifference


def two_runs(m: int, seed: int, gain: tuple[float, ...] = (0.0, 0.0, 0.0)) -> list[Outcomes]:
    rng = np.random.default_rng(seed)
    kinds = np.arange(m) % len(gain)
    rate = rng.uniform(0.2, 0.8, m)
    labels = {"kind": [f"k{kind}" for kind in kinds]}
    each = rate, np.clip(rate + np.array(gain)[kinds], 0, 1)
    return [Outcomes((rng.random((m, 4)) < p[:, None]).astype(int), segments=labels) for p in each]


def test_each_segment_is_compared_at_a_level_for_all_of_them():
    a, b = two_runs(90, 0)
    found = compare_segments(a, b, "kind", "pass@k", 2)
    assert list(found.segments) == ["k0", "k1", "k2"]
    for label, each in found.segments.items():
        alone = compare(a, b, "pass@k", 2, segment=("kind", label), confidence_level=1 - 0.05 / 3)
        assert each.interval == alone.interval
    assert found.overall.interval == compare(a, b, "pass@k", 2).interval
    assert sum(found.parts.values()) == pytest.approx(found.overall.value)


def test_the_segments_that_make_the_difference_are_named():
    found = compare_segments(*two_runs(300, 1, (0.0, 0.4, 0.2)), "kind")
    assert found.decisive == ("k1", "k2")
    assert found.p_value < 0.001


def test_the_p_value_is_that_of_every_way_to_share_out_the_labels():
    gains = np.array([0.5, 0.0, -0.5, 1.0, 1.0, 0.5, 0.0, 0.5])
    sizes = (3, 5)

    def statistic(first: tuple[int, ...]) -> float:
        rest = [i for i in range(8) if i not in first]
        return sum(len(g) * (gains[list(g)].mean() - gains.mean()) ** 2 for g in (first, rest))

    seen = statistic((0, 1, 2))
    exact = np.mean([statistic(each) >= seen - 1e-12 for each in combinations(range(8), 3)])
    parts = np.split(gains, np.cumsum(sizes)[:-1])
    given = [MeanDifference(*np.unique(part, return_counts=True)) for part in parts]
    assert heterogeneity(given) == pytest.approx(exact, abs=0.025)


def test_many_questions_have_nearly_the_p_value_of_fewer():
    rng = np.random.default_rng(2)
    gains = [rng.choice([-1.0, 0, 1], m, p=p) for m, p in ((990, (0.1, 0.8, 0.1)),) * 2]
    gains[1][:20] = 1.0
    few = heterogeneity([MeanDifference(*np.unique(g, return_counts=True)) for g in gains])
    gains = [np.concatenate([g, np.zeros(11)]) for g in gains]
    many = heterogeneity([MeanDifference(*np.unique(g, return_counts=True)) for g in gains])
    assert 0 < few < 1
    assert many == pytest.approx(few, abs=0.06)


@pytest.mark.wide
def test_segments_that_are_alike_are_seldom_said_to_differ():
    found = [compare_segments(*two_runs(60, seed), "kind").p_value for seed in range(3, 33)]
    assert np.mean(np.array(found) <= 0.05) <= 0.15
    assert 0.3 < np.mean(found) < 0.7


def test_nothing_that_differs_has_p_of_1_and_clusters_have_none():
    a, _ = two_runs(30, 4)
    assert compare_segments(a, a, "kind").p_value == 1.0
    clustered = Outcomes(a.correct, segments=a.segments, clusters=np.arange(30) // 3)
    assert compare_segments(clustered, a, "kind").p_value is None
    assert compare_segments(a, a, "kind", target="benchmark").p_value is None


def test_what_has_no_such_segments_is_refused():
    a, b = two_runs(30, 5)
    with pytest.raises(MetricError, match='no segment "size"'):
        compare_segments(a, b, "size")
    with pytest.raises(MetricError, match='no segment "kind"'):
        compare_segments(a, [[1]] * 30, "kind")
    other = Outcomes(b.correct, segments={"kind": ["x"] * 30})
    with pytest.raises(MetricError, match="no segment of kind in common"):
        compare_segments(a, other, "kind")
    apart = Outcomes(b.correct, questions=[f"q{i}" for i in range(30)], segments=b.segments)
    with pytest.raises(MetricError, match="share no question of k0"):
        compare_segments(a, apart, "kind")
