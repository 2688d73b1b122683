"""A converted report loads with the outcomes, answers and measurements it had."""

import csv
import json
import os
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kofn.command import main
from metrics.data.outcomes import Outcomes
from reports import LoadError, Run, load, tables
from reports.run.labels import Labels
from reports.run.report import Evidence

ROOT = Path(__file__).parents[2]
REAL = sorted(ROOT.glob("tests/data/*/*.zip"))

FORMULAS = ("=1+1", "'=1", "''@x", "-5", "'-5", "-5+1", "\t=1", "+4,9", "@SUM(A1)", "\r-1")
words = st.text(max_size=5) | st.sampled_from(FORMULAS)
values = words | st.integers(-(2**62), 2**62) | st.booleans() | st.floats(allow_nan=False, width=32)
names = st.one_of(
    words, st.sampled_from(["correct", "sample", "segment.x", "column.y", "value", "tokens_out"])
)


@st.composite
def all_outcomes(draw: st.DrawFn, grouped: bool) -> Outcomes:
    m, n = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    correct = draw(arrays.arrays(np.int8, (m, n), elements=st.integers(-2, 3)))
    scores = None
    if draw(st.booleans()):
        scores = draw(arrays.arrays(np.float64, (m, n), elements=st.floats(0, 1)))
        scores[correct < 0] = np.nan
    label = st.lists(words, min_size=m, max_size=m)
    return Outcomes(
        correct,
        scores,
        draw(st.lists(words, min_size=m, max_size=m, unique=True)),
        draw(st.dictionaries(names, label, max_size=3)),
        draw(st.none() | st.lists(st.integers(0, 2), min_size=m, max_size=m)),
        grouped,
    )


@st.composite
def all_runs(draw: st.DrawFn) -> Run:
    grouping = draw(st.sampled_from(get_args(Evidence)))
    outcomes = draw(all_outcomes(grouping != "unknown"))
    kind = draw(st.sampled_from([np.float64, np.float32, np.int32, np.int8, np.bool_]))
    codes = arrays.arrays(np.int32, outcomes.shape, elements=st.integers(-1, 3))
    return Run(
        draw(words),
        draw(words),
        outcomes,
        threshold=draw(st.none() | st.floats(0, 1)),
        strict=draw(st.booleans()),
        verified=draw(st.none() | st.booleans()),
        grouping=grouping,
        answers=draw(st.none() | codes),
        answer_labels=draw(st.none() | st.just(["", "b", "c", "d"])),
        columns=draw(st.dictionaries(names, arrays.arrays(kind, outcomes.shape), max_size=3)),
        settings=draw(st.dictionaries(words, values, max_size=3)),
        labels={
            name: Labels(draw(codes), ("", "b", "c", "d"))
            for name in draw(st.lists(names, max_size=2, unique=True))
        },
    )


def same(loaded: Run, run: Run) -> None:
    assert loaded.outcomes is not None
    assert run.outcomes is not None
    assert loaded.outcomes.digest == run.outcomes.digest
    assert (loaded.model, loaded.dataset) == (run.model, run.dataset)
    assert (loaded.threshold, loaded.strict) == (run.threshold, run.strict)
    assert {name: repr(value) for name, value in loaded.settings.items()} == {
        name: repr(value) for name, value in run.settings.items()
    }
    for attribute in ("segments", "columns"):
        before = getattr(run.outcomes if attribute == "segments" else run, attribute)
        after = getattr(loaded.outcomes if attribute == "segments" else loaded, attribute)
        assert set(after) == set(before)
        for name in before:
            np.testing.assert_array_equal(after[name], before[name])
    for before, after in (
        (run.outcomes.clusters, loaded.outcomes.clusters),
        (run.outcomes.grouped, loaded.outcomes.grouped),
        (run.grouping, loaded.grouping),
        (run.answers, loaded.answers),
    ):
        assert (before is None) == (after is None)
        if before is not None:
            np.testing.assert_array_equal(after, before)
    told = {name: each.words() for name, each in run.labels.items() if each.codes.max() >= 0}
    assert set(loaded.labels) == set(told)
    for name, each in loaded.labels.items():
        np.testing.assert_array_equal(each.words(), told[name])
    if run.answers is not None and run.answer_labels is not None:
        for code in {*run.answers.ravel().tolist()} - {-1}:
            assert loaded.answer_labels is not None
            assert loaded.answer_labels[code] == run.answer_labels[code]


def test_a_spreadsheet_runs_nothing_of_a_table_in_csv(tmp_path: Path) -> None:
    labels = list(FORMULAS)
    run = Run(
        "=cmd|' /C calc'!A0",
        "@SUM(1)",
        Outcomes([[1], [0]], questions=["=1", "-5"], segments={"=2": ["+a", "b"]}),
        columns={"=3": np.zeros((2, 1)), "-x": np.ones((2, 1))},
        answers=np.array([[0], [5]]),
        answer_labels=labels,
        labels={"=4": Labels(np.array([[1], [6]]), labels)},
    )
    tables.write([run], tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    cells = [cell for row in rows for cell in row]
    assert not [c for c in cells if re.match(r"[=+\-@\t\r]", c) and not is_number(c)]
    assert "-5" in cells
    (again,) = load(tmp_path / "t.csv").runs
    same(again, run)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(runs=st.lists(all_runs(), min_size=1, max_size=3))
def test_what_is_written_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, runs: list[Run]
) -> None:
    folder = tmp_path_factory.mktemp("converted")
    for suffix in tables.SUFFIXES:
        path = folder / f"t{suffix}"
        tables.write(runs, path)
        loaded = load(path).runs
        assert len(loaded) == len(runs)
        for after, before in zip(loaded, runs, strict=True):
            same(after, before)


@pytest.mark.wide
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_report_survives_conversion(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [run for run in load(path).runs if run.outcomes is not None]
    output = tmp_path / "t.parquet"
    status = main(["convert", str(path), "-o", str(output)])
    assert status == (0 if runs else 2)
    if runs:
        loaded = load(output).runs
        for after, before in zip(loaded, runs, strict=True):
            same(after, before)
    else:
        assert "error: Nothing here has outcomes to write" in capsys.readouterr().err
        assert not output.exists()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table in a folder where the command is run."""
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "t.csv"
    path.write_text("question_id,correct\na,1\n")
    monkeypatch.chdir(tmp_path)
    return path


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Convert in vain; return what is said, in one line."""
    assert main(["convert", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("read", "output"),
    [
        ("in/t.csv", "in/t.csv"),
        ("in/t.csv", "in/../in/t.csv"),
        ("in/t.csv", "link.csv"),
        ("link.csv", "in/t.csv"),
        ("in/t.csv", "hard.csv"),
        ("in", "in/t.csv"),
        ("in", "in/new.csv"),
        ("in", "linked/new.csv"),
        ("linked", "in/new.csv"),
        ("in", "hard.csv"),
        ("in", "dangling.csv"),
        ("in/t.csv", "in/t.csv/x.csv"),
    ],
)
def test_an_input_is_never_written(
    read: str, output: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link.csv").symlink_to(table)
    (tmp_path / "linked").symlink_to(table.parent)
    (tmp_path / "dangling.csv").symlink_to(table.parent / "new.csv")
    (tmp_path / "hard.csv").hardlink_to(table)
    before = table.read_bytes()
    said = refused(read, "-o", output, "--force", capsys=capsys)
    where = f"error: {output} is an input, or lies in one ({read})"
    assert said == f"{where}, and inputs are never overwritten."
    assert table.read_bytes() == before
    assert [path.name for path in table.parent.iterdir()] == ["t.csv"]


def test_what_exists_is_replaced_only_by_force(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Path("mine.jsonl")
    other.write_text("mine")
    said = refused("in", "-o", "mine.jsonl", capsys=capsys)
    assert said == "error: mine.jsonl already exists. Give another name, or --force to replace it."
    assert other.read_text() == "mine"
    assert main(["convert", "in", "-o", "mine.jsonl", "--force"]) == 0
    assert load(other).runs[0].outcomes.correct.tolist() == [[1]]


@pytest.mark.parametrize("make", ["mkdir", "mkfifo", "symlink_to"])
def test_only_a_regular_file_is_replaced(
    make: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link to a device stands for the device."""
    output = Path("out.parquet")
    if make == "mkfifo":
        os.mkfifo(output)
    else:
        getattr(output, make)(*(["/dev/null"] if make == "symlink_to" else []))
    kind = output.lstat().st_mode
    said = refused("in", "-o", "out.parquet", "--force", capsys=capsys)
    assert said == "error: out.parquet is not a regular file, and was not changed."
    assert output.lstat().st_mode == kind


@pytest.mark.parametrize("output", ["out", "out.xlsx", "out.parquet.gz", "/dev/null", "-"])
def test_the_suffix_says_the_format(
    output: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused("in", "-o", output, "--force", capsys=capsys)
    known = ".parquet or .csv or .jsonl"
    assert said == f"error: {output} must end in {known}, which says the format."


@pytest.mark.parametrize("suffix", tables.SUFFIXES)
def test_a_link_is_written_through(suffix: str, table: Path) -> None:
    there = Path(f"there{suffix.upper()}")
    Path(f"out{suffix}").symlink_to(there)
    assert main(["convert", "in", "-o", f"out{suffix}"]) == 0
    assert Path(f"out{suffix}").is_symlink()
    assert load(there).runs[0].outcomes.questions == ("a",)


def test_the_formats_are_plain_to_other_tools(tmp_path: Path) -> None:
    run = Run("7B", "gsm, 8k", Outcomes([[1, -1]], [[0.1, np.nan]]), threshold=0.5)
    tables.write([run], tmp_path / "t.csv")
    tables.write([run], tmp_path / "t.jsonl")
    table = pd.read_csv(tmp_path / "t.csv")
    assert table["dataset"].tolist() == ["gsm, 8k"] * 2
    assert table["correct"].tolist()[0] == 1
    assert table["status"].tolist() == ["graded", "failed"]
    first, second = map(json.loads, (tmp_path / "t.jsonl").read_text().splitlines())
    assert (first["correct"], first["score"], first["threshold"]) == (1, 0.1, 0.5)
    assert (second["correct"], second["score"], second["status"]) == (None, None, "failed")
    assert "cluster" not in first


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        (".csv", "graded", "grated"),
        (".jsonl", "graded", "grated"),
        (".csv", ",0,1,", ",0,x,"),
        (".jsonl", '"sample":1', '"sample":[1]'),
        (".jsonl", '"sample":1', '"sample":"1"'),
        (".jsonl", '"sample":1', '"sample":0'),
    ],
)
def test_a_text_that_was_changed_is_refused(
    suffix: str, old: str, new: str, tmp_path: Path
) -> None:
    path = tmp_path / f"t{suffix}"
    tables.write([Run("m", "d", Outcomes([[1, 0], [1, 0]]))], path)
    whole = path.read_text()
    assert old in whole
    path.write_text(whole[::-1].replace(old[::-1], new[::-1], 1)[::-1])
    with pytest.raises(LoadError):
        load(path)


@pytest.mark.wide
def test_batches_and_reports_are_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.tables.writing.canonical._ROWS", 7)
    monkeypatch.setattr("reports.tables.writing.restoring._ROWS", 5)
    rng = np.random.default_rng(0)
    runs = [Run("m", "d", Outcomes(rng.integers(-2, 2, (m, n)))) for m, n in ((40, 3), (9, 8))]
    monkeypatch.setattr("reports.tables.formats.written._LINES", 5)
    monkeypatch.setattr("reports.tables.writing.files._LINES", 4)
    for suffix in tables.SUFFIXES:
        tables.write(runs, tmp_path / f"t{suffix}")
        loaded = load(tmp_path / f"t{suffix}").runs
        for after, before in zip(loaded, runs, strict=True):
            same(after, before)


def test_the_table_is_plain_to_other_tools(tmp_path: Path) -> None:
    run = Run("7B", "gsm8k", Outcomes([[1, -1], [0, -2]], segments={"level": ["a", "b"]}))
    tables.write([run], tmp_path / "t.parquet")
    table = pq.read_table(tmp_path / "t.parquet").to_pydict()
    assert table["question_id"] == ["0", "0", "1", "1"]
    assert table["correct"] == [1, None, 0, None]
    assert table["status"] == ["graded", "failed", "graded", "absent"]
    assert table["segment.level"] == ["a", "a", "b", "b"]
    assert list(tmp_path.iterdir()) == [tmp_path / "t.parquet"]


def test_names_that_no_file_can_hold_are_spelled_out(tmp_path: Path) -> None:
    run = Run(
        "\ud800", "d", Outcomes([[1]], questions=["q\udfff"], segments={"\ud801": ["\ud802"]})
    )
    tables.write([run], tmp_path / "t.parquet")
    (loaded,) = load(tmp_path / "t.parquet").runs
    assert (loaded.model, loaded.outcomes.questions) == ("\\ud800", ("q\\udfff",))
    assert {k: v.tolist() for k, v in loaded.outcomes.segments.items()} == {"\\ud801": ["\\ud802"]}


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = {"note": np.array([["x"]]), "cost": np.array([[1.0]])}
    notes = tables.write(
        [Run("m", "d", Outcomes([[1]]), columns=columns), Run("m", "e", None)],
        tmp_path / "t.parquet",
    )
    assert {str(note.what) for note in notes} == {
        "note is left out: it does not hold numbers.",
        "Has no outcomes to write; the notes of its report say why.",
    }
    assert set(load(tmp_path / "t.parquet").runs[0].columns) == {"cost"}
    csv = tmp_path / "t.csv"
    csv.write_text("id,correct\na,1\n")
    assert main(["convert", str(csv), "-o", str(tmp_path / "none" / "t.parquet")]) == 2
    assert "t.parquet cannot be written: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda t: t.slice(1), "its rows are not the samples of one question after another"),
        (lambda t: t.slice(0, 5), "its rows are not the samples of one question after another"),
        (lambda t: t.slice(0, 0), "the table has no rows"),
        (lambda t: t.drop_columns("status"), "has no single column status"),
        (lambda t: put(t, "correct", pa.array([9] * 6, pa.int8())), "contradict each other"),
        (lambda t: put(t, "question_id", pa.array(["a"] * 6)), "must be unique; a occurs twice"),
        (lambda t: put(t, "sample", pa.array([-1] * 6, pa.int32())), "other than whole numbers"),
        (lambda t: put(t, "score", pa.array([2.0] * 6)), "Soft scores must"),
    ],
)
def test_a_table_that_was_changed_is_refused(change, problem, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    tables.write([Run("m", "d", Outcomes([[1, 0, -1], [0, 0, -2]]))], path)
    pq.write_table(change(pq.read_table(path)), path)
    with pytest.raises(LoadError, match="is a table written by kofn and changed since: ") as caught:
        load(path)
    assert problem in str(caught.value)


def put(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, column)
