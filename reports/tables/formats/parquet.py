"""Outcome tables in Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
from pyarrow import types

from metrics.data.words import Text
from reports.tables import folding
from reports.tables.bounds import MAX_VALUES, category_values, require_room
from reports.tables.formats.parquet_table import NAME, ParquetTable
from reports.tables.samples.gathering import Found, gather, interpret, rows_of
from reports.tables.schema.columns import Columns
from reports.tables.schema.spelled import looked_at, recognise
from reports.tables.source import Source
from reports.tables.writing.restoring import is_canonical, restore

__all__ = ["NAME", "SUFFIXES", "read", "schema", "sniff", "values"]

SUFFIXES = (".parquet", ".pq")

_MAGIC = b"PAR1"
_PEEK = 100


def sniff(head: bytes) -> bool:
    """Whether a file begins like Parquet."""
    return head.startswith(_MAGIC)


def read(source: Source) -> Found:
    """Read the columns that matter of the rows that count, batch by batch.

    A table packed a millionfold is refused before any of it is unpacked. Very many rows are folded.
    """
    table = ParquetTable.of(source)
    if is_canonical(table.first_schema):
        return _restored(source, table)
    table.require_some()
    known = table.schema
    first = table.first(looked_at(source, known), _PEEK)
    known = recognise(source, known, first)
    columns = Columns.of(source, known, first)
    counted = _folded(source, table, columns, known) or _read(source, table, columns)
    return table.with_notes(source.place, *counted)


def _restored(source: Source, table: ParquetTable) -> Found:
    if table.where is not None:
        raise source.error(
            Text("was written by kofn, and its rows belong together"),
            Text("Choose rows of the table that it was made from."),
        )
    with table.measured(table.first_schema.names) as file:
        return restore(source, file)


def _folded(
    source: Source, table: ParquetTable, columns: Columns, known: pa.Schema
) -> tuple[Found, int] | None:
    """Fold the rows of a large table that count, and count these; None if that is not all it takes.

    It is if the table is of bare verdicts, or could not be read otherwise.
    """
    if table.rows < folding.ROWS or not folding.is_foldable(columns, known):
        return None
    more = (columns.score, columns.measured, columns.once, columns.lists, columns.extracted)
    most = 0 if not any((*more, columns.cluster)) else MAX_VALUES // len(columns.names)
    wanted = (*columns.names, *(table.condition.names if table.condition else ()))
    if table.rows <= most or (where := table.stored(wanted)) is None:
        return None
    paths, stored = where
    n_rows = table.rows if table.where is None else folding.count(stored)
    if n_rows is None or n_rows <= most:
        return None
    found = folding.fold(source, columns, paths, stored, n_rows)
    return None if found is None else (found, n_rows)


def _read(source: Source, table: ParquetTable, columns: Columns) -> tuple[Found, int]:
    n_rows = table.count()
    require_room(source, n_rows * len(columns.names))
    spelled = partial(_spelled_out, source, columns)
    batches = map(spelled, table.batches(columns.names, lists=columns.shape == "list"))
    return interpret(source, columns, gather(source, batches)), n_rows


def schema(source: Source) -> pa.Schema:
    """Read the names and types of the columns."""
    return ParquetTable.of(source).schema


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read columns row by row."""
    for batch in ParquetTable.of(source).written_batches(names):
        yield from rows_of(batch, names)


def _spelled_out(source: Source, columns: Columns, batch: pa.RecordBatch) -> pa.RecordBatch:
    for name in (*columns.numbers, *filter(None, [columns.error])):
        place = batch.schema.get_field_index(name)
        if types.is_dictionary(batch.column(place).type):
            batch = batch.set_column(place, name, category_values(source, batch.column(place)))
    return batch
