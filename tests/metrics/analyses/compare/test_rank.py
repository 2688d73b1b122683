"""Runs are ranked as far as the data can tell them apart."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from metrics import METRICS, MetricError, Outcomes, best_of_suites, compare, estimate, rank
from metrics.analyses.compare.best import Means, chances_of_best
from metrics.intervals.inversion import holm


def several(m: int, n: int, powers: list[float], seed: int) -> dict[str, Outcomes]:
    rng = np.random.default_rng(seed)
    rate = rng.beta(1, 1, (m, 1))
    return {
        f"m{i}": Outcomes((rng.random((m, n)) < rate**power).astype(int))
        for i, power in enumerate(powers)
    }


def test_holm_is_as_its_definition_says():
    rng = np.random.default_rng(0)
    for _ in range(50):
        p = rng.integers(1, 40, int(rng.integers(1, 12)))
        order = sorted(range(len(p)), key=lambda i: p[i])
        expected, so_far = {}, Fraction(0)
        for place, i in enumerate(order):
            so_far = max(so_far, min(Fraction(1), Fraction(int(p[i]), 100) * (len(p) - place)))
            expected[i] = so_far
        found = holm((p / 100).tolist())
        assert found == pytest.approx([float(expected[i]) for i in range(len(p))])


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_places_follow_from_the_pairs_told_apart(target):
    runs = several(150, 6, [0.4, 0.45, 1.0, 1.1, 2.5], 1)
    found = rank(runs, "pass@k", 2, target=target)
    error = 1 - found.confidence_level
    for name, ranks in zip(found.names, found.ranks, strict=True):
        better = [other for other in runs if other != name and surely(found, other, name, error)]
        worse = [other for other in runs if other != name and surely(found, name, other, error)]
        assert ranks == (1 + len(better), len(runs) - len(worse))
    assert max(ranks.first for ranks in found.ranks) > 1
    for (one, other), pair in found.pairs.items():
        alone = compare(runs[other], runs[one], "pass@k", 2, target=target)
        assert pair.value == alone.value
        assert found.p_values[one, other] >= alone.p_value
        assert found.sure(one, other) == found.sure(other, one)


@pytest.mark.parametrize("clusters", [None, np.arange(90) // 4])
@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "soft"])
def test_pairs_compared_at_once_are_as_each_by_itself(metric, clusters):
    rng = np.random.default_rng(2)
    right = (
        rng.random((4, 90, 5)) < rng.beta(1, 1, (90, 1)) ** np.array([1, 1.1, 2, 5])[:, None, None]
    )
    runs = {
        f"m{i}": Outcomes(
            each.astype(int), scores=0.4 * each + 0.6 * rng.random(each.shape), clusters=clusters
        )
        for i, each in enumerate(right)
    }
    k = 2 if metric == "pass@k" else None
    for (one, other), pair in rank(runs, metric, k, confidence_level=0.9).pairs.items():
        alone = compare(runs[other], runs[one], metric, k, confidence_level=0.9)
        assert pair.interval == pytest.approx(alone.interval, abs=1e-10)
        for name in (
            "value",
            "wins",
            "ties",
            "losses",
            "n_questions",
            "paired",
            "mcnemar",
            "method",
            "caveats",
        ):
            assert getattr(pair, name) == getattr(alone, name)
        assert pair.p_value == alone.p_value


def test_runs_that_are_not_alike_are_compared_one_by_one():
    """Where one has clusters of its own, or lost all samples of some questions."""
    runs = several(60, 3, [0.6, 1.0, 2.0], 5)
    correct = runs["m1"].correct.copy()
    own = Outcomes(correct, clusters=np.arange(60) // 6)
    for given in (
        {name: Outcomes(run.correct, clusters=np.arange(60) // 2) for name, run in runs.items()}
        | {"m1": own},
        runs | {"m1": Outcomes(np.where(np.arange(60)[:, None] < 9, -1, correct))},
    ):
        for (one, other), pair in rank(given, missing="omit").pairs.items():
            alone = compare(given[other], given[one], missing="omit")
            assert (pair.interval, pair.n_dropped) == (alone.interval, alone.n_dropped)


def test_many_runs_take_little_more_memory_than_their_questions(monkeypatch):
    runs = several(50, 3, [0.5 + i / 20 for i in range(12)], 4)
    whole = rank(runs)
    monkeypatch.setattr("metrics.analyses.compare.pairwise._CELLS", 300)
    parts = rank(runs)
    assert list(parts.p_values) == list(whole.p_values)
    assert list(parts.p_values.values()) == pytest.approx(list(whole.p_values.values()))
    for pair, found in parts.pairs.items():
        assert found.interval == pytest.approx(whole.pairs[pair].interval, abs=1e-10)


def surely(found, one, other, error):
    pair = (one, other) if (one, other) in found.pairs else (other, one)
    sign = 1 if pair == (one, other) else -1
    return found.p_values[pair] <= error and sign * found.pairs[pair].value > 0


def test_groups_hold_neighbours_that_are_not_told_apart():
    found = rank(several(200, 8, [0.3, 0.4, 0.6, 0.9, 1.3, 2.0], 2))
    assert set().union(*map(set, found.groups)) == set(found.names)
    for group in found.groups:
        assert not any(found.sure(*pair) for pair in combinations(group, 2))
        first, last = found.names.index(group[0]), found.names.index(group[-1])
        assert group == found.names[first : last + 1]
        for beyond in (first - 1, last + 1):
            if 0 <= beyond < len(found.names):
                assert any(found.sure(found.names[beyond], name) for name in group)


def test_names_stand_by_value_and_each_has_its_own_estimate():
    runs = several(60, 4, [1.0, 0.5, 2.0], 3)
    found = rank(runs, "pass@k")
    assert found.k == 4
    values = [estimate(runs[name], "pass@k", 4).value for name in found.names]
    assert [each.value for each in found.estimates] == values == sorted(values, reverse=True)
    assert found.to_frame()["run"].tolist() == list(found.names)


def test_two_runs_that_differ_in_one_question_are_nearly_even():
    a = np.ones((30, 1), dtype=int)
    b = a.copy()
    b[0] = 0
    found = rank({"a": a, "b": b})
    assert found.names == ("a", "b")
    assert 0.55 < found.chances[0] < 0.7
    assert sum(found.chances) == pytest.approx(1)
    assert 0 < found.losses[0] < found.losses[1] < 0.1


def test_a_difference_that_may_be_chance_is_not_certain():
    """Of 150 questions one run solves 20 that the other does not, and fails 8 that it solves."""
    a = np.repeat([[0], [1], [1]], [20, 8, 122], axis=0)
    b = np.repeat([[1], [0], [1]], [20, 8, 122], axis=0)
    p = compare(a, b).p_value
    assert 0.01 < p < 0.03
    for target in ("population", "benchmark"):
        found = rank({"a": a, "b": b}, target=target)
        p = compare(a, b, target=target).p_value
        assert found.names[0] == "b"
        assert 0.85 < found.chances[0] < 1 - p / 2
        assert found.losses[0] > 0


def test_the_chance_is_that_of_the_posterior_by_quadrature():
    """Two means: the effect of the one contrast is integrated over all sizes of effects."""
    value, error = 0.06, 0.04
    found = chances_of_best([0.5 + value, 0.5], np.diag([error**2, error**2]) / 2)
    deviation, x = error / np.sqrt(2), value / np.sqrt(2)
    steps = np.geomspace(0.1, 30, 40)
    prior = np.append(0.02, 0.98 * (w := steps / (1 + steps**2)) / w.sum())
    sizes = np.append(1e-9, steps * deviation)
    spread = np.sqrt(sizes**2 + deviation**2)
    weights = prior * stats.norm.pdf(x, scale=spread)
    kept = sizes**2 / spread**2
    ahead = stats.norm.cdf(kept * x / np.sqrt(np.maximum(kept, 1e-18) * deviation**2))
    ahead[0] = 0.5
    assert found.chances[0] == pytest.approx(weights @ ahead / weights.sum(), abs=0.02)


@pytest.mark.parametrize("m", [30, 2000])
@pytest.mark.parametrize("clusters", [None, 5])
def test_equal_runs_are_the_best_equally_often(m, clusters):
    rng = np.random.default_rng(4)
    groups = None if clusters is None else np.arange(m) // clusters
    same = (rng.random((m, 3)) < 0.5).astype(int)
    found = rank({name: Outcomes(same, clusters=groups) for name in "abcd"})
    assert found.chances == pytest.approx([0.25] * 4, abs=0.03)
    assert {ranks for ranks in found.ranks} == {(1, 4)}
    assert "do not separate any two of them" in str(found.caveats[0])


def test_of_more_runs_than_questions_the_best_is_likelier_the_more_it_solves():
    rng = np.random.default_rng(5)
    solved = rng.binomial(4, rng.beta(1 + 0.01 * np.arange(150), 1, (40, 150))) / 4
    chances = np.array(chances_of_best(*Means.of(solved, None)).chances)
    means, errors = solved.mean(axis=0), solved.std(axis=0, ddof=1) / np.sqrt(40)
    drawn = means + errors * rng.standard_normal((20_000, 150))
    often = np.bincount(drawn.argmax(axis=1), minlength=150) / 20_000
    assert chances.argmax() == means.argmax()
    assert np.abs(chances - often).max() < 0.08


def test_sums_of_many_questions_are_drawn_as_those_of_few():
    few = several(1000, 4, [1.0, 1.01, 1.03], 5)
    many = {name: np.vstack([run.correct, np.ones((1, 4))]) for name, run in few.items()}
    assert rank(few).chances == pytest.approx(rank(many).chances, abs=0.03)
    assert rank(few).chances[1] > 0.1


def test_the_chance_counts_questions_that_all_answered():
    runs = several(80, 4, [1.0, 0.8, 1.2], 6)
    parts = {
        name: Outcomes(run.correct[i * 5 :], questions=run.questions[i * 5 :])
        for i, (name, run) in enumerate(runs.items())
    }
    shared = {name: Outcomes(run.correct[10:]) for name, run in runs.items()}
    assert dict(zip(*(rank(parts).names, rank(parts).chances), strict=True)) == pytest.approx(
        dict(zip(*(rank(shared).names, rank(shared).chances), strict=True))
    )


def test_runs_that_are_not_paired_are_ranked_by_limits_of_their_own():
    runs = several(100, 4, [0.5, 1.0, 1.1], 7)
    paired = rank(runs)
    apart = rank(runs, same_questions=lambda a, b: False)
    assert not any(pair.paired for pair in apart.pairs.values())
    assert all(apart.p_values[pair] >= p for pair, p in paired.p_values.items())
    assert sum(apart.chances) == pytest.approx(1)


@pytest.mark.parametrize(
    "kind", ["alike", pytest.param("many", marks=pytest.mark.wide), "clustered", "not alike"]
)
@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_pairs_of_blends_are_as_compared_by_themselves(kind, target):
    runs = several(1001 if kind == "many" else 60, 6, [0.5, 0.8, 1.0], 13)
    if kind == "clustered":
        groups = np.arange(60) // 3
        runs = {name: Outcomes(run.correct, clusters=groups) for name, run in runs.items()}
    if kind == "not alike":
        short = runs["m1"]
        runs["m1"] = Outcomes(short.correct[2:], questions=short.questions[2:])
    found = rank(runs, "geom-ds@k", 3, target=target)
    for (one, other), pair in found.pairs.items():
        alone = compare(runs[other], runs[one], "geom-ds@k", 3, target=target)
        assert (pair.value, pair.interval) == (alone.value, alone.interval)


def test_a_blend_has_ranks_but_no_chance():
    found = rank(several(100, 8, [0.3, 1.0], 8), "geom-ds@k", 4)
    assert found.chances is None
    assert [str(ranks) for ranks in found.ranks] == ["1", "2"]


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_runs_are_refused(count):
    with pytest.raises(MetricError, match="at least two runs"):
        rank(several(10, 2, [1.0] * count, 9))


def test_a_score_without_bounds_is_refused():
    assert "geom@k" in METRICS
    with pytest.raises(MetricError, match="no interval to rank by"):
        rank(several(20, 4, [1.0, 0.5], 10), "geom@k", 1, pass_power=2.0, unanimous_power=-0.5)


@pytest.mark.parametrize("weights", [None, {"few": 3, "many": 1}])
def test_over_datasets_the_weighted_means_vary_by_the_squares_of_the_weights(weights):
    suites = {
        "few": several(30, 4, [1.0, 0.9, 1.1], 21),
        "many": several(90, 4, [1.0, 1.1, 1.0], 22),
    }
    models = "m0", "m1", "m2"
    runs = {model: {name: suite[model] for name, suite in suites.items()} for model in models}
    w = np.array([1, 1] if weights is None else [3, 1]) / (2 if weights is None else 4)
    means, covariance = np.zeros(3), np.zeros((3, 3))
    for share, suite in zip(w, suites.values(), strict=True):
        scores = np.stack([run.correct.mean(axis=1) for run in suite.values()], axis=1)
        m = len(scores)
        means += share * scores.mean(axis=0)
        unlike = scores.var(axis=1, ddof=1).mean()
        covariance += share**2 * (np.cov(scores.T) / m + np.eye(3) * unlike / m**2)
    runs["m0"]["alone"] = suites["few"]["m0"]
    found, expected = best_of_suites(runs, weights=weights), chances_of_best(means, covariance)
    assert found.chances == pytest.approx(expected.chances, abs=0.002)
    assert found.losses == pytest.approx(expected.losses, rel=0.01)
    with pytest.raises(MetricError, match="no dataset in common"):
        best_of_suites({"a": {"x": suites["few"]["m0"]}, "b": {"y": suites["few"]["m1"]}})
    with pytest.raises(MetricError, match="On few, not all runs can be compared"):
        best_of_suites(runs, same_questions=lambda a, b: False)
