"""Tables that cannot be read: where, what, and what was expected."""

import pandas as pd
import pyarrow as pa
import pytest

from reports import load
from reports.files.errors import ColumnChoice, LoadError
from tests.reports.tables.written_tables import feathered, only, refusal


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("t.csv", b"id,correct\n", "the table has no rows"),
        ("t.csv", b"id,correct", "the table has no rows"),
        ("t.csv", b"correct\n1\n", "'correct', is not divided by tab, comma, semicolon or bar"),
        ("t.csv", b"id,correct\na,1\nb,0,3\n", "cannot be read with ',' between values"),
        (
            "t.csv",
            b"id,correct\na,maybe\n",
            "column correct: holds maybe, which kofn knows neither",
        ),
        ("t.csv", b"id,correct\na," + b"9" * 10_000 + b"\n", "column correct: row 1 holds inf"),
        ("t.csv", b"id,score\na,inf\n", "column score: row 1 holds inf"),
        ("t.csv", b"id,cor\0rect\na,1\n", "holds NUL characters"),
        ("t.csv", b"\x89PNG\r\n\x1a\n\0\0\0", "looks like a document or picture"),
        ("t.csv", ",".join(f"c{i}" for i in range(10_000)).encode(), "has more than 5,000 columns"),
        ("t.csv", b"id,correct\n\x81,1\n", "is not text in UTF-8"),
        ("t.csv", "id,correct\na,1\n".encode("utf-16")[:-1], "is not text in UTF-8"),
        (
            "t.jsonl",
            b'{"id":1,"correct":1}\n{"id":2,"corr\n',
            "line 2, column 1: the JSON ends in",
        ),
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
        (
            "t.csv",
            b"Dear colleague,\nhere are the results, as far as they are known.\n"
            b"The model does well, mostly; see below.\nBest, A.\n",
            "has no column of outcomes among Dear colleague",
        ),
    ],
    ids=lambda value: None if isinstance(value, bytes) else str(value)[:30],
)
def test_what_cannot_be_read_is_refused_with_the_reason(name, data, problem):
    message = refusal(name, data)
    assert message.startswith(name)
    assert problem in message


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        (b"fine,1\nnot so good at all,2\n", False),
        (b"fine,1\nnot so good at all,2\nfine,3\n", True),
        (b"fine,1\nbad,2\n", True),
    ],
    ids=["prose", "words that occur again", "single words"],
)
def test_of_texts_that_may_be_verdicts_a_table_asks_and_of_prose_it_does_not(rows, asked):
    with pytest.raises(LoadError) as refused:
        load(("t.csv", b"grading,number\n" + rows))
    assert isinstance(refused.value, ColumnChoice) == asked
    assert "grading" in str(refused.value)


@pytest.mark.parametrize("orient", ["columns", "split", "index", "values", "table"])
@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
@pytest.mark.parametrize("times", [1, 40])
def test_what_pandas_writes_in_other_orients_says_how_to_write_it(monkeypatch, orient, name, times):
    """Also where more follows than is looked at."""
    for size in ("tables.reader._HEAD", "tables.formats.orients.HEAD", "samples.heads.SIZE"):
        monkeypatch.setattr(f"reports.{size}", 1 << 9)
    rows = {"question_id": ["a", "a", "b", "b"], "sample": [0, 1, 0, 1], "correct": [1, 0, 1, 1]}
    frame = pd.DataFrame({key: times * values for key, values in rows.items()})
    message = refusal(name, frame.to_json(orient=orient).encode())
    assert f'orient="{orient}"' in message
    assert 'orient="records"' in message


def test_a_record_that_differs_from_the_first_thousand_is_named():
    rows = b'{"id":1,"correct":1}\n' * 1200
    message = refusal("t.jsonl", rows + b'{"id":2,"correct":"no"}\n')
    assert "line 1201: the value of correct, 'no', is not of the kind" in message
    run = only("t.jsonl", rows + b'{"id":2,"note":{"a":[1]},"more":"x"}\n')
    assert run.outcomes.correct[1].tolist()[:2] == [-1, -2]
