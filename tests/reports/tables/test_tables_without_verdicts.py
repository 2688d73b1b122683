"""Tables that state an extracted answer beside the right one, and no verdict, as MMLU-Pro does."""

import json
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from metrics import estimate
from reports import load
from reports.files.errors import ColumnChoice
from tests.reports.tables.written_tables import (
    delimited,
    feathered,
    json_list,
    lines,
    only,
    parquet,
    refusal,
)

RIGHT = ["A", "C", "J", "B"]
GIVEN = [["A", "A", None], ["C", " C ", "D"], ["J", None, "I"], ["A", "A", "C"]]
TRUTH = [[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]]


def published():
    """Lay answers out as MMLU-Pro publishes them, but several of each question."""
    return pa.table(
        {
            "question_id": np.repeat([70, 3, 11, 5], 3),
            "question": np.repeat(["Which?", "What?", "Who?", "When?"], 3),
            "options": [["x", "y", "z"]] * 12,
            "answer": np.repeat(RIGHT, 3),
            "answer_index": np.repeat([0, 2, 9, 1], 3),
            "category": np.repeat(["law", "maths", "law", "maths"], 3),
            "pred": pa.array([each for row in GIVEN for each in row], pa.string()),
            "generated_text": [f"The answer is … ({number})." for number in range(12)],
        }
    )


@pytest.mark.parametrize(
    ("name", "write"), [("t.parquet", parquet), ("t.json", json_list), ("t.arrow", feathered)]
)
def test_an_answer_is_right_where_it_equals_the_right_one(name, write):
    run = only(name, write(published()))
    assert run.outcomes.correct.tolist() == TRUTH
    assert run.outcomes.questions == ("70", "3", "11", "5")
    assert str(run.rule) == "pred equal to answer"
    assert run.verified is None
    assert run.reported == {}
    mean = Fraction(sum(map(sum, TRUTH)), 12)
    assert estimate(run, "avg@n").value == pytest.approx(float(mean), abs=1e-15)
    every = [str(note.what) for note in load((name, write(published()))).notes]
    assert sum("kofn judged it" in what for what in every) == 1
    assert "pred is empty in 2 rows, which count as wrong." in every
    assert run.texts("3").reference == "C"
    assert run.texts("3").predictions[2] == "The answer is … (5)."


def test_a_few_texts_that_stand_twice_do_not_name_the_questions():
    rows = pa.table(
        {
            "question_id": [*range(40)],
            "question": [f"Which of {number} is it?" for number in (*range(38), 0, 0)],
            "pred": ["A", "B"] * 20,
            "answer": ["A"] * 40,
        }
    )
    run = only("t.parquet", parquet(rows))
    assert run.outcomes.shape == (40, 1)
    assert run.outcomes.correct.ravel().tolist() == [1, 0] * 20


def test_the_answers_of_samples_are_kept_for_votes():
    run = only("t.parquet", parquet(published()))
    assert [run.answer_labels[code] for code in run.answers[3]] == ["A", "A", "C"]
    assert estimate(run, "plurality@k", answers=run.answers).n_questions == 4


def table(given, right, **columns):
    rows = [
        {
            "question_id": number,
            "pred": g,
            "answer": r,
            **{k: v[number] for k, v in columns.items()},
        }
        for number, (g, r) in enumerate(zip(given, right, strict=True))
    ]
    return "t.jsonl", "\n".join(map(json.dumps, rows)).encode()


def test_numbers_are_equal_by_their_value():
    run = only(*table([18, "18.0", "1,234", "7", None, "-0"], ["18", 18, 1234, 7.5, 2, 0]))
    assert run.outcomes.correct.ravel().tolist() == [1, 1, 1, 0, 0, 1]


def test_a_row_without_a_right_answer_is_not_judged():
    name, data = table(["A", "B", "A"], ["A", None, "B"])
    report = load((name, data))
    assert report.runs[0].outcomes.correct.ravel().tolist() == [1, -2, 0]
    assert any("answer is empty in 1 row, which is not judged" in str(n.what) for n in report.notes)


def test_answers_of_another_kind_are_told():
    given, right = ["A"] * 19 + ["(A)"], ["A"] * 20
    report = load(table(given, right))
    assert report.runs[0].outcomes.correct.sum() == 19
    assert any("in 1 row ((A)), which counts as wrong" in str(note.what) for note in report.notes)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (["The answer is A.", "B, surely", "C"], ["A", "B", "C"]),
        ([r"\frac12", "x+1", "2x"], [r"\frac{1}{2}", "1+x", "2x"]),
        (["I think that this is the one that was asked for: A"] * 3, ["A", "A", "A"]),
        (["Paris", "Rome", "Bern"], ["paris", "Rome", "Bern"]),
    ],
)
def test_answers_that_may_be_spelled_in_several_ways_are_judged_only_if_told(given, right):
    name, data = table(given, right)
    assert "states no verdicts, but has texts (pred) beside references" in refusal(name, data)
    run = only(name, data, columns={"extracted": "pred", "reference": "answer"})
    assert run.outcomes.correct.ravel().tolist() == [
        g == r for g, r in zip(given, right, strict=True)
    ]


@pytest.mark.parametrize("verdicts", [[True, False, True], [1, 0, 0], ["yes", "no", "no"]])
def test_a_column_that_may_hold_verdicts_is_asked_about_instead(verdicts):
    with pytest.raises(ColumnChoice) as caught:
        load(table(["A", "B", "C"], ["A", "B", "D"], marked=verdicts))
    assert "marked" in caught.value.candidates


def test_a_column_that_is_called_a_verdict_is_never_passed_over():
    name, data = table(["A", "B", "C"], ["A", "B", "D"], correct=["C", "I", "timeout"])
    with pytest.raises(ValueError, match="correct"):
        load((name, data))
    assert only(*table(["A", "B"], ["A", "A"], correct=[0, 1])).outcomes.correct.tolist() == [
        [0],
        [1],
    ]


def test_delimited_tables_are_judged_alike():
    rows = pa.table({"id": [1, 2, 3], "pred": ["A", None, "C"], "answer": ["A", "B", "B"]})
    for write in (delimited(","), delimited(";"), lines):
        assert only("t.csv", write(rows)).outcomes.correct.ravel().tolist() == [1, 0, 0]
