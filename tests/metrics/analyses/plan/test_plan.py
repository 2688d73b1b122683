"""What a benchmark can show, against enumeration, other ways to compute it, and simulation."""

from itertools import product
from math import ceil, comb, inf

import numpy as np
import pytest

from metrics import Bill, JointTally, MetricError, Outcomes, compare, plan
from metrics.analyses.compare.power import chance_of_showing, fewest, least_enough
from metrics.analyses.plan.pilot import Gains, subsample_chances

SETS = 600
PAIR = [[1, 0]] * 5


def counts(m: int, n_a: int, n_b: int, power: float, seed: int) -> JointTally:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, m)
    return JointTally.of_questions(
        n_a, rng.binomial(n_a, rate), n_b, rng.binomial(n_b, rate**power)
    )


def test_leaving_samples_out_is_exact():
    table = subsample_chances(7, 3)
    for c, left in product(range(8), range(4)):
        expected = comb(c, left) * comb(7 - c, 3 - left) / comb(7, 3)
        assert table[c, left] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 2), ("maj@k", 3)])
def test_fewer_samples_keep_the_mean_difference(metric, k):
    joint = counts(300, 8, 6, 0.7, 0)
    found = plan(joint, metric=metric, k=k)
    expected = compare(joint, metric=metric, k=k).value
    for samples in (3, 4, 6):
        values, shares, _kept = found.gains(samples)
        assert shares.sum() == pytest.approx(1)
        assert shares @ values == pytest.approx(expected)


def test_many_samples_are_not_laid_out_count_by_count():
    """Every two counts of 20,000 samples would be a table of 3 GB."""
    few, many = counts(30, 8, 8, 0.7, 0), counts(30, 20_000, 20_000, 0.7, 0)
    assert 0 < plan(many).smallest() < plan(few).smallest()


def test_more_samples_leave_the_variance_between_questions():
    joint = counts(40_000, 32, 32, 0.6, 1)
    rate = np.random.default_rng(1).beta(1, 1, 40_000)
    between = np.var(rate**0.6 - rate)
    assert plan(joint).gains(inf).variance == pytest.approx(between, rel=0.15)


def test_questions_are_weighed_to_have_the_mean_asked_for():
    gains = Gains(np.array([-1.0, -0.25, 0, 0.5, 1.0]), np.array([0.1, 0.2, 0.4, 0.2, 0.1]))
    for mean in (-0.5, 0.0, 0.05, 0.3, 0.9):
        values, shares, _kept = gains.with_mean(mean)
        assert shares @ values == pytest.approx(mean, abs=1e-9)
        logs = np.log(shares / gains.shares)
        slope = np.diff(logs) / np.diff(values)
        assert slope == pytest.approx(np.full(4, slope[0]))


@pytest.mark.parametrize(("metric", "k"), [("avg@n", None), ("pass@k", 4), ("cons@n", None)])
def test_the_smallest_difference_is_shown_as_surely_as_asked(metric, k):
    found = plan(counts(120, 8, 8, 0.8, 2), metric=metric, k=k)
    smallest = found.smallest()
    assert found.chance(smallest) == pytest.approx(0.8, abs=0.001)
    assert found.chance(0.7 * smallest) < 0.8 < found.chance(1.3 * smallest)
    assert found.smallest(questions=480) < smallest
    assert found.questions(smallest) == pytest.approx(120, rel=0.03)


@pytest.mark.parametrize("m", [30, 120, 1000])
def test_a_number_is_found_by_a_few_chances(m, monkeypatch):
    asked = []

    def counted(*given):
        asked.append(given)
        return chance_of_showing(*given)

    monkeypatch.setattr("metrics.analyses.plan.plan.chance_of_showing", counted)
    found = plan(counts(m, 4, 4, 0.8, 2))
    smallest = found.smallest()
    assert len(asked) <= 10
    found.questions(smallest / 2)
    assert len(asked) <= 18
    assert found.chance(smallest) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("root", [0.003, 1.0, 7.2, 999.0])
def test_the_least_that_is_enough_is_found_from_anywhere(root):
    for near in (1e-4, 1.0, 900.0):
        assert least_enough(lambda x: x - root, near, 1000.0, 1e-6) == pytest.approx(root, rel=1e-5)
        fewer = fewest(lambda m: 1.0 if m >= root else -1.0, near, 1000)
        assert ceil(root) <= fewer <= max(ceil(root), 1.02 * root)
    assert least_enough(lambda x: x - root, root / 2, root * 0.9, 1e-6) is None
    assert fewest(lambda m: m - 1000, 3, 999) is None


def test_more_samples_help_down_to_a_floor():
    found = plan(counts(200, 8, 8, 0.8, 3))
    sizes = [found.smallest(samples=samples) for samples in (1, 4, 8, 64, 1000, 10**6)]
    assert sizes[:4] == sorted(sizes[:4], reverse=True)
    assert sizes[-1] == pytest.approx(found.floor, rel=0.1)
    assert plan(counts(200, 1, 1, 0.8, 3)).floor is None
    assert 0 < plan(counts(200, 8, 8, 0.8, 3), metric="pass@k", k=4).floor < 0.1
    assert plan(counts(200, 8, 8, 0.8, 3), metric="pass@k", k=5).floor is None
    assert plan([[0, 1]] * 40).floor is None


def test_more_samples_hardly_take_more_questions():
    """Where less varies by chance, a question that was not seen counts for more."""
    rng = np.random.default_rng(7)
    rate = rng.beta(2, 2, 36)
    runs = [rng.binomial(8, each)[:, None] > np.arange(8) for each in (rate**2, rate**0.5)]
    found = plan(*(run.astype(int) for run in runs))
    assert found.value > 0.25
    taken = [found.questions(0.05, samples) for samples in (8, 16, 64, inf)]
    assert max(taken) <= 1.1 * taken[0]


def test_so_many_questions_make_the_interval_as_narrow():
    joint = counts(100, 4, 4, 0.8, 4)
    found = plan(joint)
    low, high = compare(joint).interval
    assert found.questions_for_width(high - low) == pytest.approx(100, rel=0.03)
    assert found.questions_for_width((high - low) / 2) > 300


def test_one_run_is_set_against_another_as_good():
    rng = np.random.default_rng(5)
    rate = rng.beta(1, 1, (400, 1))
    run = Outcomes((rng.random((400, 8)) < rate).astype(int))
    again = Outcomes((rng.random((400, 8)) < rate).astype(int))
    assert plan(run).smallest() == pytest.approx(plan(run, again).smallest(), rel=0.15)
    assert plan(run).smallest(samples=32) < plan(run).smallest()


@pytest.mark.wide
@pytest.mark.parametrize(("metric", "k"), [("pass@k", 4), ("pass^k", 2), ("maj@k", 3)])
def test_more_samples_than_the_pilots_leave_less_chance(metric, k):
    found = plan(counts(200_000, 8, 8, 0.6, 7), metric=metric, k=k)
    for samples in (16, 64):
        truth = plan(counts(200_000, samples, samples, 0.6, 8), metric=metric, k=k)
        assert found.gains(samples).mean == pytest.approx(truth.gains(samples).mean, abs=0.003)
        assert found.gains(samples).variance == pytest.approx(
            truth.gains(samples).variance, rel=0.15
        )


def grouped(power, seed, size=5, groups=40, n=4):
    """Two runs on groups of questions that are as difficult as one another, and as much easier."""
    rng = np.random.default_rng(seed)
    rate = np.repeat(rng.beta(1, 1, groups), size)
    better = rate ** np.repeat(rng.choice([0.3 * power, 2 - 0.3 * power], groups), size)
    clusters = np.repeat(np.arange(groups), size)
    return [
        Outcomes((rng.random((len(rate), n)) < each[:, None]).astype(int), clusters=clusters)
        for each in (rate, better)
    ]


def test_clusters_count_as_in_the_interval():
    a, b = grouped(1.0, 9)
    found = plan(a, b)
    low, high = compare(a, b).interval
    assert found.questions_for_width(high - low) == pytest.approx(200, rel=0.03)
    apart = plan(*(Outcomes(each.correct) for each in (a, b)))
    assert found.smallest() > 1.3 * apart.smallest()
    assert plan(a).smallest() > plan(Outcomes(a.correct)).smallest()
    assert found.smallest(samples=2) > found.smallest() > found.smallest(samples=16)
    assert found.smallest(samples=16) > 0.95 * found.floor  # limits widen where noise vanishes


def test_needs_are_what_the_plan_says_of_each():
    found = plan(counts(120, 8, 8, 0.8, 2))
    bill = Bill(2000.0, question=2.0, sample=0.5)
    needs = found.needs([2, 32], difference=0.1, width=0.05, bill=bill)
    assert needs.samples.tolist() == [2, 32]
    assert needs.smallest.tolist() == [found.smallest(samples=n) for n in (2, 32)]
    assert needs.questions.tolist() == [found.questions(0.1, n) for n in (2, 32)]
    assert needs.questions_for_width.tolist() == [
        found.questions_for_width(0.05, n) for n in (2, 32)
    ]
    assert needs.affordable.tolist() == [500, 58]
    assert needs.smallest_affordable[1] == found.smallest(58, 32)
    assert list(needs.to_frame()) == [
        "samples",
        "smallest",
        "questions",
        "questions_for_width",
        "affordable",
        "smallest_affordable",
    ]
    five = plan(counts(50, 5, 5, 0.8, 2)).to_frame()
    assert list(five) == ["samples", "smallest"]
    assert five["samples"].tolist() == [1, 2, 4, 5, 8, 16, 32, 64]


@pytest.mark.parametrize("question", [0.0, 30.0])
def test_the_best_split_shows_the_smallest_difference_of_all(question):
    found = plan(counts(2000, 8, 8, 0.8, 2))
    bill = Bill(20_000.0, question=question, sample=1.0)
    split = found.split(bill)
    shown = found.needs([1, 3, 8, 18, 40], bill=bill).smallest_affordable
    assert split.smallest == found.smallest(split.questions, split.samples)
    assert split.smallest <= 1.02 * np.nanmin(shown)
    if question == 0:
        assert split.samples == 1


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (lambda: plan([[1, 0]] * 5, metric="soft"), "more than counts"),
        (lambda: plan(PAIR, PAIR, "pass@k", 2).smallest(samples=8), "takes 4"),
        (
            lambda: plan([[1, 0]] * 5, [[1, 0]] * 5, "pass@k", 2).smallest(samples=1),
            "2 samples cannot be drawn from 1",
        ),
        (lambda: plan([[1]] * 5, [[0]] * 5).smallest(samples=2), "takes 2"),
        (lambda: plan(PAIR, PAIR, "cons@n").smallest(samples=8), "more samples"),
        (lambda: plan(PAIR, PAIR, "geom@k", 1).smallest(samples=8), "more samples"),
        (lambda: plan(PAIR).smallest(samples=inf), "One run alone"),
        (lambda: plan(PAIR, power=80), "power"),
        (lambda: plan(PAIR).split(Bill(1.0)), "single question"),
        (lambda: Bill(1.0, question=-1.0), "0 or more"),
        (
            lambda: plan(Outcomes([[1]], questions=["a"]), Outcomes([[1]], questions=["b"])),
            "share no questions",
        ),
        (lambda: plan([[1, 0]] * 5).chance(0.1, questions=0), "at least 1"),
    ],
)
def test_what_cannot_be_planned_is_refused(asked, why):
    with pytest.raises(MetricError, match=why):
        asked()
