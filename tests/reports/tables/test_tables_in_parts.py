"""Parts that Spark, Hive, DuckDB, pandas, pyarrow and split write are one table."""

import gzip
import io
import os
import shutil
import subprocess
import zipfile

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from reports import LoadError, load
from reports.files.folders import packed
from reports.tables import folding
from reports.tables.engine import Engine, Stored

CELLS = [
    (model, dataset, f"q{question}", sample, (question + sample + len(model)) % 2)
    for model in ("alpha", "be ta")
    for dataset in ("maths", "code%")
    for question in range(6)
    for sample in range(3)
]
FRAME = pd.DataFrame(
    CELLS, columns=["model", "dataset", "question_id", "sample", "correct"]
).assign(prediction=[f'says "{row}"\nand more' for row in range(len(CELLS))])

HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def told(report):
    """Return every verdict, and the texts of a run's first and last question."""
    return {
        (run.model, run.dataset): (
            dict(zip(run.outcomes.questions, run.outcomes.correct.tolist(), strict=True)),
            [run.texts(run.outcomes.questions[at]).predictions for at in (0, -1)],
        )
        for run in report.runs
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "t.parquet"
    FRAME.to_parquet(path)
    return told(load(path))


def pieces(frame, count):
    return [frame.iloc[rows] for rows in np.array_split(np.arange(len(frame)), count)]


def by_spark(folder):
    for number, part in enumerate(pieces(FRAME, 3)):
        part.to_parquet(folder / f"part-{number:05d}-3f0e-c000.snappy.parquet", index=False)
        (folder / f".part-{number:05d}-3f0e-c000.snappy.parquet.crc").write_bytes(b"crc")
    (folder / "_SUCCESS").touch()


def by_pandas(folder):
    FRAME.to_parquet(folder, partition_cols=["model", "dataset"])


def by_pyarrow(folder):
    ds.write_dataset(
        pa.Table.from_pandas(FRAME),
        folder,
        format="parquet",
        max_rows_per_file=20,
        max_rows_per_group=20,
    )


def by_duckdb(folder):
    frame = FRAME  # noqa: F841
    duckdb.sql(
        f"COPY frame TO '{folder}' (FORMAT csv, PARTITION_BY (model, dataset), OVERWRITE_OR_IGNORE)"
    )


def as_csv(folder):
    for number, part in enumerate(pieces(FRAME, 3)):
        part.to_csv(folder / f"part-{number}.csv", index=False)


def as_packed_csv(folder):
    for number, part in enumerate(pieces(FRAME, 2)):
        data = gzip.compress(part.to_csv(index=False).encode())
        (folder / f"part-{number}.csv.gz").write_bytes(data)


def as_zstd_lines(folder):
    for number, part in enumerate(pieces(FRAME, 2)):
        data = part.to_json(orient="records", lines=True).encode()
        packed = pa.compress(data, "zstd", asbytes=True)
        (folder / f"part-{number}.jsonl.zst").write_bytes(packed)


def with_one_header(folder):
    for number, part in enumerate(pieces(FRAME, 3)):
        part.to_csv(folder / f"part-{number}.csv", index=False, header=not number)


def as_json(folder):
    for (model, dataset), part in FRAME.groupby(["model", "dataset"]):
        place = folder / f"model={model}" / f"dataset={dataset.replace('%', '%25')}"
        place.mkdir(parents=True)
        rest = part.drop(columns=["model", "dataset"])
        rest.to_json(place / "part-0.jsonl", orient="records", lines=True)


def by_split(*options, name="t.csv", prefix=None):
    """Return what cuts the table as text with split."""

    def cut(folder):
        whole = folder.parent / name
        if name.endswith(".jsonl"):
            FRAME.to_json(whole, orient="records", lines=True)
        else:
            FRAME.to_csv(whole, index=False)
        begin = [] if prefix is None else [prefix]
        subprocess.run(["split", *options, f"../{name}", *begin], cwd=folder, check=True)

    cut.__name__ = " ".join(("split", *options, name, prefix or ""))
    return cut


SPLITS = (
    by_split("-l31", prefix="t.csv."),
    by_split("-d", "-l31"),
    by_split("-d", "-a3", "-l31", prefix="t.csv."),
    by_split("-a3", "-b1000"),
    by_split("-x", "-b200"),
    by_split("-d", "-b30"),
    by_split("-b6"),
    by_split("-l31", "--additional-suffix=.csv"),
    by_split("-d", "-l31", "--additional-suffix=.csv", prefix="t_"),
    by_split("-d", "-l9", "--additional-suffix=.jsonl", name="t.jsonl"),
    by_split("-d", "-l9", name="t.jsonl", prefix="t.jsonl."),
    by_split("-l31", "--filter=gzip > $FILE.gz"),
)
WRITERS = (
    *(by_spark, by_pandas, by_pyarrow, by_duckdb, as_csv, as_packed_csv, with_one_header),
    *(as_json, as_zstd_lines, *SPLITS),
)


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_parts_are_the_table_that_they_are_parts_of(write, tmp_path, whole):
    folder = tmp_path / "outcomes"
    folder.mkdir()
    write(folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    assert len(files) > 1
    report = load(folder)
    assert told(report) == whole
    assert any("parts are read as one table" in str(note.what) for note in report.notes)
    upload = packed("o", [(str(path.relative_to(tmp_path)), path.read_bytes()) for path in files])
    assert told(load(upload)) == whole


def test_other_files_of_a_folder_are_runs_of_their_own(tmp_path):
    for name in ("alpha", "beta", "run-1", "run-2", "seed_0", "ab"):
        (tmp_path / f"{name}.csv").write_text("question_id,correct\nq,1\n")
    assert sorted(run.model for run in load(tmp_path).runs) == [
        *("ab", "alpha", "beta", "run-1", "run-2", "seed_0"),
    ]


def test_what_is_counted_is_not_cut(tmp_path):
    """Runs with numbers have a header each, or are lines as they are; of pieces none may lack."""
    for number in range(2):
        (tmp_path / f"run-0{number}.csv").write_text("question_id,correct\nq,1\n")
        (tmp_path / f"seed0{number}.csv").write_text(f"task,passed\nq{number},1\n")
        (tmp_path / f"s0{number}.jsonl").write_text('{"question_id": "q", "correct": 1}\n' * 2)
        (tmp_path / f"log0{number}").write_text("started\n")
    told = {"correct": "passed", "question_id": "task"}
    runs = sorted(run.model for run in load(tmp_path, columns=told).runs)
    assert runs == ["run-00", "run-01", "s00", "s01", "seed00", "seed01"]


@pytest.mark.parametrize("options", [[], ["-d"], ["-x"]])
def test_pieces_of_which_one_is_missing_are_no_table(options, tmp_path):
    by_split(*options, "-b50", prefix="t.csv.")(tmp_path)
    sorted(tmp_path.iterdir())[11].unlink()
    with pytest.raises(LoadError):
        load(tmp_path)


def test_tables_are_called_as_their_folders_and_stand_beside_others(tmp_path):
    parts = ("one/part-0.csv", "one/part-1.csv", "two/train-00000-of-00001.csv", "three.csv")
    for name in (*parts, "four/a.csv", "four/b.csv", "five/a.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"question_id,correct\n{name},1\n")
    (tmp_path / "four/_SUCCESS").touch()
    (tmp_path / "four/c.csv").touch()
    runs = {run.model: len(run.outcomes.questions) for run in load(tmp_path).runs}
    assert runs == {"one": 2, "three": 1, "train": 1, "four": 2, "a": 1}


def write_hive(root, values, name="step"):
    for number, value in enumerate(values):
        place = root / f"{name}={value}" / "a.csv"
        place.parent.mkdir(parents=True)
        place.write_text(f"question_id,sample,correct\nq,{number},{number % 2}\nr,{number},1\n")


def test_what_folders_say_is_read_as_it_was_meant(tmp_path):
    write_hive(tmp_path / "m", ["a%2Fb", "__HIVE_DEFAULT_PARTITION__"], "subject")
    (run,) = load(tmp_path / "m").runs
    assert run.outcomes.shape == (2, 2)
    write_hive(tmp_path / "n", ["a%2Fb", "c d"], "model")
    assert [run.model for run in load(tmp_path / "n").runs] == ["a/b", "c d"]
    write_hive(tmp_path / "o", ["10", "9"], "model")
    assert {run.model for run in load(tmp_path / "o").runs} == {"9", "10"}


@pytest.mark.parametrize("end", ["csv", "parquet", "jsonl"])
def test_a_column_in_path_and_file_is_that_of_the_path(end, tmp_path):
    rows = pd.DataFrame({"question_id": ["q", "r"], "correct": [1, 0], "model": ["x", "x"]})
    for model in "ab":
        folder = tmp_path / f"model={model}"
        folder.mkdir()
        if end == "csv":
            rows.to_csv(folder / "p.csv", index=False)
        elif end == "jsonl":
            rows.to_json(folder / "p.jsonl", orient="records", lines=True)
        else:
            rows.to_parquet(folder / "p.parquet")
    report = load(tmp_path)
    assert [run.model for run in report.runs] == ["a", "b"]
    assert any("model is in the parts and in the names" in str(note.what) for note in report.notes)


@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_parts_with_unlike_columns_give_what_they_share_and_a_warning(end, tmp_path):
    one = pd.DataFrame({"question_id": ["q", "r"], "sample": [0, 0], "correct": [1, 0]})
    two = pd.DataFrame({"correct": [1.0, 1.0], "cost": [2.0, 3.0], "question_id": ["q", "r"]})
    for number, frame in enumerate((one, two.assign(sample=1))):
        path = tmp_path / f"part-{number}.{end}"
        if end == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path)
    report, again = load(tmp_path), load(tmp_path)
    assert again.notes == report.notes
    assert report.runs[0].outcomes.correct.tolist() == [[1, 1], [0, 1]]
    (note,) = [note for note in report.notes if note.severity == "warning"]
    assert str(note.what) == "cost is not in all parts, and is left out."


def test_parts_of_unlike_types_are_refused(tmp_path):
    for number, correct in enumerate(([1, 0], [["a"], ["b"]])):
        table = pa.table({"question_id": ["q", "r"], "correct": correct})
        pq.write_table(table, tmp_path / f"part-{number}.parquet")
    with pytest.raises(LoadError, match="its parts have a column of unlike types"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("log", "name"),
    [("_delta_log/00000000000000000000.json", "Delta"), ("metadata/v1.metadata.json", "Iceberg")],
)
def test_a_table_that_only_its_log_tells_is_refused_with_advice(log, name, tmp_path):
    by_spark(tmp_path)
    (tmp_path / log).parent.mkdir()
    (tmp_path / log).write_text("{}")
    with pytest.raises(LoadError, match=f"is a table of {name}.* Write it as Parquet"):
        load(tmp_path)


def test_a_damaged_part_is_said_and_other_tables_load(tmp_path):
    by_spark(tmp_path)
    (tmp_path / "part-00001-3f0e-c000.snappy.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(LoadError, match="part"):
        load(tmp_path)
    (tmp_path / "more").mkdir()
    (tmp_path / "more/other.csv").write_text("question_id,correct\nq,1\n")
    report = load(tmp_path)
    assert [run.model for run in report.runs] == ["other"]
    assert [note.severity for note in report.notes] == ["problem"]


def test_no_part_is_read_from_outside(tmp_path):
    folder = tmp_path / "t"
    folder.mkdir()
    as_csv(folder)
    (tmp_path / "secret.csv").write_text("question_id,correct\nsecret,1\n")
    os.symlink(tmp_path / "secret.csv", folder / "part-9.csv")
    report = load(folder)
    assert "secret" not in {q for run in report.runs for q in run.outcomes.questions}
    assert any("did not follow it" in str(note.what) for note in report.notes)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../model=a/part-0.csv", "question_id,correct\nq,1\n")
    with pytest.raises(LoadError):
        load(("t.zip", buffer.getvalue()))


def test_a_table_in_very_many_parts_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("reports.tables.parts.finding.MOST", 2)
    as_csv(tmp_path)
    with pytest.raises(LoadError, match=r"holds a table in 3 parts\. Write it in at most 2"):
        load(tmp_path)


def test_small_parts_that_unpack_to_much_are_refused_before_they_do(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "reports.tables.formats.parquet_table.ParquetTable._read",
        lambda *_: pytest.fail("unpacked"),
    )
    much = pa.table(
        {
            "question_id": pa.array(np.zeros(12_000_000, np.int8)),
            "correct": pa.array(np.zeros(12_000_000, np.int8)),
        }
    )
    for number, part in enumerate((much, much[:1])):
        pq.write_table(part, tmp_path / f"part-{number}.parquet", compression="zstd")
    with pytest.raises(LoadError, match="samples in"):
        load(tmp_path)


def in_folders(folder):
    """One column from folders is in the files too, the other is of integers, or none."""
    late = FRAME["question_id"] > "q2"
    for (model, level), rows in FRAME.groupby(["model", np.where(late, "4", HIVE_NULL)]):
        place = folder / f"model={model}" / f"level={level}"
        place.mkdir(parents=True)
        rows.assign(model="other").to_parquet(place / "0.parquet", index=False)


def large(monkeypatch):
    """Fold every table."""
    monkeypatch.setattr(folding, "ROWS", 1)
    refuse = lambda *_: pytest.fail("not folded")  # noqa: E731
    monkeypatch.setattr("reports.tables.formats.parquet.gather", refuse)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("write", "way"), [(by_spark, "folder"), (by_pyarrow, "zip"), (in_folders, "folder")]
)
def test_large_parts_that_are_alike_are_folded_where_they_lie(
    write, way, tmp_path, monkeypatch, whole
):
    folder = tmp_path / "t"
    folder.mkdir()
    write(folder)
    if (folder / "_SUCCESS").exists():
        (folder / "part-9.parquet").touch()
    source = str(folder)
    if way == "zip":
        source = shutil.make_archive(folder, "zip", folder)
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    large(monkeypatch)
    report = load(source)
    assert told(report) == whole
    assert "parts are read as one table" in str(report.notes[0].what)
    kept = sum(path.stat().st_size for path in tmp_path.glob("kept/*/*"))
    assert bool(kept) == (way == "zip")
    if write is in_folders:
        assert "model is in the parts and in the names" in str(report.notes[1].what)
        levels = report.runs[0].outcomes.segments["level"].tolist()
        assert levels == ["(none)"] * 3 + ["4"] * 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda frame: frame.assign(correct=frame["correct"].astype("int8"), more=1),
        lambda frame: frame[frame.columns[::-1]],
    ],
)
def test_large_parts_that_are_unlike_are_folded_too(spoil, tmp_path, monkeypatch, whole):
    by_spark(tmp_path)
    last = sorted(tmp_path.glob("*.parquet"))[-1]
    spoil(pd.read_parquet(last)).to_parquet(last, index=False)
    large(monkeypatch)
    assert told(load(tmp_path)) == whole


def test_a_column_that_is_called_as_the_number_of_a_file_is_not_taken_for_it(tmp_path, monkeypatch):
    for level, rows in FRAME.groupby(np.where(FRAME["question_id"] > "q2", "late", "early")):
        (tmp_path / f"level={level}").mkdir()
        rows.assign(File_Index=0).to_parquet(tmp_path / f"level={level}/0.parquet", index=False)
    monkeypatch.setattr(folding, "ROWS", 1)
    levels = load(tmp_path).runs[0].outcomes.segments["level"].tolist()
    assert levels == ["early"] * 3 + ["late"] * 3


@pytest.mark.wide
def test_texts_of_parts_that_changed_since_are_not_shown(tmp_path, monkeypatch):
    by_spark(tmp_path)
    large(monkeypatch)
    run = load(tmp_path).runs[0]
    assert run.texts("q1").predictions
    last = sorted(tmp_path.glob("*.parquet"))[-1]
    last.write_bytes(last.read_bytes() + b"x")
    with pytest.raises(LoadError, match="was changed since it was loaded"):
        run.texts("q2")


def test_a_damaged_part_among_large_ones_is_said(tmp_path, monkeypatch):
    by_spark(tmp_path)
    last = sorted(tmp_path.glob("*.parquet"))[-1]
    data = bytearray(last.read_bytes())
    data[40:80] = bytes(40)
    last.write_bytes(data)
    large(monkeypatch)
    with pytest.raises(LoadError, match=r"cannot be read|damaged"):
        load(tmp_path)


def test_what_looks_like_a_tool_s_table_is_said_of_the_table_and_not_of_each_part(tmp_path):
    for number in range(3):
        rows = f"task_id,sample,correct,base_status\nq{number},0,1,pass\n"
        (tmp_path / f"part-{number}.csv").write_text(rows)
    notes = [note for note in load(tmp_path).notes if "that EvalPlus writes" in str(note.what)]
    assert [note.where for note in notes] == [f"{tmp_path.name}.csv"]


def test_the_engine_reads_the_parts_and_nothing_beside_them(tmp_path):
    by_spark(tmp_path)
    first, second, other = map(str, sorted(tmp_path.glob("*.parquet")))
    said = {"who": ["a'b", None], "n": [-3, 7], 'q"': ["1", "2"]}
    stored = Stored((first, second), ("question_id",), said)
    found = Engine(stored).query('SELECT DISTINCT who, n, "q""" FROM rows ORDER BY n').read_all()
    assert found.to_pydict() == {"who": ["a'b", None], "n": [-3, 7], 'q"': ["1", "2"]}
    with pytest.raises(duckdb.Error):
        Engine(stored).query(f"FROM read_parquet('{other}')")


def test_no_row_of_a_part_is_lost_between_stray_quotation_marks(tmp_path):
    lines = ["question_id,sample,correct", *(f"q{row},0,1" for row in range(9))]
    lines[3], lines[6] = '"q2,0,1', 'q5",0,1'
    for number in range(2):
        (tmp_path / f"part-{number}.csv").write_text("\n".join(lines) + "\n")
    with pytest.raises(LoadError, match="a quotation mark opens"):
        load(tmp_path)


def test_a_part_that_shares_no_column_is_no_part_without_a_header(tmp_path):
    (tmp_path / "part-0.csv").write_text("task,passed\nq,1\n")
    (tmp_path / "part-1.csv").write_text("question_id,correct\nq,1\n")
    with pytest.raises(LoadError):
        load(tmp_path)


def halves(folder, **more):
    """Write the questions of some models in two files that nothing but their rows ties together."""
    for name, some in (("early", FRAME.question_id < "q3"), ("late", FRAME.question_id >= "q3")):
        FRAME[some].assign(**more.get(name, {})).to_csv(folder / f"{name}.csv", index=False)


@pytest.mark.wide
@pytest.mark.parametrize("end", [".csv", ".parquet", ".jsonl"])
def test_files_that_share_columns_and_runs_but_no_question_are_one_table(tmp_path, whole, end):
    halves(tmp_path)
    for path in [*tmp_path.iterdir()]:
        frame = pd.read_csv(path)
        path.unlink()
        if end == ".jsonl":
            frame.to_json(path.with_suffix(end), orient="records", lines=True)
        else:
            getattr(frame, f"to_{end[1:]}")(path.with_suffix(end), index=False)
    report = load(tmp_path)
    assert told(report) == whole
    (note,) = (note for note in report.notes if "read as one table" in str(note.what))
    assert str(note.what).startswith(f"early{end}, late{end} are read as one table")
    assert note.severity == "warning"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"model": lambda frame: frame.model + "2"}, ""),
        ({"question_id": lambda frame: frame.question_id.replace({"q5": "q0"})}, ""),
        ({"grade": 1}, "give them the same columns"),
    ],
)
def test_files_that_differ_in_columns_or_share_questions_stay_apart(tmp_path, change, says):
    halves(tmp_path, late=change)
    report = load(tmp_path)
    assert len(report.runs) == 8
    notes = " ".join(str(note.what) for note in report.notes)
    assert "read as one table" not in notes
    assert says in notes


def test_rows_of_files_that_are_one_table_are_chosen(tmp_path):
    halves(tmp_path)
    report = load(tmp_path, where="sample < 2")
    assert [run.outcomes.shape for run in report.runs] == [(6, 2)] * 4
