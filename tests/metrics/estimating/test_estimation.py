"""Estimates: the documented examples, exact points, invariances and every edge rule."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from metrics import FAILED, METRICS, MetricError, Outcomes, Tally, estimate, score_all
from metrics.intervals.binomial import mid_p

MATRICES = hnp.arrays(
    np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 9)), elements=st.integers(0, 1)
)
BOTH = ["population", "benchmark"]


R = (np.random.default_rng(4).random((20, 4)) < 0.4).astype(int)


def value(data, metric, k=None, **options):
    return estimate(data, metric, k, **options).value


def test_worked_examples_of_aisbench():
    """AISBench, Accuracy Evaluation Scenarios, sections I.1, II.2.3 and II.3.1."""
    assert value(Tally.of_questions(5, [3]), "pass@k", 2) == pytest.approx(0.9)
    assert value(Tally.of_questions(100, [20]), "avg@n") == pytest.approx(0.2)
    four = Tally.of_questions(3, [2, 2, 1, 0])
    assert value(four, "pass@k", 3) == 0.75
    assert value(four, "avg@n") == pytest.approx(5 / 12)
    assert value(four, "cons@n") == 0.5
    for counts, avg, cons in [((2, 2), 2 / 3, 1), ((1, 1), 1 / 3, 0), ((3, 0), 1 / 2, 1 / 2)]:
        tally = Tally.of_questions(3, counts)
        assert (value(tally, "avg@n"), value(tally, "cons@n")) == pytest.approx((avg, cons))


@given(MATRICES, st.data())
def test_points_are_exact_rational_means(matrix, data):
    m, n = matrix.shape
    k = data.draw(st.integers(1, n))
    counts = matrix.sum(axis=1).tolist()
    exact = {
        "avg@n": sum(Fraction(c, n) for c in counts) / m,
        "pass@k": sum(1 - Fraction(comb(n - c, k), comb(n, k)) for c in counts) / m,
        "pass^k": sum(Fraction(comb(c, k), comb(n, k)) for c in counts) / m,
        "cons@n": sum(Fraction(2 * c > n) for c in counts) / m,
        "maj@k": sum(
            Fraction(comb(c, j) * comb(n - c, k - j), comb(n, k))
            for c in counts
            for j in range(k // 2 + 1, k + 1)
        )
        / m,
    }
    for metric, truth in exact.items():
        got = value(matrix, metric, k if METRICS[metric].takes_k else None)
        assert got == pytest.approx(float(truth), abs=1e-14)


@pytest.mark.wide
@given(MATRICES, st.data())
def test_estimates_hold_their_value_and_ignore_order(matrix, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    shuffled = rng.permuted(matrix, axis=1)[rng.permutation(len(matrix))]
    for metric in ("avg@n", "cons@n", "pass@k", "pass^k", "maj@k", "g-pass@k", "auc@k", "geom@k"):
        for target in BOTH:
            got = estimate(matrix, metric, target=target)
            assert got.interval.low - 1e-9 <= got.value <= got.interval.high + 1e-9
            assert 0 <= got.interval.low < got.interval.high <= 1
            assert estimate(shuffled, metric, target=target) == got
    best = value(matrix, "pass@k")
    assert best >= value(matrix, "avg@n") - 1e-12
    assert best >= value(matrix, "cons@n") - 1e-12
    assert value(matrix, "pass@k", 1) == pytest.approx(value(matrix, "avg@n"), abs=1e-14)
    assert value(matrix, "maj@k") == value(matrix, "cons@n")


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.uint16, np.float64])
def test_every_numeric_type_and_layout_counts_alike(dtype):
    matrix = (np.random.default_rng(3).random((37, 16)) < 0.4).astype(dtype)
    expected = Tally.of_questions(16, matrix.sum(axis=1).astype(int))
    for array in (matrix, np.asfortranarray(matrix), matrix[::-1], matrix.tolist()):
        tally = Tally.of(array)
        assert tally.c.tolist() == expected.c.tolist()
        assert tally.questions.tolist() == expected.questions.tolist()


@pytest.mark.parametrize("n", [1, 7, 8, 248, 255, 256, 264, 1000, 2040, 2048])
def test_wide_rows_are_counted_without_overflow(n):
    matrix = np.ones((3, n), dtype=np.uint8)
    assert Tally.of(matrix).c.tolist() == [n]


def test_ragged_questions_count_equally():
    ragged = Outcomes([[1, -2, -2], [0, 0, 1], [1, 0, -2]])
    assert value(ragged, "avg@n") == pytest.approx((1 + 1 / 3 + 1 / 2) / 3)
    assert value(ragged, "cons@n") == pytest.approx(1 / 3)
    assert value(ragged, "pass@k") == pytest.approx((1 + 1 / 3 + 1 / 2) / 3), (
        "k = 1, the smallest n"
    )
    with pytest.raises(MetricError, match=r"pass@2 needs 2 samples .* 1 of 3 questions has fewer"):
        estimate(ragged, "pass@k", 2)


def test_failed_requests_count_as_wrong_or_are_left_out():
    outcomes = Outcomes([[1, -1, 1, 0]] * 20)
    assert value(outcomes, "avg@n") == 0.5
    assert value(outcomes, "avg@n", missing="omit") == pytest.approx(2 / 3)
    assert value(outcomes, "avg@n", missing="right") == 0.75
    text = " ".join(map(str, estimate(outcomes, "avg@n").caveats))
    assert "20 of 80 samples (25.0%) failed and are counted as wrong." in text
    assert "50.0% if all failed samples were wrong, and 75.0% if all were right" in text


def test_a_few_failures_are_counted_without_bounds():
    correct = np.ones((50, 4), dtype=int)
    correct[0] = [1, 0, 0, -1]
    caveats = [str(c) for c in estimate(Outcomes(correct), "avg@n").caveats]
    assert "1 of 200 samples (0.5%) failed and is counted as wrong." in caveats
    assert not any("all right" in caveat for caveat in caveats)


def test_questions_without_a_gradable_sample_are_left_out_and_counted():
    outcomes = Outcomes([[1, 0], [-2, -2], [1, 1]])
    got = estimate(outcomes, "avg@n")
    assert (got.value, got.n_questions) == (0.75, 2)
    assert "1 question has no gradable sample and is left out." in map(str, got.caveats)


def test_one_question():
    population = estimate([[1, 0, 1]], "avg@n")
    assert population.interval == (0, 1)
    assert "One question says nothing about questions like it." in map(str, population.caveats)
    benchmark = estimate([[1, 0, 1]], "avg@n", target="benchmark").interval
    assert 0 < benchmark.low < 2 / 3 < benchmark.high < 1


def test_few_questions_are_said_to_be_few():
    few = estimate(np.eye(9, 4), "avg@n").caveats
    assert any("9 questions are too few" in str(caveat) for caveat in few)
    assert not any("too few" in str(c) for c in estimate(np.eye(10, 4), "avg@n").caveats)


def test_one_sample_takes_no_variance_from_the_model():
    """With n = 1 the questions are the trials."""
    got = estimate([[1]] * 12 + [[0]] * 18, "avg@n", target="benchmark").interval
    assert got == pytest.approx(mid_p(12 / 30, 30, 0.95), abs=1e-9)


def test_all_samples_in_one_draw_is_said_to_rest_on_a_model():
    matrix = np.random.default_rng(0).integers(0, 2, (30, 4))
    for metric, k, assisted in [("pass@k", 4, True), ("cons@n", None, True), ("pass@k", 3, False)]:
        caveats = estimate(matrix, metric, k, target="benchmark").caveats
        assert any("Model-assisted" in str(caveat) for caveat in caveats) == assisted
        assert not any("Model" in str(c) for c in estimate(matrix, metric, k).caveats)


@pytest.mark.parametrize(
    ("right", "mixed", "wrong", "flagged"),
    [
        (20, 0, 20, True),
        (20, 1, 20, True),
        (20, 10, 20, False),
        (40, 0, 0, False),
        (39, 1, 0, False),
    ],
)
def test_samples_that_look_copied_are_flagged(right, mixed, wrong, flagged):
    matrix = [[1, 1, 1]] * right + [[1, 0, 1]] * mixed + [[0, 0, 0]] * wrong
    said = any("copies" in str(caveat) for caveat in estimate(matrix, "avg@n").caveats)
    assert said == flagged


def test_a_benchmark_interval_is_narrower_and_shrinks_with_samples():
    rng = np.random.default_rng(5)
    p = rng.random((200, 1))
    widths = []
    for n in (4, 16, 64):
        got = estimate(rng.random((200, n)) < p, "avg@n", target="benchmark").interval
        widths.append(got.high - got.low)
    population = estimate(rng.random((200, 64)) < p, "avg@n").interval
    assert widths[0] > widths[1] > widths[2]
    assert population.high - population.low > 2 * widths[2]


def test_clusters_widen_the_population_interval():
    rng = np.random.default_rng(6)
    passages = np.repeat(np.arange(30), 10)
    correct = (rng.random((300, 8)) < np.repeat(rng.random(30), 10)[:, None]).astype(int)
    plain, clustered = Outcomes(correct), Outcomes(correct, clusters=passages)
    alone, together = (estimate(o, "avg@n") for o in (plain, clustered))
    assert alone.value == together.value
    assert together.interval.high - together.interval.low > 2 * (
        alone.interval.high - alone.interval.low
    )


def test_a_segment_is_its_questions_alone():
    outcomes = Outcomes([[1, 1], [0, 1], [0, 0]], segments={"level": ["easy", "hard", "hard"]})
    hard = estimate(outcomes, "avg@n", segment=("level", "hard"))
    assert (hard.value, hard.n_questions) == (0.25, 2)
    with pytest.raises(MetricError, match='"level" has no label "odd"'):
        estimate(outcomes, "avg@n", segment=("level", "odd"))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("pass@2",), {}, "no metric 'pass@2'; did you mean pass@k, with k = 2"),
        (("pass@k", 0), {}, "k must be at least 1; got k=0"),
        (("pass@k", True), {}, "k must be an integer; got True"),
        (("pass@k", 2.0), {}, r"k must be an integer; got 2\.0"),
        (
            ("pass@k", 3),
            {},
            "needs 3 samples of every question; 2 of 2 questions have fewer",
        ),
        (("avg@n", 2), {}, "avg@n takes all samples of a question; leave k out"),
        (("avg@n",), {"target": "us"}, "target must be 'population' or 'benchmark'; got 'us'"),
        (("avg@n",), {"confidence_level": 1}, "between 0 and 1; got 1"),
        (("avg@n",), {"segment": ("a", "b")}, "Only Outcomes have segments; got a list"),
    ],
)
def test_bad_arguments_are_named(arguments, options, message):
    with pytest.raises(MetricError, match=message):
        estimate([[1, 0], [0, 1]], *arguments, **options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[0, 2]], r"Entries of data must be integers in \[0, 1\]; got 0 … 2"),
        ([[-1, 1]], r"Entries of data must be integers in \[0, 1\]; got -1 … 1"),
        ([[0.5, 1]], "data must hold integers; got fractions, NaN or infinity"),
        ([[float("nan"), 1]], "data must hold integers; got fractions, NaN or infinity"),
        ([[1e300, 1]], "data must fit into 64-bit integers"),
        ([], r"data must have at least one question and one sample; got shape \(1, 0\)"),
        (np.zeros((2, 2, 2), int), r"one dimension or two \(questions, samples\); got 3"),
        (1, r"one dimension or two \(questions, samples\); got 0"),
        ([[1, 0], [1]], "rows of one length; got ragged lists"),
        ([["a", "b"]], "data must hold integers; got <U1"),
        (np.array([[1, None]], dtype=object), "data must hold integers; got missing entries"),
    ],
)
def test_bad_data_is_named(data, message):
    with pytest.raises(MetricError, match=message):
        estimate(data, "avg@n")


def test_scorecard_has_every_metric_or_the_reason_why_not():
    scores = score_all(Outcomes([[1, 0, 1], [0, 0, 0]]), ks=[2, 9])
    own_weights = {"threshold-spectrum@k"}
    assert {score.metric.name for score in scores} == set(METRICS) - own_weights
    by_label = {score.label: score for score in scores}
    assert by_label["pass@2"].estimate == estimate([[1, 0, 1], [0, 0, 0]], "pass@k", 2)
    assert by_label["pass@9"].estimate is None
    assert "pass@9 needs 9 samples" in str(by_label["pass@9"].reason)


@pytest.mark.parametrize(("failed", "said"), [(0, False), (10, False), (11, True), (20, True)])
def test_more_than_one_failure_in_a_hundred_has_its_ends_said(failed, said):
    matrix = np.tile([[1, 0, 1, 0]], (250, 1))
    matrix.ravel()[:failed] = FAILED
    caveats = [str(each) for each in estimate(Outcomes(matrix), "avg@n").caveats]
    assert any("if all failed samples were wrong" in each for each in caveats) is said
    assert any("failed and" in each for each in caveats) is (failed > 0)


@pytest.mark.parametrize(("mixed", "said"), [(0, True), (5, True), (6, False)])
def test_samples_look_copied_where_one_question_in_twenty_is_mixed_or_fewer(mixed, said):
    """Of those that are mixed and the fewer of always and never right, here never."""
    right = [2] * 200 + [0] * 100 + [1] * mixed
    caveats = [str(each) for each in estimate(Tally.of_questions(2, right), "avg@n").caveats]
    assert any("all samples got the same verdict" in each for each in caveats) is said


def test_several_k_have_an_estimate_each():
    found = estimate(R, "pass@k", [1, 2, 4], target="benchmark")
    assert found == [estimate(R, "pass@k", k, target="benchmark") for k in (1, 2, 4)]
    assert estimate(R, "pass@k", np.array([2])) == [estimate(R, "pass@k", 2)]
    with pytest.raises(MetricError, match="k must be an integer; got '12'"):
        estimate(R, "pass@k", "12")


@pytest.mark.parametrize("tau", [0.1, 0.25, 0.5, 0.6, 1.0])
def test_covering_is_reaching_a_share_of_all_samples(tau):
    """Questions count equally, each by its own n; and G-Pass@n at the share."""
    rows = [[1, 0, 1, 1], [0, 0, 1, -2], [1, -2, -2, -2], [0, 0, 0, 0], [1, 1, 0, 0]]
    counts = [(3, 4), (1, 3), (1, 1), (0, 4), (2, 4)]
    found = estimate(Outcomes(rows), "cover@tau", tau=tau)
    assert found.value == sum(Fraction(c, n) >= Fraction(tau) for c, n in counts) / 5
    n = R.shape[1]
    whole = estimate(R, "cover@tau", tau=tau, target="benchmark")
    passed = estimate(R, "g-pass@k", n, tau=tau, target="benchmark")
    assert (whole.value, whole.interval) == (passed.value, passed.interval)


def test_all_questions_are_covered_at_no_share():
    with pytest.raises(MetricError, match="cover@0 is 1 whatever the outcomes"):
        estimate(R, "cover@tau", tau=0)
