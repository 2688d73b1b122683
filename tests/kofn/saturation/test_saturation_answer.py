"""The answer of a curve says what its numbers say, under the condition that makes it appear."""

import json

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.saturation.analysis import CurveSpan, known_points, trace_means, trace_runs
from kofn.saturation.command import SATURATION
from kofn.saturation.words import answer, highest_curve
from kofn.writing.estimates import percent, percent_of, span
from metrics import Outcomes, estimate
from reports.run.report import Run
from tests.reports.tables.outcome_tables import write_table


def outcomes(m=40, n=8, seed=1, hard=0.8):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(0.6, hard, (m, 1))).astype(np.int8)


def traced(*runs, metric=None, up_to=None, dataset="maths"):
    named = {
        f"{number} / {dataset}": Run(f"m{number}", dataset, Outcomes(correct))
        for number, correct in enumerate(runs)
    }
    return trace_runs(named, View(metric=metric), CurveSpan(up_to))


def said(*runs, **settings):
    return str(answer(traced(*runs, **settings)))


def at(curve, k):
    return next(point for point in known_points(curve) if point.k == k)


def test_what_was_bought_and_what_is_possible_where_that_is_much():
    (curve,) = curves = traced(outcomes())
    one, last, ahead = (at(curve, k) for k in (1, 8, 128))
    assert not ahead.firm
    half = next(p.k for p in known_points(curve) if p.value >= (one.value + last.value) / 2)
    assert str(answer(curves)) == (
        f"With 8 tries m0 solves {percent(last.value, last.low, last.high)} of the questions, "
        f"where one solves {percent(one.value, one.low, one.high)}. Half of the gain is "
        f"there by try {half}. With 128 tries "
        f"{span(ahead.bound_low, ahead.bound_high)} are possible, whatever the difficulties; the "
        f"forecast is {span(ahead.low, ahead.high)}."
    )


def test_a_model_is_told_first_where_little_else_is_possible():
    correct = np.ones((400, 16), int)
    correct[::50] = 0
    correct[::20, 1:] = 0
    (curve,) = curves = traced(correct)
    ahead = known_points(curve)[-1]
    assert ahead.firm
    assert (
        f"With {ahead.k} tries the forecast is {span(ahead.low, ahead.high)}, in any case "
        f"{percent(ahead.bound_low)} or more."
    ) in str(answer(curves))


@pytest.mark.parametrize(
    ("metric", "told", "ahead"),
    [
        ("pass^k", "All of 8 tries of m0 are right on ", "With 128 tries 0.0 to "),
        ("maj@k", "A vote of 7 by m0 is right on ", "With a vote of 127 the forecast is "),
        ("auc@k", "m0 has auc@8 ", ""),
    ],
)
def test_other_metrics_have_words_of_their_own(metric, told, ahead):
    sentence = said(outcomes(), metric=metric)
    assert sentence.startswith(told)
    assert ahead in sentence
    assert "gain" not in sentence


def test_beyond_the_reach_of_models_the_last_k_of_a_model_is_told():
    assert "With 128 tries" in said(outcomes(), up_to=1000)


def test_too_few_questions_have_what_is_possible_only():
    sentence = said(outcomes(m=6))
    assert "With 128 tries" in sentence
    assert sentence.endswith("are possible; no more is known.")


def test_one_sample_says_what_a_first_look_takes():
    correct = outcomes(n=1)
    sentence = said(correct)
    assert sentence.startswith(f"One try of m0 solves {correct.mean():.1%} (")
    assert "does not say what more would bring: run it with n = 8." in sentence


@pytest.mark.parametrize(
    ("correct", "told"),
    [
        ([[1, 0, 0, 1]], "2 of 4 tries are right."),
        ([[1]], "1 of 1 try is right."),
    ],
)
def test_one_question_says_nothing_of_others(correct, told):
    opening = "There is one question only, from which nothing follows for others: "
    assert said(np.array(correct)) == opening + told


@pytest.mark.parametrize("n", [1, 8])
def test_all_right_has_nothing_to_gain(n):
    assert said(np.ones((30, n), int)) == (
        "Every try at all 30 questions is right, so that more can gain nothing here."
    )


def test_all_solved_says_how_many_tries_do():
    correct = np.ones((30, 8), int)
    correct[:10, :3] = 0
    one = percent_of(estimate(correct, "pass@k", 1))
    assert said(correct) == (
        f"With 4 tries m0 solves all 30 questions, where one solves {one}, so that more can gain "
        "nothing here."
    )


def test_none_right_says_what_is_possible_at_most():
    (curve,) = curves = traced(np.zeros((30, 8), int))
    most = percent(known_points(curve)[-1].bound_high)
    assert str(answer(curves)) == (
        "Not one of 8 tries at 30 questions is right. "
        f"128 tries would solve {most} of them at most."
    )


def test_tries_that_gain_nothing_are_told():
    correct = np.repeat([[1], [0]], 400, axis=0) * np.ones((1, 4), int)
    assert "More tries gain next to nothing." in said(correct)


@pytest.mark.wide
def test_of_several_runs_the_highest_at_tries_that_all_have():
    """The last has more samples and solves most with them, but not with as many as the others."""
    low, middle = (
        np.repeat([[1], [0]], [m, 40 - m], axis=0) * np.ones((1, 8), int) for m in (8, 24)
    )
    late = np.zeros((40, 64), int)
    late[:36, :4] = 1
    runs = low, middle, late
    curves = traced(*runs)
    assert highest_curve(curves) is curves[1]
    assert at(curves[2], 64).value > at(curves[1], 8).value > at(curves[2], 8).value
    said = str(answer(curves))
    assert said.startswith("With 8 tries m1 solves 60.0% ")
    assert "In pass@8 it is the best of 3 runs, " in said


def test_of_runs_that_solve_as_much_the_one_that_needs_fewer_tries():
    late, early = np.ones((20, 4), int), np.ones((20, 4), int)
    late[:, :3] = early[:, :1] = 0
    curves = traced(late, early)
    assert highest_curve(curves) is curves[1]
    one = percent_of(estimate(early, "pass@k", 1))
    assert str(answer(curves)) == (
        f"With 2 tries m1 solves all 20 questions, where one solves {one}, so that more can gain "
        "nothing here. In pass@4 m0 and m1 may each be the best."
    )


def test_a_run_without_a_curve_is_passed_over_and_told_where_it_is_alone():
    (good,) = traced(outcomes())
    (bad,) = trace_runs({"x": Run("x", "maths", None)}, View(), CurveSpan())
    assert highest_curve([bad, good]) is good
    assert "which samples were right" in str(answer([bad]))
    assert highest_curve([bad]) is None


def test_each_of_few_datasets_is_told_and_of_many_the_first():
    curves = [c for d in "abcde" for c in traced(outcomes(m=12, n=2), dataset=d)]
    two, five = str(answer(curves[:2])), str(answer(curves))
    assert two.startswith("a: With 2 tries m0 solves ")
    assert " b: With 2 tries m0 solves " in two
    assert five.endswith("2 further datasets below.")
    assert " d: " not in five


@pytest.mark.wide
def test_two_hundred_runs_are_one_sentence():
    curves = traced(*(outcomes(m=10, n=1, seed=seed) for seed in range(200)))
    assert len(str(answer(curves))) < 400


def test_the_command_opens_with_the_answer(tmp_path, capsys):
    path = str(write_table(tmp_path / "outcomes.parquet"))
    assert main(["curve", path]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert " tries 7B solves " in first
    assert main(["curve", path, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == first
    assert SATURATION.answer is answer


def test_a_metric_of_two_samples_alone_is_its_number():
    (curve,) = traced(outcomes(n=2), metric="mg-pass@k")
    (two,) = known_points(curve)
    value = percent(two.value, two.low, two.high)
    assert str(answer((curve,))).startswith(f"mg-pass@2 is {value}.")
    runs = {f"m / {name}": Run("m", name, Outcomes(outcomes(n=4))) for name in "ab"}
    (mean,) = trace_means(runs, View(metric="mg-pass@k"), CurveSpan())
    assert [point.k for point in known_points(mean)] == [2, 3, 4]


def test_of_a_run_without_a_curve_files_say_that_no_samples_are_known(capsys):
    path = "tests/data/aisbench_performance"
    assert main(["curve", path, "--format", "json"]) == 2
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    assert (found["samples"], found["method"]) == (0, None)
