"""The average of a suite's subsets."""

import numpy as np
import pytest
from scipy import stats

from metrics import Estimate, MetricError, Outcomes, estimate, pool


def subset(m, n, seed, metric="avg@n", **arguments):
    rng = np.random.default_rng(seed)
    return estimate((rng.random((m, n)) < rng.random((m, 1))).astype(int), metric, **arguments)


@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "maj@k", "mg-pass@k", "geom@k"])
@pytest.mark.parametrize("m", [3, 40, 700])
def test_a_suite_of_one_subset_is_the_subset(metric, target, m):
    alone = subset(m, 5, 1, metric, target=target)
    suite = pool([alone])
    assert suite.value == pytest.approx(alone.value, abs=1e-15)
    assert suite.interval == pytest.approx(alone.interval, abs=1e-12)
    assert suite.n_effective == pytest.approx(alone.n_effective)
    assert (suite.target, suite.confidence_level) == (alone.target, alone.confidence_level)


def test_subsets_count_equally_or_by_weight():
    parts = [subset(10, 4, 1), subset(30, 4, 2), subset(200, 4, 3)]
    values = [part.value for part in parts]
    assert pool(parts).value == pytest.approx(np.mean(values))
    weights = [part.n_questions for part in parts]
    weighted = pool(parts, weights)
    assert weighted.value == pytest.approx(np.average(values, weights=weights))
    assert weighted.n_questions == 240
    assert pool(parts, [3, 3, 3]) == pool(parts)
    assert pool(parts, np.array(weights) * 1e300).interval == pytest.approx(weighted.interval)


def test_a_subset_without_weight_does_not_matter_to_the_numbers():
    parts = [subset(50, 4, 1), subset(1, 4, 2), subset(60, 4, 3)]
    assert parts[1].n_effective == 0, "one question says nothing about others"
    assert pool(parts).interval == (0, 1)
    left = pool(parts, [1, 0, 1])
    assert left.interval == pytest.approx(pool([parts[0], parts[2]]).interval)


def test_identical_subsets_are_worth_their_number():
    """k copies of m questions, taken as independent, are about as good as k m questions.

    The limits of a suite are Clopper-Pearson's, about 5 % wider than those of as many questions.
    """
    rng = np.random.default_rng(4)
    matrix = (rng.random((100, 6)) < rng.random((100, 1))).astype(int)
    one = estimate(matrix, "avg@n")
    four = pool([one] * 4)
    together = estimate(np.tile(matrix, (4, 1)), "avg@n")
    assert four.value == pytest.approx(one.value)
    width, expected = (e.interval.high - e.interval.low for e in (four, together))
    assert width == pytest.approx(expected * 1.05, rel=0.03)


@pytest.mark.parametrize(("cell", "end"), [(0, 0.0), (1, 1.0)])
def test_suites_all_wrong_or_all_right_have_an_interval_of_their_size(cell, end):
    """The rule of three over all questions: 4 x 50 without success leave 1.9 % at most."""
    part = estimate(np.full((50, 4), cell), "avg@n")
    suite = pool([part] * 4)
    assert suite.value == end
    inner = suite.interval.high if end == 0 else 1 - suite.interval.low
    assert end in suite.interval
    assert 0.0183 < inner < 0.0195
    assert inner < part.interval.high - part.interval.low


def test_a_suite_with_a_solved_subset_is_as_uncertain_as_the_rest():
    open_part, solved = subset(80, 5, 5), estimate(np.ones((80, 5), int), "avg@n")
    suite = pool([open_part, solved])
    half = (open_part.interval.high - open_part.interval.low) / 2
    assert half < suite.interval.high - suite.interval.low < 1.15 * half


def test_scores_keep_their_range():
    """mG-Pass@3 tops out at 2/3, rewards where they end."""
    parts = [estimate(np.ones((30, 3), int), "mg-pass@k") for _ in range(2)]
    suite = pool(parts)
    assert suite.value == pytest.approx(2 / 3)
    assert suite.interval.low < suite.value
    assert suite.interval.high == pytest.approx(2 / 3)
    rewards = [estimate(np.eye(9, 4, dtype=int), "max@k", 2, w=[-2e300, 1e300]) for _ in range(2)]
    suite = pool(rewards)
    assert suite.value == pytest.approx(rewards[0].value)
    assert -2e300 < suite.interval.low < suite.value < suite.interval.high < 1e300


def test_what_the_subsets_say_is_said_once():
    part = estimate(Outcomes([[1, -1], [0, 1]]), "avg@n")
    texts = [str(caveat) for caveat in pool([part, part]).caveats]
    assert len(texts) == len(set(texts)) > 0


def differing(**fields):
    kept = {name: getattr(subset(9, 3, 1), name) for name in Estimate.__slots__}
    return Estimate(**kept | fields)


@pytest.mark.parametrize(
    ("estimates", "weights", "message"),
    [
        ([], None, "nothing to pool"),
        ([subset(9, 3, 1), differing(target="benchmark")], None, "different targets or levels"),
        ([subset(9, 3, 1), differing(confidence_level=0.9)], None, "different targets or levels"),
        ([subset(9, 3, 1), differing(bounds=(0, 2))], None, "different ranges"),
        ([subset(9, 3, 1, "geom-ds@k")], None, "not blends, posteriors or scores without bounds"),
        ([subset(9, 3, 1, "bayes@n", target="benchmark")], None, "not blends, posteriors"),
        ([subset(9, 3, 1)], [1, 2], r"weights must be a vector of 1 numbers; got \[1, 2\]"),
        ([subset(9, 3, 1)], [-1], r"weights must be at least 0 and not all 0; got \[-1\]"),
        ([subset(9, 3, 1)], [0], "weights must be at least 0 and not all 0"),
        ([subset(9, 3, 1)], ["all"], "weights must be a vector of 1 numbers"),
        ([subset(9, 3, 1)], [float("nan")], "weights must be finite"),
    ],
)
def test_what_cannot_be_pooled_is_named(estimates, weights, message):
    with pytest.raises(MetricError, match=message):
        pool(estimates, weights)


def test_a_boundless_score_cannot_be_pooled():
    unbounded = estimate([[1, 1, 0]] * 9, "geom@k", 2, pass_power=-1, unanimous_power=1)
    assert unbounded.interval is None
    with pytest.raises(MetricError, match="without bounds"):
        pool([unbounded])


@pytest.mark.wide
@pytest.mark.parametrize(
    ("weights", "target"),
    [("questions", "population"), (None, "benchmark")],
)
def test_pooled_intervals_cover(weights, target):
    """Five subsets of unlike size and difficulty, 200 suites; binomial error allowed for."""
    rng = np.random.default_rng(8)
    shapes = [(12, 0.5, 5), (20, 5, 0.5), (40, 1, 1), (60, 0.3, 0.3), (25, 2, 2)]
    sizes = np.array([m for m, *_ in shapes])
    w = sizes / sizes.sum() if weights else np.full(5, 0.2)
    fixed = [rng.beta(a, b, m) for m, a, b in shapes]
    covered = 0
    for _ in range(200):
        rates = fixed
        if target == "population":
            rates = [rng.beta(a, b, m) for m, a, b in shapes]
        parts = [
            estimate((rng.random((len(p), 4)) < p[:, None]).astype(int), "pass@k", 2, target=target)
            for p in rates
        ]
        suite = pool(parts, None if weights is None else sizes)
        if target == "population":
            means = [1 - b * (b + 1) / ((a + b) * (a + b + 1)) for _, a, b in shapes]
        else:
            means = [np.mean(1 - (1 - p) ** 2) for p in fixed]
        covered += suite.interval.low <= w @ means <= suite.interval.high
    assert covered >= stats.binom.ppf(0.001, 200, 0.95)


def test_unequal_weights_count_with_their_squares():
    """The variance of a weighted mean, with one success and one failure in each subset's size."""
    parts = [subset(10, 4, 1), subset(30, 4, 2), subset(200, 4, 3)]
    weights = np.array([0.5, 0.2, 0.3])
    values, sizes, questions = (
        np.array([getattr(part, name) for part in parts])
        for name in ("value", "n_effective", "n_questions")
    )
    variance = (weights**2 * (values * (1 - values) + 1 / questions) / sizes).sum()
    mean = weights @ values
    added = sum(w * w / m for w, m in zip(weights, questions, strict=True)) / sum(weights**2)
    suite = pool(parts, 7 * weights)
    assert suite.n_effective == pytest.approx((mean * (1 - mean) + added) / variance)


def test_caveats_of_subsets_are_counted():
    plain, few = subset(40, 4, 1), subset(5, 4, 2)
    assert pool([plain, plain]).caveats == ()
    said = [str(*pool(parts).caveats) for parts in ([plain, few], [few, few])]
    assert said == [
        "1 of its 2 subsets comes with caveats.",
        "2 of its 2 subsets come with caveats.",
    ]
