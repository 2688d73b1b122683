"""Folding a large table gives what reading it in the ordinary way gives, or leaves it alone."""

import contextlib
import gc
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import LoadError, Report, load
from reports.files import upload_store
from reports.tables import engine, folding

cells = st.tuples(
    st.sampled_from(["m'1", 'm"2']),
    st.sampled_from(["d", "e;--"]),
    st.sampled_from(["a", "b", "c", ""]),
    st.integers(-3, 6),
    st.sampled_from([True, False, None]),
)
rows = st.lists(cells, min_size=1, max_size=60, unique_by=lambda row: row[:4])


def columns(found: list[tuple]) -> dict[str, list]:
    names = ("model", "dataset", "question_id", "sample", "correct")
    return dict(zip(names, map(list, zip(*found, strict=True)), strict=True))


def both(path: Path, table: dict, monkeypatch: pytest.MonkeyPatch) -> tuple[Report, Report]:
    pq.write_table(pa.table(table), path)
    ordinary = load(path)
    with monkeypatch.context() as patch:
        patch.setattr(folding, "ROWS", 1)
        patch.setattr(
            "reports.tables.formats.parquet.gather",
            lambda *_: pytest.fail("the table was not folded"),
        )
        return ordinary, load(path)


def as_dictionary(report: Report) -> dict:
    return {
        (run.model, run.dataset): {
            question: (
                [v for v in row.tolist() if v != -2],
                {name: of[i] for name, of in run.outcomes.segments.items()},
            )
            for i, (question, row) in enumerate(
                zip(run.outcomes.questions, run.outcomes.correct, strict=True)
            )
        }
        for run in report.runs
    }


def notes(report: Report) -> list[str]:
    return sorted(str(note.what) for run in report.runs for note in run.notes)


@settings(max_examples=4)
@given(rows.filter(lambda found: any(row[4] is not None for row in found)), st.booleans())
def test_folded_and_ordinary_are_equal(
    tmp_path_factory: pytest.TempPathFactory, found: list[tuple], segmented: bool
) -> None:
    table = columns(found)
    if segmented:
        table["level"] = [{"a": "x", "b": "y", "c": None}.get(q, "z") for q in table["question_id"]]
    path = tmp_path_factory.mktemp("folding") / "t['].parquet".replace("[", "")
    with pytest.MonkeyPatch.context() as monkeypatch:
        ordinary, folded = both(path, table, monkeypatch)
    assert as_dictionary(folded) == as_dictionary(ordinary)
    assert notes(folded) == notes(ordinary)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("n", "failed"), [(1, False), (4, True), (5, False), (8, True), (13, False), (16, True)]
)
def test_every_width_of_cells_is_read_back(
    n: int, failed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(n)
    cells = [(m, d, q, s) for m in "mn" for d in "de" for q in range(9) for s in range(7, 7 + n)]
    verdicts = rng.integers(0, 2, len(cells)).astype(object)
    verdicts[rng.random(len(cells)) < 0.2 * failed] = None
    table = columns([(*cell, v) for cell, v in zip(cells, verdicts.tolist(), strict=True)])
    ordinary, folded = both(tmp_path / "t.parquet", table, monkeypatch)
    assert as_dictionary(folded) == as_dictionary(ordinary)


@pytest.mark.wide
def test_uploads_and_zips_are_folded_too_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [("m", "d", q, s, s == 0) for q in "abc" for s in (0, 1)]
    pq.write_table(pa.table(columns(cells)), tmp_path / "t.parquet")
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(tmp_path / "t.parquet", "t.parquet")
    expected = as_dictionary(load(tmp_path / "t.parquet"))
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(folding, "ROWS", 1)
    monkeypatch.setattr(
        "reports.tables.formats.parquet.gather", lambda *_: pytest.fail("not folded")
    )
    for source in (("t.parquet", (tmp_path / "t.parquet").read_bytes()), tmp_path / "t.zip"):
        assert as_dictionary(load(source)) == expected
        gc.collect()
        assert not [*upload_store.own().iterdir()]


def test_where_nothing_can_be_kept_an_upload_is_read_in_the_ordinary_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [("m", "d", q, s, s == 0) for q in "abc" for s in (0, 1)]
    pq.write_table(pa.table(columns(cells)), tmp_path / "t.parquet")
    (tmp_path / "file").touch()
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(folding, "ROWS", 1)
    report = load(("t.parquet", (tmp_path / "t.parquet").read_bytes()))
    assert as_dictionary(report) == as_dictionary(load(tmp_path / "t.parquet"))


def test_runs_on_the_same_questions_share_their_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"m": "abc", "n": "abc", "o": "ab"}
    cells = [(model, "d", q, s, s == 0) for model, of in asked.items() for q in of for s in (0, 1)]
    _, folded = both(tmp_path / "t.parquet", columns(cells), monkeypatch)
    first, second, third = (run.outcomes.questions for run in folded.runs)
    assert first is second
    assert (first, third) == (("a", "b", "c"), ("a", "b"))


def test_a_segment_that_differs_within_a_question_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {
        "id": [1, 1, 2, 2],
        "sample": [0, 1, 0, 1],
        "correct": [1, 0, 1, None],
        "level": ["x", "y", "x", "x"],
        "domain": ["u", None, "u", "u"],
    }
    ordinary, folded = both(tmp_path / "t.parquet", table, monkeypatch)
    assert as_dictionary(folded) == as_dictionary(ordinary)
    assert [str(note.what) for note in folded.notes] == [
        "level is not used for segments: it differs between the samples of 1 question.",
        "domain is not used for segments: it differs between the samples of 1 question.",
    ]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sample": [0, 0, 1, 2]}, "question 1 has the same sample more than once"),
        ({"correct": [1, 0, 2, 1]}, "column correct: row 3 holds 2"),
        ({"question_id": [1, None, 2, 2]}, "column question_id: is empty in 1 row"),
        ({"sample": [0, None, 0, 1]}, "column sample: is empty in 1 row"),
        ({"model": ["m", None, "m", "m"]}, "column model: is empty in 1 row"),
        ({"correct": pa.array([None] * 4, pa.bool_())}, "column correct: is empty in every row"),
    ],
)
def test_what_is_amiss_is_said_as_ever(
    changed: dict, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"question_id": [1, 1, 2, 2], "sample": [0, 1, 0, 1], "correct": [1, 0, 1, 1]}
    pq.write_table(pa.table(table | changed), tmp_path / "t.parquet")
    monkeypatch.setattr(folding, "ROWS", 1)
    with pytest.raises(LoadError) as caught:
        load(tmp_path / "t.parquet")
    assert message in str(caught.value)


@pytest.mark.wide
def test_what_would_be_too_large_otherwise_comes_without_its_measurements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"id": [1, 1], "sample": [1, 2], "correct": [1, 0], "cost": [1.0, 2.0], "f1": [0.1, 0]}
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    monkeypatch.setattr(folding, "ROWS", 1)
    assert load(tmp_path / "t.parquet").runs[0].columns
    monkeypatch.setattr("reports.tables.formats.parquet.MAX_VALUES", 5)
    report = load(tmp_path / "t.parquet")
    assert report.runs[0].outcomes.correct.tolist() == [[1, 0]]
    assert "only verdicts were read, without f1, cost." in str(report.notes[0].what)


def test_a_damaged_table_is_a_load_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "ROWS", 1)
    path = tmp_path / "t.parquet"
    n = 3000
    table = {"id": np.arange(n) // 3, "sample": np.arange(n) % 3, "correct": np.arange(n) % 2}
    pq.write_table(pa.table(table), path)
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(12):
        data = bytearray(whole)
        for position in rng.integers(0, len(data), 3):
            data[position] = rng.integers(256)
        path.write_bytes(data)
        with contextlib.suppress(LoadError):
            load(path)


@pytest.mark.wide
def test_a_query_tells_how_far_it_has_come_and_ends_where_that_is_refused(tmp_path: Path) -> None:
    numbers = {"x": np.arange(1_000_000) % 100_003}
    pq.write_table(pa.table(numbers), tmp_path / "t.parquet", row_group_size=10_000)
    database = engine.Engine(engine.Stored((str(tmp_path / "t.parquet"),)))
    query = "SELECT x, count(*), list(x || 'x') FROM rows GROUP BY x"
    told: list[float] = []
    assert len(database.read(query, (), told.append)) == 100_003
    assert told == sorted(told)
    assert 0 <= min(told) <= max(told) <= 1

    def refuse(_share: float) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        database.read(query, (), refuse)
    assert len(database.read("SELECT x FROM rows LIMIT 1", (), told.append)) == 1


def test_the_engine_reads_its_file_and_nothing_else(tmp_path: Path) -> None:
    for name in ("own", "other"):
        pq.write_table(pa.table({"x": [1]}), tmp_path / f"{name}.parquet")
    database = engine.Engine(engine.Stored((str(tmp_path / "own.parquet"),)))
    assert database.query("FROM rows").read_all().to_pydict() == {"x": [1]}
    here = {"x": [2]}
    for sql in (
        f"FROM read_parquet('{tmp_path}/other.parquet')",
        f"FROM read_text('{tmp_path}/other.parquet')",
        f"COPY rows TO '{tmp_path}/new.parquet'",
        f"ATTACH '{tmp_path}/new.db'",
        "FROM 'https://example.com/x.parquet'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "FROM here",
    ):
        with pytest.raises(duckdb.Error):
            database.query(sql).read_all()
    assert here
    assert {path.name for path in tmp_path.iterdir()} == {"own.parquet", "other.parquet"}
