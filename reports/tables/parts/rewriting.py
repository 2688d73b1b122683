"""Rows of files as one file of their format: of all parts of a table, or those that count."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv, types

from reports.tables.bounds import require_measure
from reports.tables.formats import delimited
from reports.tables.formats.unpacked.pages import UnpackedColumn, unpacked
from reports.tables.parted import Values
from reports.tables.schema.data_types import is_text
from reports.tables.source import Source

_ROWS = 1 << 16
_GROUP = 1 << 19
_ROOM = 64 << 20
"""Bytes that a batch may take at most, if all its rows held the longest text there is."""

Choose = Callable[[pa.RecordBatch], pa.RecordBatch]
"""Returns the rows of a batch that count."""


def _all(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


class PartFile(NamedTuple):
    """A file, and what its folders say.

    Attributes
    ----------
    source : Source
    values : Values
    groups : sequence of int or None
        The row groups of Parquet that may count; None for all.
    """

    source: Source
    values: Values
    groups: Sequence[int] | None = None


class Sink(io.RawIOBase):
    """Takes what is written, to be passed on."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._at

    def write(self, data: object, /) -> int:
        """Take bytes in."""
        held = bytes(cast(bytes, data))
        self.written.append(held)
        self._at += len(held)
        return len(held)

    def taken(self) -> list[bytes]:
        """Return what was written since the last time."""
        taken, self.written = self.written, []
        return taken


def write_parquet(
    table: Source,
    parts: Sequence[PartFile],
    schema: pa.Schema,
    whole: pa.Schema,
    choose: Choose = _all,
) -> Iterator[bytes]:
    """Write the columns of a schema as those of the whole, which has what folders say too."""
    sink, rows, size = Sink(), 0, 0
    held: list[pa.RecordBatch] = []
    with pq.ParquetWriter(sink, whole, compression="lz4") as writer:

        def write() -> list[bytes]:
            if held:
                writer.write_table(pa.Table.from_batches(held))
                held.clear()
            return sink.taken()

        for source, said, groups in parts:
            with source.seekable() as file:
                found = unpacked(source, file, schema.names)
                rows += max([rows_of(file), *(each.values for each in found.values())])
                size += sum(each.size for each in found.values())
                require_measure(table, rows, size)
                for some in slices(file, schema, found, groups):
                    held.append(_with(choose(some), said, whole))
                    if sum(map(len, held)) > _GROUP or sum(b.nbytes for b in held) > _ROOM:
                        yield from write()
        yield from write()
    yield from sink.taken()


def rows_of(file: BinaryIO) -> int:
    """Return how many rows a file of Parquet says it has."""
    return int(pq.ParquetFile(file).metadata.num_rows)


def slices(
    file: BinaryIO,
    schema: pa.Schema,
    found: Mapping[str, UnpackedColumn],
    groups: Sequence[int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Read columns of Parquet as a schema says, so many rows at a time as there is room for.

    Parameters
    ----------
    file : binary file
    schema : pyarrow.Schema
    found : mapping of str to Unpacked
        What each of these columns unpacks to.
    groups : sequence of int, optional
        The row groups that are read.

    Raises
    ------
    pyarrow.ArrowException
        If the file is damaged.
    """
    texts = [field.name for field in schema if is_text(field.type)]
    nested = {field.name for field in schema if types.is_nested(field.type)}
    pages = [found[n].page if n in nested else found[n].prefixed for n in schema.names]
    at_once = max(1, min(_ROWS, _ROOM // max([1, *pages])))
    read = pq.ParquetFile(file, read_dictionary=texts)
    try:
        for batch in read.iter_batches(at_once, row_groups=groups, columns=schema.names):
            batch.validate(full=True)
            for some in _spelled_out_in_slices(batch):
                yield some.cast(schema)
    except OSError as error:  # which would be taken for one of what is written
        raise pa.ArrowInvalid(str(error)) from error


def _spelled_out_in_slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Cut a batch so that its texts take no more than there is room for when they are spelled out.

    All its rows may hold the longest.
    """
    dictionaries = [each.dictionary for each in batch.columns if types.is_dictionary(each.type)]
    texts = [each for each in dictionaries if is_text(each.type)]
    longest = max([1, *(pc.max(pc.binary_length(each)).as_py() or 1 for each in texts)])
    rows = max(1, _ROOM // longest)
    return (batch.slice(start, rows) for start in range(0, len(batch), rows))


def spelled_out(schema: pa.Schema) -> pa.Schema:
    """Return a schema in which categories are their values."""
    return pa.schema(
        [
            field.with_type(field.type.value_type).with_nullable(True)
            if types.is_dictionary(field.type)
            else field.with_nullable(True)
            for field in schema.remove_metadata()
        ]
    )


def _with(batch: pa.RecordBatch, said: Values, whole: pa.Schema) -> pa.RecordBatch:
    """Add what the folders of a part say."""
    added = [
        pa.repeat(pa.scalar(said[field.name], field.type), len(batch))
        for field in whole
        if field.name in said
    ]
    return pa.RecordBatch.from_arrays([*batch.columns, *added], schema=whole)


def write_text(
    parts: Sequence[PartFile],
    starts: Sequence[delimited.Start],
    shared: Sequence[str],
    choose: Choose = _all,
) -> Iterator[bytes]:
    """Write values as they are, each in quotation marks."""
    whole = pa.schema([(name, pa.string()) for name in (*shared, *parts[0].values)])
    sink, options = Sink(), csv.WriteOptions(delimiter=starts[0].delimiter)
    with csv.CSVWriter(sink, whole, write_options=options) as writer:
        for (source, values, _), start in zip(parts, starts, strict=True):
            said = {name: None if of is None else str(of) for name, of in values.items()}
            for batch in delimited.texts(source, start, shared):
                writer.write(_with(choose(batch), said, whole))
                yield from sink.taken()
    yield from sink.taken()
