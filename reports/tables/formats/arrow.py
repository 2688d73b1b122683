"""Outcome tables in Arrow's formats: IPC files (including Feather) and streams."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import pyarrow as pa
from pyarrow import ipc

from metrics.data.words import Text
from reports.tables.bounds import require_measure
from reports.tables.formats.unpacked.messages import FILE, unpacked
from reports.tables.samples.gathering import Found, gather, interpret, rows_of
from reports.tables.schema.columns import Columns
from reports.tables.schema.data_types import plain, unextended
from reports.tables.schema.spelled import looked_at, recognise
from reports.tables.source import Source

NAME = Text("Arrow")
SUFFIXES = (".arrow", ".feather", ".ipc", ".arrows")

_STREAM = b"\xff\xff\xff\xff"
_OLD = b"FEA1"
_FEW = 1_000


def sniff(head: bytes) -> bool:
    """Whether a file begins like an Arrow file or stream, or like Feather of old."""
    return head.startswith((FILE, _STREAM, _OLD))


def read(source: Source) -> Found:
    """Read the columns that matter."""
    with source.open() as stream:
        start = stream.read(len(FILE))
    if start.startswith(_OLD):
        raise source.error(
            Text("is Feather version 1, which is no longer read"),
            Text("Write it again with pyarrow.feather.write_feather, or as Parquet."),
        )
    with source.seekable() as file:
        try:
            found = unpacked(file)
        except (ValueError, OverflowError, struct.error) as error:
            raise source.error(
                Text("cannot be read as {kind} ({reason:.200})", kind=NAME, reason=str(error)),
                Text("Copy or download it again in full, or write it again with pyarrow."),
            ) from error
        require_measure(source, found.values, found.size)
        schema = plain(_open(file).schema)
        first = schema.empty_table()
        if texts := looked_at(source, schema):
            for batch in _batches(_open(file)):
                batch.validate(full=True)
                first = unextended(batch.select(texts).slice(0, _FEW))
                break
            schema = recognise(source, schema, first)
        columns = Columns.of(source, schema, first)
        wanted = [schema.get_field_index(name) for name in columns.names]
        return interpret(source, columns, gather(source, _batches(_open(file, wanted))))


def schema(source: Source) -> pa.Schema:
    """Read the names and types of the columns."""
    with source.seekable() as file:
        return plain(_open(file).schema)


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read columns row by row."""
    with source.seekable() as file:
        schema = _open(file).schema
        wanted = [schema.get_field_index(name) for name in names]
        for batch in _batches(_open(file, wanted)):
            for first in range(0, batch.num_rows, _FEW):
                yield from rows_of(batch.slice(first, _FEW), names)


def _open(file: BinaryIO, wanted: Sequence[int] | None = None) -> ipc.RecordBatchReader:
    """Open a file or stream from its beginning, with all columns or some of them."""
    file.seek(0)
    start = file.read(len(FILE))
    file.seek(0)
    options = ipc.IpcReadOptions(included_fields=wanted and sorted(wanted))
    return (ipc.open_file if start == FILE else ipc.open_stream)(file, options=options)


def _batches(table: ipc.RecordBatchReader):  # type: ignore[no-untyped-def]
    if isinstance(table, ipc.RecordBatchFileReader):
        return (table.get_batch(number) for number in range(table.num_record_batches))
    return iter(table)
