"""Numbers as spreadsheets write them: thousands apart, what divides values named on line one."""

import json

import pyarrow as pa
import pytest

from reports import load
from tests.reports.tables.written_tables import only, parquet, refusal


def notes(name, data):
    report = load((name, data))
    return [str(note.what) for note in (*report.notes, *report.runs[0].notes)]


def with_tokens(*values, column="tokens"):
    rows = [f'q{i},1,"{value}"' for i, value in enumerate(values)]
    return "\n".join([f"question_id,correct,{column}", *rows]).encode()


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (["1,234", "87", "12,345,678"], [1234, 87, 12345678]),
        (["1,234.5", " 2,000 ", "0.25"], [1234.5, 2000, 0.25]),
        (["-1,234", "+1,234", "0"], [-1234, 1234, 0]),
    ],
)
def test_commas_between_thousands_are_read_with_a_note(values, numbers):
    data = with_tokens(*values)
    assert only("t.csv", data).columns["tokens_out"].ravel().tolist() == numbers
    assert "Commas stand between thousands in tokens: 1,234 is read as 1234." in notes(
        "t.csv", data
    )


def test_other_columns_of_thousands_come_along():
    run = only("t.csv", with_tokens("1,234", "5", column="steps"))
    assert run.columns["steps"].ravel().tolist() == [1234, 5]


def test_questions_may_be_named_by_such_numbers():
    run = only("t.csv", b'question_id,correct\n"1,234",1\n"2,345",0\n')
    assert run.outcomes.questions == ("1,234", "2,345")


@pytest.mark.wide
@pytest.mark.parametrize(
    "values", [["0,5", "0,25"], ["1,23", "1,234"], ["1,234", "1234"], ["0,125"], ["12 s", "7 s"]]
)
@pytest.mark.parametrize("column", ["tokens", "latency_s", "score"])
def test_what_may_mean_something_else_is_left_out_with_a_note(values, column):
    data = with_tokens(*values, column=column)
    assert not only("t.csv", data).columns
    said = f"{column} is left out: it holds texts that are no plain numbers."
    assert said in notes("t.csv", data)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "wide"])
def test_texts_instead_of_numbers_are_noted_in_every_format(kind):
    rows = [{"question_id": f"q{i}", "correct": 1, "tokens": "1,234"} for i in range(3)]
    match kind:
        case "parquet":
            name, data = "t.parquet", parquet(pa.Table.from_pylist(rows))
        case "jsonl":
            name, data = "t.jsonl", "\n".join(map(json.dumps, rows)).encode()
        case "wide":
            name = "t.csv"
            data = b"id,correct_1,correct_2,tokens_1,tokens_2\na,1,0,many,few\n"
    assert any("left out: it holds texts that are no" in note for note in notes(name, data))


def test_a_value_further_down_that_is_no_such_number_is_refused(monkeypatch):
    monkeypatch.setattr("reports.tables.formats.delimited.ROW", 1 << 10)
    data = with_tokens(*["1,234"] * 500, "1,23")
    message = refusal("t.csv", data)
    assert message.startswith("t.csv, column tokens: holds '1,23', and above it numbers such as")


def test_millions_are_no_decimal_commas():
    data = b"question_id;correct;tokens\na;1;1,234,567\nb;0;1,234\n"
    assert only("t.csv", data).columns["tokens_out"].ravel().tolist() == [1234567, 1234]


@pytest.mark.wide
@pytest.mark.parametrize("mark", ";,\t|")
@pytest.mark.parametrize("line", ["sep={}", '"sep={}"', "SEP={}", "\ufeffsep={}"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_in_which_excel_names_what_divides_values_is_honoured(mark, line, end):
    rows = [["question_id", "correct", "response"], ["a", "1", "x, y; z"], ["b", "0", "so"]]
    table = [mark.join(f'"{value}"' for value in row) for row in rows]
    data = end.join([line.format(mark), *table, ""]).encode()
    run = only("t.csv", data)
    assert run.outcomes.correct.ravel().tolist() == [1, 0]
    assert run.texts("a").predictions == ("x, y; z",)


def test_it_decides_where_the_lines_do_not():
    run = only("t.csv", b"sep=;\nquestion_id;a,b;correct\nx;1,2;1\n")
    assert run.outcomes.questions == ("x",)


@pytest.mark.parametrize("data", [b"sep=;", b"sep=;\n", b"sep=:\nquestion_id:correct\na:1\n"])
def test_nothing_but_that_line_is_refused(data):
    assert "the first line, " in refusal("t.csv", data)


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_lists_of_words_are_refused_in_plain_words(name):
    rows = [{"question_id": f"q{i}", "correct": ["yes", "no"]} for i in range(2)]
    data = (
        parquet(pa.Table.from_pylist(rows))
        if name == "t.parquet"
        else "\n".join(map(json.dumps, rows)).encode()
    )
    message = refusal(name, data)
    assert "column correct: holds lists of words; verdicts in a list must be numbers" in message
    assert "item" not in message
