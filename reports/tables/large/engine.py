"""DuckDB in process, for one file: it can read that and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent import futures

import duckdb
import pyarrow as pa

from reports.files.progress import EVERY

MEMORY = "2GB"
"""What a query may take."""


class Engine:
    """One Parquet file as the table ``rows``.

    No other file, no network, no extension and no spilling to disk.

    Parameters
    ----------
    path : str
        Of a file on this machine.

    Raises
    ------
    duckdb.Error
        If the file cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": MEMORY,
                "threads": os.cpu_count() or 1,
                "preserve_insertion_order": False,
                "temp_directory": "",
                "autoload_known_extensions": False,
                "autoinstall_known_extensions": False,
                "python_enable_replacements": False,
            },
        )
        file = quoted(os.path.abspath(path), "'")
        for command in (
            "SET enable_progress_bar = true",
            "SET enable_progress_bar_print = false",
            "SET progress_bar_time = 0",
            f"SET allowed_paths = [{file}]",
            "SET enable_external_access = false",
            "SET lock_configuration = true",
            f"CREATE VIEW rows AS FROM read_parquet({file}, hive_partitioning = false)",
        ):
            self._connection.execute(command)

    def query(
        self, sql: str, values: Sequence[object] = (), rows: int = 1 << 16
    ) -> pa.RecordBatchReader:
        """Run a query; its result comes in batches of some rows."""
        return self._connection.sql(sql, params=list(values)).to_arrow_reader(rows)

    def read(self, sql: str, values: Sequence[object], tell: Callable[[float], None]) -> pa.Table:
        """Run a query to its end, and tell meanwhile which share of it is done.

        If that raises, the query ends.
        """
        with futures.ThreadPoolExecutor(1) as pool:
            table = pool.submit(lambda: self.query(sql, values).read_all())
            try:
                while futures.wait([table], EVERY).not_done:
                    tell(max(0.0, self._connection.query_progress()) / 100)
            except BaseException:
                self._connection.interrupt()
                raise
            return table.result()


def quoted(name: str, quote: str = '"') -> str:
    """Quote a name for SQL, or a text with ``'``."""
    return quote + name.replace(quote, 2 * quote) + quote
