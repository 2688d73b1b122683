"""Tables reduced to the rows that meet a condition, each as a file that replaces its own.

So what is read of them, texts and all, is read as of any file of their format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.stored_files import KeptFile, keep_made
from reports.files.tree import Tree
from reports.tables.conditions import HoldingRows, fit_condition
from reports.tables.formats import delimited, parquet, records
from reports.tables.parts.joining import write_text
from reports.tables.schema.data_types import is_text
from reports.tables.source import Source
from reports.tables.where import Where


def with_rows_filtered(
    tree: Tree, where: Where, known: Callable[[str], Sequence[tuple[Source, Any]]]
) -> tuple[Tree, Mapping[str, Note]]:
    """Return a tree of the rows that count, and how many these are of each file.

    Tables of Parquet are as they were: their rows are chosen where they lie.

    What cannot be read, or lacks a column, cannot be opened.

    known: From a path to the tables of the file, with their formats.
    Raises LoadError if a condition does not fit the only table.
    """
    made: dict[str, KeptFile] = {}
    broken: dict[str, LoadError] = {}
    notes: dict[str, Note] = {}
    for path in tree.files:
        for source, form in known(path):
            if form is parquet:
                continue
            try:
                with source.reading(form.NAME):
                    holds, chunks = _filtered(source, form, where)
                    made[path] = keep_made(tree.keep(), path, chunks, anew=True)
                where.require_some(holds.kept, holds.rows)
                notes[path] = where.note(holds.kept, holds.rows, source.place)
            except LoadError as error:
                if len(tree.files) == 1:
                    raise
                broken[path] = error.kept()
    changed = replace(
        tree.with_made(tree.files, made, broken),
        digest=sha256(f"{tree.digest}\0{where.text}".encode()).hexdigest(),
        _meter=None,
        packed={**tree.packed, **{path: tree.given(path) for path in made}},
    )
    return changed, notes


def _filtered(source: Source, form: Any, where: Where) -> tuple[HoldingRows, Iterator[bytes]]:
    """Return what counts the rows of a table, and those that count as they are written."""
    if source.path not in source.tree.files or form not in _WAYS:
        raise source.error(
            Text("is {kind}, of which kofn cannot choose rows", kind=form.NAME),
            Text("Write it as Parquet, CSV or JSON lines."),
        )
    typed = form.schema(source)
    holds = HoldingRows(fit_condition(where, typed))
    return holds, _WAYS[form](source, typed, holds)


def _rows_of_text(source: Source, typed: pa.Schema, holds: HoldingRows) -> Iterator[bytes]:
    point = delimited.decimal_point(source)
    kinds = {name: typed.field(name).type for name in holds.names}

    def choose(batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = {name: _typed(batch.column(name), of, point) for name, of in kinds.items()}
        return batch.filter(holds(pa.table(columns)))

    return write_text([(source, {})], [delimited.begin(source)], typed.names, choose)


def _typed(column: pa.Array, kind: pa.DataType, point: str) -> pa.Array:
    """Return texts as what the first rows hold."""
    column = pc.if_else(pc.is_in(column, pa.array(delimited.NULLS)), None, column)
    if is_text(kind):
        return column
    if point == "," and types.is_floating(kind):
        column = pc.replace_substring(column, ",", ".")
    return column.cast(kind)


def _lines(source: Source, typed: pa.Schema, holds: HoldingRows) -> Iterator[bytes]:
    """Write the records as they are, one a line."""
    kinds = {name: typed.field(name).type for name in holds.names}
    for lines, columns in records.with_columns(source, kinds):
        held = holds(pa.table(columns)).to_pylist()
        yield from (
            line.strip() + b"\n" for line, is_kept in zip(lines, held, strict=True) if is_kept
        )


_WAYS: Mapping[Any, Callable[[Source, pa.Schema, HoldingRows], Iterator[bytes]]] = {
    delimited: _rows_of_text,
    records: _lines,
}
