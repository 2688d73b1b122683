"""Turn batches of the chosen columns into runs, within limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.run.report import Run
from reports.tables.bounds import require_measure, require_room
from reports.tables.meaning.refusals import without_rows
from reports.tables.samples.lists.covering import read_covered
from reports.tables.samples.lists.embeddings import distances
from reports.tables.samples.reduction import runs
from reports.tables.samples.shapes import Blocks, blocks
from reports.tables.schema.columns import Columns
from reports.tables.schema.data_types import plain, unextended
from reports.tables.source import Source
from reports.tables.texts.table_texts import TextLines


class Found(NamedTuple):
    """What a file holds."""

    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()


def gather(source: Source, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Put the batches of a table together.

    Raises LoadError if there are no rows, or more than there may be: before all is unpacked.
    """
    kept, rows, size = [], 0, 0
    for batch in map(unextended, batches):
        kept.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        require_room(source, rows * batch.num_columns, size)
        require_measure(source, rows)
    if rows == 0:
        raise without_rows(source)
    data = pa.Table.from_batches(kept)
    data.validate(full=True)
    for position, column in enumerate(plain(data.schema)):
        if column.type != data.schema.field(position).type:
            data = data.set_column(position, column, data.column(position).cast(column.type))
    pa.default_memory_pool().release_unused()
    return data


def interpret(source: Source, columns: Columns, data: pa.Table) -> Found:
    """Make runs of the chosen columns of a table."""
    table = _with_lists(blocks(source, columns, data))
    del data
    pa.default_memory_pool().release_unused()
    try:
        texts, notes = TextLines.of(source, columns), table.notes
        if texts is not None:
            table = replace(table, row_texts=texts.row_texts(source, table.verdict.shape))
    except LoadError as error:
        texts, notes = None, (*table.notes, Note(error.within, error.place, severity="warning"))
    return Found(runs(table, texts), notes)


def _with_lists(table: Blocks) -> Blocks:
    """Add what lists in its columns say of its questions."""
    if not table.columns.lists:
        return table
    source, columns, notes = table.source, table.columns, [*table.notes]
    position, (_, width) = table.measured.get("position"), table.verdict.shape
    facts = read_covered(source, columns, table.asked, table.verdict.shape, position, notes)
    distances_by_name = dict(distances(source, columns, table.asked, width, notes))
    return replace(table, facts=facts, once={**table.once, **distances_by_name}, notes=tuple(notes))


def rows_of(batch: pa.RecordBatch, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of some columns."""
    batch.validate(full=True)
    batch = unextended(batch)
    return zip(*(batch.column(name).to_pylist() for name in names), strict=True)
