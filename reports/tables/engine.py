"""DuckDB in process, which can read the files of one table and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from reports.files.progress import EVERY
from reports.files.ranged import Exact, PlacedFile
from reports.tables.where import Where

if TYPE_CHECKING:
    import pyarrow.dataset as ds

MEMORY = "2GB"
"""What a query may take."""
FILE = "file_index"
"""How DuckDB calls the number of a file, unless a column of it is called so."""

ELSEWHERE = "elsewhere"
"""What files on other machines are called."""
ALONE = ("SET enable_external_access = false", "SET lock_configuration = true")
"""What keeps DuckDB from all but what it has."""

PartitionValue = str | int | None
"""What a folder says of a part: texts or integers, or nothing."""


@dataclass(frozen=True)
class Condition:
    """Which rows count."""

    where: Where
    sql: str
    names: tuple[str, ...]  # The columns that it needs.


@dataclass(frozen=True)
class Stored:
    """Parquet files that are one table, and what their folders say."""

    paths: tuple[str | PlacedFile, ...]  # Their paths on this machine, or where they are elsewhere.
    names: tuple[str, ...] = ()  # The columns that are read of them; none means all.
    # By the name of a column that is not in them, what it holds in each.
    folder_values: Mapping[str, Sequence[PartitionValue]] = field(default_factory=dict)
    condition: Condition | None = None  # Which rows count; none means all.
    # Whether columns stand in another order, or have other types, in some.
    are_unlike: bool = False

    def view(self) -> str:
        """Return what selects their rows that count."""
        return f"FROM {self._every()} WHERE {self.condition.sql if self.condition else 'true'}"

    def _every(self) -> str:
        if self.are_elsewhere:
            return ELSEWHERE
        columns_of_folders = (
            f"({_sql_list(values)})[{FILE}::BIGINT + 1] AS {quoted(name)}"
            for name, values in self.folder_values.items()
        )
        columns = ", ".join((*map(quoted, self.names), *columns_of_folders)) or "*"
        how = f"hive_partitioning = false, union_by_name = {str(self.are_unlike).lower()}"
        return f"(SELECT {columns} FROM read_parquet({self.listed}, {how}))"

    @property
    def listed(self) -> str:
        """Their paths as SQL."""
        return _sql_list([os.path.abspath(path) for path in self.paths if isinstance(path, str)])

    @property
    def are_elsewhere(self) -> bool:
        """Whether they are not on this machine, so that Arrow fetches what is asked for."""
        return isinstance(self.paths[0], PlacedFile)

    def dataset(self) -> ds.Dataset:
        """Return what Arrow reads of files elsewhere: what is asked for, in ranges."""
        import pyarrow.dataset as ds  # which imports pandas

        parquet = ds.ParquetFileFormat()
        parts = []
        for number, path in enumerate(self.paths):
            known = _saying({name: values[number] for name, values in self.folder_values.items()})
            assert isinstance(path, PlacedFile)
            parts.append(parquet.make_fragment(pa.PythonFile(Exact(path), "r"), None, known))
        fields = [each for each in parts[0].physical_schema if each.name not in self.folder_values]
        fields += [
            pa.field(name, pa.infer_type(values)) for name, values in self.folder_values.items()
        ]
        return ds.FileSystemDataset(parts, pa.schema(fields), parquet)


def connect(**config: bool | int) -> Any:
    """Connect to DuckDB within bounds: it loads nothing and writes nothing."""
    import duckdb  # which takes long, and few tables need it

    bounds: dict[str, Any] = {
        "memory_limit": MEMORY,
        "threads": os.cpu_count() or 1,
        "temp_directory": "",
        "autoload_known_extensions": False,
        "autoinstall_known_extensions": False,
        "python_enable_replacements": False,
    }
    connection = duckdb.connect(":memory:", config=bounds | config)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


class Engine:
    """Parquet files as the table ``rows``.

    No other file, no network, no extension and no spilling to disk. Files elsewhere are fetched by
    Arrow, of the columns that a query names.

    Raises duckdb.Error if a file cannot be read.
    """

    def __init__(self, stored: Stored) -> None:
        self._connection = connect(preserve_insertion_order=False)
        if stored.are_elsewhere:
            self._connection.register(ELSEWHERE, stored.dataset())
        for command in (
            "SET enable_progress_bar = true",
            "SET enable_progress_bar_print = false",
            "SET progress_bar_time = 0",
            "SET parquet_metadata_cache = true",
            f"SET allowed_paths = {stored.listed}",
            *ALONE,
            f"CREATE VIEW rows AS {stored.view()}",
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


def _saying(folder_values: Mapping[str, PartitionValue]) -> pc.Expression | None:
    """Return what holds of all rows of a part, as its folders say."""
    each = [
        pc.field(name).is_null() if value is None else pc.field(name) == value
        for name, value in folder_values.items()
    ]
    return reduce(and_, each) if each else None


def quoted(name: str, quote: str = '"') -> str:
    """Quote a name for SQL, or a text with ``'``."""
    return quote + name.replace(quote, 2 * quote) + quote


def _sql_list(values: Sequence[PartitionValue]) -> str:
    """Write values as a list of SQL."""
    integers = any(isinstance(value, int) for value in values)
    each = ("NULL" if v is None else str(v) if integers else quoted(str(v), "'") for v in values)
    return f"[{', '.join(each)}]::{'BIGINT' if integers else 'VARCHAR'}[]"
