"""Folders that Spark 4.3 wrote (tests/data/parts), and what its jobs leave while they run."""

import io
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import LoadError, load
from reports.files.folders import packed
from tests.data.parts.write_by_spark import CELLS

SPARK = Path(__file__).parents[2] / "data/parts"
WRITTEN = ("parquet", "parquet_lz4", "hive", "json", "hive_json", "csv")


def table(name):
    """Return every verdict, text and subject, by run and question."""
    told = {}
    for run in load(name).runs:
        for row, question in enumerate(run.outcomes.questions):
            said = run.texts(question).predictions
            subject = run.outcomes.segments["subject"][row]
            told[run.model, run.dataset, question] = (
                run.outcomes.correct[row].tolist(),
                said,
                subject,
            )
    return told


def truth():
    told = {}
    for model, dataset, subject, question, _, correct, text in CELLS:
        verdicts, texts, _ = told.setdefault(
            (model, dataset, question), ([], [], subject or "(none)")
        )
        verdicts.append(int(correct))
        texts.append(text)
    return {key: (verdicts, (*texts,), subject) for key, (verdicts, texts, subject) in told.items()}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_spark_wrote_is_the_table_that_it_was_given(name):
    report = load(SPARK / name)
    assert len(report.notes) == 1
    assert "read as one table" in str(report.notes[0].what)
    assert table(SPARK / name) == truth()


@pytest.mark.parametrize(
    ("name", "problem", "fix"),
    [
        (
            "csv_with_backslashes",
            "has backslashes before quotation marks",
            "option('escape', '\"')",
        ),
        ("csv_without_names", "seems to hold values instead of the names", "Begin with a line of"),
        ("json_bzip2", "bz2 holds one", "Unpack it, or pack it with gzip or zstd"),
        ("orc", "looks like ORC", "spark.read.orc('FOLDER').write.parquet('TABLE')"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_write_instead(name, problem, fix):
    with pytest.raises(LoadError) as error:
        load(SPARK / "refused" / name)
    assert problem in str(error.value)
    assert fix in str(error.value)


@pytest.fixture
def running(tmp_path):
    """A folder whose job has handed in one of two tasks, as with Hadoop's second algorithm."""
    shutil.copytree(SPARK / "parquet", tmp_path / "t")
    first, second = sorted((tmp_path / "t").glob("part-*"))
    task = tmp_path / "t/_temporary/0/_temporary/attempt_20261122_0001_m_000001_1"
    task.mkdir(parents=True)
    second.rename(task / second.name)
    (tmp_path / "t/_SUCCESS").unlink()
    return tmp_path / "t", first


def test_a_job_that_still_runs_is_said_to_be_unfinished(running):
    folder, first = running
    report = load(folder)
    assert sum(run.outcomes.n_samples() for run in report.runs) == pq.read_metadata(first).num_rows
    (note,) = report.notes
    assert (note.severity, note.count) == ("warning", 1)
    assert str(note.what).startswith("Unfinished: 1 file of a Spark job that still runs")
    files = [
        (f"o/{path.relative_to(folder)}", path.read_bytes()) for path in folder.rglob("*.parquet")
    ]
    assert [note.severity for note in load(packed("o", files)).notes] == ["warning"]


def test_a_job_that_handed_in_nothing_is_refused(running):
    folder, first = running
    first.unlink()
    (folder / "_committed_1").touch()
    with pytest.raises(LoadError, match=r"has not finished writing\. Load it once it holds"):
        load(folder)


def test_a_table_that_spark_streams_into_is_refused_with_advice(tmp_path):
    shutil.copytree(SPARK / "parquet", tmp_path / "t")
    (tmp_path / "t/_spark_metadata").mkdir()
    (tmp_path / "t/_spark_metadata/0").write_text("v1\n")
    with pytest.raises(LoadError, match=r"Spark streaming.*spark\.read\.load\('FOLDER'\)"):
        load(tmp_path / "t")


def parquet(**columns):
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def outcomes(question, **more):
    return parquet(question_id=[question, question], sample=[0, 1], correct=[1, 0], **more)


def runs(files, **options):
    report = load(packed("o", [(f"o/{path}", data) for path, data in files.items()]), **options)
    return report, {(run.model, run.dataset): [*run.outcomes.questions] for run in report.runs}


def test_metadata_of_dask_and_files_of_spark_are_no_parts():
    summary = outcomes("none")
    files = {"part.0.parquet": outcomes("a"), "part.1.parquet": outcomes("b")}
    files |= {"_metadata": summary, "_common_metadata": summary, ".part.0.parquet.crc": b"crc"}
    report, found = runs({**files, "_SUCCESS": b"", "_extra.parquet.tmp": summary})
    assert found == {("o", "o"): ["a", "b"]}
    assert str(report.notes[0].what) == "2 parts are read as one table."
    alone = {"part-0.csv": b"question_id,correct\nq,1\n", "_SUCCESS": b"", "_metadata": summary}
    assert [run.source for run in runs(alone)[0].runs] == ["o"]


def test_what_hive_itself_writes_has_no_ending():
    files = {"model=a/000000_0": outcomes("q"), "model=b/000000_0": outcomes("q")}
    _, found = runs({**files, "model=b/000001_0_copy_1": outcomes("r")})
    assert {model: questions for (model, _), questions in found.items()} == {
        "a": ["q"],
        "b": ["q", "r"],
    }


def test_folders_between_those_of_keys_name_the_tables():
    files = {
        f"model={model}/{version}/dataset={dataset}/part-0.parquet": outcomes(f"{model}{version}")
        for model in "ab"
        for version in ("v1", "v2")
        for dataset in "mn"
    }
    report, found = runs(files)
    assert len(report.runs) == 8
    assert sorted({*found}) == [(model, dataset) for model in "ab" for dataset in "mn"]
    assert {run.source for run in report.runs} == {"o/v1.parquet", "o/v2.parquet"}


@pytest.mark.parametrize("other", ["model=b/part-1.parquet", "part-1.parquet", "step=1/p.parquet"])
def test_parts_below_folders_of_unlike_names_are_refused(other):
    files = {"model=a/dataset=m/part-0.parquet": outcomes("q"), other: outcomes("r")}
    with pytest.raises(
        LoadError, match=r"of some parts and not of others\. Put all parts in folders"
    ):
        runs(files)


def test_keys_may_stand_in_any_order_and_numbers_keep_their_zeros():
    files = {"step=04/model=a/x.parquet": outcomes("q"), "model=b/step=10/y.parquet": outcomes("q")}
    report, _ = runs(files, columns={"setting": "step"})
    assert {run.model: run.settings["step"] for run in report.runs} == {
        "a, step=04": "04",
        "b, step=10": 10,
    }


def test_empty_parts_and_unlike_numbers_make_one_table():
    kinds = ([1, 0], [1.0, 0.0], pa.array([True, False]), pa.array([], pa.int8()))
    files = {
        f"part-{number}.parquet": parquet(
            question_id=[f"q{number}"] * len(correct), sample=range(len(correct)), correct=correct
        )
        for number, correct in enumerate(kinds)
        if number != 2
    }
    report, found = runs({**files, "part-9.parquet": b""})
    assert found == {("o", "o"): ["q0", "q1"]}
    assert not [note for note in report.notes if note.severity != "info"]
    files["part-2.parquet"] = parquet(question_id=["q"], sample=[0], correct=["yes"])
    with pytest.raises(LoadError, match="have a column of unlike types"):
        runs(files)


def test_parts_of_one_folder_in_two_formats_are_two_tables():
    rows = pd.DataFrame({"question_id": ["q"], "correct": [1]})
    files = {f"part-{number}.csv": rows.to_csv(index=False).encode() for number in range(2)}
    report, _ = runs({**files, "part-0.parquet": outcomes("r"), "part-1.parquet": outcomes("s")})
    assert sorted({run.source for run in report.runs}) == ["o.csv", "o.parquet"]
