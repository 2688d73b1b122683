"""Joint counts, p-values, blends and suites, against what they must agree with."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from metrics import JointTally, MetricError, Outcomes, compare, compare_suite, estimate

METRICS_OF_COUNTS = [("avg@n", None), ("pass@k", 3), ("maj@k", 3), ("cons@n", None), ("geom@k", 2)]


def two_runs(m: int, n_a: int, n_b: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, (m, 1))
    return tuple(
        (rng.random((m, n)) < rate**power).astype(int) for n, power in ((n_a, 1), (n_b, 0.7))
    )


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(("metric", "k"), METRICS_OF_COUNTS)
def test_joint_counts_say_what_the_outcomes_say(metric, k, target):
    a, b = two_runs(70, 6, 4, 0)
    joint = JointTally.of_questions(6, a.sum(1), 4, b.sum(1))
    found = compare(joint, metric=metric, k=k, target=target)
    whole = compare(a, b, metric, k, target=target)
    assert found.value == pytest.approx(whole.value)
    assert found.interval == pytest.approx(whole.interval)
    assert (found.wins, found.ties, found.losses) == (whole.wins, whole.ties, whole.losses)
    assert found.p_value == pytest.approx(whole.p_value)
    assert found.n_questions == 70


def test_wins_ties_and_losses_are_those_of_every_draw():
    a, b = two_runs(25, 4, 5, 1)
    found = compare(a, b, "pass@k", 2)
    gain = [
        comb(4 - x, 2) / comb(4, 2) - comb(5 - y, 2) / comb(5, 2)
        for x, y in zip(a.sum(1), b.sum(1), strict=True)
    ]
    signs = np.sign(np.round(gain, 12)).tolist()
    assert (found.wins, found.ties, found.losses) == tuple(map(signs.count, (1, 0, -1)))
    assert found.value == pytest.approx(np.mean(gain))


@pytest.mark.parametrize(
    "counts",
    [([1, 1], [0, 1], [1], [1, 0], [2, 3]), ([1], [2], [1], [0], [4]), ([1], [1], [1], [0], [0])],
)
def test_joint_counts_that_make_no_sense_are_refused(counts):
    with pytest.raises(MetricError):
        JointTally(*counts)


def test_one_run_alone_is_refused():
    with pytest.raises(MetricError, match="Give two runs"):
        compare([[1, 0]])
    with pytest.raises(MetricError, match="Give two runs"):
        compare(JointTally([1], [1], [1], [1], [3]), [[1]] * 3)


@pytest.mark.parametrize("wins", [0, 1, 4, 9, 12])
@pytest.mark.parametrize("losses", [0, 2, 4, 5])
def test_mcnemar_and_the_p_value_of_one_sample(wins, losses):
    found = compare(JointTally([1] * 3, [0, 1, 1], [1] * 3, [1, 0, 1], [wins + 1, losses + 1, 80]))
    expected = stats.binomtest(wins + 1, wins + losses + 2).pvalue
    assert found.mcnemar == pytest.approx(expected)
    assert found.sure is (found.p_value <= 0.05)


@pytest.mark.parametrize("level", [0.8, 0.94, 0.95, 0.96, 0.99])
@pytest.mark.parametrize("lost", range(2, 7))
def test_p_agrees_with_the_interval_at_every_level(lost, level):
    joint = JointTally([1] * 3, [0, 1, 1], [1] * 3, [1, 0, 1], [14, lost, 84])
    found = compare(joint, confidence_level=level)
    assert found.sure == (found.p_value < 1 - level)


def test_mcnemar_is_of_single_samples_of_questions_that_stand_alone():
    a, b = two_runs(40, 2, 1, 2)
    assert compare(a, b).mcnemar is None
    clusters = np.repeat(range(20), 2)
    assert compare(Outcomes(a[:, :1], clusters=clusters), Outcomes(b)).mcnemar is None
    assert compare(a[:, :1], b).mcnemar is not None


@pytest.mark.parametrize("metric", ["geom-ds@k", "geo-spectrum@k"])
@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_blends_of_dataset_means_are_compared(metric, target):
    a, b = two_runs(120, 8, 8, 3)
    found = compare(a, b, metric, 4, target=target)
    one, other = (estimate(each, metric, 4, target=target) for each in (a, b))
    assert found.value == pytest.approx(other.value - one.value)
    assert found.interval.low < found.value < found.interval.high
    assert found.wins is None
    assert found.n_questions == 120
    apart = sum(each.interval.high - each.interval.low for each in (one, other))
    assert found.interval.high - found.interval.low < apart


def test_a_blend_of_equal_runs_is_never_certain():
    a, _ = two_runs(30, 8, 8, 4)
    found = compare(a, a, "geom-ds@k", 4)
    assert found.value == 0
    assert found.interval.low < -0.01
    assert found.interval.high > 0.01
    assert found.p_value > 0.9


def test_a_suite_of_one_is_that_dataset():
    a, b = two_runs(50, 4, 4, 5)
    one, suite = compare(a, b, "pass@k", 2), compare_suite({"x": a}, {"x": b}, "pass@k", 2)
    assert suite.interval == pytest.approx(one.interval)
    assert suite.p_value == pytest.approx(one.p_value)


def test_datasets_count_equally_or_as_they_are_weighed():
    runs = {name: two_runs(m, 4, 4, m) for name, m in (("x", 40), ("y", 90), ("z", 20))}
    a, b = ({name: each[side] for name, each in runs.items()} for side in (0, 1))
    each = [compare(*pair).value for pair in runs.values()]
    assert compare_suite(a, b).value == pytest.approx(np.mean(each))
    weighed = compare_suite(a, b, weights={"x": 40, "y": 90, "z": 20})
    whole = compare(*(np.concatenate([pair[side] for pair in runs.values()]) for side in (0, 1)))
    assert weighed.value == pytest.approx(whole.value)
    assert weighed.interval == pytest.approx(whole.interval, abs=0.015)
    assert (weighed.wins, weighed.losses) == (whole.wins, whole.losses)


@pytest.mark.parametrize(
    ("metric", "k", "target"),
    [("avg@n", None, "benchmark"), ("pass@k", 2, "benchmark"), ("geom-ds@k", 2, "population")],
)
def test_limits_of_datasets_are_combined_where_there_is_no_common_variance(metric, k, target):
    a, b = two_runs(50, 4, 4, 5)
    asked = {"metric": metric, "k": k, "target": target}
    one = compare(a, b, **asked)
    alone = compare_suite({"x": a}, {"x": b}, **asked)
    assert (alone.value, alone.interval) == (one.value, pytest.approx(one.interval))
    assert (alone.wins, alone.losses) == (one.wins, one.losses)
    four = compare_suite(dict.fromkeys("wxyz", a), dict.fromkeys("wxyz", b), **asked)
    reach = np.subtract(one.interval, one.value)
    assert four.value == pytest.approx(one.value)
    assert np.subtract(four.interval, four.value) == pytest.approx(reach / 2)
    assert four.p_value < one.p_value


def test_a_suite_says_what_only_one_has_and_refuses_what_is_not_paired():
    a, b = two_runs(30, 4, 4, 6)
    found = compare_suite({"x": a, "y": a}, {"x": b})
    assert "Only one of the two has y" in str(found.caveats[0])
    with pytest.raises(MetricError, match="no dataset in common"):
        compare_suite({"x": a}, {"y": b})
    with pytest.raises(MetricError, match="x has no paired difference"):
        compare_suite({"x": a}, {"x": b}, same_questions=False)
    with pytest.raises(MetricError, match="weights"):
        compare_suite({"x": a}, {"x": b}, weights={"x": 0})
