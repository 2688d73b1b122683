"""Two runs are compared on the questions that both answered."""

import numpy as np
import pytest

from metrics import METRICS, MetricError, Outcomes, Tally, compare, estimate
from metrics.intervals.paired import independent_limits
from metrics.scoring.registry import find_metric

RNG = np.random.default_rng(7)


def samples(m: int, n: int, rate: float = 0.5, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(2 * rate, 2 - 2 * rate, (m, 1))).astype(int)


def named(correct: np.ndarray, ids: list[str], **more: object) -> Outcomes:
    return Outcomes(correct, questions=ids, **more)


@pytest.mark.parametrize(
    ("gained", "lost", "m", "ends"),
    [
        (0, 0, 30, (-0.0878, 0.0878)),
        (3, 1, 30, (-0.0765, 0.2144)),
        (15, 15, 30, (-0.3640, 0.3640)),
        (12, 3, 100, (0.0161, 0.1679)),
        (40, 9, 1000, (0.0179, 0.0454)),
    ],
)
def test_gains_and_losses_give_the_interval_of_both(gained, lost, m, ends):
    a = [[0]] * gained + [[1]] * lost + [[1]] * (m - gained - lost)
    b = [[1]] * gained + [[0]] * lost + [[1]] * (m - gained - lost)
    found = compare(a, b)
    assert found.value == pytest.approx((gained - lost) / m)
    assert found.interval == pytest.approx(ends, abs=5e-5)
    assert (found.wins, found.ties, found.losses) == (gained, m - gained - lost, lost)


def test_the_other_way_round_is_the_mirror_image():
    a, b = samples(60, 8, 0.4, 1), samples(60, 8, 0.6, 2)
    there, back = compare(a, b, "pass@k", 3), compare(b, a, "pass@k", 3)
    assert there.value == pytest.approx(-back.value)
    assert there.interval == pytest.approx((-back.interval.high, -back.interval.low))
    assert (there.wins, there.losses) == (back.losses, back.wins)


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(
    "metric", [name for name, each in METRICS.items() if not each.needs and each.parts is None]
)
def test_every_metric_of_counts_differs_by_what_the_estimates_differ(metric, target):
    a, b = samples(40, 9, 0.4, 3), samples(40, 5, 0.6, 4)
    k = 3 if find_metric(metric).takes_k else None
    found = compare(a, b, metric, k, target=target)
    each = [estimate(side, metric, k, target=target).value for side in (a, b)]
    assert found.value == pytest.approx(each[1] - each[0])
    assert found.interval.low <= found.value <= found.interval.high
    assert found.wins + found.ties + found.losses == found.n_questions == 40


def test_soft_scores_and_answers_are_compared_too():
    scores = [RNG.random((30, 4)).round(2) for _ in range(2)]
    a, b = (Outcomes((each > 0.5).astype(int), each) for each in scores)
    assert compare(a, b, "soft").value == pytest.approx(scores[1].mean() - scores[0].mean())
    assert compare(a, b, "soft-max@k", 2).paired


def test_questions_are_the_same_by_their_ids_whatever_their_order():
    a, b = samples(50, 4, 0.4, 5), samples(50, 4, 0.6, 6)
    ids = [f"q{i}" for i in range(50)]
    order = RNG.permutation(50)
    shuffled = named(b[order], [ids[i] for i in order])
    straight, mixed = compare(a, b, "pass@k", 2), compare(named(a, ids), shuffled, "pass@k", 2)
    assert straight.interval == pytest.approx(mixed.interval)
    assert (straight.wins, straight.n_dropped) == (mixed.wins, 0)


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_questions_of_one_alone_are_left_out_and_counted(target):
    a, b = samples(40, 4, 0.4, 7), samples(30, 4, 0.6, 8)
    one = named(a, [f"q{i}" for i in range(40)])
    other = named(b, [f"q{i}" for i in range(20, 50)])
    found = compare(one, other, target=target)
    shared = compare(a[20:], b[:20], target=target)
    assert (found.n_questions, found.n_dropped) == (20, 20 + 10)
    assert found.interval == pytest.approx(shared.interval)
    assert "30 questions that only one of the two has are left out." in map(str, found.caveats)


def test_what_one_was_not_graded_on_is_left_out_too():
    a, b = samples(20, 2, 0.5, 9), samples(20, 2, 0.5, 10)
    b[3] = -2
    found = compare(Outcomes(a), Outcomes(b))
    assert (found.n_questions, found.n_dropped) == (19, 1)
    keep = np.arange(20) != 3
    assert found.interval == pytest.approx(compare(a[keep], b[keep]).interval)


def test_over_these_questions_the_limits_of_both_are_combined():
    a, b = samples(80, 8, 0.4, 11), samples(80, 8, 0.6, 12)
    found = compare(a, b, "pass@k", 4, target="benchmark")
    each = [estimate(side, "pass@k", 4, target="benchmark") for side in (a, b)]
    ends = independent_limits(*((e.value, *e.interval) for e in each))
    assert found.interval == pytest.approx([float(end) for end in ends])


def test_clusters_make_the_interval_wider():
    a, b = samples(20, 4, 0.4, 13).repeat(4, axis=0), samples(20, 4, 0.6, 14).repeat(4, axis=0)
    groups = np.repeat(np.arange(20), 4)
    plain, grouped = compare(a, b), compare(Outcomes(a, clusters=groups), Outcomes(b))
    assert grouped.value == plain.value
    assert grouped.interval.low < plain.interval.low < plain.interval.high < grouped.interval.high


@pytest.mark.parametrize("kind", ["nothing shared", "not the same", "tallies", "not grouped"])
def test_without_pairs_the_interval_is_that_of_two_sets_and_says_so(kind):
    a, b = samples(60, 4, 0.3, 15), samples(60, 4, 0.7, 16)
    more = {"same_questions": kind != "not the same"}
    one, other = Outcomes(a), Outcomes(b)
    if kind == "nothing shared":
        other = named(b, [f"q{i}" for i in range(60)])
    if kind == "tallies":
        one, other = one.tally(), other.tally()
    if kind == "not grouped":
        one = Outcomes(a.reshape(-1, 1), grouped=False)
    found = compare(one, other, **more)
    assert not found.paired
    assert str(found.method).startswith("Not paired")
    assert (found.wins, found.ties, found.losses) == (None, None, None)
    assert found.questions_to_decide() is None
    if kind == "not grouped":
        assert found.interval.high - found.interval.low > 1
    else:
        assert found.interval.low > compare(a, b).interval.low - 0.1
        assert found.n_questions == 120


def test_a_segment_is_compared_by_itself():
    a, b = samples(40, 4, 0.4, 17), samples(40, 4, 0.6, 18)
    labels = {"subject": ["easy", "hard"] * 20}
    one, other = Outcomes(a, segments=labels), Outcomes(b, segments=labels)
    found = compare(one, other, segment=("subject", "hard"))
    assert found.interval == pytest.approx(compare(a[1::2], b[1::2]).interval)


def test_rows_of_unlike_number_are_refused():
    with pytest.raises(MetricError, match="One has 3 questions, the other 4"):
        compare(samples(3, 2), samples(4, 2))


def test_a_posterior_mean_is_refused():
    with pytest.raises(MetricError, match="shrunken score"):
        compare(samples(5, 4), samples(5, 4), "bayes@n")


def test_too_large_a_k_is_refused_for_either():
    with pytest.raises(MetricError, match="needs 8 samples"):
        compare(samples(5, 8), samples(5, 4), "pass@k", 8)


def test_by_default_k_is_what_both_have():
    a, b = samples(30, 8, 0.4, 19), samples(30, 4, 0.6, 20)
    assert compare(a, b, "pass@k").value == compare(a, b, "pass@k", 4).value


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_p_is_the_error_at_which_0_becomes_an_end(target):
    a, b = samples(60, 6, 0.45, 21), samples(60, 6, 0.6, 22)
    p = compare(a, b, target=target).p_value
    assert 0 < p < 1
    for step, sure in ((1.05, True), (0.95, False)):
        assert compare(a, b, target=target, confidence_level=1 - step * p).sure is sure


def test_equal_runs_have_p_of_1_and_no_number_of_questions_decides():
    a = samples(30, 4)
    found = compare(a, a)
    assert (found.value, found.p_value, found.sure) == (0, 1.0, False)
    assert found.questions_to_decide() is None


@pytest.mark.parametrize("right", [0, 1])
def test_equal_runs_of_few_questions_have_p_of_1(right):
    for m in range(1, 13):
        assert compare(np.full((m, 3), right), np.full((m, 3), right)).p_value == 1.0


@pytest.mark.wide
def test_so_many_questions_decide_as_often_as_promised():
    a = np.repeat([[0], [1], [1]], [14, 8, 78], axis=0)
    b = np.repeat([[1], [0], [1]], [14, 8, 78], axis=0)
    found = compare(a, b)
    enough = found.questions_to_decide()
    assert not found.sure
    assert enough > 100
    rng = np.random.default_rng(3)
    drawn = (rng.integers(100, size=enough) for _ in range(200))
    decided = np.mean([compare(a[rows], b[rows]).interval.low > 0 for rows in drawn])
    assert decided == pytest.approx(0.8, abs=0.07)


def test_what_is_decided_or_hopeless_needs_no_number():
    sure = compare([[0]] * 30, [[1]] * 30)
    assert sure.sure
    assert sure.questions_to_decide() is None
    even = compare([[0]] * 500 + [[1]] * 501, [[1]] * 500 + [[0]] * 501)
    assert even.questions_to_decide() is None


@pytest.mark.parametrize(("m", "known"), [(1, False), (9, False), (10, True)])
def test_few_questions_tell_nothing_of_how_many_it_takes(m, known):
    a, b = np.tile([[0, 0, 1]], (m, 1)), np.tile([[0, 0, 1]], (m, 1))
    b[0] = 1
    found = compare(a, b)
    assert not found.sure
    assert (found.questions_to_decide() is not None) is known


def test_a_tally_is_no_array():
    assert not compare(Tally([4], [2], [9]), Tally([4], [3], [9])).paired


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_several_samples_of_one_are_set_against_fewer_of_the_other(target):
    a, b = samples(60, 4, 0.6, 1), samples(60, 8, 0.4, 2)
    found = compare(a, b, "pass@k", (1, 6), target=target)
    one, six = (estimate(a, "pass@k", 1, target=target), estimate(b, "pass@k", 6, target=target))
    assert found.value == pytest.approx(six.value - one.value)
    back = compare(b, a, "pass@k", (6, 1), target=target)
    assert back.interval == pytest.approx((-found.interval.high, -found.interval.low))
    assert compare(a, b, "pass@k", (3, 3), target=target).interval == (
        compare(a, b, "pass@k", 3, target=target).interval
    )
    with pytest.raises(MetricError, match="needs 6 samples"):
        compare(a, b, "pass@k", (6, 1))
    with pytest.raises(MetricError, match="geom-ds@k is compared at one k"):
        compare(a, b, "geom-ds@k", (1, 2))
