"""A long Parquet table to the tallies of its runs, against scanning its columns.

KOFN_BENCHMARK_ROWS sets the number of rows; the promise is made for 100 million.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = int(os.environ.get("KOFN_BENCHMARK_ROWS", 25_000_000))
MODELS, DATASETS, SAMPLES = 4, 5, 16
ROUNDS = 3
RATIO, GIB = 3.0, 3.0
PARTS, IN_PARTS, IN_ZIP = 1_000, 2.0, 4.0
CHOSEN_RATIO = 1.2
MEASURED = """
import os, re, sys, time
start = time.perf_counter()
{code}
wall, cpu, peak = time.perf_counter() - start, sum(os.times()[:2]), open("/proc/self/status").read()
print(wall, cpu, int(re.search("VmHWM:[^0-9]*([0-9]+)", peak)[1]) / 2**20)
"""
SCAN = """
import duckdb
columns = "max(model), max(dataset), max(question_id), max(sample), max(correct::INT)"
duckdb.sql("SET enable_progress_bar = false")
duckdb.sql(f"SELECT {columns} FROM read_parquet('{sys.argv[1]}')").fetchall()
"""
TALLIES = """
from reports import load
assert sum(run.outcomes.tally().n_samples for run in load(sys.argv[1]).runs) == int(sys.argv[2])
"""
CHOSEN = """
from reports import load
found = load(sys.argv[1], where="sample < 5").runs
assert sum(run.outcomes.tally().n_samples for run in found) == int(sys.argv[2])
"""


def write(path: Path, rows: int) -> int:
    """Write a table whose rows are in no order; return how many there are."""
    questions = rows // (MODELS * DATASETS * SAMPLES)
    rows = questions * MODELS * DATASETS * SAMPLES
    stride = next(s for s in range(61_803_399, 2 * rows + 61_803_399) if np.gcd(s, rows) == 1)
    rng = np.random.default_rng(0)
    rate = rng.beta(0.6, 0.8, questions)
    names = {
        "model": pa.array([f"model-{i}" for i in range(MODELS)]),
        "dataset": pa.array([f"dataset-{i}" for i in range(DATASETS)]),
        "question_id": pa.array([f"question-{i:07d}" for i in range(questions)]),
    }
    shape = (MODELS, DATASETS, questions, SAMPLES)
    kinds = [*((name, pa.string()) for name in names), ("sample", pa.int32())]
    schema = pa.schema([*kinds, ("correct", pa.bool_())])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 1 << 20):
            cells = np.arange(start, min(start + (1 << 20), rows)) * stride % rows
            *codes, sample = np.unravel_index(cells, shape)
            columns = [
                of.take(pa.array(code)) for of, code in zip(names.values(), codes, strict=True)
            ]
            correct = rng.random(len(cells)) < rate[codes[2]]
            writer.write_table(
                pa.table([*columns, sample.astype(np.int32), correct], schema=schema)
            )
    return rows


def measured(code: str, *arguments: object) -> tuple[float, float, float]:
    """Run code in a process of its own; return seconds, those of the CPU, and GiB at most."""
    command = [sys.executable, "-c", MEASURED.format(code=code), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    wall, cpu, memory = map(float, result.stdout.split())
    return wall, cpu, memory


def test_a_large_table_to_tallies(tmp_path, benchmark, record):
    path = tmp_path / "table.parquet"
    rows = write(path, ROWS)
    found = []

    def both():
        found.append((measured(TALLIES, path, rows), measured(SCAN, path)))

    benchmark.pedantic(both, rounds=ROUNDS)
    path.unlink()
    (ours, cpu, memory), (scan, *_) = np.median(found, axis=0)
    ratio = median(mine[0] / scanned[0] for mine, scanned in found)
    record(
        f"tallies of {rows:,} rows, {cpu:.1f} s of CPU, {memory:.2f} GiB",
        f"{ours:.1f} s",
        "scan",
        f"{scan:.1f} s",
        ratio,
        f"at most {RATIO:g}, {GIB:g} GiB",
        ratio <= RATIO and memory <= GIB,
    )


def test_a_table_in_a_thousand_parts(tmp_path, benchmark, record):
    """In a folder, and in a zip; against one file, and against DuckDB's own reading of the list."""
    path, folder = tmp_path / "table.parquet", tmp_path / "parts"
    rows = write(path, ROWS)
    folder.mkdir()
    batches = pq.ParquetFile(path).iter_batches(-(-rows // PARTS))
    for number, batch in enumerate(batches):
        pq.write_table(pa.Table.from_batches([batch]), folder / f"part-{number:05d}.parquet")
    packed = shutil.make_archive(tmp_path / "packed", "zip", folder)
    found = []

    def each():
        tallies = (measured(TALLIES, source, rows) for source in (folder, packed, path))
        found.append((*tallies, measured(SCAN, folder / "*.parquet"), measured(SCAN, path)))

    benchmark.pedantic(each, rounds=ROUNDS)
    parts, in_zip, whole, listed, scanned = np.median(found, axis=0)
    for what, seconds, against, name, most in (
        ("in {count:,} parts", parts, whole, "one file", IN_PARTS),
        ("in a zip of {count:,} parts", in_zip, whole, "one file", IN_ZIP),
        ("in {count:,} parts", parts, listed, "scan of the parts", RATIO),
        ("scan of {count:,} parts", listed, scanned, "scan of one file", IN_PARTS),
    ):
        ratio = seconds[1] / against[1]
        _, cpu, memory = seconds
        record(
            f"{rows:,} rows {what.format(count=PARTS)}, {seconds[0]:.1f} s, {memory:.2f} GiB",
            f"{cpu:.1f} s of CPU",
            name,
            f"{against[1]:.1f} s of CPU",
            ratio,
            f"at most {most:g}, {GIB:g} GiB",
            ratio <= most and memory <= GIB,
        )


def test_rows_that_count(tmp_path, benchmark, record):
    """A third of the rows of a large file, which is folded, against all of its rows."""
    path = tmp_path / "table.parquet"
    rows = write(path, ROWS)
    found = []

    def both():
        kept = 5 * rows // SAMPLES
        found.append((measured(CHOSEN, path, kept), measured(TALLIES, path, rows)))

    benchmark.pedantic(both, rounds=ROUNDS)
    (ours, cpu, memory), (_, every, _) = np.median(found, axis=0)
    ratio = cpu / every
    record(
        f"{rows:,} rows where sample < 5, {ours:.1f} s, {memory:.2f} GiB",
        f"{cpu:.1f} s of CPU",
        "all of its rows",
        f"{every:.1f} s of CPU",
        ratio,
        f"at most {CHOSEN_RATIO:g}",
        ratio <= CHOSEN_RATIO,
    )
