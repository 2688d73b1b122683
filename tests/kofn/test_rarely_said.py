"""Sentences that only rare data bring about are true of such data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from kofn.budgets.columns import cut_columns, cuts
from kofn.budgets.words import best_in_words, lengths_in_words
from kofn.candidates.choices import Picking
from kofn.candidates.words import MEANINGS, VOTES, checklist, ranking_in_words
from kofn.choices.view import View
from kofn.choose_n.answer_ways import AskedWay, ways_of
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import advice, no_gain_in_words, way_name
from kofn.choose_n.words import answer as answer_of_choice
from kofn.command import main
from kofn.compare.words import in_words as pair_in_words
from kofn.compare.words import matched_in_words, segments_in_words
from kofn.finish_reasons.analysis import Sign
from kofn.finish_reasons.words import SIGNS, caution, heading, in_words
from kofn.leaderboard.field import find_field
from kofn.leaderboard.words import (
    exclusions_among,
    field_in_words,
    leaders_in_words,
    unlike_runs_in_words,
)
from kofn.plan.analysis import PlanChoices, plan_runs
from kofn.plan.words import answer as answer_of_plan
from kofn.plan.words import contours_words
from kofn.questions.analysis import run_questions
from kofn.questions.words import answer as answer_about_questions
from kofn.references.analysis import check_references
from kofn.references.words import NAMES, reasons_in_words, remarks
from kofn.references.words import answer as answer_about_references
from kofn.repair.words import answer as answer_about_repair
from kofn.saturation.analysis import CurveSpan, trace_runs
from kofn.saturation.words import difference_in_words
from kofn.scorecard.words import describe_forest, forest_words
from kofn.series.analysis import follow_runs
from kofn.series.choices import SeriesChoices
from kofn.series.words import answer as answer_about_series
from kofn.soft_vs_hard.analysis import Cutoff
from kofn.soft_vs_hard.analysis import compare_runs as compare_soft
from kofn.soft_vs_hard.words import explain
from kofn.trade_offs.analysis import weigh as weigh_trades
from kofn.trade_offs.choices import TradeChoices
from kofn.trade_offs.figures import axes
from kofn.trust.analysis import trust
from kofn.trust.causes import Kind
from kofn.trust.expectations import Expecting
from kofn.trust.words import CAUSES, OWN, doubtful_in_words, points_moved, settings_in_words
from kofn.trust.words import answer as answer_about_trust
from kofn.writing.columns import written
from kofn.writing.estimates import percent, percent_of, points
from metrics import (
    Outcomes,
    Text,
    Way,
    compare,
    compare_segments,
    compare_ways,
    estimate,
    pool,
    right_lengths,
    score_range,
)
from metrics.analyses.candidates.weighted_vote import Weighing
from metrics.analyses.references.label_errors import Reason
from reports import Run, audit, load, match, tables
from reports.repairing import examine
from reports.run.labels import Labels
from tests.kofn.budgets.test_budgets import run as tokens_run
from tests.kofn.budgets.test_budgets import weighed
from tests.kofn.candidates.picked_runs import drawn
from tests.kofn.candidates.picked_runs import run as picked
from tests.kofn.candidates.test_candidates_answer import examined
from tests.kofn.candidates.test_candidates_answer import said as of_candidates
from tests.kofn.choose_n.test_answer_ways import run as answers_run
from tests.kofn.choose_n.test_choose_n_answer import told as choices_of
from tests.kofn.compare.test_compare_command import said as of_pair
from tests.kofn.compare.test_compare_command import solved
from tests.kofn.finish_reasons.test_ended import card
from tests.kofn.finish_reasons.test_ended import run as ended
from tests.kofn.indexed import index
from tests.kofn.leaderboard.test_fields import steady
from tests.kofn.references.test_references import runs as asked_wrongly
from tests.kofn.saturation.test_saturation_answer import said as of_curve
from tests.kofn.trade_offs.test_trade_offs import run as traded
from tests.kofn.trust.test_checks import flipping
from tests.kofn.trust.test_checks import said as of_expected
from tests.kofn.trust.test_trust_over_datasets import RUNS as RUNS_IN_DOUBT
from tests.kofn.trust.test_trust_words import told as of_readings
from tests.reports.repairing.test_repaired_reports import small
from tests.reports.run.test_matching import put, quiz
from tests.reports.run.test_matching import run as shelved


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (SIGNS, get_args(Sign)),
        (VOTES, get_args(Weighing)),
        (NAMES, get_args(Reason)),
        (CAUSES, get_args(Kind)),
        (MEANINGS, [*MEANINGS]),
    ],
    ids=["signs of a cut", "votes", "reasons to check", "causes", "numbers of rankings"],
)
def test_each_kind_has_a_name_of_its_own(words: Mapping[str, Text], kinds: Any) -> None:
    assert set(words) == set(kinds)
    names = [*map(str, words.values())]
    assert all(names)
    assert len({*names}) == len(names)


def test_lengths_without_a_ratio_are_told_by_pairs() -> None:
    found = right_lengths([[1, 0]] * 20, [[2, 0]] * 20)
    assert found.ratio is None
    assert str(lengths_in_words(found)).startswith(
        "When a question has a right and a wrong answer, the right one is longer in 100.0% ("
    )


def test_a_signal_that_is_higher_for_wrong_samples_says_so() -> None:
    right, signal = drawn()
    (told,) = ranking_in_words(examined(picked(right, -signal))[0].found)
    assert "in 27.9% (21.9 to 34.5) of pairs: the lowest value would pick better." in str(told)


def test_one_vote_of_candidates_that_nothing_ranks_may_be_unknown() -> None:
    assert of_candidates(picked(np.array([[1, 0]] * 20))).startswith(
        "Among 2 candidates an oracle solves 100.0%, a majority vote 50.0%, one sample 50.0%."
    )


def test_who_is_ahead_with_several_tries_though_nobody_is_with_one() -> None:
    a, b = solved("a", *[2] * 30, *[0] * 10), solved("b", *[4] * 15, *[0] * 25)
    assert estimate(a, "avg@n").value == estimate(b, "avg@n").value
    assert of_pair(a, b).endswith("worse on 15. From k = 2 on a leads.")


@pytest.mark.parametrize(
    ("correct", "goal", "told"),
    [
        ([[1, 0]] * 30, {"difference": 1e-5}, "would show a difference of 0.001 points."),
        ([[1, 0]] * 30, {"width": 1e-5}, "would show an interval 0.001 points wide."),
    ],
)
def test_what_no_practical_number_of_questions_would_show(
    correct: Any, goal: dict[str, float], told: str
) -> None:
    run = Run("a", "maths", Outcomes(correct))
    cards = plan_runs({"a / maths": run}, View(), replace(PlanChoices(), **goal))
    assert str(answer_of_plan(cards)).endswith(f" No practical number of questions {told}")


def test_a_budget_too_small_for_any_difference_says_so() -> None:
    run = Run("a", "maths", Outcomes([[1, 0]] * 30))
    cards = plan_runs({"a / maths": run}, View(), replace(PlanChoices(), total=3.0))
    assert str(answer_of_plan(cards)).endswith(
        " 3 is best spent on 1 question with 1 sample each, which cannot show any difference."
    )


def test_no_question_can_be_graded_where_all_samples_are_missing() -> None:
    run = Run("7B", "maths", Outcomes([[-1, -1]] * 2))
    found = run_questions("7B / maths", run, View(missing="omit"))
    assert str(answer_about_questions([found])) == (
        "7B / maths: No question has a sample that can be graded."
    )


def test_tries_at_one_question_or_without_any_success() -> None:
    assert of_curve(np.zeros((30, 1), int)).startswith("No try at 30 questions is right. ")
    assert of_curve(np.zeros((30, 2), int)).startswith(
        "Not one of 2 tries at 30 questions is right. "
    )


def test_tries_that_bring_nothing_are_said_to() -> None:
    solved = np.repeat([[1], [0]], [20, 10], 0).repeat(3, 1)
    value = percent_of(estimate(solved, "pass@k", 3))
    assert of_curve(solved).startswith(
        f"With 3 tries m0 solves {value} of the questions, no more than with one. "
    )
    assert " of the questions, where one is on " in of_curve(solved, metric="pass^k")


def test_of_all_tries_right_a_sure_forecast_has_a_limit_from_above() -> None:
    solved = np.tile(np.repeat([[1], [0]], [3, 1], 0), (700, 16))
    high = estimate(solved, "pass^k", 16).interval.high
    assert of_curve(solved, metric="pass^k", up_to=20).endswith(
        f", in any case {percent(high)} or less."
    )


@pytest.mark.parametrize(
    ("anomaly", "one", "several"),
    [
        ("repetition", "1 text ends in a repetition;", "2 texts end in a repetition;"),
        ("garbled", "1 text is garbled.", "2 texts are garbled."),
        ("rare_character", "1 text holds rare characters.", "2 texts hold rare characters."),
        (
            "nan_value",
            "1 text was drawn from probabilities that are not numbers.",
            "2 texts were drawn from probabilities that are not numbers.",
        ),
    ],
)
def test_odd_texts_are_counted(anomaly: str, one: str, several: str) -> None:
    found = card(ended([[1, 0], [1, 1]], [[0, 1], [0, 0]])).found
    assert one in str(in_words(replace(found, anomalies={anomaly: 1})))
    assert several in str(in_words(replace(found, anomalies={anomaly: 2})))
    assert one not in str(in_words(found))


def test_samples_without_an_answer_are_in_the_heading_and_their_questions_left_out() -> None:
    cut = ended([[0, 0], [1, 0], [1, 1]], [[1, 1], [0, 1], [0, 0]])
    found = card(cut).found
    assert str(heading([found])) == "How the samples ended: 3 cut, of 6"
    counts = {**found.counts, "cut": 0, "no answer": 3}
    assert str(heading([replace(found, counts=counts)])) == (
        "How the samples ended: 3 without an answer, of 6"
    )
    assert "It says nothing about 1 question without any answered sample." in str(in_words(found))


def test_an_expected_number_that_only_more_questions_would_settle() -> None:
    said, (check,) = of_expected(flipping(), "aime:avg@64=50%", margin=0.001)
    assert "No number of further samples would decide" in said
    assert [str(points_moved(cause)) for cause in check.causes if cause.kind == "settings"] == [
        "by points that nobody knows"
    ]


def test_a_forest_without_any_number_is_described_and_what_is_not_drawn_is_counted() -> None:
    assert str(describe_forest([], 0.95)) == "Forest plot without any estimate."
    more = forest_words().left_out
    assert str(more(1)) == "1 more estimate is not drawn; choose fewer runs to see it."
    assert str(more(2)) == "2 more estimates are not drawn; choose fewer runs to see them."


def test_which_of_several_models_is_better_may_rest_on_the_answers_that_count() -> None:
    two = of_readings(2, a=(1, "B or C", 30), b=(0, "C", 5))
    assert two.endswith(
        "Which model is better depends on which answers count in 2 of 2 comparisons."
    )
    three = of_readings(1, a=(1, "B or C", 30), b=(0, "C", 5), c=(0, "C", 4))
    assert three.endswith("depends on which answers count in 2 of 3 comparisons.")


def test_a_checklist_says_what_counts_as_one_question_and_who_judges_the_pick() -> None:
    right, signal = drawn()
    clusters = np.repeat(np.arange(30), 2)
    related = Run("7B", "maths", Outcomes(right, clusters=clusters), columns={"rm": signal})
    for run, counted in (
        (related, "Questions that belong together count as one."),
        (picked(right, signal), "A question counts once, however many candidates it has."),
    ):
        found = examined(run)[0].found
        told = {str(name): str(told) for name, _, told in checklist(run, found, Picking())}
        assert told["Intervals by question"] == counted
    optimistic = replace(found, is_optimistic=True)
    told = {str(name): str(told) for name, _, told in checklist(run, optimistic, Picking())}
    assert told["No signal both picks and judges"].startswith(
        "rm gives the verdicts too, so the pick looks better than it is."
    )


def test_scores_without_an_interval_say_who_is_ahead() -> None:
    found = compare([[1, 0]] * 9, [[1, 1]] * 9)
    told = pair_in_words(replace(found, interval=None), ("a", "b"), "avg@n", None)
    assert str(told) == "b is ahead of a by 50.0 points on one try; such scores have no interval."


def test_segments_that_cannot_be_tested_say_so() -> None:
    labels = {"subject": ["algebra"] * 30 + ["sets"] * 30}
    a, b = (Outcomes([[right]] * 60, segments=labels) for right in (0, 1))
    found = compare_segments(a, b, "subject")
    told = str(segments_in_words(replace(found, p_value=None)))
    assert told.startswith("Whether the segments differ from one another cannot be tested here.")


def test_a_run_that_kofn_judged_is_no_second_opinion() -> None:
    rows = ["model,dataset,question_id,reference,prediction"]
    rows += [f"a,d,q{q},B,The answer is {'BC'[q % 2]}." for q in range(20)]
    (run,) = load(("t.csv", "\n".join(rows).encode()), judge="letter").runs
    audit(run)
    (card,) = trust({"a / d": run}, View(), None, Expecting())
    assert card.found is not None
    assert str(OWN) in [*map(str, doubtful_in_words(card.found.doubts))]


def test_budgets_of_one_question_have_no_interval_and_say_what_solves_most() -> None:
    (card,) = weighed(tokens_run("7B", [[1, 0, 1, 1]], [[10, 20, 30, 40]]))
    first, *_others = written(cut_columns(card), cuts(card.found), "page")
    assert (first["At most"], first["Tokens of one"]) == ("12", "11.5")
    sure = tokens_run("7B", np.ones((40, 4), int), np.full((40, 4), 5))
    assert str(best_in_words(weighed(sure))) == (
        "1 answer of at most 5 tokens solves the most: 100.0% for 5 tokens a question."
    )
    lucky = tokens_run("7B", np.tile([1, 0, 0, 0], (40, 1)), np.full((40, 4), 100))
    assert str(best_in_words(weighed(lucky))) == (
        "As measured, one answer can be the best use of up to 100 tokens a question; above that, "
        "several answers are better. 4 answers of at most 100 tokens solve the most: 100.0% for "
        "400 tokens a question."
    )


def test_candidates_of_which_all_are_right_or_that_cannot_vote() -> None:
    order = np.tile([1.0, 2.0], (30, 1))
    assert of_candidates(picked(np.ones((30, 2), int), order)).startswith(
        "Picking by rm among 2 solves 100.0%, an oracle 100.0%, one sample 100.0%."
    )
    assert " Beyond 1 candidate it gets worse, by " in of_candidates(
        picked(np.tile([1, 0], (30, 1)), order)
    )
    scores = np.tile([0.9, 0.1, 0.5], (30, 1))
    soft = Run("7B", "maths", Outcomes((scores > 0.4).astype(int), scores), threshold=0.4)
    assert of_candidates(soft, picking=Picking(soft=True)).startswith(
        "Among 3 candidates, an oracle solves 90.0%; one sample solves 50.0%."
    )


def test_a_way_that_may_gain_nothing_shows_the_interval_of_its_gain() -> None:
    voted = answers_run(seed=0)
    (way,) = (
        way
        for way in ways_of(voted, View(), AskedWay(Pricing(), 2))
        if "noise" in str(way_name(way))
    )
    gain = compare_ways(voted, Way(None), Way("noise"), 2)
    assert str(no_gain_in_words(way)).endswith(
        f": no sure difference, {points(gain.value, *gain.interval)}."
    )


def test_of_one_question_the_run_that_solves_it_is_named_and_of_small_budgets_none() -> None:
    runs = {
        f"{name} / maths": Run(name, "maths", Outcomes(correct))
        for name, correct in (("never", [[0, 0]]), ("once", [[1, 0]]))
    }
    assert str(answer_of_choice(choices_of(runs=runs))) == (
        "No n can be chosen: one question, or group of questions, says nothing about others. For "
        "this one alone once would need n = 2."
    )
    (card, *_others) = choices_of(Pricing(budget=0.5))
    assert str(advice(card)) == (
        "Not even one sample is 94% sure to stay within 0.5 samples a question."
    )


def test_two_runs_that_meet_with_all_tries_are_not_told_apart_there() -> None:
    steady, lucky = solved("a", *[4] * 21, *[0] * 39), solved("b", *[1] * 23, *[0] * 37)
    assert of_pair(steady, lucky).endswith(" With all 4 tries they cannot be told apart.")
    assert not compare(steady, lucky, "pass@k", 4).sure
    assert all(compare(steady, lucky, "pass@k", k).sure for k in (1, 2, 3))


@pytest.mark.parametrize("count", [1, 40])
def test_questions_that_were_asked_by_other_prompts_are_said_to_be(count: int) -> None:
    questions = quiz(references=True)
    asked = [
        put(*each, "rewritten" if place < count else "plain")
        for place, each in enumerate(questions)
    ]
    plain = shelved(range(40), [put(*each, "plain") for each in questions])
    other = replace(shelved(range(40), asked), model="n")
    found = match(plain, other)
    assert [str(each) for each in matched_in_words(found)] == [
        "1 of 40 questions was asked by another prompt."
        if count == 1
        else "40 of 40 questions were asked by other prompts."
    ]
    assert [str(each) for each in unlike_runs_in_words("m", {"n": found})] == [
        "n got the same questions as m, but with different prompts."
    ]


def test_samples_without_an_answer_alone_are_counted() -> None:
    correct = np.array([[0, 0], [1, 0], [1, 1]])
    found = card(ended(correct, np.zeros((3, 2), int))).found
    counts = {**found.counts, "wrong": 0, "no answer": 3}
    told = str(caution(replace(found, counts=counts, range=score_range(correct, correct == 0))))
    assert told == (
        "In 3 of 6 samples no answer was found; on one try the score is between 50.0% if all of "
        "these are wrong and 100.0% if all are right."
    )


def test_a_single_run_with_soft_scores_opens_with_them() -> None:
    scores = np.random.default_rng(0).random((30, 4))
    run = Run("a", "d", Outcomes((scores > 0.5).astype(int), scores), threshold=0.5, assumed=True)
    first, *_others = field_in_words(find_field("d", index(run), 4, View()))
    value = estimate(run, "soft")
    assert value.value == pytest.approx(scores.mean())
    assert str(first) == f"a has a soft score of {percent_of(value)}."


@pytest.mark.parametrize(
    ("third", "told"),
    [
        (("a", "d"), " a is among the leaders of each."),
        (("d", "e"), " a is among the leaders of 2 of them."),
        (("b", "c"), ""),
    ],
)
def test_who_is_among_the_leaders_of_most_datasets(third: tuple[str, str], told: str) -> None:
    fields = [
        find_field(name, index(steady(first, 60), steady(second, 58)), 1, View())
        for name, (first, second) in {"x": ("a", "b"), "y": ("a", "c"), "z": third}.items()
    ]
    assert " ".join(map(str, leaders_in_words(fields))) == (
        f"On one try, it is too close to call on all 3 datasets.{told}"
    )


def test_models_on_one_dataset_only_are_left_out_of_the_average() -> None:
    whole = [Run(model, name, Outcomes([[1, 0]])) for model in "ab" for name in "xy"]
    alone = [Run(model, "x", Outcomes([[1, 0]])) for model in "cd"]
    for count, told in ((1, "1 model that"), (2, "2 models that")):
        said = [*map(str, exclusions_among(index(*whole, *alone[:count])))]
        assert said == [f"The average leaves out {told} ran on one dataset only."]


def test_a_point_of_a_plan_says_how_many_questions_and_samples() -> None:
    at = contours_words().at
    assert str(at(1, 1234.4)) == "1,234 questions, 1 sample of each"
    assert str(at(2000, 12.0)) == "12 questions, 2,000 samples of each"


def test_a_question_on_which_better_models_do_worse_is_worth_checking() -> None:
    runs = {}
    for ability in range(8):
        rng = np.random.default_rng(ability)
        correct = (rng.random((60, 8)) < 0.15 + 0.1 * ability).astype(int)
        correct[0] = np.arange(8) < 8 - ability
        questions = [f"q{place}" for place in range(60)]
        runs[f"m{ability} / d"] = Run(f"m{ability}", "d", Outcomes(correct, questions=questions))
    found, _reason = check_references(runs, View())["d"]
    assert str(answer_about_references(found)) == (
        "Of 60 questions, on 1 better models surely do worse."
    )
    (suspect,) = found.suspects.questions
    tau, (low, high) = suspect.inverse
    assert (suspect.question, high < 0) == ("q0", True)
    assert str(reasons_in_words(suspect, found)) == (
        f"Better models do worse: tau −{-tau:.2f} (−{-low:.2f} to −{-high:.2f})."
    )
    short = Outcomes(runs["m0 / d"].outcomes.correct[:59], questions=questions[:59])
    fewer, _reason = check_references(runs | {"m0 / d": Run("m0", "d", short)}, View())["d"]
    assert "1 question that not all models have is not looked at." in map(str, remarks(fewer))


def test_a_repaired_report_counts_what_is_right_and_what_is_left() -> None:
    repair = examine(small(**{"pass@2": 12.5}))
    wrong = [each for each in repair.found if each.is_faulty]
    told = str(answer_about_repair(repair))
    assert told.startswith(f"{len(wrong)} of 4 reported numbers is wrong: cons@2 of alpha is ")
    assert " The repaired report has the right number. " in told
    assert told.endswith(" 1 that differs is left unchanged.")


def test_of_one_question_without_single_tries_nothing_follows() -> None:
    assert of_curve([[1, 0, 0, 1]], metric="mg-pass@k") == (
        "There is one question only, from which nothing follows for others."
    )


def test_of_a_metric_without_an_explanation_difficulty_is_named() -> None:
    runs = {"a / d": Run("a", "d", Outcomes([[1, 0, 0, 1], [0, 0, 0, 0]]))}
    told = str(difference_in_words(trace_runs(runs, View(metric="g-pass@k"), CurveSpan())))
    assert told.endswith(" measured is 0.0%. Questions differ in difficulty, which it leaves out.")


def test_runs_of_which_none_belongs_to_a_series_for_several_reasons() -> None:
    runs = index(Run("a", "x", Outcomes([[1, 0]])), Run("b-1", "y", None))
    cards = follow_runs(runs, View(), SeriesChoices())
    assert len({card.reason for card in cards}) == 2
    assert str(answer_about_series(cards)) == "No run belongs to a series."


def test_scores_of_0_and_1_only_leave_no_gap_to_explain() -> None:
    scores = np.array([[1.0, 0.0]] * 6)
    (card,) = compare_soft(
        {"a / d": Run("a", "d", Outcomes(scores.astype(int), scores), threshold=0.5)},
        View(),
        Cutoff(),
    )
    assert str(explain(card.found.accuracies)) == (
        "Every score is 0 or 1, so soft and hard accuracy are identical by construction."
    )
    assert card.found.accuracies.gap.value == 0


@pytest.mark.parametrize(("metric", "drawn"), [("cons@n", "all samples"), ("avg@n", "1 sample")])
def test_a_cost_beside_a_metric_is_that_of_the_samples_it_takes(metric: str, drawn: str) -> None:
    runs = index(traded("a", 10, 90), traded("b", 5, 20))
    cards = weigh_trades(runs, View(), TradeChoices(x="tokens", y=metric), Pricing())
    across, _up = axes(cards)
    assert drawn in str(across.title)


def test_a_run_that_is_expected_is_named_with_its_value(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    tables.write([flipping(right=11, wrong=11, flaky=8)], path)
    told, _checks = of_expected(flipping(), str(path))
    assert "50.0% agrees with the 50.0% of 7B / aime (other.parquet): two honest runs" in told


def test_an_expected_number_of_many_questions_asks_for_more_of_them(tmp_path: Path) -> None:
    path = tmp_path / "expected.json"
    path.write_text('[{"value": "60%", "n": 16, "questions": 500}]')
    told, (check,) = of_expected(flipping(), str(path), margin=0.1)
    assert "Not decided: 50.0% may be up to 27.7 points lower than the stated 60%" in told
    assert check.found.interval.low == pytest.approx(-0.277, abs=0.001)
    assert told.endswith("More questions would decide, not more samples.")


def test_a_lower_limit_of_tokens_says_how_many_answers_it_cut(tmp_path: Path) -> None:
    path = tmp_path / "expected.json"
    path.write_text('[{"value": "70%", "max_tokens": 8192}]')
    run = flipping()
    size = run.outcomes.correct.shape
    codes = (np.arange(run.outcomes.correct.size) % 10 == 0).reshape(size).astype(np.int8)
    labels = {"finish_reason": Labels(codes, ("stop", "length"))}
    _told, (check,) = of_expected(replace(run, labels=labels), str(path))
    assert [str(each) for each in settings_in_words(check)] == [
        "max_tokens 2048; the source states 8192; 10.0% of your answers are cut."
    ]


def test_an_average_by_another_metric_is_named_by_it() -> None:
    values = [estimate(RUNS_IN_DOUBT[f"a / {name}"], "pass@k", 4) for name in "xy"]
    assert str(answer_about_trust(trust(RUNS_IN_DOUBT, View(metric="pass@k")))).startswith(
        f"a has pass@4 {percent_of(pool(values))} on average over 2 datasets. "
    )


def test_one_comparison_that_rests_on_the_answers_that_count_is_named() -> None:
    three = of_readings(1, a=(1, "B or C", 30), b=(0, "C", 30), c=(0, "C", 40))
    assert three.endswith("answers count in 1 of 3 comparisons: a and b on d0.")


@pytest.mark.wide
def test_suspects_beyond_those_that_a_terminal_lists_are_counted(tmp_path, capsys) -> None:
    path = tmp_path / "t.parquet"
    tables.write(list(asked_wrongly(faulty=25).values()), path)
    assert main(["questions", str(path), "--all"]) == 0
    assert "and 5 more; JSON has all of them." in capsys.readouterr().out
