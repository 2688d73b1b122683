"""Tables with the rows of which a condition holds, each as a file in place of its own.

So what is read of them, texts and all, is read as of any file of their format. Of row
groups of Parquet without such rows only the columns of the condition are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.stored_files import KeptFile, Overlaid, keep_made
from reports.files.tree import Tree
from reports.tables.conditions import HoldingRows, fitted
from reports.tables.formats import delimited, parquet, records
from reports.tables.formats.unpacked.pages import require_footer
from reports.tables.parts.rewriting import PartFile, slices, spelled_out, write_parquet, write_text
from reports.tables.samples.calibrations import is_told
from reports.tables.samples.gathering import Found
from reports.tables.schema.data_types import is_text
from reports.tables.source import Source
from reports.tables.where import Where
from reports.tables.writing.restoring import is_canonical


@dataclass
class Count:
    """Rows of a table that count, and all of them."""

    kept: int = 0
    rows: int = 0


class RowsKept(NamedTuple):
    """A tree of the rows that count.

    Attributes
    ----------
    tree : Tree
    notes : mapping of str to Note
        How many rows count of each file.
    folded : mapping of str to Found
        What was found in files that were folded where they lie.
    """

    tree: Tree
    notes: Mapping[str, Note]
    folded: Mapping[str, Found]


def with_rows_kept(
    tree: Tree, where: Where, known: Callable[[str], Sequence[tuple[Source, Any]]]
) -> RowsKept:
    """Return a tree of the rows that count, and how many these are of each file.

    Large tables of Parquet are folded at once, where they lie.

    What cannot be read, or lacks a column, cannot be opened.

    Parameters
    ----------
    tree : Tree
    where : Where
    known : callable
        From a path to the tables of the file, with their formats.

    Raises
    ------
    LoadError
        If a condition does not fit the only table.
    """
    made: dict[str, KeptFile] = {}
    broken: dict[str, LoadError] = {}
    notes: dict[str, Note] = {}
    folded: dict[str, Found] = {}
    for path in tree.files:
        for source, form in known(path):
            count = Count()
            try:
                with source.reading(form.NAME):
                    if form is parquet and not is_told(source):
                        chosen = parquet.read_where(source, where)
                        if chosen is not None:
                            folded[path] = chosen.found
                            notes[path] = where.note(chosen.kept, chosen.rows, source.place)
                            continue
                    chunks = _kept(source, form, where, count)
                    made[path] = keep_made(tree.keep(), path, chunks, anew=True)
                where.require_some(count.kept, count.rows)
                notes[path] = where.note(count.kept, count.rows, source.place)
            except LoadError as error:
                if len(tree.files) == 1:
                    raise
                broken[path] = error.kept()
    sizes = dict(tree.files) | {path: kept.work(path) for path, kept in made.items()}

    def opener(path: str) -> BinaryIO:
        if path in broken:
            raise broken[path]
        return made[path].open(path) if path in made else tree.open(path)

    given = {path: tree.given(path) for path in made}
    changed = replace(
        tree,
        files=MappingProxyType(sizes),
        digest=sha256(f"{tree.digest}\0{where.text}".encode()).hexdigest(),
        _opener=opener,
        _keeper=lambda: Overlaid(tree.keep(), made),
        _meter=None,
        packed={**tree.packed, **given},
    )
    return RowsKept(changed, notes, folded)


def _kept(source: Source, form: Any, where: Where, count: Count) -> Iterable[bytes]:
    if source.path not in source.tree.files or form not in _WAYS:
        raise source.error(
            Text("is {kind}, of which kofn cannot choose rows", kind=form.NAME),
            Text("Write it as Parquet, CSV or JSON lines."),
        )
    return _WAYS[form](source, where, count)


class _Chooser:
    """Chooses the rows of a table that count.

    Attributes
    ----------
    names : tuple of str
        The columns that tell.
    """

    def __init__(self, where: Where, schema: pa.Schema, count: Count) -> None:
        condition = fitted(where, schema)
        self.names, self._count, self._holds = condition.names, count, HoldingRows(condition)

    def holds(self, columns: pa.RecordBatch | pa.Table) -> pa.BooleanArray:
        """Return which of some rows count."""
        return pc.fill_null(self._holds(columns).combine_chunks(), False)

    def counted(self, columns: pa.RecordBatch | pa.Table) -> pa.BooleanArray:
        """Return which of some rows count, and count them."""
        found = self.holds(columns)
        self._count.kept += found.true_count
        self._count.rows += len(found)
        return found

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows of a batch that count."""
        return batch.filter(self.counted(batch))


def _parquet(source: Source, where: Where, count: Count) -> Iterator[bytes]:
    """Read the row groups that have rows which count."""
    with source.seekable() as file:
        require_footer(source, file)
        whole = pq.ParquetFile(file)
        if is_canonical(whole.schema_arrow):
            raise source.error(
                Text("was written by kofn, and its rows belong together"),
                Text("Choose rows of the table that it was made from."),
            )
        schema = spelled_out(whole.schema_arrow)
        choose = _Chooser(where, schema, count)
        found = parquet.measured(source, file, choose.names)
        some = pa.schema([schema.field(name) for name in choose.names])
        groups = [
            group
            for group in range(whole.num_row_groups)
            if any(choose.holds(each).true_count for each in slices(file, some, found, [group]))
        ]
    count.rows = whole.metadata.num_rows - sum(
        whole.metadata.row_group(group).num_rows for group in groups
    )
    return write_parquet(source, [PartFile(source, {}, groups)], schema, schema, choose)


def _rows_of_text(source: Source, where: Where, count: Count) -> Iterator[bytes]:
    typed, point = delimited.schema(source), delimited.decimal_point(source)
    chooser = _Chooser(where, typed, count)

    def choose(batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = {
            name: _typed(batch.column(name), typed.field(name).type, point)
            for name in chooser.names
        }
        return batch.filter(chooser.counted(pa.table(columns)))

    return write_text([PartFile(source, {})], [delimited.begin(source)], typed.names, choose)


def _typed(column: pa.Array, kind: pa.DataType, point: str) -> pa.Array:
    """Return texts as what the first rows hold."""
    column = pc.if_else(pc.is_in(column, pa.array(delimited.NULLS)), None, column)
    if is_text(kind):
        return column
    if point == "," and types.is_floating(kind):
        column = pc.replace_substring(column, ",", ".")
    return column.cast(kind)


def _lines(source: Source, where: Where, count: Count) -> Iterator[bytes]:
    """Write the records as they are, one a line."""
    typed = records.schema(source)
    chooser = _Chooser(where, typed, count)
    kinds = {name: typed.field(name).type for name in chooser.names}
    for lines, columns in records.with_columns(source, kinds):
        held = chooser.counted(pa.table(columns)).to_pylist()
        yield from (
            line.strip() + b"\n" for line, is_kept in zip(lines, held, strict=True) if is_kept
        )


_WAYS: Mapping[Any, Callable[[Source, Where, Count], Iterator[bytes]]] = {
    parquet: _parquet,
    delimited: _rows_of_text,
    records: _lines,
}
