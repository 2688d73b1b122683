"""Tables whose columns are not called as kofn calls them: recognised, asked for, or explained."""

import pytest

from reports import LoadError, load
from reports.errors import ColumnChoice

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
    assert caught.value.candidates == ("pass", "seconds")
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
        load(("x.csv", b"q" * 200_000 + b",1\na,1\n"))


@pytest.mark.parametrize("header", [",0,1,2", "0,1,2,3", "question_id,1,2,3"])
def test_numbers_name_the_samples_of_a_wide_table(header):
    (run,) = load(("x.csv", f"{header}\n0,1,1,0\n1,0,1,1\n".encode())).runs
    assert run.outcomes.shape[1] == sum(name.isdigit() for name in header.split(","))


def test_a_column_that_is_named_by_the_user_may_stand_beside_numbers():
    table = "x.csv", b"task_name,1,2\na,1,1\nb,0,1\n"
    assert verdicts(table, columns={"question_id": "task_name"}) == (["a", "b"], [[1, 1], [0, 1]])
