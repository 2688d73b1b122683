"""Tables without usable outcomes, too large or damaged: what, where, and how to fix it."""

import contextlib

import numpy as np
import pyarrow as pa
import pytest

from reports import LoadError, load
from tests.reports.tables.parquet_tables import only, refusal
from tests.reports.tables.written_tables import parquet


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        (
            {"id": [1], "x": [1]},
            ["has no column of outcomes among id, x", "such as --column correct=x; there are: x."],
        ),
        ({f"c{i}": [1] for i in range(40)}, ["c0, c1, c2, c3, c4, c5, c6, c7, …"]),
        ({"id": [1, 1], "correct": [1, 3]}, ["column correct: row 2 holds 3; a verdict is 0 or 1"]),
        ({"id": [1], "correct": [0.5]}, ["column correct: row 1 holds 0.5; a verdict is 0 or 1"]),
        (
            {"id": [1], "score": [-0.5]},
            ["column score: row 1 holds -0.5; a score lies between 0 and 1"],
        ),
        ({"id": [1], "score": [np.inf]}, ["column score: row 1 holds inf"]),
        ({"id": [1], "r1": [1], "r2": [2]}, ["column r2: row 1 holds 2"]),
        ({"id": [1], "correct": [[1, 7]]}, ["column correct: row 1 holds 7"]),
        (
            {"id": [1, 2], "correct": ["yes", "maybe"]},
            ["column correct: holds maybe, which kofn knows neither as right nor as wrong"],
        ),
        ({"id": [1], "correct": [{"v": 1}]}, ["column correct: holds struct<v: int64>"]),
        ({"id": [1], "correct": [[[1]]]}, ["column correct: holds list<element: list<"]),
        ({"id": [1], "correct": [None]}, ["column correct: is empty in every row"]),
        ({"id": [1], "score": [np.nan]}, ["column score: is empty in every row"]),
        ({"id": [1], "is_corrects": [[None, None]]}, ["is_corrects: is empty in every row"]),
        (
            {"correct": [1, 0]},
            ["no column that says which question", "Name that column question_id"],
        ),
        ({"id": [{"x": 1}], "correct": [1]}, ["no column that says which question"]),
        ({"id": ["a", None], "correct": [1, 0]}, ["column id: is empty in 1 row. Fill it in"]),
        (
            {"id": ["a", "b"], "model": [None, "m"], "correct": [1, 0]},
            ["column model: is empty in 1 row."],
        ),
        ({"id": pa.array([], pa.string()), "correct": pa.array([], pa.int8())}, ["has no rows"]),
        (
            {"id": [1, 1, 1], "sample": [0, 0, 1], "correct": [1, 0, 1]},
            ["column id, sample: question 1 has the same sample more than once (1 such row)"],
        ),
        (
            {"id": [1, 1, 1], "sample": [0, 0, 1], "correct": [1, 0, 1], "k": [5, 6, 6]},
            [
                "more than once (1 such row), perhaps because a setting differs",
                "--column setting=k",
            ],
        ),
        ({"id": ["a", "a"], "r1": [1, 0], "r2": [1, 0]}, ["Give each question one row"]),
        (
            {"id": [1], "correct_1": [1], "correct-1": [1]},
            ["correct_1, correct-1: both columns hold"],
        ),
        (
            {"id": [1], "correct": [1], "passed": [0]},
            ["correct and passed could both be the outcomes, and they disagree"],
        ),
        (
            {"id": [1], "score": [0.1], "anls": [0.2]},
            ["score and anls could both be the outcomes, and they disagree"],
        ),
        (
            {"id": [1], "Correct": [1], "correct": [0]},
            ["column Correct: several columns have this name"],
        ),
        ({"id": [1], "correct": [[1, 0]], "score": [[0.1]]}, ["the lists of a question differ"]),
        (
            {"id": np.arange(1001), "model": np.arange(1001).astype(str), "correct": [1] * 1001},
            ["column model: has 1,001 values; kofn reads up to 1,000"],
        ),
    ],
)
def test_a_table_without_usable_outcomes_says_where_what_and_how_to_fix_it(columns, parts):
    message = refusal(columns)
    assert message.startswith("t.parquet")
    assert message.endswith(".")
    assert len(message) < 400
    for part in parts:
        assert part in message


def test_a_table_of_too_many_runs_is_refused_before_any_is_made(monkeypatch):
    monkeypatch.setattr("reports.tables.meaning.refusals.MAX_RUNS", 11)
    data = {"model": list("aaaabbbbcccc"), "dataset": list("wxyz") * 3, "correct": [1] * 12}
    assert "holds more than 11 runs. Choose some of them" in refusal({"id": [1] * 12, **data})
    fewer = {name: values[:11] for name, values in {"id": [1] * 12, **data}.items()}
    assert len(load(("t.parquet", parquet(fewer))).runs) == 11


def test_a_question_that_swallows_all_samples_is_refused_before_the_matrix_is_made():
    n = 30_000
    message = refusal({"id": [*range(n), *[0] * n], "correct": [1] * 2 * n})
    assert "one question has 30,001 samples, the median question 1" in message
    message = refusal({"id": range(n), "correct": [[1]] * (n - 1) + [[1] * n]})
    assert "one question has 30,000 samples" in message


def test_a_table_of_too_many_values_is_refused_unread(monkeypatch):
    monkeypatch.setattr("reports.tables.bounds.MAX_VALUES", 1000)
    data = {"id": range(600), "correct": [1] * 600}
    assert "holds more than 1,000 values" in refusal(data)
    assert only({name: values[:400] for name, values in data.items()}).outcomes.shape == (400, 1)


def test_a_truncated_or_damaged_file_is_a_load_error():
    data = parquet({"id": [str(i) for i in range(500)], "correct": [1, 0] * 250})
    for cut in range(4, len(data), 97):
        with pytest.raises(LoadError, match="cannot be read as Parquet"):
            load(("t.parquet", data[:cut]))
    with pytest.raises(LoadError, match="cannot be read as Parquet"):
        load(("t.parquet", b"PAR1 hello PAR1"))
    with pytest.raises(LoadError, match="cannot be read as Parquet"):
        load(("t.parquet", b"hello"))


def test_more_columns_than_kofn_reads_are_refused(monkeypatch):
    monkeypatch.setattr("reports.tables.schema.columns.MAX_COLUMNS", 40)
    message = refusal({f"c{i}": [1] for i in range(41)})
    assert "has 41 columns; kofn reads up to 40" in message


@pytest.mark.parametrize("changes", [60, pytest.param(4_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["long", "list"])
def test_a_file_with_changed_bytes_gives_runs_or_a_load_error(kind, changes):
    """pyarrow ends the process on some of these if it is asked for the sizes of columns."""
    n = 300
    columns = {
        "long": {
            "id": [f"q{i % 30}" for i in range(n)],
            "sample": range(n),
            "correct": [1, 0, None] * (n // 3),
            "error": [None] * n,
            "extracted": [str(i % 5) for i in range(n)],
        },
        "list": {"id": range(n), "is_corrects": [[1, 0]] * n, "tokens": [[1, 2]] * n},
    }[kind]
    whole = parquet({name: list(values) for name, values in columns.items()})
    rng = np.random.default_rng(1)
    for _ in range(changes):
        data = bytearray(whole)
        for position in rng.integers(0, len(data), rng.integers(1, 6)):
            data[position] = rng.integers(256)
        with contextlib.suppress(LoadError):
            load(("t.parquet", bytes(data)))


def test_a_footer_whose_names_are_numbers_is_damaged():
    texts = {"question_id": [1, 2], "\x11": [1, 2], "correct": [0, 1], "prediction": ["a", "b"]}
    data = parquet(texts)
    name, number = b"\x19\x18\x01\x11", b"\x19\x15\x01\x11"  # a list of a string, of an integer
    assert name in data
    with pytest.raises(LoadError, match="damaged footer"):
        load(("t.parquet", data.replace(name, number)))


def test_a_table_packed_a_millionfold_is_refused_before_it_is_unpacked():
    rows = 5_000_000
    data = parquet(
        {"id": pa.array(np.zeros(rows, np.int32)), "correct": pa.array(np.zeros(rows, np.int64))}
    )
    assert len(data) < 1 << 20
    with pytest.raises(LoadError, match="holds 5,000,000 samples in"):
        load(("t.parquet", data))
