"""Sentences that only rare data bring about are true of such data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from kofn.budgets.words import lengths_in_words
from kofn.candidates.choices import Picking
from kofn.candidates.words import MEANINGS, VOTES, checklist, ranking_in_words
from kofn.choices.view import View
from kofn.compare.words import in_words as pair_in_words
from kofn.compare.words import segments_in_words
from kofn.finish_reasons.analysis import Sign
from kofn.finish_reasons.words import SIGNS, heading, in_words
from kofn.plan.analysis import PlanChoices, plan_runs
from kofn.plan.words import answer as answer_of_plan
from kofn.questions.analysis import run_questions
from kofn.questions.words import answer as answer_about_questions
from kofn.references.words import NAMES
from kofn.scorecard.words import describe_forest, forest_words
from kofn.trust.analysis import trust
from kofn.trust.causes import Kind
from kofn.trust.expectations import Expecting
from kofn.trust.words import CAUSES, OWN, doubtful_in_words, points_moved
from kofn.writing.estimates import percent, percent_of
from metrics import Outcomes, Text, compare, compare_segments, estimate, right_lengths
from metrics.analyses.candidates.weighted_vote import Weighing
from metrics.analyses.references.label_errors import Reason
from reports import Run, audit, load
from tests.kofn.candidates.picked_runs import drawn
from tests.kofn.candidates.picked_runs import run as picked
from tests.kofn.candidates.test_candidates_answer import examined
from tests.kofn.candidates.test_candidates_answer import said as of_candidates
from tests.kofn.compare.test_compare_command import said as of_pair
from tests.kofn.compare.test_compare_command import solved
from tests.kofn.finish_reasons.test_ended import card
from tests.kofn.finish_reasons.test_ended import run as ended
from tests.kofn.saturation.test_saturation_answer import said as of_curve
from tests.kofn.trust.test_checks import flipping
from tests.kofn.trust.test_checks import said as of_expected
from tests.kofn.trust.test_trust_words import told as of_readings


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
