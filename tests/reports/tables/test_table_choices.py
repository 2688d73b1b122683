"""Tables where several columns could be meant: the user is asked, and the answer decides."""

import json

import pytest

from reports import load
from reports.files.errors import ColumnChoice
from tests.reports.tables.written_tables import only, refusal


def as_csv(rows):
    lines = [",".join(map(str, row.values())) for row in rows]
    return "t.csv", "\n".join([",".join(rows[0]), *lines]).encode()


def as_lines(rows):
    return "t.jsonl", "\n".join(map(json.dumps, rows)).encode()


@pytest.mark.parametrize(
    ("data", "role", "candidates"),
    [
        (b"id,judge,rule\na,1,0\n", "correct", ("judge", "rule")),
        (b"id,correct,passed\na,1,0\n", "correct", ("correct", "passed")),
        (b"id,score,f1\na,.1,.2\n", "score", ("score", "f1")),
        (b"id,score_1,score_2,r_1,r_2\na,.1,.2,.3,.4\n", "score", ("score", "r")),
        (b"name,x,correct\na,1,0\n", "question_id", ("name", "x")),
    ],
)
def test_where_several_columns_could_be_meant_the_answer_decides(data, role, candidates):
    with pytest.raises(ColumnChoice) as caught:
        load(("t.csv", data))
    assert (caught.value.role, caught.value.candidates) == (role, candidates)
    assert f"--column {role}={candidates[0]}" in str(caught.value)
    for answer in candidates:
        assert only("t.csv", data, columns={role: answer}).outcomes.shape[0] == 1


def test_lists_that_differ_in_length_are_a_choice_too():
    data = b'{"correctness_math_verify":[1,0],"correctness_llama":[1]}\n'
    with pytest.raises(ColumnChoice):
        load(("t.jsonl", data))
    run = only("t.jsonl", data, columns={"correct": "correctness_llama"})
    assert run.outcomes.correct.tolist() == [[1]]


def test_other_columns_that_may_name_questions_are_not_used():
    report = load(("t.csv", b"problem_id,uuid,correct\na,1,1\na,2,0\n"))
    assert report.runs[0].outcomes.shape == (1, 2)
    assert str(report.notes[0].what) == "uuid is not used."
    report = load(
        ("t.csv", b"problem_id,uuid,correct\na,1,1\na,2,0\n"), columns={"question_id": "uuid"}
    )
    assert report.runs[0].outcomes.shape == (2, 1)


def test_what_the_user_names_must_exist():
    data = b"id,correct\na,1\n"
    assert "has no column x to use as correct. There are: id, correct." in refusal(
        "t.csv", data, columns={"correct": "x"}
    )


def test_a_table_that_asks_does_so_beside_others(tmp_path):
    (tmp_path / "clear.csv").write_bytes(b"id,correct\na,1\n")
    (tmp_path / "open.csv").write_bytes(b"id,judge,rule\na,1,0\n")
    report = load(tmp_path)
    assert [run.dataset for run in report.runs] == ["clear"]
    (choice,) = report.choices
    assert (choice.place, choice.role, choice.candidates) == (
        "open.csv",
        "correct",
        ("judge", "rule"),
    )
    assert choice.__traceback__ is None  # it would hold all that was read
    report = load(tmp_path, columns={"correct": "rule"})
    assert {run.dataset: run.outcomes.correct.tolist() for run in report.runs} == {
        "clear": [[1]],
        "open": [[0]],
    }
    assert report.choices == ()
    (note,) = (note for note in report.notes if note.where == "clear.csv")
    assert "no column rule to use as correct" in str(note.what)


@pytest.mark.parametrize("write", [as_csv, as_lines])
def test_questions_go_by_their_own_name_and_not_by_that_of_a_request(write):
    rows = [{"id": i // 2, "uuid": f"{i:04x}", "correct": i % 2} for i in range(6)]
    (run,) = load(write(rows)).runs
    assert run.outcomes.questions == ("0", "1", "2")
    renamed = [{"question" if name == "id" else name: row[name] for name in row} for row in rows]
    (run,) = load(write(renamed)).runs
    assert run.outcomes.shape == (3, 2)


def test_an_id_that_every_row_has_of_its_own_may_be_none_of_its_question():
    rows = [{"id": i + 10, "idx": i // 2, "correct": i % 2} for i in range(6)]
    with pytest.raises(ColumnChoice, match="id, idx may each say which question a row") as asked:
        load(as_csv(rows))
    assert "question_id=id (6 questions x 1 sample: 50.0%)" in str(asked.value)
    assert "question_id=idx (3 questions x 2 samples: 50.0%)" in str(asked.value)
    rows = [{"id": i, "idx": i // 2, "correct": i % 2} for i in range(6)]
    assert load(as_csv(rows)).runs[0].outcomes.shape == (3, 2)
    rows = [{"id": i, "idx": 10 + i, "correct": i % 2} for i in range(6)]
    assert load(as_csv(rows)).runs[0].outcomes.shape == (6, 1)
