"""From batches of the chosen columns to runs, within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.run.report import Run
from reports.tables.columns.columns import Columns
from reports.tables.columns.kinds import plain
from reports.tables.runs.reduction import runs
from reports.tables.runs.shapes import blocks
from reports.tables.runs.texts import TextLines
from reports.tables.source import Source

MAX_VALUES = 500_000_000
"""Values that one table may hold in the columns that are read."""
MAX_BYTES = 2 << 30
"""Bytes that these columns may take when unpacked."""


class Found(NamedTuple):
    """What a file holds."""

    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()


def gather(source: Source, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Put the batches of a table together.

    Raises
    ------
    LoadError
        If there are no rows, or more than `MAX_VALUES` or `MAX_BYTES`: before all is unpacked.
    """
    kept, values, size = [], 0, 0
    for batch in batches:
        kept.append(batch)
        values += batch.num_rows * batch.num_columns
        size += batch.nbytes
        require_room(source, values, size)
    if values == 0:
        raise source.error(
            Text("the table has no rows"), Text("Write one row for each sample of each question.")
        )
    data = pa.Table.from_batches(kept)
    data.validate(full=True)
    for position, column in enumerate(plain(data.schema)):
        if column.type != data.schema.field(position).type:
            data = data.set_column(position, column, data.column(position).cast(column.type))
    pa.default_memory_pool().release_unused()
    return data


def interpret(source: Source, columns: Columns, data: pa.Table) -> Found:
    """Make runs of the chosen columns of a table."""
    table = blocks(source, columns, data)
    del data
    pa.default_memory_pool().release_unused()
    try:
        texts, notes = TextLines.of(source, columns), table.notes
    except LoadError as error:
        texts, notes = None, (*table.notes, Note(error.within, error.place, severity="warning"))
    return Found(runs(table, texts), notes)


def rows_of(batch: pa.RecordBatch, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of some columns."""
    batch.validate(full=True)
    return zip(*(batch.column(name).to_pylist() for name in names), strict=True)


def require_room(source: Source, values: int, size: int = 0) -> None:
    """Refuse a table that is beyond the bounds."""
    if values > MAX_VALUES or size > MAX_BYTES:
        raise source.error(
            Text(
                "holds more than {values:,} values or {size} GiB in the columns that kofn reads",
                values=MAX_VALUES,
                size=MAX_BYTES >> 30,
            ),
            Text("Write one file for each model and load them one by one."),
        )
