"""What questions open with: counts of the library."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.questions.analysis import run_questions
from kofn.questions.words import answer
from metrics import Outcomes, question_statistics
from reports import Run
from tests.pages import visiting
from tests.pages.visiting import outcomes, table


def questions(correct, answers=None, key="7B / maths"):
    return run_questions(key, Run("7B", "maths", Outcomes(correct), answers=answers), View())


def test_what_is_lost_to_a_vote_and_never_solved_is_counted():
    correct = outcomes(60, 4)
    found = question_statistics(correct)
    lost, never = found.majority_wrong.sum(), found.never_right.sum()
    assert lost > 0 < never
    assert str(answer([questions(correct)])) == (
        f"7B / maths: {lost} of 60 questions are solvable but lost by a vote, "
        f"{never} are never solved."
    )


def test_agreed_wrong_answers_are_named_where_there_are_any():
    correct = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]])
    answers = np.array([[0, 0, 0, 0], [5, 5, 5, 5], [1, 2, 3, 4]], np.int32)
    sentence = str(answer([questions(correct, answers)]))
    assert sentence.endswith(
        "On 1 at least 80% of the samples agree on one wrong answer, as if the reference were "
        "wrong."
    )
    assert "agree" not in str(answer([questions(correct)]))


def test_one_sample_does_not_tell_luck_from_skill():
    assert str(answer([questions([[1], [0], [1]])])) == (
        "7B / maths: 2 of 3 questions are right. One sample does not tell luck from skill."
    )


def test_a_single_question_and_thousands_of_them_are_counted_as_people_write():
    few = [[1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]]
    assert str(answer([questions(few)])) == (
        "7B / maths: 1 of 3 questions is solvable but lost by a vote, 1 is never solved."
    )
    assert str(answer([questions(np.repeat(few, 1000, axis=0))])) == (
        "7B / maths: 1,000 of 3,000 questions are solvable but lost by a vote, "
        "1,000 are never solved."
    )
    assert str(answer([questions(few[:1])])) == (
        "7B / maths: 1 of 1 question is solvable but lost by a vote, 0 are never solved."
    )
    assert str(answer([questions([[1], [0]])])).startswith("7B / maths: 1 of 2 questions is right.")
    assert str(answer([questions([[0]])])).startswith("7B / maths: The only question is wrong.")


def test_of_several_runs_none_may_lose_anything():
    good, once = questions([[1, 1], [0, 0]]), questions([[1], [0]])
    assert str(answer([good, good])) == "None of 2 runs loses a question by a vote."
    assert str(answer([once, once])) == (
        "2 runs have one sample of each question, which does not tell luck from skill."
    )


@pytest.mark.parametrize("flip", [False, True])
def test_of_several_runs_the_one_that_loses_most_is_named(flip):
    few = questions([[1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1]], key="few / maths")
    many = questions([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]], key="many / maths")
    runs = [many, few] if flip else [few, many]
    assert str(answer(runs)).startswith("Of 2 runs many / maths loses most: 2 of 3 questions")


def test_the_page_opens_with_the_run_that_is_listed():
    correct = outcomes(30, 4)
    app = visiting.visit("pages/data/questions/page.py", ("a.parquet", table(correct)))
    assert not app.exception
    said = str(answer([questions(correct, key="alpha / maths")]))
    assert visiting.opening(app).startswith(said)
