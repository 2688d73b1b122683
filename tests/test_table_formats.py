"""Tables in every format: content decides, and one table in any of them gives equal outcomes."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv, feather, ipc

from reports import LoadError, load
from reports.errors import ColumnChoice


def parquet(table):
    pq.write_table(table, buffer := io.BytesIO())
    return buffer.getvalue()


def feathered(table):
    feather.write_feather(table, buffer := io.BytesIO())
    return buffer.getvalue()


def streamed(table):
    with ipc.new_stream(buffer := io.BytesIO(), table.schema) as writer:
        writer.write_table(table)
    return buffer.getvalue()


def delimited(delimiter, encoding="utf-8", ends=b"\n"):
    def write(table):
        csv.write_csv(table, buffer := io.BytesIO(), csv.WriteOptions(delimiter=delimiter))
        return buffer.getvalue().decode().replace("\n", ends.decode()).encode(encoding)

    return write


def lines(table):
    return "\n".join(json.dumps(row) for row in table.to_pylist()).encode() + b"\n"


def utf16_lines(table):
    return lines(table).decode().encode("utf-16")


def json_list(table):
    return json.dumps(table.to_pylist(), indent=1).encode()


WRITERS = [
    *(parquet, feathered, streamed, lines, utf16_lines, json_list),
    *(delimited(mark) for mark in ",\t;|"),
    delimited(",", "utf-16"),
    delimited(",", "utf-8-sig", b"\r\n"),
]
ids = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1, max_size=4)


@settings(max_examples=40)
@given(st.data())
def test_every_format_gives_the_same_runs(data):
    n = data.draw(st.integers(2, 9))
    column = {
        "question_id": data.draw(st.lists(ids, min_size=n, max_size=n)),
        "correct": data.draw(st.lists(st.sampled_from([1, 0, None]), min_size=n, max_size=n)),
        "tokens": data.draw(st.lists(st.integers(0, 999), min_size=n, max_size=n)),
        "model": ["a", *["b"] * (n - 1)],
    }
    column["correct"][0] = column["correct"][-1] = 1
    table = pa.table({name: pa.array(values) for name, values in column.items()})
    (expected, *others) = [load(("x", write(table))).runs for write in WRITERS]
    for runs in others:
        assert [run.model for run in runs] == [run.model for run in expected]
        for run, same in zip(runs, expected, strict=True):
            assert run.outcomes.digest == same.outcomes.digest
            np.testing.assert_array_equal(run.columns["tokens_out"], same.columns["tokens_out"])


def only(name, data, **options):
    (run,) = load((name, data), **options).runs
    return run


def refusal(name, data, **options):
    with pytest.raises(LoadError) as caught:
        load((name, data), **options)
    assert len(str(caught.value)) < 500
    return str(caught.value)


def npz(**arrays):
    np.savez_compressed(buffer := io.BytesIO(), **arrays)
    return buffer.getvalue()


def test_ids_stay_as_they_are_written():
    run = only("t.csv", b'id,correct\n007,1\n=1+1,0\n"a,""b""\nc",1\n1e5,1\nNA,0\n')
    assert run.outcomes.questions == ("007", "=1+1", 'a,"b"\nc', "1e5", "NA")
    run = only("t.jsonl", b'{"id":1,"correct":1}\n{"id":"x","correct":0}\n{"id":1.5,"correct":1}\n')
    assert run.outcomes.questions == ("1", "x", "1.5")


def test_verdicts_may_be_spelled_in_several_ways():
    run = only("t.csv", b"id,correct\na,True\na,false\na,\na,TRUE\n")
    assert run.outcomes.correct.tolist() == [[1, 0, -1, 1]]
    run = only("t.csv", b"id,correct\na,1.0\na,0\na,null\na,NaN\n")
    assert run.outcomes.correct.tolist() == [[1, 0, -1, -1]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", b'id,is_corrects\na,"[True, False]"\nb,"[1, null]"\nc,[]\nd,\n'),
        (
            "t.jsonl",
            b'{"is_corrects":"[1,0]"}\n{"is_corrects":"[true,NaN]"}\n{"is_corrects":"[]"}\n{}\n',
        ),
        (
            "t.jsonl",
            b'{"is_corrects":[1,0]}\n{"is_corrects":[true,null]}\n{"is_corrects":[]}\n{}\n',
        ),
        ("t.parquet", parquet(pa.table({"is_corrects": ["[1,0]", "[ 1.0 , None]", "[]", None]}))),
        ("t.arrow", feathered(pa.table({"is_corrects": ["[1,0]", "[+1,nan]", "[]", None]}))),
    ],
)
def test_lists_may_be_spelled_as_text(name, data):
    assert only(name, data).outcomes.correct.tolist() == [[1, 0], [1, -1], [-2, -2], [-2, -2]]


def test_a_text_that_is_no_list_is_named():
    rows = "".join(f'{{"id":{i},"is_corrects":"[1]"}}\n' for i in range(1500))
    message = refusal("t.jsonl", rows.encode() + b'{"id":-1,"is_corrects":"[x]"}\n')
    assert "column is_corrects: row 1,501 is not a list such as [1, 0, 1]" in message


def test_answers_and_measurements_of_every_shape():
    long = b"id,correct,extracted,judge_score,answer\na,1,7,.5,3\na,0,8,.25,3\n"
    wide = b"id,r1,r2,final_ans_1,final_ans_2,judge_score_1,judge_score_2\na,1,0,7,8,.5,.25\n"
    lists = b'{"id":"a","correct":[1,0],"extracted":["7","8"],"judge_score":[0.5,0.25]}\n'
    for name, data in (("t.csv", long), ("t.csv", wide), ("t.jsonl", lists)):
        run = only(name, data)
        assert run.answers.tolist() == [[0, 1]]
        assert {key: values.tolist() for key, values in run.columns.items()} == {
            "judge_score": [[0.5, 0.25]]
        }


@pytest.mark.parametrize(
    "data",
    [
        b"id,n,c\na,4,2\nb,3,0\n",
        b"id,n,pass_rate\na,4,.5\nb,3,0\n",
        b"id,num_samples,correctness_count,accuracy\na,4,2,.5\nb,3,0,0\n",
    ],
)
def test_counts_stand_for_samples_in_no_order(data):
    report = load(("t.csv", data))
    assert report.runs[0].outcomes.correct.tolist() == [[1, 1, 0, 0], [0, 0, 0, -2]]
    assert "counts correct samples without their order" in str(report.notes[0].what)


def test_a_count_may_be_named_with_its_number_of_samples():
    assert only("t.csv", b"id,sampled_correct_count_3\na,2\n").outcomes.correct.tolist() == [
        [1, 1, 0]
    ]


@pytest.mark.parametrize("rate", ["solve_rate", "llama8b_solve_rate", "pass_rate", "pass@1"])
def test_a_rate_alone_is_refused_with_the_reason(rate):
    message = refusal("t.csv", f"id,{rate}\na,.5\n".encode())
    assert f"column {rate}: holds a rate, but no column says of how many samples" in message


@pytest.mark.parametrize(
    ("data", "role", "candidates"),
    [
        (b"id,judge,rule\na,1,0\n", "correct", ("judge", "rule")),
        (b"id,correct,passed\na,1,0\n", "correct", ("correct", "passed")),
        (b"id,score,f1\na,.1,.2\n", "score", ("score", "f1")),
        (b"id,score_1,score_2,r_1,r_2\na,.1,.2,.3,.4\n", "score", ("score", "r")),
        (b"task,x,correct\na,1,0\n", "question_id", ("task", "x")),
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


def test_other_columns_that_may_name_questions_are_told():
    report = load(("t.csv", b"problem_id,uuid,correct\na,1,1\na,2,0\n"))
    assert report.runs[0].outcomes.shape == (1, 2)
    assert "told apart by problem_id; if another column is meant (uuid)" in str(
        report.notes[0].what
    )
    report = load(
        ("t.csv", b"problem_id,uuid,correct\na,1,1\na,2,0\n"), columns={"question_id": "uuid"}
    )
    assert report.runs[0].outcomes.shape == (2, 1)


def test_what_the_user_names_must_exist():
    data = b"id,correct\na,1\n"
    assert "has no column x to be correct. There are: id, correct." in refusal(
        "t.csv", data, columns={"correct": "x"}
    )
    assert "corect is nothing that a column of a table can be" in refusal(
        "t.csv", data, columns={"corect": "correct"}
    )


def test_arrays_are_models_by_questions_by_samples():
    R = np.random.default_rng(0).integers(0, 2, (2, 5, 3))
    report = load(("runs.npz", npz(aime=R, gsm8k=R[0].astype(bool), mmlu=np.asfortranarray(R[1]))))
    assert [(run.model, run.dataset) for run in report.runs] == [
        ("model 1", "aime"),
        ("model 2", "aime"),
        ("runs", "gsm8k"),
        ("runs", "mmlu"),
    ]
    for run, matrix in zip(report.runs, (R[0], R[1], R[0], R[1]), strict=True):
        np.testing.assert_array_equal(run.outcomes.correct, matrix)
    assert "they are numbered in its order" in str(report.notes[0].what)


def test_categories_of_arrays_are_kept():
    run = only("x.npz", npz(a=np.array([[0, 2, 127]])))
    assert run.outcomes.correct.tolist() == [[0, 2, 127]]


@pytest.mark.parametrize(
    ("array", "problem"),
    [
        (np.array([[object()]]), "holds object instead of numbers; kofn unpickles nothing"),
        (np.array([["a"]]), "instead of numbers"),
        (np.array([[0.5]]), "holds 0.5; an outcome is 0 or 1"),
        (np.array([[np.nan]]), "holds nan"),
        (np.array([[-1]]), "holds -1"),
        (np.array([[128]]), "holds 128"),
        (np.array([1, 0]), "has the shape (2,)"),
        (np.zeros((1, 0)), "has the shape (1, 0)"),
        (np.zeros((1001, 1, 1)), "holds 1,001 models"),
    ],
)
def test_other_arrays_are_refused(array, problem):
    np.save(buffer := io.BytesIO(), array, allow_pickle=True)
    assert problem in refusal("x.npy", buffer.getvalue())


def test_an_array_that_claims_more_than_there_is_takes_no_memory():
    np.save(buffer := io.BytesIO(), np.zeros((10, 10), np.int8))
    data = buffer.getvalue()
    huge = data.replace(b"(10, 10), }      ", b"(19000, 19000), }")
    assert "ends before its 361,000,000 values do" in refusal("x.npy", huge)
    assert "damaged header" in refusal("x.npy", data[:20])


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("t.csv", b"id,correct\n", "the table has no rows"),
        ("t.csv", b"correct\n1\n", "'correct', is not divided by tab, comma, semicolon or bar"),
        ("t.csv", b"id,correct\na,1\nb,0,3\n", "cannot be read with ',' between values"),
        ("t.csv", b"id,correct\na,maybe\n", "column correct: row 1 holds 'maybe'; outcomes"),
        ("t.csv", b"id,correct\na," + b"9" * 10_000 + b"\n", "column correct: holds inf"),
        ("t.csv", b"id,score\na,inf\n", "column score: holds inf"),
        ("t.csv", b"id,cor\0rect\na,1\n", "holds NUL characters"),
        ("t.csv", ",".join(f"c{i}" for i in range(10_000)).encode(), "has more than 5,000 columns"),
        ("t.csv", b"id,correct,t\na,1," + b"x" * (40 << 20), "a row is longer than 16 MiB"),
        ("t.csv", "id,correct\nü,1\n".encode("latin-1"), "is not text in UTF-8"),
        ("t.csv", "id,correct\na,1\n".encode("utf-16")[:-1], "is not text in UTF-8"),
        ("t.jsonl", b'{"id":1,"correct":1}\n{"id":2,"corr', "line 2, column 14: the JSON ends in"),
        ("t.jsonl", b'{"id":1,"correct":1}\n[1]\n', "line 2: is not an object"),
        ("t.jsonl", b'{"id":1,"correct":1}\n{"id":1,"correct":Infinity}\n', "Infinity is not a"),
        ("t.jsonl", b'{"id":1,"correct":' + b"1" * 10_000 + b"}\n", "is beyond 64 bits"),
        ("t.jsonl", b'{"id":' + b"[" * 100_000 + b"\n", "nested too deeply"),
        ("t.jsonl", b'{"id":1}\n{"id":2}\n', "has no column of outcomes among id"),
        ("t.json", b'[{"id":1,"correct":1},{"id"', "the JSON ends in the middle"),
        (
            "t.feather",
            feathered(pa.table({"id": [1], "correct": [1]}))[:-40],
            "cannot be read as Arrow",
        ),
        ("t.feather", b"FEA1" + b"\0" * 40, "is Feather version 1"),
        ("t.csv", b"id,n,c\na,4,5\n", "column n, c: row 1 has 5 of 4 samples"),
        ("t.csv", b"id,n,c\na,4.5,1\n", "column n, c: row 1 has 1 of 4.5 samples"),
        ("t.csv", b"id,n,c\na,4000000000,1\nb,1,1\n", "too uneven or too many"),
        ("t.csv", b"id,n,pass_rate\na,4,.6\n", "row 1 has 2.4 of 4 samples"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else str(value)[:30],
)
def test_what_cannot_be_read_is_refused_with_the_reason(name, data, problem):
    message = refusal(name, data)
    assert message.startswith(name)
    assert problem in message


def test_a_record_that_differs_from_the_first_thousand_is_named():
    rows = b'{"id":1,"correct":1}\n' * 1200
    message = refusal("t.jsonl", rows + b'{"id":2,"correct":"no"}\n')
    assert "line 1201: the value of correct, 'no', is not of the kind" in message
    run = only("t.jsonl", rows + b'{"id":2,"note":{"a":[1]},"more":"x"}\n')
    assert run.outcomes.correct[1].tolist()[:2] == [-1, -2]


def test_a_folder_holds_tables_of_several_formats(tmp_path):
    table = pa.table({"id": ["a"], "correct": [1]})
    (tmp_path / "a.csv").write_bytes(delimited(",")(table))
    (tmp_path / "b.parquet").write_bytes(parquet(table))
    (tmp_path / "c.npz").write_bytes(npz(gsm8k=np.ones((2, 2), int)))
    (tmp_path / "d.csv").write_bytes(b"nothing here")
    (tmp_path / "notes.txt").write_bytes(b"id,correct\na,1\n")
    report = load(tmp_path)
    assert [(run.model, run.dataset) for run in report.runs] == [
        ("a", "a"),
        ("b", "b"),
        ("c", "gsm8k"),
    ]
    assert [(note.where, note.severity) for note in report.notes] == [("d.csv", "problem")]
    assert str(report.reader) == "outcome tables"


def test_damaged_arrays_beside_good_tables_are_noted(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"id,correct\na,1\n")
    (tmp_path / "b.npz").write_bytes(npz(gsm8k=np.ones((2, 2), int))[:-30])
    report = load(tmp_path)
    assert [run.dataset for run in report.runs] == ["a"]
    assert [(note.where, note.severity) for note in report.notes] == [("b.npz", "problem")]
    (tmp_path / "a.csv").unlink()
    with pytest.raises(LoadError, match=r"b\.npz"):
        load(tmp_path)


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
    report = load(tmp_path, columns={"correct": "rule"})
    assert {run.dataset: run.outcomes.correct.tolist() for run in report.runs} == {
        "clear": [[1]],
        "open": [[0]],
    }
    assert report.choices == ()
    (note,) = (note for note in report.notes if note.where == "clear.csv")
    assert "no column rule to be correct" in str(note.what)


def test_an_accuracy_beside_a_number_of_samples_is_a_rate():
    text = b"question_id,n,accuracy\na,4,0.5\nb,4,1.0\nc,4,0.25\n"
    (run,) = load(("rates.csv", text)).runs
    assert run.outcomes.tally().c.tolist() == [1, 2, 4]
    each = b"question_id,n,sample,accuracy\na,2,0,1\na,2,1,0\n"
    (run,) = load(("samples.csv", each)).runs
    assert run.outcomes.correct.tolist() == [[1, 0]]
