"""Questions with faulty references are listed, with reasons, and others are not by chance."""

from itertools import combinations, permutations
from math import comb, factorial

import numpy as np
import pytest

from metrics import MetricError, Outcomes, estimate, suspects, without
from metrics.analyses.references.agreeing import Wrong, benjamini_hochberg, chances
from metrics.analyses.references.item_rest import (
    concordance,
    fewest_runs,
    least_by_chance,
    relation_of,
)
from reports import Run
from tests.metrics.analyses.references.made import KINDS, made


@pytest.mark.parametrize("runs", [3, 5, 6])
def test_the_least_surplus_by_chance_is_that_of_all_orders(runs):
    surplus = np.array(
        [
            sum(1 if x < y else -1 for x, y in combinations(order, 2))
            for order in permutations(range(runs))
        ]
    )
    for error in (0.5, 0.1, 0.05, 0.01, 0.001):
        reached = [s for s in range(1, comb(runs, 2) + 1) if (abs(surplus) >= s).mean() <= error]
        odd = comb(runs, 2) % 2
        expected = next((s for s in reached if s % 2 == odd), None)
        assert least_by_chance(runs, error) == expected
    assert all(2 / factorial(fewest_runs(error)) <= error for error in (0.5, 0.05, 1e-4))


def test_a_relation_is_sure_exactly_where_the_test_is():
    for runs in (5, 8, 12):
        for error in (0.05, 0.0005):
            least = least_by_chance(runs, error)
            for ahead in range(-comb(runs, 2), 1):
                found = relation_of(ahead, runs, error)
                assert found.inverse == (least is not None and -ahead >= least)
                assert -1 <= found.interval.low <= found.tau + 0.1
                assert found.interval.low < found.interval.high <= 1


def test_concordance_is_counted_pair_by_pair():
    scores = np.random.default_rng(0).integers(0, 4, (5, 12)) / 3
    for question, found in enumerate(concordance(scores).tolist()):
        rest = np.delete(scores, question, axis=1).sum(axis=1)
        assert found == sum(
            int(
                np.sign(round(rest[i] - rest[j], 9))
                * np.sign(scores[i, question] - scores[j, question])
            )
            for i, j in combinations(range(5), 2)
        )


def test_chance_is_what_answers_of_other_models_to_other_questions_have_in_common():
    rng = np.random.default_rng(1)
    said = rng.integers(-1, 5, (3, 20))
    triples = {
        tuple(map(int, rng.integers(0, most, 3))) for most in ([3, 20, 9],) for _ in range(80)
    }
    most = {(r, q, int(said[r, q])) for r in range(3) for q in range(20) if said[r, q] >= 0}
    measured = []
    for cells, more in ((triples, 1), (most, 0)):
        pairs = [(x[2], y[2]) for x, y in combinations(cells, 2) if x[0] != y[0] and x[1] != y[1]]
        once = {(q, answer) for _, q, answer in cells}
        largest = max(sum(answer == each for _, each in once) for answer in range(9)) / len(once)
        measured.append(((sum(x == y for x, y in pairs) + more) / (len(pairs) + more), largest))
    expected = [max(each) / (1 - max(each)) for each in zip(*measured, strict=True)]
    wrong = Wrong(*np.array(sorted(triples)).T)
    assert chances(said, wrong) == pytest.approx(expected)


def test_adjusted_p_values_are_those_of_the_definition():
    p = np.random.default_rng(2).random(9)
    ranks = p.argsort().argsort() + 1
    expected = [min(1, *(p[j] * 9 / ranks[j] for j in range(9) if p[j] >= p[i])) for i in range(9)]
    assert benjamini_hochberg(p.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize(("kind", "runs"), [("open", 2), ("open", 4), ("letters", 9)])
def test_faulty_references_are_found(kind, runs):
    outcomes, codes, faulty = made(150, 4, runs, kind, np.random.default_rng(runs), faulty=4)
    found = suspects(outcomes, codes)
    listed = {each.question for each in found.of({"agreed"})}
    assert faulty <= listed
    assert len(listed - faulty) <= 1
    first = found.questions[0]
    assert first.question in faulty
    assert first.agreed is not None
    assert len(first.agreed.runs) > runs / 2


def test_references_that_only_poor_models_give_are_found():
    outcomes, codes, faulty = made(80, 64, 12, "open", np.random.default_rng(0), inverse=3)
    found = suspects(outcomes, codes)
    listed = {each.question: each.inverse for each in found.of({"inverse"})}
    assert set(listed) == faulty
    assert all(each.tau < -0.6 and each.interval.high < 0 for each in listed.values())
    assert found.looked_at["inverse"] > 70


def test_never_right_is_a_reason_of_its_own_and_the_weakest():
    outcomes, codes, _ = made(60, 2, 3, "open", np.random.default_rng(3), faulty=1)
    found = suspects(outcomes, codes)
    never = {
        question
        for place, question in enumerate(outcomes["m0"].questions)
        if not any(each.correct[place].any() for each in outcomes.values())
    }
    assert {each.question for each in found.questions if each.never} == never
    strength = [len(each.reasons) for each in found.questions]
    assert strength == sorted(strength, reverse=True)
    assert found.to_frame()["never"].sum() == len(never)


def test_what_few_runs_cannot_tell_is_not_told():
    outcomes, codes, _ = made(80, 1, 3, "letters", np.random.default_rng(4))
    found = suspects(outcomes, codes)
    assert found.of({"agreed", "inverse"}) == ()
    assert "It takes 7 runs" in str(found.unknown["inverse"])
    assert found.looked_at["inverse"] == 0
    silent = suspects(outcomes)
    assert "Fewer than two of the runs have answers" in str(silent.unknown["agreed"])
    with pytest.raises(MetricError, match="two runs or more"):
        suspects({"a": outcomes["m0"]})
    with pytest.raises(MetricError, match="no question in common"):
        suspects({"a": Outcomes([[1]], questions=["x"]), "b": Outcomes([[1]], questions=["y"])})


def test_runs_are_set_against_one_another_by_the_ids_of_questions_and_the_labels_of_answers():
    """One run has other codes, another order and a question more; long answers say too little."""
    right = [[0], *[[1]] * 10, *[[0]] * 8]
    labels = ["7", *(f"r{i}" for i in range(10)), *(f"a{i}" for i in range(8))]
    codes = np.arange(19)[:, None]
    ids = [f"q{i}" for i in range(19)]
    runs = {}
    for number, name in enumerate("abc"):
        own = [*labels[:11], *(f"{name}{i}" for i in range(8))]
        order = np.roll(np.arange(19), number)
        runs[name] = Run(
            name,
            "d",
            Outcomes(np.array(right)[order], questions=[ids[i] for i in order]),
            answers=codes,
            answer_labels=[own[i] for i in order],
        )
    more = Run("d", "d", Outcomes([*right, [1]], questions=[*ids, "q19"]))
    found = suspects({**runs, "d": more})
    (agreed,) = (each for each in found.questions if each.agreed)
    assert (agreed.question, agreed.agreed.answer, agreed.agreed.runs) == (
        "q0",
        "7",
        ("a", "b", "c"),
    )
    assert (found.n_questions, found.n_dropped) == (19, 1)
    assert found.questions[0].question == "q0"
    for run in runs.values():
        cut = [label + "…" for label in run.answer_labels]
        object.__setattr__(run, "answer_labels", cut)
    assert not suspects(runs).of({"agreed"})


@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "cons@n"])
def test_a_metric_without_questions_is_that_of_the_others(metric):
    rows = np.random.default_rng(5).integers(0, 2, (30, 4))
    k = 2 if metric == "pass@k" else None
    rest = np.delete(rows, [3, 7], axis=0)
    assert without(rows, {"3", "7"}, metric, k) == pytest.approx(estimate(rest, metric, k).value)
    with pytest.raises(MetricError, match="No question is left"):
        without(rows[:1], {"0"})


def alarms(m, n, runs, kind, sets, seed, **more):
    """Return how often anything is listed of sets without a faulty reference, by reason."""
    rng = np.random.default_rng(seed)
    listed = {"agreed": 0, "inverse": 0}
    for _ in range(sets):
        outcomes, codes, _ = made(m, n, runs, kind, rng, **more)
        found = suspects(outcomes, codes)
        for reason in listed:
            listed[reason] += bool(found.of({reason}))
    return {reason: count / sets for reason, count in listed.items()}


@pytest.mark.wide
@pytest.mark.parametrize(("kind", "runs"), [("letters", 4), ("open", 8)])
def test_sound_references_are_seldom_listed(kind, runs):
    sets = 60
    limit = 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / sets)
    assert max(alarms(60, 2, runs, kind, sets, seed=runs).values()) <= limit


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [2, 3, 5, 8, 12])
@pytest.mark.parametrize(("m", "n"), [(50, 1), (200, 4)])
def test_study_of_false_alarms(kind, runs, m, n):
    found = alarms(m, n, runs, kind, 400, seed=m + runs)
    print(kind, runs, m, n, found)
    assert max(found.values()) <= 0.08


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [2, 3, 5, 8, 12])
def test_study_of_what_is_found(kind, runs):
    """Of 5 faulty references among 200 questions, and beside them where mistakes are common."""
    rng, sets = np.random.default_rng(runs), 60
    for mistakes in (0.0, 0.3):
        hits = others = 0
        for _ in range(sets):
            outcomes, codes, faulty = made(200, 4, runs, kind, rng, faulty=5, mistakes=mistakes)
            listed = {each.question for each in suspects(outcomes, codes).of({"agreed"})}
            hits += len(listed & faulty)
            others += len(listed - faulty)
        print(kind, runs, mistakes, "found", hits / sets / 5, "others", others / sets)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("m", "n", "runs"),
    [(40, 1, 8), (60, 4, 9), pytest.param(200, 4, 12, marks=pytest.mark.slow)],
)
def test_where_nothing_is_related_nothing_is_inverse(m, n, runs):
    """Questions that differ in difficulty, and models that are equal."""
    rng, sets = np.random.default_rng(m), 60
    listed = 0
    for _ in range(sets):
        rate = rng.random((m, 1))
        equal = {f"m{i}": Outcomes((rng.random((m, n)) < rate).astype(int)) for i in range(runs)}
        listed += bool(suspects(equal).of({"inverse"}))
    assert listed / sets <= 0.05
