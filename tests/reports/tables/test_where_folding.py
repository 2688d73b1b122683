"""Rows that count give the same runs, whether they are folded where they lie or copied first."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reports import LoadError, load
from reports.tables import folding

SPLIT = 'the \' "split";--'
NAMED = '"' + SPLIT.replace('"', '""') + '"'
splits = st.sampled_from(["test", "Test", "te'st", "dev\n", "a\\", "é%", "", None])
LEVELS = {"a": 0, "b": 1, "c": None, "": -(1 << 62)}
cells = st.tuples(
    st.sampled_from(["m'1", 'm"2']),
    st.sampled_from(["d", "e;--"]),
    st.sampled_from(["a", "b", "c", ""]),
    st.integers(-2, 4),
    st.sampled_from([True, False, None]),
    splits,
)
rows = st.lists(cells, min_size=1, max_size=40, unique_by=lambda row: row[:4]).map(
    lambda found: [(*row, LEVELS[row[2]]) for row in found]
)


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


signs = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
atoms = st.one_of(
    st.builds(lambda s, v: f"{NAMED} {s} {text(v)}", signs, splits.filter(lambda v: v is not None)),
    st.builds(lambda s, v: f"LEVEL {s} {v}", signs, st.sampled_from([0, 1, 2, 1 << 62, 1.5])),
    st.builds(lambda s, v: f"{v} {s} level", signs, st.sampled_from([0, 1])),
    st.sampled_from(
        ["correct", "correct = true", "correct <> 0", "level IS NULL", "correct IS NOT NULL"]
    ),
    st.sampled_from([f"{NAMED} IN ('test', 'dev\n')", "level NOT IN (0, 1)"]),
    st.sampled_from(["level BETWEEN 0 AND 1", "sample <= level", f"model <> {NAMED}"]),
    st.sampled_from(
        [
            f"{NAMED} {how} '{p}'"
            for how in ("LIKE", "NOT LIKE", "ILIKE")
            for p in ("te%", "%e%t", "%\n", "dev_", "%", "é\\%", "")
        ]
    ),
    st.sampled_from(["model = 'm''1'", "dataset <> 'd'", "question_id >= 'b'", "sample > 0"]),
)
conditions = st.recursive(
    atoms,
    lambda some: st.one_of(
        st.builds(lambda one: f"NOT ({one})", some),
        st.builds(
            lambda one, how, other: f"({one}) {how} ({other})",
            some,
            st.sampled_from(["AND", "OR"]),
            some,
        ),
    ),
    max_leaves=4,
)


def table_of(found: list[tuple]) -> pa.Table:
    names = ("model", "dataset", "question_id", "sample", "correct", SPLIT, "level")
    kinds = (pa.string(),) * 3 + (pa.int64(), pa.bool_(), pa.string(), pa.int64())
    columns = zip(names, zip(*found, strict=True), kinds, strict=True)
    return pa.table({name: pa.array(values, kind) for name, values, kind in columns})


def told(path: Path, where: str) -> tuple:
    """Return all that a report says, or why it is refused."""
    try:
        report = load(path, where=where)
    except LoadError as error:
        return ("refused", str(error))
    every = (*report.notes, *(note for run in report.runs for note in run.notes))
    notes = {str(note.what) for note in every}
    return report.digest, report.reader, sorted(notes), sorted(map(rows_of, report.runs))


def rows_of(run) -> tuple:
    rows = zip(run.outcomes.questions, run.outcomes.correct.tolist(), strict=True)
    return (
        run.model,
        run.dataset,
        run.source,
        sorted((q, [v for v in of if v != -2]) for q, of in rows),
    )


@pytest.fixture
def folded(monkeypatch) -> list:
    """Fold whatever can be, and tell what was."""
    found, fold = [], folding.fold
    monkeypatch.setattr(folding, "ROWS", 1)
    monkeypatch.setattr(folding, "fold", lambda *about: found.append(fold(*about)) or found[-1])
    return found


@pytest.mark.wide
@settings(max_examples=4)
@given(rows, conditions)
@example([("m'1", "d", "a", 0, True, "te'st", 1)], f"{NAMED} = 'te''st'")
def test_folded_and_copied_are_equal(tmp_path_factory, found: list[tuple], where: str) -> None:
    path = tmp_path_factory.mktemp("where") / "t.parquet"
    pq.write_table(table_of(found), path, row_group_size=7)
    copied = told(path, where)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "ROWS", 1)
        assert told(path, where) == copied


@settings(max_examples=3)
@given(rows, conditions)
def test_so_are_parts_whose_folders_name_columns(tmp_path_factory, found, where: str) -> None:
    folder = tmp_path_factory.mktemp("where") / "t"
    for level in {row[6] for row in found}:
        part = folder / f"level={'__HIVE_DEFAULT_PARTITION__' if level is None else level}"
        part.mkdir(parents=True)
        some = table_of([row for row in found if row[6] == level]).drop_columns("level")
        pq.write_table(some, part / "part-0.parquet")
    copied = told(folder, where)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "ROWS", 1)
        assert told(folder, where) == copied


def write_parts(folder: Path) -> None:
    for level in (1, 2):
        rows = [
            ("m", "d", q, s, s == 0, split, level)
            for split in ("test", "dev")
            for q in (f"{split} {level} {i}" for i in range(5))
            for s in (0, 1)
        ]
        table = table_of(rows).drop_columns("level")
        said = pa.array([f"{q} says {s}" for _, _, q, s, *_ in rows])
        part = folder / f"level={level}" / "part-0.parquet"
        part.parent.mkdir(parents=True)
        pq.write_table(table.append_column("prediction", said), part)


@pytest.mark.wide
def test_nothing_is_copied_and_texts_are_of_the_rows_that_count(
    tmp_path, monkeypatch, folded
) -> None:
    write_parts(tmp_path / "t")
    refuse = lambda *_, **__: pytest.fail("rows were copied")  # noqa: E731
    monkeypatch.setattr("reports.tables.filtered_tables.keep_made", refuse)
    monkeypatch.setattr("reports.tables.parts.joining.keep_made", refuse)
    (run,) = load(tmp_path / "t", where=f"{NAMED} = 'test' AND sample = 1 AND level = 2").runs
    assert folded
    assert run.outcomes.shape == (5, 1)
    assert str(run.notes[0].what).endswith(": 5 of 40.")
    assert run.texts("test 2 3").predictions == ("test 2 3 says 1",)
    assert {len(texts) for _, texts in run.store.read_predictions(5)} == {1}


@pytest.mark.wide
def test_parts_that_cannot_count_are_not_read(tmp_path, folded) -> None:
    write_parts(tmp_path / "t")
    stored, engine = [], folding.Engine
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "Engine", lambda of: stored.append(of) or engine(of))
        (run,) = load(tmp_path / "t", where="level = 2").runs
    assert run.outcomes.shape == (10, 2)
    assert {paths for of in stored for paths in of.paths} == {
        str(tmp_path / "t" / "level=2" / "part-0.parquet")
    }


@pytest.mark.wide
@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("day > DATE '2026-02-16'", 3),
        ("day = '2026-02-16'", 1),
        ("moment >= '2026-01-01 00:00:01'", 2),
        ("model ILIKE 'M_' AND model LIKE 'm\\%'", 4),
        ("sample < .5", 2),
    ],
)
def test_times_and_patterns_are_folded_too(tmp_path, folded, where: str, kept: int) -> None:
    table = pa.table(
        {
            "model": ["m\\"] * 4,
            "question_id": ["a", "a", "b", "b"],
            "sample": [0, 1, 0, 1],
            "correct": [1, 0, 1, 1],
            "day": pa.array([20_500, 20_501, 20_502, 20_503], pa.int32()).cast(pa.date32()),
            "moment": pa.array([0, 1, 2, None], pa.timestamp("s", "Asia/Shanghai")).cast(
                pa.int64()
            ),
        }
    )
    moment = pa.compute.add(table["moment"], 1_767_225_600).cast(pa.timestamp("s", "Asia/Shanghai"))
    pq.write_table(table.set_column(5, "moment", moment), tmp_path / "t.parquet")
    found = told(tmp_path / "t.parquet", where)
    assert folded
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "ROWS", 5)
        assert told(tmp_path / "t.parquet", where) == found
    assert f"Only rows where {where}: {kept} of 4." in found[2]


@pytest.mark.wide
def test_what_is_no_number_is_nothing(tmp_path) -> None:
    table = pa.table(
        {
            "question_id": ["a", "a", "b", "b"],
            "sample": [0, 1, 0, 1],
            "correct": [1, 0, 1, 1],
            "score": [1.0, float("nan"), 0.5, None],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    for where, kept in (("score > .2", 2), ("NOT score > .2", 0), ("score IS NULL", 2)):
        found = told(tmp_path / "t.parquet", where)
        assert (f"{kept} of 4." in str(found)) if kept else found[0] == "refused"
