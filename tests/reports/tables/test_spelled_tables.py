"""Tables that spell their values as people and spreadsheets do: words, decimal commas, NaN."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import LoadError, load
from reports.files.errors import ColumnChoice
from tests.reports.mutations import zipped

VERDICTS = [1, 0, 0, 1, 1, 1]
WORDS = [
    ("yes", "no"),
    ("Yes", "NO "),
    ("Y", "N"),
    ("pass", "fail"),
    ("PASSED", "Failed"),
    ("correct", "incorrect"),
    ("right", "wrong"),
    ("✓", "✗"),
    ("1", "0"),
]


def refusal(source, **options):
    with pytest.raises(LoadError) as caught:
        load(source, **options)
    return str(caught.value)


def parquet(columns):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return "x.parquet", buffer.getvalue()


def columns_of(words):
    right, wrong = words
    return {
        "question_id": [f"q{row // 2}" for row in range(6)],
        "sample": [row % 2 for row in range(6)],
        "correct": [right if verdict else wrong for verdict in VERDICTS],
    }


def as_csv(columns):
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return "x.csv", "\n".join(lines).encode()


def as_jsonl(columns):
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return "x.jsonl", "\n".join(map(json.dumps, rows)).encode()


def of_the_table(report):
    return [str(note.what) for note in report.notes]


@pytest.mark.wide
@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
@pytest.mark.parametrize("write", [as_csv, as_jsonl, parquet])
def test_words_for_right_and_wrong_are_verdicts_and_noted(words, write):
    report = load(write(columns_of(words)))
    assert report.runs[0].outcomes.correct.ravel().tolist() == VERDICTS
    plain = write is as_csv and words == ("1", "0")
    assert any("Verdicts are words in correct" in note for note in of_the_table(report)) != plain


@pytest.mark.parametrize(
    ("words", "said", "told"),
    [
        (("是", "否", "是", ""), "right is 是; wrong is 否.", {}),
        (("WAHR", "FALSCH", "ja", "NaN"), "right is WAHR, ja; wrong is FALSCH.", {}),
        (("no", "FAIL", "no", ""), "all are wrong (no, FAIL).", {}),
        (("yes", "yes", "-", "Yes"), "all are right (yes, Yes).", {}),
        (("A", "B", "?", "C"), "right is A; wrong is B, C.", {"right": "A", "missing": "?"}),
    ],
)
def test_the_words_that_count_as_right_and_wrong_are_said(words, said, told):
    text = "\n".join(["id,correct", *(f"q{n},{word}" for n, word in enumerate(words))])
    report = load(("x.csv", text.encode()), columns=told)
    assert f"Verdicts are words in correct: {said}" in of_the_table(report)


def test_words_may_fill_a_wide_table_a_category_or_a_column_that_the_user_names():
    (run,) = load(("x.csv", b"question_id,run_1,run_2\na,pass,fail\nb,pass,\n")).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [1, -1]]
    (run,) = load(
        parquet({"id": [1, 2], "correct": pa.array(["yes", "no"]).dictionary_encode()})
    ).runs
    assert run.outcomes.correct.tolist() == [[1], [0]]
    named = ("x.csv", b"question_id,verdict\na,pass\nb,fail\n")
    (run,) = load(named, columns={"correct": "verdict"}).runs
    assert run.outcomes.correct.tolist() == [[1], [0]]


def test_numbered_answers_beside_verdicts_are_no_scores():
    table = b"question_id,correct_1,correct_2,sample_1,sample_2\na,1,0,yes,no\nb,1,1,no,no\n"
    (run,) = load(("x.csv", table)).runs
    assert run.outcomes.scores is None
    assert run.outcomes.correct.tolist() == [[1, 0], [1, 1]]


def test_a_word_that_is_no_verdict_is_asked_about_with_the_count_of_each():
    asked = refusal(("x.csv", b"id,correct\na,yes\nb,maybe\n"))
    assert "column correct: holds maybe, which kofn knows neither as right" in asked
    late = columns_of(("yes", "no"))
    late = {name: values * 300 for name, values in late.items() if name != "sample"}
    late["correct"][-1] = "timeout"
    assert "The texts are: yes (1,199), no (600), timeout (1)." in refusal(parquet(late))


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas_are_read_and_noted(delimiter):
    lines = ["question_id;sample;score;latency_s", "a;0;0,25;1,5", "a;1;1,0;2,0", "b;0;0;3"]
    report = load(("x.csv", "\n".join(lines).replace(";", delimiter).encode()))
    (run,) = report.runs
    np.testing.assert_array_equal(run.outcomes.scores, [[0.25, 1], [0, np.nan]])
    np.testing.assert_array_equal(run.columns["latency_s"], [[1.5, 2], [3, np.nan]])
    assert "Numbers have decimal commas: 0,5 is read as one half." in of_the_table(report)


def test_nan_in_lines_of_json_is_no_number_as_python_and_pandas_mean_it():
    lines = b'{"id": 1, "correct": 1}\n{"id": 2, "correct": NaN}\n'
    (run,) = load(("x.jsonl", lines)).runs
    assert run.outcomes.correct.tolist() == [[1], [-1]]
    (run,) = load(("x.json", b"[" + lines.strip().replace(b"\n", b",") + b"]")).runs
    assert run.outcomes.correct.tolist() == [[1], [-1]]


def test_fractions_called_accuracy_are_asked_about():
    table = "x.csv", b"question_id,accuracy\na,0.25\nb,1.0\n"
    with pytest.raises(ColumnChoice, match="if they are rates of several samples, add the number"):
        load(table)
    (run,) = load(table, columns={"score": "accuracy"}).runs
    assert run.outcomes.scores.tolist() == [[0.25], [1]]


def test_means_of_whole_datasets_are_refused_as_rates():
    message = refusal(("x.csv", b"model,dataset,accuracy\na,gsm8k,71.2\nb,gsm8k,77.0\n"))
    assert "column accuracy: holds a rate, but no column says of how many samples" in message


def test_rows_that_nothing_numbers_are_samples_in_their_order_and_that_is_noted():
    (run,) = load(("x.csv", b"question_id,correct\na,1\nb,1\na,0\n")).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [1, -2]]
    assert "No column numbers the samples" in str(run.notes[0].what)


def test_a_file_that_fails_beside_others_is_named_once():
    report = load(("x.zip", zipped({"good.csv": b"id,correct\na,1\n", "bad.csv": b"id,x\na,b\n"})))
    (note,) = [note for note in report.notes if note.severity == "problem"]
    assert note.where == "bad.csv"
    assert str(note.what).startswith("has no column of outcomes among id, x. ")
