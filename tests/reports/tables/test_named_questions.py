"""A column called question names the questions of a table that has no other, if it can."""

import json

from reports import load


def read(rows):
    report = load(("t.jsonl", "\n".join(map(json.dumps, rows)).encode()))
    return report.runs, [str(note.what) for note in report.notes]


def wide(question, **others):
    return {"question": question, "correct_1": 1, "correct_2": 0} | others


def test_unique_values_are_names_and_prompts():
    (run,), notes = read([wide("1+1?"), wide("2+2?")])
    assert run.outcomes.questions == ("1+1?", "2+2?")
    assert notes == ["Questions are named by question."]
    assert run.texts("2+2?").prompt[0].text == "2+2?"


def test_lists_and_counts_are_named_likewise():
    for cells in ({"correct": [1, 0]}, {"n": 4, "c": 2}):
        (run,), _ = read([{"question": "a"} | cells, {"question": "b"} | cells])
        assert run.outcomes.questions == ("a", "b")


def test_each_model_may_have_each_question_once():
    runs, _ = read([wide(q, model=m) for m in "xy" for q in "ab"])
    assert [run.outcomes.questions for run in runs] == [("a", "b")] * 2


def test_a_model_may_have_one_question():
    runs, _ = read([wide("a", model="x"), wide("a", model="y")])
    assert [run.outcomes.questions for run in runs] == [("a",)] * 2


def test_what_repeats_is_missing_or_long_names_nothing():
    for last in ("a", None, "b" * 81):
        (run,), notes = read([wide("a"), wide(last)])
        assert run.outcomes.questions == ("0", "1")
        assert notes == ["No column names the questions; they are numbered by row."]


def test_an_id_goes_first():
    (run,), notes = read([wide("a", id=7), wide("b", id=8)])
    assert (run.outcomes.questions, notes) == (("7", "8"), [])
