"""Plans of the runs of datasets: the library's numbers, in sentences, tables and a picture."""

import json
from pathlib import Path

import numpy as np
import pytest

from charts.contours import contours
from kofn.choices.view import View
from kofn.command import main
from kofn.compare.choices import CompareChoices
from kofn.plan.analysis import plan_runs
from kofn.plan.choices import PlanChoices
from kofn.plan.columns import PLANNED
from kofn.plan.figures import drawn
from kofn.plan.words import answer, contours_words, describe_contours
from kofn.writing.columns import dtypes
from metrics import Bill, Outcomes, plan
from reports.run.report import Run
from tests.kofn.indexed import index
from tests.reports.tables.outcome_tables import write_table

pytestmark = pytest.mark.usefixtures("short_plans")

CAPTURED = pytest.CaptureFixture[str]


def outcomes(power: float = 1.0, m: int = 100, n: int = 4, **fields: object) -> Outcomes:
    rng = np.random.default_rng(round(100 * power))
    rate = np.random.default_rng(0).random((m, 1)) ** power
    return Outcomes((rng.random((m, n)) < rate).astype(np.int8), **fields)


def runs(*powers: float, m: int = 100, n: int = 4) -> dict[str, Run]:
    found = (outcomes(power, m, n) for power in powers)
    return index(*(Run(f"m{place}", "maths", each) for place, each in enumerate(found)))


@pytest.mark.wide
def test_every_number_is_the_library_s() -> None:
    two = runs(1.0, 0.5)
    goals = PlanChoices(0.08, 0.1, 900.0, 2.0, 0.5, 0.9)
    (card,) = plan_runs(two, View(level=0.9, metric="pass@k", k=(2,)), goals)
    a, b = two.values()
    expected = plan(a, b, "pass@k", 2, confidence_level=0.9, power=0.9)
    needs = expected.needs(difference=0.08, width=0.1, bill=Bill(900.0, 2.0, 0.5))
    assert card.found is not None
    assert (card.found.smallest, card.found.floor) == (expected.smallest(), expected.floor)
    assert card.found.split == expected.split(Bill(900.0, 2.0, 0.5))
    found = PLANNED.rows([card])
    assert list(found[0]) == list(dtypes(PLANNED.columns))
    for name in ("samples", "smallest", "questions", "questions_for_width", "affordable"):
        column = [np.nan if row[name] is None else row[name] for row in found]
        assert column == pytest.approx(getattr(needs, name).tolist(), nan_ok=True)
    assert [row["pilot"] for row in found] == [row["samples"] == 4 for row in found]
    assert PLANNED.frame([card]).dtypes.astype(str).to_dict() == dtypes(PLANNED.columns)


@pytest.mark.wide
def test_without_a_goal_round_differences_about_the_smallest_are_planned() -> None:
    (card,) = plan_runs(runs(1.0, 0.8), View())
    assert card.found is not None
    assert card.found.smallest == pytest.approx(0.0747, abs=0.0001)
    assert {row["difference"] for row in PLANNED.rows([card])} == {0.1, 0.05, 0.02}


@pytest.mark.wide
def test_of_two_it_says_what_is_shown_and_what_was_seen() -> None:
    two = runs(1.0, 0.8)
    assert str(answer(plan_runs(two, View()))) == (
        "100 questions with 4 samples each show a difference of 7.5 points or more on one try "
        "between m0 and m1, with a chance of 80%; 9.2 points were seen. No number of samples "
        "shows a difference below 3.2 points; more questions would."
    )


def test_a_run_alone_is_set_against_another_as_good() -> None:
    one = runs(1.0)
    assert str(answer(plan_runs(one, View()))) == (
        "100 questions with 4 samples each show a difference of 7.8 points or more on one try "
        "between m0 and a run that finds the questions equally difficult, with a chance of 80%."
    )


def test_each_goal_has_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the best split has more samples than there are
    said = str(answer(plan_runs(runs(1.0, 0.8), View(), PlanChoices(0.03, 0.04, 5000.0, 10.0))))
    assert said.endswith(
        " 9.2 points were seen. For a difference of 3.0 points about 582 questions are needed. For "
        "an interval 4.0 points wide about 728 questions are needed. 5,000 is best spent on 138 "
        "questions with 13 samples each, which show 3.6 points."
    )


@pytest.mark.wide
def test_with_twenty_models_and_thirty_questions_ranks_cannot_be_told() -> None:
    many = runs(*np.linspace(0.5, 1.5, 20), m=30, n=1)
    said = str(answer(plan_runs(many, View())))
    assert said.startswith(
        "30 questions are too few to rank 20 runs: two runs must differ by about 50.6 points, "
        "so each run may have 20.0 of 20 places on average. 30 questions with 1 "
    )


@pytest.mark.wide
def test_ranks_of_few_far_apart_are_told() -> None:
    few = runs(0.1, 1.0, 9.0, m=300)
    (card,) = plan_runs(few, View())
    assert card.found.placing.separates
    assert card.found.placing.span == 1


@pytest.mark.wide
def test_the_runs_are_those_that_were_named() -> None:
    three = runs(1.0, 0.5, 0.7)
    (card,) = plan_runs(three, View(), None, CompareChoices("m2", "m0"))
    assert (card.found.base, card.found.other) == ("m2 / maths", "m0 / maths")
    (card,) = plan_runs(three, View())
    assert (card.found.base, card.found.other) == ("m0 / maths", "m1 / maths")


def test_what_cannot_be_planned_has_its_reason() -> None:
    two = index(Run("a", "maths", outcomes()), Run("b", "maths", None))
    (card,) = plan_runs(two, View(metric="soft"))
    assert card.found is None
    assert card.reason is not None
    assert str(answer([card])).startswith("Nothing can be planned.")
    assert PLANNED.rows([card])[0]["reason"] == str(card.reason)


def test_one_question_shows_nothing_in_the_singular() -> None:
    told = str(answer(plan_runs(runs(1, 2, m=1), View(), PlanChoices())))
    assert told.startswith(
        "1 question with 4 samples each is too few to detect any difference between m0 and m1"
    )


@pytest.mark.wide
def test_the_picture_has_a_line_for_each_goal_and_both_marks() -> None:
    goals = PlanChoices(0.05, 0.1, 5000.0, 10.0)
    (card,) = plan_runs(runs(1.0, 0.8), View(), goals)
    lines, marks = drawn(card.found, goals)
    assert [str(each.name) for each in lines] == [
        "5.0 points",
        "10.0 points wide",
        "5,000 pays for",
    ]
    assert [str(each.name) for each in marks] == ["this benchmark", "best split"]
    figure = contours(lines, marks, words=contours_words())
    assert len(figure.data) == 5
    assert list(figure.data[0].y) == [each for each in lines[0].questions if np.isfinite(each)]
    assert (figure.data[3].x[0], figure.data[3].y[0]) == (4, 100)
    assert "3 lines" in str(describe_contours(lines, marks))


@pytest.mark.wide
def test_the_command_prints_the_answer_the_table_and_json(tmp_path: Path, capsys: CAPTURED) -> None:
    a = str(write_table(tmp_path / "a.parquet", "a"))
    b = str(write_table(tmp_path / "b.parquet", "b", seed=1))
    assert main(["plan", a, b, "--difference", "0.1", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["answer"].startswith("15 questions with 4 samples each")
    assert document["goals"]["difference"] == 0.1
    assert {row["difference"] for row in document["plan"]} == {0.1}
    assert main(["plan", a, b, "--bill", "500", "--base", "b"]) == 0
    assert "500 is best spent on " in capsys.readouterr().out
    assert main(["plan", a, b, "--base", "c"]) == 2
    assert main(["plan", a, "--difference", "5"]) == 2
    assert main(["plan", a, "--bill", "1"]) == 2
    assert "The budget does not pay for a single question." in capsys.readouterr().out
