"""Small files that would unpack to much: refused before they do, in a process of their own."""

import gzip
import io
import re
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from reports import LoadError, load

GIB, SECONDS = 1.0, 2.0
REPORT, RUN = "r/results/m/d.json", "20260914_101500"
SUMMARY = f"{RUN}/summary/summary_{RUN}.csv"
CONFIG = f"{RUN}/configs/{RUN}_1.py"
HEADER = b"dataset,version,metric,mode,m\n"
MEAN = b'{"accuracy": 50.0}'
MANY = 20_000_000


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def details(of):
    return zipped(**{REPORT: b'{"accuracy": 50.0, "details": [' + of + b"0]}"})


def run(**members):
    return zipped(**{f"{RUN}/results/m/d.json": MEAN, **members})


def parquet(columns, **options):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, compression="zstd", **options)
    return file.getvalue()


def arrow(columns, kind=pa.ipc.new_file, compression="zstd"):
    file, table = io.BytesIO(), pa.table(columns)
    with kind(file, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as to:
        to.write_table(table)
    return file.getvalue()


def repeated(value, rows):
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([value]))


def zeros(rows):
    return pa.array(np.zeros(rows, np.int8))


def lists(count, rows):
    return pa.LargeListArray.from_arrays(np.arange(rows + 1) * count, zeros(rows * count))


def array(shape):
    file = io.BytesIO()
    np.save(file, np.zeros(shape, np.int8))
    return zipped(**{"a.npy": file.getvalue()})


FEW = {
    "objects.zip": (lambda: details(b"{}," * MANY), "values"),
    "list.parquet": (
        lambda: parquet({"question_id": ["q"], "correct": lists(5_000_000, 1)}),
        "holds 5,000,000 samples in",
    ),
    "id.parquet": (
        lambda: parquet({"question_id": ["q" * (100 << 20)], "correct": [1]}),
        "would unpack to 100 MiB",
    ),
}
MORE = {
    "digits.zip": (
        lambda: zipped(**{REPORT: b'{"accuracy": ' + b"9" * MANY + b"}"}),
        "beyond 64 bits",
    ),
    "summary.zip": (
        lambda: run(**{SUMMARY: HEADER + b"d,1,a,gen,50\n" * 3_000_000}),
        "kofn reads summaries of up to 8",
    ),
    "list.feather": (
        lambda: arrow({"question_id": ["q"], "correct": lists(5_000_000, 1)}),
        "holds 5,000,000 samples in",
    ),
    "rows.arrows": (
        lambda: arrow({"id": zeros(MANY), "correct": zeros(MANY)}, pa.ipc.new_stream),
        "holds 20,000,000 samples in",
    ),
    "id.feather": (
        lambda: arrow({"question_id": ["q" * (100 << 20)], "correct": [1]}, compression="lz4"),
        "would unpack to 100 MiB",
    ),
    "lists.zip": (lambda: details(b"[]," * MANY), "values"),
    "numbers.zip": (lambda: details(b"1," * MANY), "values"),
    "one_key.zip": (lambda: details(b'{"":0},' * (MANY // 3)), "values"),
    "in_an_entry.zip": (
        lambda: details(
            b'{"prompt":[' + b"{}," * MANY + b'0],"pred":"1"},{"prompt":"1","pred":"1"},'
        ),
        "values",
    ),
    "objects.json.gz": (lambda: gzip.compress(b"[" + b"{}," * MANY + b"{}]", 1), "almost nothing"),
    "fraction.zip": (
        lambda: zipped(**{REPORT: b'{"accuracy": ' + b"9" * MANY + b".5e" + b"9" * MANY + b"}"}),
        "beyond 64 bits",
    ),
    "id.zip": (
        lambda: zipped(
            **{REPORT: MEAN, "r/predictions/m/d.jsonl": b'{"id":' + b"9" * MANY + b"}\n"}
        ),
        "beyond 64 bits",
    ),
    "predictions.zip": (
        lambda: zipped(
            **{
                REPORT: MEAN,
                "r/predictions/m/d.jsonl": (b'{"id":0,"prediction":[' + b"{}," * 300_000 + b"0]}\n")
                * 60,
            }
        ),
        "values",
    ),
    "records.zip": (
        lambda: zipped(**{"t.jsonl": b'{"question_id":1,"correct":1}\n' + b"{}\n" * MANY}),
        "almost nothing",
    ),
    "lines.zip": (
        lambda: zipped(
            **{"t.jsonl": (b'{"id":1,"correct":1,"a":[' + b"{}," * 300_000 + b"0]}\n") * 60}
        ),
        "values",
    ),
    "columns.zip": (
        lambda: run(**{SUMMARY: b"dataset,version,metric,mode" + b",m" * MANY}),
        "kofn reads summaries",
    ),
    "rows.parquet": (
        lambda: parquet({"question_id": repeated("q" * 100_000, MANY), "correct": zeros(MANY)}),
        "holds 20,000,000 samples",
    ),
    "wide_lists.parquet": (
        lambda: parquet({"question_id": [*map(str, range(600))], "correct": lists(100_000, 600)}),
        "holds 60,000,000 samples",
    ),
    "rows.csv.gz": (
        lambda: gzip.compress(b"question_id,correct\n" + b"1,1\n" * (MANY // 2)),
        "samples in",
    ),
    "list.zip": (
        lambda: zipped(**{"t.csv": b'question_id,correct\n1,"[' + b"1," * 7_000_000 + b'1]"\n'}),
        "samples in",
    ),
    "labels.zip": (
        lambda: zipped(
            **{
                "t.csv": b"question_id,correct,subject\nq,1,"
                + b"s" * 190
                + b"\n"
                + b"".join(b"%d,1,a\n" % i for i in range(1_000_000))
            }
        ),
        "its labels are too long",
    ),
    "one_question.npz": (lambda: array((1, 3 * MANY)), "samples in"),
    "questions.npz": (lambda: array((3 * MANY, 1)), "samples in"),
    "models.npz": (lambda: array((1000, 60_000, 1)), "samples in"),
    "names.zip": (lambda: run(**{CONFIG: b"a\n" * 380_000}), "not a Python configuration"),
    "elements.zip": (lambda: run(**{CONFIG: b"a=[" + b"0," * 350_000 + b"]"}), "not a Python"),
    "nested.zip": (lambda: run(**{CONFIG: b"a=" + b"[" * 380_000}), "not a Python"),
}

MEASURED = """
import sys, time
from pathlib import Path
from kofn.command import main
for path in sys.argv[1:]:
    before = time.process_time()
    main(["score", path])
    took = time.process_time() - before
    (most,) = (line for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
    print("measured", Path(path).name, took, int(most.split()[1]) / 2**20)
"""


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(FEW, marks=pytest.mark.wide),
        *(pytest.param({name: each}, marks=pytest.mark.slow) for name, each in MORE.items()),
    ],
    ids=["few", *MORE],
)
def test_they_are_refused_in_a_sentence_with_little_memory_and_time(cases, tmp_path):
    for name, (made, _) in cases.items():
        (tmp_path / name).write_bytes(made())
    found = subprocess.run(
        [sys.executable, "-c", MEASURED, *cases], cwd=tmp_path, capture_output=True, text=True
    )
    measured = re.findall(r"measured (\S+) (\S+) (\S+)", found.stdout)
    assert [name for name, *_ in measured] == [*cases], found.stderr
    for name, seconds, memory in measured:
        print(f"{name}: {float(seconds):.2f} s, {float(memory):.2f} GiB")
        assert cases[name][1] in " ".join((found.stderr + found.stdout).split())
        assert float(seconds) < SECONDS
        assert float(memory) < GIB


def test_a_page_of_prompts_that_unpacks_to_more_than_there_is_room_for_is_not_shown(monkeypatch):
    monkeypatch.setattr("reports.tables.formats.parquet_table._ROOM", 16 << 20)
    prompts = repeated("p" * (20 << 20), 2)
    data = parquet({"question_id": ["q", "r"], "correct": [1, 0], "prompt": prompts})
    (found,) = load(("t.parquet", data)).runs
    with pytest.raises(LoadError, match="has a page of 20 MiB of texts"):
        found.texts("q")


def test_texts_of_one_question_have_a_budget(monkeypatch):
    monkeypatch.setattr("reports.json_files.located.MOST_AT_ONCE", 4 << 20)
    rows, text = 40, "p" * (1 << 17)
    data = parquet(
        {
            "question_id": [*["q"] * rows, "r"],
            "correct": [1] * (rows + 1),
            "prompt": repeated(text, rows + 1),
        }
    )
    (found,) = load(("t.parquet", data)).runs
    with pytest.raises(LoadError, match="texts of this question take 5 MiB; kofn shows up to 4"):
        found.texts("q")
    assert found.texts("r").prompt[0].text == text
