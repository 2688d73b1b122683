"""What the page of reports opens with, against the numbers under it."""

from pathlib import Path

import numpy as np
import pytest

from kofn.inventory.stated import StatedNumber, both_written, causes
from kofn.inventory.words import answer, cause_in_words, labels_in_words, stated_in_words
from metrics import Outcomes, Text
from reports import Report, Run, load, reconcile, reconcile_suite
from reports.run.calibration import Calibration
from reports.run.reasons import OF_OTHERS, WITHOUT_FAILED
from reports.run.reconcile import NO_COUNTERPART, UNEXPLAINED, Comparison

ROOT = Path(__file__).parents[3]
WHY = Text("It mixes the samples of different questions.")
RIGHT = Comparison("avg@4", 0.5, 0.5, True, None)
WRONG = Comparison("pass@4", 1.0, 0.75, False, WHY)
ODD = Comparison("cons@4", 0.5, 0.4999, False, UNEXPLAINED)
UNCHECKED = Comparison("bleu", 0.3, None, False, NO_COUNTERPART)


def stated(*lines: Comparison) -> list[StatedNumber]:
    return [StatedNumber("cedar", "maths", line) for line in lines]


def said(*lines: Comparison) -> list[str]:
    return [str(sentence) for sentence in stated_in_words(stated(*lines))]


def test_the_worst_of_the_wrong_numbers_is_named() -> None:
    worse = Comparison("cons@4", 0.9, 0.2, False, WHY)
    assert said(WRONG, worse, RIGHT) == [
        "2 of 3 reported numbers are wrong: cons@4 of cedar is 20.0%, not 90.0%."
    ]


def test_what_nobody_can_explain_is_not_called_wrong() -> None:
    assert said(ODD, RIGHT) == [
        "1 of 2 reported numbers is not what the samples give, for no known reason: trust neither."
    ]
    assert len(said(ODD, WRONG)) == 2


def test_a_number_that_leaves_out_failed_requests_is_not_called_wrong() -> None:
    other = Comparison("score", 0.4, 0.36, False, WITHOUT_FAILED)
    leaves = "reported numbers leaves out the requests that failed."
    assert said(other, RIGHT) == [f"1 of 2 {leaves}"]
    assert said(other) == ["1 of 1 reported number leaves out the requests that failed."]
    assert said(other, UNCHECKED) == [f"1 of 2 {leaves}"]
    assert len(said(other, WRONG)) == 2
    (cause,) = causes(stated(other))
    assert str(cause_in_words(cause)).startswith("1 differs: The tool leaves out")


def test_a_number_of_other_samples_is_said_to_be_and_one_that_agrees_holds() -> None:
    other = Comparison("score", 0.4, 0.36, False, OF_OTHERS)
    assert said(other, RIGHT) == [
        "1 of 2 reported numbers is of other samples, or by another rule, than the mean of these."
    ]
    (cause,) = causes(stated(Comparison("score", 0.4, 0.4, True, OF_OTHERS)))
    assert str(cause_in_words(cause)) == f"1 holds: {OF_OTHERS}"


def test_numbers_that_agree_are_written_alike_and_others_as_finely_as_they_differ() -> None:
    rounded = Comparison("avg@4", 0.54231771, 0.54231770, True, None)
    assert both_written(rounded) == ("54.2%", "54.2%")
    assert both_written(ODD) == ("50.000%", "49.990%")
    assert both_written(UNCHECKED) == ("30.0%", "N/A")


def test_tables_that_wait_are_counted_with_or_without_runs() -> None:
    runs = {"a": Run("cedar", "maths", Outcomes([[1, 0]]))}
    assert str(answer(runs, [], 1)) == (
        "1 run came in: cedar on maths. 1 file waits: say below what is meant."
    )
    assert str(answer({}, [], 2)) == "2 files wait: say below what is meant."


def test_nothing_is_claimed_of_what_cannot_be_checked() -> None:
    assert said(RIGHT, RIGHT) == ["The 2 reported numbers are what the samples give."]
    assert said(RIGHT, UNCHECKED) == [
        "1 of 2 reported numbers can be checked, and they are what the samples give."
    ]
    assert said(UNCHECKED) == ["None of the reported numbers can be checked."]
    assert said() == []


def test_a_cause_is_said_once_with_its_count_and_the_widest_gap_first() -> None:
    other = Comparison("accuracy", 0.5, 0.45, False, Text("It is of the last sample only."))
    found = causes(stated(UNCHECKED, other, WRONG, WRONG, RIGHT))
    assert [str(cause_in_words(cause)) for cause in found] == [
        "2 are wrong: It mixes the samples of different questions.",
        "1 is wrong: It is of the last sample only.",
        "1 is unchecked: kofn computes no metric of this name.",
    ]


@pytest.mark.parametrize(
    ("silent", "sentence"),
    [
        (0, ""),
        (1, " 1 of them does not say which samples were right."),
        (3, " None of them says which samples were right."),
    ],
)
def test_runs_without_verdicts_are_told(silent: int, sentence: str) -> None:
    verdicts = [None] * silent + [Outcomes([[1, 0]])] * (3 - silent)
    runs = {str(i): Run("cedar", f"d{i}", each) for i, each in enumerate(verdicts)}
    assert str(answer(runs, [])) == "3 runs came in: cedar on 3 datasets." + sentence


@pytest.mark.wide
def test_the_sample_s_own_numbers() -> None:
    report = load(ROOT / "sample_data/aisbench_report.zip")
    found = [StatedNumber(r.model, r.dataset, line) for r in report.runs for line in reconcile(r)]
    found += [
        StatedNumber(s.model, s.name, line) for s in report.suites for line in reconcile_suite(s)
    ]
    wrong = [each for each in found if not each.line.agrees]
    worst = max(wrong, key=lambda each: abs(each.line.reported - (each.line.recomputed or 0)))
    text = str(answer({str(i): run for i, run in enumerate(report.runs)}, found))
    assert text.startswith("18 runs came in: 3 models on 6 datasets. ")
    assert f"{len(wrong)} of {len(found)} reported numbers are wrong" in text
    assert f"{worst.line.metric} of {worst.model} on {worst.dataset} is" in text
    assert sum(len(cause.found) for cause in causes(found)) == len(wrong)


def test_names_from_files_are_printable_and_short() -> None:
    hostile = StatedNumber("a\x1b[2J" + "b" * 500, "maths", WRONG)
    (text,) = map(str, stated_in_words([hostile]))
    assert text.isprintable()
    assert len(text) < 400


@pytest.mark.parametrize(
    ("samples", "questions", "count"),
    [
        ({"human": np.array([[1.0, np.nan], [0.0, 1.0]])}, {}, "3 human labels"),
        ({"human": np.array([[np.nan]])}, {"human_group": np.array([1.0])}, "1 human label."),
        ({}, {"human_group": np.array([1.0, np.nan, 0.0])}, "2 human labels"),
        ({}, {}, "0 human labels"),
    ],
)
def test_labels_of_samples_are_counted_or_else_those_of_questions(samples, questions, count):
    labels = Calibration("judged.csv", ["a", "b", "c"], samples, questions)
    (said,) = labels_in_words([Report("judged.csv", Text("x"), (), calibrations=(labels,))])
    assert count in str(said)
