"""Rows are chosen by a condition that can do nothing else, in every format alike."""

import io
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from kofn.command import main
from reports import LoadError, load
from reports.tables.where import Where

ROWS = {
    "model": ["a"] * 4 + ["b"] * 4,
    "question id": ["q1", "q1", "q2", "q2"] * 2,
    "sample": [0, 1] * 4,
    "correct": [1, 0, 1, 1, 0, 0, None, 1],
    "level": ["easy", "easy", None, None] * 2,
    "day": ["2026-01-01", "2026-02-01"] * 4,
}
TABLE = pa.table(ROWS)


@pytest.fixture(params=["csv", "jsonl", "json", "parquet"])
def path(request, tmp_path: Path) -> Path:
    file = tmp_path / f"runs.{request.param}"
    rows = TABLE.to_pylist()
    if request.param == "csv":
        pyarrow.csv.write_csv(TABLE, file)
    elif request.param == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif request.param == "json":
        file.write_text(json.dumps(rows))
    else:
        pq.write_table(TABLE, file)
    return file


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("model = 'a' AND sample < 1", [0, 2]),
        ("NOT (MODEL <> 'b') OR \"question id\" = 'q1' -- said", [0, 1, 4, 5, 6, 7]),
        ("level IS NULL AND correct IS NOT NULL", [2, 3, 7]),
        ("level <> 'hard'", [0, 1, 4, 5]),
        ("sample BETWEEN 1 AND 1 AND model IN ('b', 'c')", [5, 7]),
        ("level LIKE 'e%y' AND level NOT ILIKE 'H%' AND 1 <= sample", [1, 5]),
        ("correct = 1.0 AND day >= DATE '2026-02-01'", [3, 7]),
    ],
)
def test_rows_are_kept_as_sql_does(path: Path, where: str, kept: list[int]) -> None:
    report = load(path, where=where)
    table = TABLE.take(kept)
    expected = {
        model: part["correct"].to_pylist()
        for model in dict.fromkeys(table["model"].to_pylist())
        for part in [table.filter(pa.compute.field("model") == model)]
    }
    for run in report.runs:
        held = [v if v >= 0 else None for v in run.outcomes.correct.ravel().tolist() if v > -2]
        assert held == expected[run.model]
        assert str(run.notes[0].what) == f"Only rows where {where}: {len(kept):,} of 8."
    assert len(report.runs) == len(expected)


def test_texts_are_those_of_the_rows_that_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "runs.parquet"
    said = pa.array([f"said {place}" for place in range(8)])
    pq.write_table(TABLE.append_column("prediction", said), file)
    (run,) = load(file, where="model = 'b'").runs
    assert run.texts("q2").predictions == ("said 6", "said 7")


@pytest.mark.parametrize(
    "where",
    [
        *("", "true", "1 = 1", "sample = (SELECT 1)", "EXISTS (SELECT 1)", "sample IN (SELECT 1)"),
        *("sample = 1; DROP TABLE rows", "sample = 1) UNION SELECT 1 FROM (SELECT 1", "sample = ?"),
        *(
            "read_text('/etc/passwd') = 'x'",
            "lower(model) = 'a'",
            "sample + 1 = 2",
            "rows.sample = 1",
        ),
        *("sample = 1) LIMIT (1", "sample = 1) GROUP BY (model", "sample = NULL", "sample = "),
        *("sample = 1) ORDER BY (model", "COLUMNS(*) = 1", "model = 'a' COLLATE nocase"),
        *("(" * 2_000 + "sample = 1" + ")" * 2_000, "sample = 1 AND " * 2_000 + "sample = 1"),
    ],
)
def test_nothing_else_is_a_condition(where: str) -> None:
    with pytest.raises(LoadError, match=r"^--where ") as refused:
        Where.read(where)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("nope = 1", "there is no column nope. There are: model, question id"),
        ("model = 1", "compares model, which holds texts, with 1"),
        ("sample = 'a'", "compares sample, which holds numbers, with 'a'"),
        ("model = 'c'", "matches 0 of 8 rows"),
        ("sample LIKE 'a'", "does not fit the columns"),
        ("model = sample", "does not fit the columns"),
    ],
)
def test_what_does_not_fit_is_one_sentence(path: Path, where: str, sentence: str) -> None:
    with pytest.raises(LoadError, match=sentence) as refused:
        load(path, where=where)
    assert "\n" not in str(refused.value)


def test_one_row_that_is_kept_is_still_a_table(path: Path) -> None:
    (run,) = load(path, where="model = 'a' AND \"question id\" = 'q2' AND sample = 1").runs
    assert run.outcomes.correct.tolist() == [[1]]


def test_row_groups_without_rows_that_count_are_read_of_no_other_column(tmp_path: Path) -> None:
    file = tmp_path / "runs.parquet"
    pq.write_table(TABLE, file, row_group_size=4, compression="zstd")
    data = bytearray(file.read_bytes())
    group = pq.ParquetFile(file).metadata.row_group(1)
    for number in range(1, group.num_columns):
        column = group.column(number)
        start = column.dictionary_page_offset or column.data_page_offset
        end = start + column.total_compressed_size
        data[end - 4 : end] = b"\xff" * 4
    (run,) = load(("runs.parquet", bytes(data)), where="model = 'a'").runs
    assert run.outcomes.shape == (2, 2)
    with pytest.raises(LoadError, match="cannot be read as Parquet"):
        load(("runs.parquet", bytes(data)), where="model = 'b'")


def test_parts_and_several_tables(tmp_path: Path) -> None:
    for name in ("model=c", "model=d"):
        (tmp_path / name).mkdir()
        part = TABLE.slice(0, 4).drop_columns("model")
        pq.write_table(part, tmp_path / name / "part-00000.parquet")
    (run,) = load(tmp_path, where="model = 'd' AND sample = 0").runs
    assert (run.model, run.outcomes.shape) == ("d", (2, 1))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, table in (("x", TABLE), ("y", TABLE.drop_columns("level"))):
            sink = io.BytesIO()
            pq.write_table(table, sink)
            archive.writestr(f"{name}.parquet", sink.getvalue())
    report = load(("both.zip", packed.getvalue()), where="level = 'easy'")
    assert {run.source for run in report.runs} == {"x.parquet"}
    assert any("there is no column level" in str(note.what) for note in report.notes)


def test_only_tables_have_rows_to_choose() -> None:
    log = '{"task_id": "a/0", "completion": "x", "result": "passed", "passed": true}\n'
    with pytest.raises(LoadError, match="chooses rows of tables only"):
        load(("a_results.jsonl", log.encode()), where="passed = true")


@pytest.mark.wide
def test_the_command_takes_it(path: Path, capsys) -> None:
    assert main(["score", str(path), "--where", "model = 'a'"]) == 0
    said = capsys.readouterr()
    assert "Only rows where model = 'a': 4 of 8." in said.err
    assert "b / runs" not in said.out
    assert main(["score", str(path), "--where", "model ="]) == 2
    assert capsys.readouterr().err.startswith("error: --where model =: is not a condition")
