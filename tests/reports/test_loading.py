"""Any file: loaded by the reader that knows it, or refused in one sentence."""

import contextlib
import gc
import os
from pathlib import Path

import pytest

from reports import LoadError, load
from sample_data import make
from tests.reports.mutations import zipped

pytestmark = pytest.mark.usefixtures("own_garbage")


def refusal(source):
    with pytest.raises(LoadError) as caught:
        load(source)
    return str(caught.value)


def test_a_report_knows_its_name_and_digest():
    data = b"question_id,correct\nq,1\n"
    a, b = load(("a.csv", data)), load(("b.csv", data))
    assert (a.name, b.name) == ("a.csv", "b.csv")
    assert a.digest == b.digest


@pytest.mark.parametrize(
    ("name", "data", "what", "needed"),
    [
        ("model.pkl", b"\x80\x04K\x01.", "a Python pickle", "write a table"),
        ("model.bin", b"\x80\x04K\x01.", "a Python pickle", "write a table"),
        ("run.py", b"import os", "a script", "load the run's whole folder"),
        ("task.yaml", b"n: 4", "a configuration", "load the run's whole folder"),
        ("notes.txt", b"hello", "plain text", "a results/*.json file, what"),
        ("report.html", b"<!DOCTYPE html>", "a web page", "a results/*.json file, what"),
        ("photo.png", b"\x89PNG\r\n\x1a\n", "a document or picture", "or a table"),
        ("x.tar", b"x/", "a packed file or archive other than a zip", "or a zip"),
        ("x.xls", b"\xd0\xcf\x11\xe0", "a spreadsheet", "as CSV"),
        ("x.json", b'{"x": 1}', "JSON with the keys x, but not a results file of AIS", "table"),
        ("x.json", b'{"x": ', "JSON, but not a results file of AISBench or OpenCompass", "table"),
        ("x", b"\x00\x01\x02", "a file of an unknown kind", "or a table"),
        ("x.zip", zipped({"a.txt": b"x", "b.c": b"y"}), "2 files without an", "or a table"),
        ("x.zip", zipped({"r.zip": b"PK", "b.c": b"y"}), "2 files without an", "Unpack it"),
        ("x.zip", zipped({"in.zip": b"PK\3\4"}), "a zip inside another zip or folder", "a zip of"),
        ("x.zip", zipped({"a.py": b"", "b.py": b""}), "a script", "load the run's whole folder"),
        ("x.xlsx", zipped({"xl/workbook.xml": b"<x/>"}), "a spreadsheet of Excel", "as CSV"),
        ("x.ipynb", b'{"cells": [], "nbformat": 4}', "a Jupyter notebook", "a table"),
        (
            "x.zip",
            zipped({"a.json": b'{"cells": [], "nbformat": 4}', "b.c": b""}),
            "a Jupyter notebook",
            "a table",
        ),
        ("x.out", b"[2026-11-20 08:04:51] INFO", "plain text", "or a table"),
    ],
)
def test_what_no_reader_knows_is_named_with_what_is_needed(name, data, what, needed):
    message = refusal((name, data))
    assert message.startswith(f"{name}: looks like {what}")
    assert needed in message.split("; kofn does not read that. ")[1]


def test_a_table_like_that_of_another_tool_is_read_once_its_outcomes_are_named():
    table = b"sample_id,eval_id,id,epoch,score_closeness\nx,e,1,1,1\ny,e,1,2,0\n"
    columns = {"correct": "score_closeness", "question_id": "id"}
    assert load(("x.csv", table), columns=columns).runs[0].outcomes.shape == (1, 2)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.json", b"", "x.json: is empty"),
        ("x.parquet", b"", "x.parquet: is empty"),
        ("x.zip", b"", "x.zip: is empty"),
        ("x.zip", b"hello", "x.zip: is not a zip"),
        ("x.zip", zipped({}), "x.zip: holds no files"),
        ("x.parquet", b"hello", "x.parquet: cannot be read as Parquet"),
    ],
)
def test_what_is_empty_or_not_what_its_name_says_is_refused(name, data, message):
    assert refusal((name, data)).startswith(message)


@pytest.mark.parametrize("source", [5, {}, [5], None])
def test_what_is_no_source_is_named(source):
    kind = type(source[0] if isinstance(source, list) else source).__name__
    with pytest.raises(TypeError, match=rf"given by its path, as \(name, bytes\), .*not as {kind}"):
        load(source)


def test_an_empty_folder_and_a_path_that_is_not_there_say_so(tmp_path):
    assert "holds no files" in refusal(tmp_path)
    assert "missing: does not exist. Check the path." in refusal(tmp_path / "missing")


RESULTS = b'{"accuracy": 100.0, "details": [{"pred": ["A"], "answer": ["A"], "correct": [true]}]}'
TABLE = b"question_id,correct\n1,1\n2,0\n"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs Linux")
def test_a_tool_report_that_is_refused_holds_no_file_open(tmp_path):
    path = tmp_path / "r.zip"
    path.write_bytes(
        zipped(
            {
                "x_results.jsonl": b'{"task_id": "a", "completion": "", '
                b'"result": "passed", "passed": true}\n{"task_id": "a"}\n'
            }
        )
    )
    gc.collect()
    gc.disable()
    try:
        with contextlib.suppress(LoadError):
            load(path)
        assert str(path) not in {*map(os.path.realpath, Path("/proc/self/fd").iterdir())}
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "files",
    [
        {"run/results/a/x.json": RESULTS, "run/results/a/y.json": b"{"},
        {"run/results/a/x.json": RESULTS, "run/predictions/a/x.jsonl": b"{"},
        {"x.csv": TABLE, "y.csv": b"question_id,correct\n1,maybe\n"},
        {"x.csv": TABLE, "y.csv.gz": b"\x1f\x8b"},
    ],
)
def test_what_fails_beside_others_holds_no_file_open(tmp_path, files):
    path = tmp_path / "r.zip"
    path.write_bytes(zipped(files))
    gc.collect()
    gc.disable()
    try:
        report = load(path)
        assert [note for owner in (report, *report.runs) for note in owner.notes]
        del report
        assert str(path) not in {*map(os.path.realpath, Path("/proc/self/fd").iterdir())}
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "source",
    [
        make.REPORT,
        make.OUTCOMES,
        Path("tests/data/lm_eval"),
        Path("tests/data/inspect"),
        ("t.csv", b"id,correct\na,1\n"),
        "spark+sc://127.0.0.1:1/outcomes",
        "s3://no-such-bucket/outcomes.parquet",
    ],
    ids=str,
)
def test_a_column_role_that_there_is_not_is_refused_whatever_the_source(source):
    with pytest.raises(LoadError, match=r'no column role "corect"\. Did you mean "correct"\?'):
        load(source, columns={"corect": "verdict"})


def test_a_table_has_no_filter_to_choose():
    with pytest.raises(LoadError, match='no column role "filter"'):
        load(("t.csv", b"id,correct\na,1\n"), columns={"filter": "id"})
