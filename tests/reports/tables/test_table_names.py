"""Tables whose columns are not called as kofn calls them: recognised, asked for, or explained."""

import pyarrow as pa
import pytest

from reports import LoadError, load
from reports.files.errors import ColumnChoice
from reports.tables import folding
from tests.reports.tables.written_tables import delimited, parquet

ROWS = [
    (f"q{question}", sample, (question + sample) % 2) for question in range(3) for sample in (0, 1)
]


def table(header, *, comma=","):
    lines = [header, *(comma.join(map(str, row)) for row in ROWS)]
    return "x.csv", "\n".join(lines).encode()


def verdicts(source, **options):
    (run,) = load(source, **options).runs
    return list(run.outcomes.questions), run.outcomes.correct.tolist()


@pytest.mark.parametrize(
    "header",
    [
        "Question ID,Sample,Is Correct?",
        "question_id, sample, correct ",
        "task-id,Attempt,PASSED",
        "  Problem Id,Rollout Idx,is correct",
    ],
)
def test_case_blanks_hyphens_and_question_marks_do_not_matter(header):
    assert verdicts(table(header)) == verdicts(table("question_id,sample,correct"))


def test_names_that_differ_by_blanks_only_are_refused():
    with pytest.raises(LoadError, match="several columns have this name"):
        load(table("question_id,is correct,is_correct"))


def test_numbered_columns_are_offered_as_one():
    wide = "x.csv", b"question_id,pass_1,pass_2,seconds\na,1,0,3\nb,1,1,4\n"
    with pytest.raises(ColumnChoice, match="go together as pass") as caught:
        load(wide)
    assert caught.value.candidates == ("pass",)
    assert verdicts(wide, columns={"correct": "pass"}) == (["a", "b"], [[1, 0], [1, 1]])


def test_a_name_is_quoted_as_the_shell_wants_it():
    with pytest.raises(ColumnChoice, match="--column correct='how right'; there are: how right"):
        load(table("question_id,sample,how right"))


def test_objects_in_columns_are_named_with_how_to_bring_out_what_they_hold():
    line = b'{"question_id": "a", "result": {"correct": true}, "tags": ["x"]}\n'
    with pytest.raises(LoadError, match=r"There are objects in result: .*json_normalize"):
        load(("x.jsonl", line * 2))


@pytest.mark.parametrize("line", ["q0,0,1", "q0,1", "0,1,1,0", "q0,0.5"])
def test_a_first_line_of_values_is_not_taken_for_names(line):
    with pytest.raises(LoadError, match="seems to hold values instead of the names of columns"):
        load(("x.csv", f"{line}\n{line}\n".encode()))


def test_a_first_line_of_any_length_is_looked_at():
    with pytest.raises(LoadError, match="has no column of outcomes among qqq"):
        load(("x.csv", b"q" * 70_000 + b",1\na,1\n"))


@pytest.mark.parametrize("header", [",0,1,2", "0,1,2,3", "question_id,1,2,3"])
def test_numbers_name_the_samples_of_a_wide_table(header):
    (run,) = load(("x.csv", f"{header}\n0,1,1,0\n1,0,1,1\n".encode())).runs
    assert run.outcomes.shape[1] == sum(name.isdigit() for name in header.split(","))


def test_a_column_that_is_named_by_the_user_may_stand_beside_numbers():
    table = "x.csv", b"task_name,1,2\na,1,1\nb,0,1\n"
    assert verdicts(table, columns={"question_id": "task_name"}) == (["a", "b"], [[1, 1], [0, 1]])


@pytest.mark.parametrize(
    "header", ["id,1,2,4", "id,2023,2024,2025", "id,score_2023,score_2024,score_2025"]
)
def test_numbers_that_are_no_samples_are_refused(header):
    with pytest.raises(LoadError, match="are not numbered 0, 1, 2 or 1, 2, 3"):
        load(("x.csv", f"{header}\na,1,0,1\nb,1,1,1\n".encode()))


def test_a_sample_column_that_is_missing_is_noted():
    report = load(("x.csv", b"id,correct_0,correct_1,correct_3\na,1,0,1\nb,1,1,1\n"))
    assert report.runs[0].outcomes.correct.tolist() == [[1, 0, 1], [1, 1, 1]]
    assert "There is no column correct_2" in str(report.notes[0].what)


def test_scores_of_fewer_samples_than_verdicts_are_left_out():
    data = b"id,correct_0,correct_1,correct_2,score_0,score_1\na,1,0,1,.5,.1\nb,1,1,1,0,0\n"
    report = load(("x.csv", data))
    assert report.runs[0].outcomes.correct.tolist() == [[1, 0, 1], [1, 1, 1]]
    assert report.runs[0].outcomes.scores is None
    assert "score_0, score_1 are left out" in str(report.notes[0].what)


@pytest.mark.parametrize(
    "header", [",sample,correct", "Unnamed: 0,sample,correct", ",correct_0,correct_1"]
)
def test_ids_in_a_first_column_without_a_name_tell_the_questions_apart(header):
    rows = "a,0,1\na,1,0\nb,0,0\nb,1,1\n" if "sample" in header else "a,1,0\nb,0,1\n"
    report = load(("x.csv", f"{header}\n{rows}".encode()))
    (run,) = report.runs
    assert [*run.outcomes.questions] == ["a", "b"]
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]
    assert "The first column has no name" in str(report.notes[0].what)


def test_numbers_without_a_name_are_not_taken_before_a_column_called_question():
    """As `pandas.concat` leaves them: from 0 again in every part."""
    data = b",model,question,sample,correct\n0,u,a,0,1\n1,u,a,1,0\n0,v,a,0,1\n1,v,a,1,1\n"
    report = load(("x.csv", data))
    assert [run.outcomes.correct.tolist() for run in report.runs] == [[[1, 0]], [[1, 1]]]


def test_rows_that_are_only_numbered_are_no_questions():
    data = b",theme,correct\n0,u,1\n1,u,0\n2,v,0\n3,v,1\n"
    with pytest.raises(ColumnChoice, match="numbers its rows") as caught:
        load(("x.csv", data))
    assert caught.value.candidates == ("theme",)
    assert verdicts(("x.csv", data), columns={"question_id": "theme"}) == (
        ["u", "v"],
        [[1, 0], [0, 1]],
    )


@pytest.mark.wide
@pytest.mark.parametrize("name", ["verdict", "ok?", "Ergebnis"])
@pytest.mark.parametrize(("right", "wrong"), [("PASS", "FAIL"), ("WAHR", "FALSCH"), (1, 0)])
def test_columns_named_a_verdict_are_read_and_ids_are_known_by_their_design(name, right, wrong):
    rows = [(q, s, right if c else wrong, 100 + s) for q, s, c in ROWS]
    made = [dict(zip(("aufgabe", "sample", name, "words"), row, strict=True)) for row in rows]
    source = "x.parquet", parquet(pa.Table.from_pylist(made))
    assert verdicts(source) == verdicts(table("question_id,sample,correct"))
    notes = [str(note.what) for note in load(source).notes]
    assert "Questions are told apart by aufgabe: 3 questions x 2 samples: 50.0%." in notes


@pytest.mark.wide
@pytest.mark.parametrize("name", ["label", "level"])
@pytest.mark.parametrize(("right", "wrong"), [("PASS", "FAIL"), ("True", "False"), ("1", "0")])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_column_that_could_be_the_verdict_is_offered_the_likely_first(
    name, right, wrong, ending
):
    rows = [(q, s, right if c else wrong, 100 + s) for q, s, c in ROWS]
    made = [dict(zip(("aufgabe", "sample", name, "words"), row, strict=True)) for row in rows]
    write = {"csv": delimited(";"), "parquet": parquet}[ending]
    source = f"x.{ending}", write(pa.Table.from_pylist(made))
    with pytest.raises(ColumnChoice) as caught:
        load(source)
    assert caught.value.candidates[0] == name
    assert "words" not in caught.value.candidates
    assert verdicts(source, columns={"correct": name}) == verdicts(
        table("question_id,sample,correct")
    )


def test_a_verdict_is_offered_beside_a_column_whose_name_promises_one():
    data = b"id,sample,score,marked\na,0,A+,yes\na,1,B,no\n"
    with pytest.raises(ColumnChoice) as caught:
        load(("x.csv", data))
    assert caught.value.candidates[0] == "marked"


def test_a_result_of_true_and_false_in_lines_of_json_is_the_verdict():
    lines = "".join(
        f'{{"id": {q}, "pred": "{q}", "gold": "1", "result": {r}}}\n'
        for q, r in enumerate(("true", "false", "true"))
    )
    assert verdicts(("x.jsonl", lines.encode()))[1] == [[1], [0], [1]]


@pytest.mark.wide
@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("name", [None, "dataset", "benchmark"])
def test_a_run_names_its_dataset_where_a_column_does(name, folded, monkeypatch):
    """Even if it is called as the file is."""
    monkeypatch.setattr(folding, "ROWS", 1 if folded else 1 << 40)
    rows = pa.table({"id": [*"aabb"], "sample": [0, 1] * 2, "correct": [1, 0, 0, 1]})
    if name:
        rows = rows.append_column(name, pa.array(["t"] * 4))
    (run,) = load(("t.parquet", parquet(rows))).runs
    assert (run.dataset, run.names_dataset) == ("t", name is not None)
    assert load(("t.csv", delimited(",")(rows))).runs[0].names_dataset is (name is not None)
