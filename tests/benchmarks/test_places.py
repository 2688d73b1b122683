"""A long Parquet table in an object store, which moto stands in for, against scanning it there.

KOFN_BENCHMARK_ROWS sets the number of rows.
"""

import logging
from statistics import median

import pytest
from moto.server import ThreadedMotoServer

from reports.files.remote_storage import s3
from tests.benchmarks.test_large_tables import ROUNDS, ROWS, TALLIES, measured, write

FETCHED = """
from reports.files.ranged import PlacedFile
counts, read = [], PlacedFile.read
PlacedFile.read = lambda self, start, count: counts.append(count) or read(self, start, count)
"""
SCAN = """
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow.fs import S3FileSystem
there = S3FileSystem(endpoint_override=os.environ["AWS_ENDPOINT_URL"], region="us-east-1")
for batch in ds.dataset(sys.argv[1], filesystem=there).to_batches():
    [pc.max(column) for column in batch.columns]
"""
RATIO, BYTES = 4.0, 1.2


@pytest.fixture
def bucket(monkeypatch):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in (
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
        ("AWS_ACCESS_KEY_ID", "someone"),
        ("AWS_SECRET_ACCESS_KEY", "something"),
    ):
        monkeypatch.setenv(name, value)
    s3._client.cache_clear()
    s3._client().create_bucket(Bucket="evals")
    yield s3._client()
    server.stop()


def test_a_large_table_in_an_object_store(tmp_path, benchmark, record, bucket):
    path, fetched = tmp_path / "table.parquet", tmp_path / "fetched"
    rows, found = write(path, ROWS), []
    with path.open("rb") as file:
        bucket.put_object(Bucket="evals", Key=path.name, Body=file)
    told = f"import pathlib\npathlib.Path({str(fetched)!r}).write_text(str(sum(counts)))\n"
    counted = FETCHED + TALLIES + told

    def both():
        there = measured(counted, f"s3://evals/{path.name}", rows)
        found.append((there, measured(SCAN, f"evals/{path.name}")))

    benchmark.pedantic(both, rounds=ROUNDS)
    (_, cpu, memory), (_, scanned, _) = found[-1]
    ratio = median(there[1] / scan[1] for there, scan in found)
    share = int(fetched.read_text()) / path.stat().st_size
    record(
        f"{rows:,} rows at s3://, {memory:.2f} GiB, {share:.3f} of the bytes",
        f"{cpu:.1f} s of CPU",
        "scan",
        f"{scanned:.1f} s of CPU",
        ratio,
        f"at most {RATIO:g}, {BYTES:g} of the bytes",
        ratio <= RATIO and share <= BYTES,
    )
