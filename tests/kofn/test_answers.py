"""A subcommand's first line is the answer that its page opens with."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from kofn.choices.view import View
from kofn.scorecard.analysis import EVERY_METRIC, ScoreCard, score_runs
from kofn.scorecard.command import SCORECARD
from metrics import Outcomes
from metrics.data.words import Text
from reports.run.report import Run

NAME = "*7B* \x1b[2J"


def answered(form: str) -> str:
    def answer(cards: Sequence[ScoreCard]) -> Text:
        return Text("{model} leads by {runs}.", model=cards[0].run.model, runs=len(cards))

    cards = score_runs({NAME: Run(NAME, "maths", Outcomes([[1, 0], [1, 1]]))}, View())
    return replace(SCORECARD, answer=answer).write(form, cards, View(), chosen=EVERY_METRIC)


@pytest.mark.parametrize(
    ("form", "first"),
    [("table", r"*7B* \x1b[2J leads by 1."), ("md", r"\*7B\* \\x1b\[2J leads by 1.")],
)
def test_the_first_line_is_the_answer(form: str, first: str) -> None:
    assert answered(form).splitlines()[:2] == [first, ""]


def test_json_has_the_answer_and_csv_only_numbers() -> None:
    assert json.loads(answered("json"))["answer"] == r"*7B* \x1b[2J leads by 1."
    assert "leads" not in answered("csv")


def test_a_page_shows_the_answer_letter_for_letter() -> None:
    def page() -> None:
        from metrics.data.words import Text
        from pages.shared.showing.answers import show_answer

        show_answer(Text("{model} leads.", model="*7B* <b>"), {})

    app = AppTest.from_function(page).run()
    assert [each.value for each in app.header] == [r"\*7B\* \<b\> leads\."]
