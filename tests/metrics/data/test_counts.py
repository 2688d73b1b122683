"""Counts give whatever the outcomes give that they were made of."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from metrics import (
    METRICS,
    Counts,
    JointCounts,
    MetricError,
    Outcomes,
    Tally,
    bootstrap_curve,
    choose_n,
    compare,
    curve,
    estimate,
    guidance,
    plan,
    question_statistics,
)
from metrics.data.evidence import Evidence

TREATMENTS = ["wrong", "omit", "right"]


@st.composite
def outcomes(draw, most=12):
    """Ragged outcomes with failed requests, questions that cannot be graded, and segments."""
    m, n = draw(st.integers(1, most)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    absent, failed, right = draw(st.sampled_from([(0, 0, 0.5), (0, 0.2, 0.5), (0.3, 0.2, 0.6)]))
    graded = 1 - absent - failed
    shares = [absent, failed, graded * right, graded * (1 - right)]
    correct = rng.choice([-2, -1, 1, 0], size=(m, n), p=shares)
    names = [f"q{place}" for place in rng.permutation(most)[:m]]
    return Outcomes(correct, questions=names, segments={"level": rng.choice(["a", "b"], m)})


def said(ask, *arguments, **options):
    """Return what a function finds, or why it finds nothing."""
    try:
        return ask(*arguments, **options)
    except MetricError as error:
        return str(error)


def parts(data):
    return [None, *(("level", label) for label in np.unique(data.segments["level"]))]


@given(outcomes())
def test_counts_are_those_of_the_outcomes(data):
    counts = Counts.of(data)
    assert counts.n_questions() == data.shape[0]
    assert counts.complete <= data.complete
    for segment in parts(data):
        assert counts.n_questions(segment) == data.n_questions(segment)
        for missing in TREATMENTS:
            sides = [Evidence(each, missing, segment) for each in (counts, data)]
            for ask in (Evidence.tally.func, Evidence.sizes.func, fewest):
                np.testing.assert_equal(*(vectors(said(ask, side)) for side in sides))
            assert counts.n_samples(missing, segment) == data.n_samples(missing, segment)


def fewest(side):
    return side.n_min


def vectors(found):
    return [found.n, found.c, found.questions] if isinstance(found, Tally) else found


@pytest.mark.wide
@settings(max_examples=6)
@given(outcomes(), st.sampled_from(["population", "benchmark"]), st.sampled_from(TREATMENTS))
def test_every_metric_of_counts_is_that_of_the_outcomes(data, target, missing):
    """With its interval, its caveats and its reason where there is none."""
    counts = Counts.of(data)
    for segment in parts(data)[:2]:
        asked = dict(target=target, missing=missing, segment=segment)
        for name, metric in METRICS.items():
            if metric.needs in ("soft", "answers"):
                continue
            found = [said(estimate, each, name, **asked) for each in (counts, data)]
            assert found[0] == found[1]
    drawn = [said(curve, each, "pass@k", **asked) for each in (counts, data)]
    np.testing.assert_equal(*(d if isinstance(d, str) else vars(d) for d in drawn))


@given(outcomes(), outcomes(), st.sampled_from(TREATMENTS))
def test_joint_counts_compare_as_the_outcomes_do(a, b, missing):
    assume(set(a.questions) & set(b.questions))
    for segment in (None, ("level", "a")):
        given = said(JointCounts.of, a, b, segment)
        whole = said(compare, a, b, missing=missing, segment=segment)
        if isinstance(given, str) or isinstance(whole, str) or not whole.paired:
            continue
        joint = compare(given, missing=missing)
        assert joint.n_questions == whole.n_questions
        assert joint.n_dropped == whole.n_dropped
        assert (joint.wins, joint.ties, joint.losses) == (whole.wins, whole.ties, whole.losses)
        np.testing.assert_allclose([joint.value, *joint.interval], [whole.value, *whole.interval])
        assert joint.caveats == whole.caveats


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], [2], [0], [1]), "0 <= right <= graded"),
        (([1], [-1], [0], [1]), "0 <= right <= graded"),
        (([1], [1], [-1], [1]), "0 <= failed"),
        (([1], [1], [0], [0]), "at least 1 question"),
        (([], [], [], []), "There are no questions"),
        (([1], [1, 0], [0], [1]), "one length"),
        (([1 << 40], [1], [0], [1 << 20]), "too large"),
        (([0.5], [0], [0], [1]), "integers"),
    ],
)
def test_bad_counts_are_named(arguments, message):
    with pytest.raises(MetricError, match=message):
        Counts(*arguments)


def test_counts_are_the_same_in_any_order():
    one = Counts([2, 1], [1, 0], [0, 1], [5, 3], {"level": {"a": Counts([2], [1], [0], [5])}})
    other = Counts([1, 2, 2], [0, 1, 1], [1, 0, 0], [3, 2, 3], dict(one.segments))
    assert one.digest == other.digest != Counts([2, 1], [1, 0], [0, 1], [5, 3]).digest
    assert other.questions.tolist() == [3, 5]
    with pytest.raises(ValueError, match="read-only"):
        one.graded[0] = 0


def test_what_needs_samples_says_so_in_one_sentence():
    counts = Counts([2], [1], [0], [5])
    for ask in (
        lambda: np.asarray(counts),
        lambda: estimate(counts, "soft"),
        lambda: estimate(counts, "plurality@k"),
        lambda: estimate(counts, "max@k", w=[0.0, 1.0]),
        lambda: question_statistics(counts),
        lambda: Evidence(counts).rows,
    ):
        with pytest.raises(MetricError, match=r"Only the counts .* needs the single samples\.$"):
            ask()
    with pytest.raises(MetricError, match=r'There is no segment "level"\. There are none\.'):
        estimate(counts, "avg@n", segment=("level", "z"))
    assert bootstrap_curve(counts, "pass@k", resamples=10).value.tolist() == [0.5, 1.0]


def asked_of(counts, joint):
    """Ask for what a user does of a run, and of two."""
    return {
        "estimate": [estimate(counts, *each, target=t) for each in COUNTED for t in TARGETS],
        "curve": [curve(counts, "pass@k", target=t) for t in TARGETS],
        "choose_n": choose_n(counts, quality=0.5, resamples=50).advice,
        "guidance": guidance(counts, resamples=50).estimates["pass"],
        "compare": [compare(joint, None, *each) for each in (("avg@n",), ("geom-ds@k", 8))],
        "plan": plan(joint).smallest(),
    }


COUNTED = [("avg@n",), ("pass@k", 8), ("maj@k", 9), ("auc@k", 16)]
TARGETS = ["population", "benchmark"]


def times(data, factor):
    """Return counts, or joint counts, of so many times the questions."""
    *columns, questions = (getattr(data, name) for name in vars(data) if name != "segments")
    return type(data)(*columns, questions * factor)


def peak(data):
    """Return what is found, and the most memory that it took."""
    tracemalloc.start()
    try:
        return asked_of(*data), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.wide
def test_ten_billion_samples_need_what_ten_thousand_do_and_say_the_same():
    """An int64 that ran over would change a value, and an array of questions the memory."""
    rng = np.random.default_rng(3)
    rates = rng.beta(1, 1.5, (160, 1))
    shape = 160, 64
    a, b = (
        Outcomes(np.where(rng.random(shape) < 0.05, -1, rng.random(shape) < rate))
        for rate in (rates, rates**0.8)
    )
    few = Counts.of(a), JointCounts.of(a, b)
    many = tuple(times(each, 1_000_000) for each in few)
    assert many[0].n_samples() == many[1].tally().a.n_samples == 160 * 64 * 1_000_000 > 10**10
    asked_of(*few)
    (little, least), (much, most) = peak(few), peak(many)
    assert most < 1.1 * least
    numbers = [[*found["estimate"], *found["compare"]] for found in (little, much)]
    for small, large in zip(*numbers, strict=True):
        assert large.value == pytest.approx(small.value, rel=1e-12)
        width, wide = (high - low for low, high in (large.interval, small.interval))
        assert wide / 2000 < width < wide / 900
        assert large.interval.low < large.value < large.interval.high
    for small, large in zip(little["curve"], much["curve"], strict=True):
        np.testing.assert_allclose(large.value, small.value, rtol=1e-12)
        assert (large.high - large.low < small.high - small.low).all()
    assert little["plan"] / 2000 < much["plan"] < little["plan"] / 900
    assert much["guidance"].value == pytest.approx(little["guidance"].value)
