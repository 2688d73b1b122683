"""The decision matrix: which cells exist, how likely each is, and what the scenarios get."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics import MetricError, Outcomes, Tally, estimate, guidance
from metrics.joint import joint_means
from metrics.scenarios import CELLS, LEVELS, PROFILES, SCENARIOS, Scenario
from metrics.settling import questions_to_settle
from metrics.words import Text

COUNTS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=12))
)


def exact(n, counts, k=None):
    """pass@k, avg@n and cons@k of some questions, as rationals."""
    k = n if k is None else k

    def chance(needed, c):
        ways = sum(comb(c, j) * comb(n - c, k - j) for j in range(needed, k + 1))
        return Fraction(ways, comb(n, k))

    m = len(counts)
    return (
        sum(chance(1, c) for c in counts) / m,
        Fraction(sum(counts), n * m),
        sum(chance(k // 2 + 1, c) for c in counts) / m,
    )


def place(values, high=Fraction(8, 10), low=Fraction(1, 2)):
    return tuple("high" if v > high else "low" if v < low else "medium" for v in values)


def of_counts(n, counts):
    return Tally.of_questions([n] * len(counts), counts)


@pytest.mark.parametrize(("n", "m"), [(1, 20), (2, 20), (3, 20), (4, 7), (5, 6)])
def test_cells_that_some_questions_reach_are_the_possible_ones(n, m):
    reached = {place(exact(n, c)) for c in combinations_with_replacement(range(n + 1), m)}
    possible = guidance(of_counts(n, [0, n])).possible
    assert reached <= possible
    if n <= 3:
        assert reached == possible


@pytest.mark.parametrize(("n", "k"), [(4, 2), (4, 3), (6, 3), (6, 5)])
def test_possible_cells_for_fewer_draws_than_samples(n, k):
    possible = guidance(of_counts(n, [0, n]), k=k).possible
    reached = {place(exact(n, c, k)) for c in combinations_with_replacement(range(n + 1), 7)}
    assert reached <= possible


def test_neither_avg_nor_cons_can_exceed_pass():
    for n in (1, 2, 5, 16):
        for cell in guidance(of_counts(n, [0, n])).possible:
            first, second, third = map(LEVELS.index, cell)
            assert first >= max(second, third)
        if n == 1:
            assert guidance(of_counts(1, [0, 1])).possible == {(level,) * 3 for level in LEVELS}


def test_the_row_of_systematic_bias_cannot_occur_and_the_others_can():
    possible = guidance(of_counts(16, [0, 16])).possible
    assert [profile.cell in possible for profile in PROFILES] == [True, True, False, True]


@settings(max_examples=40)
@given(COUNTS, st.integers(0, 5))
def test_probabilities_sum_to_one_and_the_impossible_has_none(counted, seed):
    n, counts = counted
    found = guidance(of_counts(n, counts), rng=seed, resamples=400)
    assert set(found.probability) == set(CELLS)
    assert sum(found.probability.values()) == pytest.approx(1)
    assert all(cell in found.possible for cell, p in found.probability.items() if p)
    assert found.cell == place(exact(n, counts))
    assert found.cell in found.possible


def test_the_lines_themselves_are_medium():
    """4 of 5 is .8 and 2 of 4 is .5, also where sums round: 1/10 eight times."""
    assert guidance([[1, 1, 1, 1, 0]]).cell == ("high", "medium", "high")
    assert guidance([[1, 1, 0, 0]]).cell == ("high", "medium", "low")
    tenths = [[1]] * 8 + [[0]] * 2
    assert guidance(tenths).cell == ("medium",) * 3
    assert guidance([[1]] * 5 + [[0]] * 5).cell == ("medium",) * 3
    assert guidance(tenths, high=0.79).cell == ("high",) * 3


def test_the_worked_example():
    """Counts 2, 2, 1, 0 of 3: pass .75, avg .4167, cons .5."""
    found = guidance(of_counts(3, [2, 2, 1, 0]))
    values = [round(found.estimates[kind].value, 4) for kind in ("pass", "avg", "cons")]
    assert values == [0.75, 0.4167, 0.5]
    assert found.cell == ("medium", "low", "medium")


def test_draws_have_the_moments_of_their_dirichlet():
    scores, questions = np.array([[0.0, 0.0], [1.0, 0.25], [1.0, 1.0]]), np.array([7, 20, 3])
    drawn = joint_means(scores, questions, resamples=200_000, rng=1)
    alpha = np.array([7.5, 20, 3.5])
    mean = alpha @ scores / alpha.sum()
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=2e-3)
    share = alpha / alpha.sum()
    spread = (np.diag(share) - np.outer(share, share)) / (alpha.sum() + 1)
    assert np.cov(drawn.T) == pytest.approx(scores.T @ spread @ scores, abs=2e-5)


def test_draws_are_distributed_as_numpy_s():
    scores, questions = np.array([[0.0], [0.5], [1.0]]), np.array([4, 10, 2])
    drawn = joint_means(scores, questions, resamples=20_000, rng=2)[:, 0]
    other = np.random.default_rng(3).dirichlet([4.5, 10, 2.5], 20_000) @ scores[:, 0]
    assert stats.ks_2samp(drawn, other).pvalue > 0.01


def test_clusters_are_drawn_whole():
    """Ten clusters of four equal questions vary as ten questions do."""
    scores = np.repeat(np.linspace(0, 1, 10), 4)[:, None]
    ones, clusters = np.ones(40, dtype=np.int64), np.repeat(np.arange(10), 4)
    whole = joint_means(scores, ones, clusters=clusters, resamples=50_000, rng=0)
    alone = joint_means(scores[::4], ones[::4], resamples=50_000, rng=1)
    apart = joint_means(scores, ones, resamples=50_000, rng=2)
    assert whole.std() == pytest.approx(alone.std(), rel=0.02)
    assert whole.std() > 1.8 * apart.std()


def test_clusters_reach_the_matrix():
    rng = np.random.default_rng(0)
    correct = np.repeat(rng.random((10, 1, 4)) < 0.6, 8, axis=1).reshape(80, 4).astype(int)
    clustered = guidance(Outcomes(correct, clusters=np.repeat(np.arange(10), 8)))
    assert max(clustered.probability.values()) < max(guidance(correct).probability.values())


def drawn_by_numpy(n, counts, size, seed):
    """Joint draws of pass@n, avg@n, cons@n by an independent route."""
    c = np.arange(n + 1)
    alpha = np.bincount(counts, minlength=n + 1).astype(float)
    alpha[[0, n]] += 0.5
    weights = np.random.default_rng(seed).dirichlet(np.maximum(alpha, 1e-12), size)
    return weights @ np.column_stack([c > 0, c / n, 2 * c > n])


def test_probabilities_and_verdicts_against_an_independent_simulation():
    counts = np.random.default_rng(5).binomial(4, np.random.default_rng(6).beta(3, 1, 60))
    found = guidance(of_counts(4, counts))
    drawn = drawn_by_numpy(4, counts, 100_000, seed=7)
    levels = (drawn > 0.8).astype(int) - (drawn < 0.5) + 1
    for cell in CELLS:
        share = np.mean(np.all(levels == [LEVELS.index(level) for level in cell], axis=1))
        assert found.probability[cell] == pytest.approx(share, abs=0.02)
    passed, avg, cons = drawn.T
    truth = [(cons > 0.8) & (passed > 0.9), (passed > 0.8) & (avg > 0.7), avg > 0.75]
    for verdict, met in zip(found.verdicts, truth, strict=True):
        assert verdict.probability == pytest.approx(met.mean(), abs=0.02)


def test_a_target_is_met_where_the_whole_interval_lies_above_it():
    counts = [4] * 90 + [3] * 10
    found = guidance(of_counts(4, counts), confidence_level=0.9)
    for verdict in found.verdicts:
        for target in verdict.targets:
            assert target.status == "met"
            assert found.estimates[target.kind].interval.low > target.limit
        assert verdict.status == "met"
        assert verdict.probability > 0.99
    names = {"pass": "pass@k", "avg": "avg@n", "cons": "cons@n"}
    for kind, name in names.items():
        assert found.estimates[kind] == estimate(of_counts(4, counts), name, confidence_level=0.9)


def test_one_target_missed_is_enough_and_one_open_leaves_it_open():
    missed = guidance(of_counts(4, [4] * 50 + [0] * 50)).verdicts[0]
    assert missed.status == "not met"
    open_one = Scenario("x", Text("x"), Text("x"), {"pass": 0.1, "avg": 0.5})
    (verdict,) = guidance(of_counts(4, [4] * 10 + [0] * 10), scenarios=[open_one]).verdicts
    assert [target.status for target in verdict.targets] == ["met", "undecided"]
    assert verdict.status == "undecided"


def test_aisbench_s_scenarios_have_its_targets():
    assert [dict(scenario.targets) for scenario in SCENARIOS] == [
        {"cons": 0.8, "pass": 0.9},
        {"pass": 0.8, "avg": 0.7},
        {"avg": 0.75},
    ]


@pytest.mark.parametrize(("right", "line"), [(65, 0.7), (65, 0.6), (45, 0.5)])
def test_so_many_questions_settle_it(right, line):
    """The rule of thumb is right within a third: fewer leave it open, more do not."""

    def found(m):
        return estimate(
            Tally([1, 1], [0, 1], [round(m * (100 - right) / 100), round(m * right / 100)]), "avg@n"
        )

    needed = questions_to_settle(found(100), line)
    assert (
        found(round(0.66 * needed)).interval.low < line < found(round(0.66 * needed)).interval.high
    )
    low, high = found(round(1.34 * needed)).interval
    assert not low < line < high


def test_a_value_on_a_line_is_never_settled():
    found = guidance([[1]] * 50 + [[0]] * 50)
    assert questions_to_settle(found.estimates["avg"], 0.5) is None
    assert found.questions() is None
    assert guidance(of_counts(4, [0] * 400)).questions() == 0


def test_likely_cells_hold_their_share():
    found = guidance(of_counts(4, np.arange(40) % 5))
    for share in (0.5, 0.9, 0.95, 1.0):
        cells = found.likely(share)
        held = [found.probability[cell] for cell in cells]
        assert sum(held) >= share - 1e-9
        assert sum(held[:-1]) < share
        assert held == sorted(held, reverse=True)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_what_avg_leaves_open_by_brute_force(n):
    """Among eight questions with the same avg@n, pass and cons go from end to end."""
    m = 8
    for total in range(0, n * m + 1, n):
        alike = [
            exact(n, counts)
            for counts in combinations_with_replacement(range(n + 1), m)
            if sum(counts) == total
        ]
        counts = next(c for c in combinations_with_replacement(range(n + 1), m) if sum(c) == total)
        ranges = guidance(of_counts(n, counts), resamples=1).open_ranges
        for kind, position in (("pass", 0), ("cons", 2)):
            values = [float(values[position]) for values in alike]
            assert ranges[kind].low <= min(values) + 1e-12
            assert ranges[kind].high >= max(values) - 1e-12
            if n < 3:
                assert ranges[kind] == pytest.approx((min(values), max(values)))


def test_agreement_on_one_wrong_answer_is_systematic_bias():
    wrong = np.zeros((60, 5), dtype=int)
    found = guidance(wrong, answers=np.full((60, 5), 7))
    assert found.agreement.value == 1
    assert found.bias > 0.99
    assert found.probability["low", "low", "high"] == 0
    scattered = guidance(wrong, answers=np.tile(np.arange(5), (60, 1)))
    assert scattered.agreement.value == 0
    assert scattered.bias == 0


def test_agreement_is_the_share_of_questions_with_a_majority_for_one_answer():
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 3, (200, 4))
    correct = (codes == 0).astype(int)
    found = guidance(correct, answers=codes)
    most = np.array([max(np.bincount(row)) for row in codes])
    assert found.agreement.value == pytest.approx((2 * most > 4).mean())
    assert found.probability == guidance(correct, answers=codes).probability
    alone = guidance(correct)
    for cell in CELLS:
        assert found.probability[cell] == pytest.approx(alone.probability[cell], abs=0.02)


def test_without_answers_or_with_one_sample_there_is_no_agreement():
    assert guidance([[0, 0]]).agreement is None
    found = guidance([[0], [1]], answers=[[1], [2]])
    assert (found.agreement, found.bias) == (None, None)


def test_failed_requests_count_as_asked():
    data = Outcomes([[1, -1], [1, 1]] * 20)
    found = {
        m: guidance(data, missing=m).estimates["avg"].value for m in ("wrong", "omit", "right")
    }
    assert found == {"wrong": 0.75, "omit": 1.0, "right": 1.0}


@pytest.mark.parametrize("missing", ["wrong", "omit", "right"])
@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3])
def test_agreement_goes_with_failures_segments_and_clusters(missing, clusters):
    rng = np.random.default_rng(9)
    codes = rng.integers(0, 2, (60, 5))
    correct = np.where(rng.random((60, 5)) < 0.2, -1, codes == 0)
    correct[7], correct[8] = -2, -1
    segments = {"half": np.where(np.arange(60) < 30, "first", "second")}
    data = Outcomes(correct, segments=segments, clusters=clusters)
    settings = {"missing": missing, "segment": ("half", "first")}
    found = guidance(data, answers=codes, **settings)
    agreed = []
    for row, verdicts in zip(codes[:30], correct[:30], strict=True):
        asked = np.count_nonzero(verdicts >= (0 if missing == "omit" else -1))
        if asked:
            votes = np.bincount(row[verdicts >= 0], minlength=2).max()
            agreed.append(2 * votes > asked)
    assert (found.agreement is None) == (found.n < 2)
    if found.agreement is not None:
        assert found.agreement.value == pytest.approx(np.mean(agreed))
        assert sum(found.probability.values()) == pytest.approx(1)


def test_the_seed_decides_the_draws():
    data = of_counts(4, np.arange(40) % 5)
    assert guidance(data).probability == guidance(data).probability
    assert guidance(data).probability != guidance(data, rng=1).probability


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"high": 0.5, "low": 0.5}, "low must be below high; got 0.5 and 0.5"),
        ({"high": 1.2}, "high must lie in 0 … 1"),
        ({"low": -0.1}, "low must lie in 0 … 1"),
        ({"k": 3}, "needs 3 samples"),
        ({"resamples": 0}, "resamples"),
        ({"confidence_level": 2}, "confidence_level"),
        (
            {"scenarios": [Scenario("x", Text("x"), Text("x"), {"avg": 2.0})]},
            "target must lie in 0 … 1",
        ),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(MetricError, match=message):
        guidance([[1, 0]], **arguments)


def test_a_million_questions_are_as_fast_as_a_tally():
    tally = Tally(np.full(65, 64), np.arange(65), np.full(65, 20_000))
    assert max(guidance(tally, low=0.4).probability.values()) > 0.99


DISTRIBUTIONS = {
    "uniform": lambda u: u,
    "Beta(.3,.3)": lambda u: stats.beta.ppf(u, 0.3, 0.3),
    "35 % at 0, 35 % at 1": lambda u: np.clip((u - 0.35) / 0.3, 0, 1),
    "Beta(5,.5)": lambda u: stats.beta.ppf(u, 5, 0.5),
    "Beta(2,1)": lambda u: np.sqrt(u),
    "Beta(1,2)": lambda u: 1 - np.sqrt(1 - u),
}


@pytest.mark.slow
def test_among_draws_given_a_probability_about_so_many_are_right():
    """Calibration over distributions, sizes, and lines that know nothing of the truth."""
    rng = np.random.default_rng(20261120)
    lines = [(high, high - width) for high in np.linspace(0.35, 0.95, 7) for width in (0.1, 0.3)]
    given, right = [], []
    sizes = [(30, 4), (30, 16), (100, 5), (500, 3)]
    for quantile, (m, n) in product(DISTRIBUTIONS.values(), sizes):
        p = quantile((np.arange(4000) + 0.5) / 4000)
        c = np.arange(n + 1)
        chance = stats.binom.pmf(c, n, p[:, None]).mean(axis=0)
        truth = chance @ np.column_stack([c > 0, c / n, 2 * c > n])
        for high, low in lines * 6:
            counts = rng.binomial(n, quantile(rng.random(m)))
            found = guidance(of_counts(n, counts), high=high, low=low, resamples=2000)
            there = place(truth, high, low)
            for cell, probability in found.probability.items():
                if probability > 0.005:
                    given.append(probability)
                    right.append(cell == there)
    given, right = np.array(given), np.array(right)
    print("\n| given | cells | mean probability | share right |\n|---|---|---|---|")
    for first, last in [
        (0, 0.05),
        (0.05, 0.2),
        (0.2, 0.4),
        (0.4, 0.6),
        (0.6, 0.8),
        (0.8, 0.95),
        (0.95, 1.01),
    ]:
        inside = (given >= first) & (given < last)
        print(
            f"| {first} to {min(last, 1)} | {inside.sum()} | {given[inside].mean():.3f} "
            f"| {right[inside].mean():.3f} |"
        )
        noise = 3 * np.sqrt(given[inside].mean() * (1 - given[inside].mean()) / inside.sum())
        assert abs(given[inside].mean() - right[inside].mean()) < noise + 0.05
