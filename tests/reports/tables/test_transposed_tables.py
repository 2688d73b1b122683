"""A table that lies the other way round, or may, is refused rather than read wrongly."""

import pytest

from tests.reports.tables.written_tables import only, refusal

BY_MODEL = "has one row for each model and none for each question"


@pytest.mark.parametrize("chosen", [None, {"correct": "q"}, {"correct": "q", "question_id": "who"}])
@pytest.mark.parametrize("first", ["who", "model", "sample", "run", ""])
def test_columns_of_questions_are_no_samples(first, chosen):
    data = f"{first},q1,q2,q3\n0,1,0,1\n1,0,0,1\n2,1,1,1\n".encode()
    if chosen and "question_id" in chosen and first != "who":
        chosen = {"correct": "q", "question_id": first} if first else {"correct": "q"}
    message = refusal("t.csv", data, columns=chosen)
    assert "q1, q2, q3 seem to be questions" in message
    assert "a row for each question" in message


@pytest.mark.parametrize("stem", ["question_", "Problem ", "task-", "item"])
def test_columns_of_questions_go_by_many_names(stem):
    data = f"model,{stem}1,{stem}2\na,1,0\nb,0,1\n".encode()
    assert f"{stem}1, {stem}2 seem to be questions" in refusal("t.csv", data)


@pytest.mark.parametrize("name", ["sample", "Epoch", "rollout_idx"])
@pytest.mark.parametrize("chosen", [False, True])
def test_rows_that_are_samples_are_no_questions(name, chosen):
    data = f"{name},1,2,3\n0,1,0,1\n1,0,0,1\n".encode()
    columns = {"question_id": name} if chosen else None
    assert "1, 2, 3 seem to be questions" in refusal("t.csv", data, columns=columns)


@pytest.mark.parametrize(
    "data",
    [
        b"model,1,2,3,4\nalpha,1,0,1,1\nbeta,0,0,1,0\n",
        b"model,1,2,3,4\nalpha,1,0,1,1\n",
        b"model,dataset,correct_1,correct_2\na,x,1,0\na,y,0,1\nb,x,1,1\n",
        b"model,n,c\nalpha,100,57\nbeta,100,61\n",
        b'model,correct\nalpha,"[1, 0, 1]"\nbeta,"[0, 0, 1]"\n',
    ],
)
def test_a_row_for_each_model_is_refused(data):
    assert BY_MODEL in refusal("t.csv", data)
    assert BY_MODEL in refusal("t.csv", data, columns={"question_id": "model"})


def test_one_question_that_has_a_name_is_one_question():
    run = only("t.csv", b"model,question_id,1,2,3,4\nalpha,first,1,0,1,1\n")
    assert run.outcomes.questions == ("first",)
    assert run.outcomes.correct.tolist() == [[1, 0, 1, 1]]


def test_several_rows_of_a_model_are_questions():
    run = only("t.csv", b"model,1,2\nalpha,1,0\nalpha,0,1\n")
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]


def test_a_wide_table_may_name_its_questions_and_a_seed():
    run = only("t.csv", b"question_id,seed,1,2\na,42,1,0\nb,42,0,1\n")
    assert run.outcomes.questions == ("a", "b")
