"""The inputs of each reader, damaged: real files, and tables of every shape in every format."""

import gzip
import io
import json
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv, feather, ipc

from reports import load
from reports.files.archive import open_tree
from reports.tables import write
from tests.reports.mutations import (
    damaged,
    damaged_content,
    damaged_lines,
    damaged_members,
    unzipped,
    zipped,
)

DATA = Path(__file__).parents[1] / "data"
SHEET = b"sep=;\nquestion;correct;tokens\na;yes;1,234,567\nb;no;1,234\nc;yes;87\n"
"""As a spreadsheet writes it."""
TOOLS = tuple(sorted(path.parent.name for path in DATA.glob("*/truth.json")))
"""Folders of further tools' files."""
LARGE = 400_000
"""Bytes of a member that is left out of the corpus."""


@cache
def reports(tool):
    """Return real reports of a tool, each by its members."""
    found = [unzipped(path) for path in sorted((DATA / tool).glob("*.zip"))]
    return [{name: data for name, data in one.items() if len(data) < LARGE} for one in found]


def members(tool, pattern):
    """Return some kind of file from all reports of a tool."""
    return [
        (Path(name).name, data)
        for one in reports(tool)
        for name, data in sorted(one.items())
        if Path(name).match(pattern)
    ]


def outcome_tables():
    """Return small tables of every shape."""
    rng = np.random.default_rng(4)
    right = rng.integers(0, 2, 24)
    long = {
        "model": ["a", "b"] * 12,
        "dataset": ["d"] * 24,
        "question_id": np.repeat(["q1", "q2", "q3"], 8),
        "sample": np.tile(np.arange(4).repeat(2), 3),
        "correct": right,
        "score": right * 0.75,
        "extracted": ["7"] * 24,
        "subject": ["easy"] * 24,
        "latency_s": rng.random(24),
        "error": [None] * 23 + ["timeout"],
    }
    lists = {"qid": ["a", "b"], "correct": [[1, 0, 1], [0, 0, 1]], "tokens": [[1, 2, 3], [4, 5, 6]]}
    return {
        "long": pa.table(long),
        "wide": pa.table({"id": ["x", "y", "z"]} | {f"correct_{i}": [1, 0, 1] for i in range(4)}),
        "lists": pa.table(lists),
        "counts": pa.table({"question_id": ["a", "b"], "n": [8, 8], "c": [3, 5]}),
        "true": pa.table({"task_id": [1, 1, 2, 2], "passed": [True, False, None, True]}),
    }


def flat(table):
    """Spell lists as text."""
    columns = {
        name: list(map(str, table[name].to_pylist()))
        if pa.types.is_list(table[name].type)
        else table[name]
        for name in table.column_names
    }
    return pa.table(columns)


def as_csv(table, delimiter=","):
    buffer = io.BytesIO()
    csv.write_csv(flat(table), buffer, csv.WriteOptions(delimiter=delimiter))
    return buffer.getvalue()


def as_parquet(table, **options):
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def as_arrow(table, kind):
    buffer = io.BytesIO()
    if kind == "feather":
        feather.write_feather(table, buffer)
    else:
        with (ipc.new_stream if kind == "stream" else ipc.new_file)(buffer, table.schema) as writer:
            writer.write_table(table)
    return buffer.getvalue()


def as_npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def canonical(tmp):
    """Return tables as kofn writes them itself."""
    found = []
    for path in (DATA / "aisbench" / "textvqa_n3.zip", DATA / "opencompass" / "n4.zip"):
        write(load(path).runs, tmp)
        found.append(tmp.read_bytes())
        tmp.unlink()
    return found


def lone(files, damage):
    """Damage one of several files."""

    def make(rng):
        name, data = rng.choice(files)
        return name, damage(name, data, rng, rng.choice(files)[1])

    return make


def archives(tool):
    """Damage members of a report, and sometimes the zip itself."""
    found = reports(tool)

    def make(rng):
        data = zipped(damaged_members(rng.choice(found), rng))
        return "report.zip", damaged(data, rng) if rng.random() < 0.1 else data

    return make


def folders(tool, place):
    """Damage the files of a folder."""
    found = reports(tool)

    def make(rng):
        shutil.rmtree(place, ignore_errors=True)
        for name, data in damaged_members(rng.choice(found), rng).items():
            path = place / name.encode("utf-8", "replace").decode().strip("/")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            except OSError:
                continue
        place.mkdir(exist_ok=True)
        return place

    return make


def only_bytes(_name, data, rng, other):
    return damaged(data, rng, other)


def lines(_name, data, rng, _other):
    return damaged_lines(data, rng)


def arrays(rng):
    """Damage arrays of numpy within a zip that is whole, or the zip itself."""
    truth = np.random.default_rng(1).integers(0, 2, (2, 3, 4))
    whole = {"gsm8k.npy": as_npy(truth), "math.npy": as_npy(truth[0].astype(float))}
    files = damaged_members(whole, rng, only_bytes)
    match rng.randrange(4):
        case 0:
            return rng.choice(list(files.items()))
        case 1:
            return "t.npz", damaged(zipped(whole), rng)
    return "t.npz", zipped(files)


def packed(files):
    """Damage what gzip packed, or a table before it is packed, at times in two members."""

    def make(rng):
        name, data = rng.choice(files)
        if rng.random() < 0.5:
            return f"{name}.gz", damaged(gzip.compress(data, mtime=0), rng)
        data = damaged_lines(data, rng) if name.endswith("l") else damaged(data, rng)
        at = rng.choice([0, rng.randrange(len(data) + 1)])
        return f"{name}.gz", b"".join(
            gzip.compress(part, mtime=0) for part in (data[:at], data[at:])
        )

    return make


def harness(tool):
    """Damage a file of a tool, or one of a zip of them all."""
    files = {
        path.relative_to(DATA / tool).as_posix(): path.read_bytes()
        for path in sorted((DATA / tool).rglob("*"))
        if path.is_file() and path.name != "truth.json" and path.stat().st_size < LARGE
    }

    archives = {
        name: {member: tree.read(member) for member in tree.files}
        for name, data in files.items()
        if data.startswith(b"PK") and (tree := open_tree((name, data)))
    }

    def make(rng):
        name, data = rng.choice(list(files.items()))
        if name in archives and rng.random() < 0.9:
            data = zipped(damaged_members(archives[name], rng))
        else:
            data = damaged_content(name, data, rng, b"")
        if rng.random() < 0.7:
            return Path(name).name, data
        return "report.zip", zipped(files | {name: data})

    return make


def makers(place):
    """Return what makes the inputs of each reader from a random generator."""
    tables = outcome_tables()
    text = {
        "csv": [(f"{name}.csv", as_csv(table)) for name, table in tables.items()],
        "tsv": [(f"{name}.tsv", as_csv(table, "\t")) for name, table in tables.items()],
        "jsonl": [
            (f"{name}.jsonl", "\n".join(map(json.dumps, table.to_pylist())).encode())
            for name, table in tables.items()
        ],
    }
    text["csv"].append(("sheet.csv", SHEET))
    records = [
        *((f"{n}.json", json.dumps(table.to_pylist()).encode()) for n, table in tables.items()),
        *((f"{n}.json", json.dumps(table.to_pydict()).encode()) for n, table in tables.items()),
    ]
    parquets = [
        *(("t.parquet", as_parquet(table)) for table in tables.values()),
        *(("t.parquet", as_parquet(t, compression="none")) for t in tables.values()),
        *(("t.parquet", data) for data in canonical(place.with_suffix(".parquet"))),
    ]
    bare = tables["long"].select(
        ["model", "dataset", "question_id", "sample", "correct", "subject"]
    )
    kinds = ("feather", "stream", "file")
    arrow = [("t.arrow", as_arrow(table, kind)) for table in tables.values() for kind in kinds]
    tools = {tool: harness(tool) for tool in ("aisbench_performance", *TOOLS)}
    zips = [(p.name, p.read_bytes()) for p in sorted(DATA.glob("*/*1.zip"))]
    return {
        "aisbench-zip": archives("aisbench"),
        "aisbench-folder": folders("aisbench", place),
        "aisbench-results": lone(members("aisbench", "results/*/*.json"), damaged_content),
        "aisbench-predictions": lone(members("aisbench", "predictions/*/*.jsonl"), damaged_content),
        "aisbench-config": lone(members("aisbench", "configs/*.py"), damaged_content),
        "opencompass-zip": archives("opencompass"),
        "opencompass-lone": lone(members("opencompass", "*/*/*.json"), damaged_content),
        "parquet": lone(parquets, only_bytes),
        "parquet-folded": lone([("t.parquet", as_parquet(bare))], only_bytes),
        "arrow": lone(arrow, only_bytes),
        "numpy": arrays,
        "csv": lone(text["csv"], lines),
        "tsv": lone(text["tsv"], lines),
        "jsonl": lone(text["jsonl"], lines),
        "json": lone(records, damaged_content),
        "archive": lone(zips, only_bytes),
        "gzip": packed([*text["csv"], *text["jsonl"], *parquets, *records]),
        **tools,
    }


READERS = (
    *("aisbench-zip", "aisbench-folder", "aisbench-results", "aisbench-predictions"),
    *("aisbench-config", "opencompass-zip", "opencompass-lone", "parquet", "parquet-folded"),
    *("arrow", "numpy", "csv", "tsv", "jsonl", "json", "archive", "gzip"),
    "aisbench_performance",
    *TOOLS,
)
