"""Rows in a Spark on this machine: seconds, its own scan's too, and the memory of who asks.

Needs the extra spark and Java: ``uv run python -m tests.benchmarks.spark 1000000 100000000``.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from tests.reports.engines.spark_server import serving

SAMPLES, MODELS, DATASETS = 16, 4, 5
_ASK = """
import sys, time
from pathlib import Path
from reports import load
start = time.perf_counter()
report = load(sys.argv[1])
took = time.perf_counter() - start
samples = sum(run.counts.n_samples() for run in report.runs)
joint = report.runs[0].joint(report.runs[1])
peak = next(l for l in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in l)
print(f"{samples:,} rows, {len(report.runs)} runs: {took:.1f} s, {int(peak.split()[1]) >> 10} MiB; "
      f"a pair {time.perf_counter() - start - took:.1f} s")
"""
_SCANNED = ", ".join(
    f"max({name})" for name in ("model", "dataset", "question_id", "sample", "correct", "level")
)


def write(file: Path, rows: int) -> None:
    """Write so many samples of questions of spread difficulty."""
    questions = rows // (SAMPLES * MODELS * DATASETS)
    duckdb.execute(
        f"""COPY (
            SELECT 'model-' || m AS model, 'dataset-' || d AS dataset,
                'question-' || q AS question_id, s::INTEGER AS sample,
                (hash(m, d, q, s) % 100 < 20 + hash(q, d) % 60)::INTEGER AS correct,
                'level ' || hash(q) % 3 AS level
            FROM range({MODELS}) _(m), range({DATASETS}) _(d), range({questions}) _(q),
                range({SAMPLES}) _(s)
        ) TO '{file}' (FORMAT parquet)"""
    )


def main(sizes: list[int]) -> None:
    """Print a line for each number of rows."""
    from pyspark.sql.connect.session import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for rows in sizes:
            write(root / f"rows_{rows}.parquet", rows)
        with serving(root, **{"spark.driver.memory": "3g"}) as port:
            session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
            for rows in sizes:
                file = root / f"rows_{rows}.parquet"
                session.sql(f"CREATE TABLE rows_{rows} USING parquet OPTIONS (path '{file}')")
                address = f"spark+sc://127.0.0.1:{port}/default.rows_{rows}"
                subprocess.run([sys.executable, "-c", _ASK, address], check=True)
                start = time.perf_counter()
                session.sql(f"SELECT {_SCANNED} FROM rows_{rows}").collect()
                print(f"a scan of the columns {time.perf_counter() - start:.1f} s")
            session.stop()


if __name__ == "__main__":
    main([*map(int, sys.argv[1:])] or [1_000_000, 100_000_000])
