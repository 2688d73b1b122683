"""Outcome tables in Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.tables.columns.columns import Columns
from reports.tables.columns.kinds import plain
from reports.tables.columns.spelled import looked_at, recognise
from reports.tables.large import folding
from reports.tables.own.restoring import is_canonical, restore
from reports.tables.runs.gathering import (
    MAX_VALUES,
    Found,
    gather,
    interpret,
    require_room,
    rows_of,
)
from reports.tables.source import Source

KIND = Text("Parquet")
SUFFIXES = (".parquet", ".pq")

_MAGIC = b"PAR1"
_BATCH = 10_000_000
_LIST_ROWS = 10_000
_PEEK = 100
_FEW = 64
_BUFFER = 1 << 20


def sniff(head: bytes) -> bool:
    """Whether a file begins like Parquet."""
    return head.startswith(_MAGIC)


def read(source: Source) -> Found:
    """Read the columns that matter, batch by batch.

    A table packed a millionfold is so refused before it is unpacked. The sizes that a file states
    of its columns are not looked at: pyarrow ends the whole process where they are damaged, and
    they may lie.
    """
    with source.seekable() as file:
        schema = pq.ParquetFile(file).schema_arrow
        if is_canonical(schema):
            return restore(source, file)
        schema = plain(schema)
        first = _first(source, file, schema)
        schema = recognise(source, schema, first)
        columns = Columns.of(source, schema, first)
        rows = pq.ParquetFile(file).metadata.num_rows
        if rows >= folding.ROWS and (found := _fold(source, columns, schema, rows)):
            return found
        lists = columns.shape == "list"
        table = pq.ParquetFile(file, read_dictionary=list(columns.labels))
        width = len(columns.names)
        require_room(source, rows * width)
        at_once = _LIST_ROWS if lists else 1 + _BATCH // width
        return interpret(
            source,
            columns,
            gather(source, table.iter_batches(at_once, columns=list(columns.names))),
        )


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read columns row by row."""
    with source.seekable() as file:
        table = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        for batch in table.iter_batches(_FEW, columns=list(names)):
            yield from rows_of(batch, names)


def _fold(source: Source, columns: Columns, schema: pa.Schema, rows: int) -> Found | None:
    """Fold a large table of bare verdicts, and one that could not be read otherwise.

    For that it must lie on disk by itself.
    """
    bare = not (columns.score or columns.measured or columns.extracted or columns.cluster)
    if not folding.is_foldable(columns, schema):
        return None
    if not (bare or rows * len(columns.names) > MAX_VALUES):
        return None
    try:
        files = source.tree.keep()
    except LoadError:
        return None
    with files.open(source.path) as file:
        return folding.fold(source, columns, file.name, rows)


def _first(source: Source, file: BinaryIO, schema: pa.Schema) -> pa.Table:
    """Return the first rows of the columns of text that may say what they are."""
    texts = looked_at(source, schema)
    table = pq.ParquetFile(file)
    for batch in table.iter_batches(_PEEK, columns=texts) if texts else ():
        return pa.Table.from_batches([batch])
    return schema.empty_table().select(texts)
