"""Tables in every format: content decides, and one table in any of them gives equal outcomes."""

from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import load
from reports.tables import folding
from tests.reports.tables.written_tables import (
    delimited,
    feathered,
    json_list,
    lines,
    npz,
    only,
    parquet,
    refusal,
    streamed,
    utf16_lines,
)

WRITERS = [
    *(parquet, feathered, streamed, lines, utf16_lines, json_list),
    *(delimited(mark) for mark in ",\t;|"),
    delimited(",", "utf-16"),
    delimited(",", "utf-8-sig", b"\r\n"),
]
ids = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1, max_size=4)


@pytest.mark.wide
@settings(max_examples=6)
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


@pytest.mark.parametrize("write", [parquet, feathered, streamed])
@pytest.mark.parametrize("rows", [1, 1 << 40])
def test_a_uuid_is_the_text_that_it_is_written_as(write, rows, monkeypatch):
    monkeypatch.setattr(folding, "ROWS", rows)
    ids = [UUID(int=7**40 * number) for number in range(6)]
    of_rows = [each for each in ids for _ in range(2)]
    more = {"sample": [0, 1] * 6, "correct": [1, 0, 1, 1] * 3}
    by_uuid = pa.table({"question_id": pa.array([i.bytes for i in of_rows], pa.uuid()), **more})
    by_text = pa.table({"question_id": [*map(str, of_rows)], **more})
    run, same = only("x", write(by_uuid)), only("x", write(by_text))
    assert set(run.outcomes.questions) == {*map(str, ids)}
    assert run.outcomes.digest == same.outcomes.digest


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
