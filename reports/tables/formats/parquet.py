"""Outcome tables in Parquet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.ranged import PlacedFile, lies
from reports.files.stored_files import Files
from reports.tables.bounds import MAX_VALUES, require_measure, require_room, spelled_out
from reports.tables.conditions import fitted, possible
from reports.tables.count import folding
from reports.tables.engine import FILE, Condition, Said, Stored
from reports.tables.formats.unpacked.pages import (
    Footer,
    UnpackedColumn,
    footer,
    held,
    require_footer,
    unpacked,
)
from reports.tables.parted import Parts, both, types_of
from reports.tables.samples.gathering import Found, gather, interpret, rows_of
from reports.tables.schema.columns import Columns
from reports.tables.schema.data_types import plain, unextended
from reports.tables.schema.design import ROWS
from reports.tables.schema.spelled import looked_at, recognise
from reports.tables.source import Source
from reports.tables.where import Where
from reports.tables.writing.restoring import is_canonical, restore

NAME = Text("Parquet")
SUFFIXES = (".parquet", ".pq")

_MAGIC = b"PAR1"
_BATCH = 10_000_000
_LIST_ROWS = 10_000
_PEEK = 100
_FEW = 64
_ROOM = 256 << 20
"""Bytes that a batch may take at most, if all its rows held the longest text there is."""
_BUFFER = 1 << 20


def sniff(head: bytes) -> bool:
    """Whether a file begins like Parquet."""
    return head.startswith(_MAGIC)


def read(source: Source) -> Found:
    """Read the columns that matter, batch by batch.

    A table packed a millionfold is refused before any of it is unpacked.
    """
    parts, source = source, replace(source, parts=None)
    for each in (parts, source) if parts.parts else (source,):
        if (lying := _Lying.of(each)) and (folded := lying.fold()):
            return folded.found
    with source.seekable() as file:
        require_footer(source, file)
        schema = pq.ParquetFile(file).schema_arrow
        if is_canonical(schema):
            measured(source, file, schema.names)
            return restore(source, file)
        schema = plain(schema)
        first = _first(source, file, schema)
        schema = recognise(source, schema, first)
        columns = Columns.of(source, schema, first)
        with held(source, file, columns.names):
            return _read(source, file, columns)


def read_where(source: Source, where: Where) -> ChosenRows | None:
    """Fold the rows of a large table that count, where they lie.

    None if folding is not all it takes to read it.

    Raises
    ------
    LoadError
        If the condition does not fit, or holds of no row.
    """
    parts = _Lying.of(source)
    if parts is None:
        return None
    condition = fitted(where, parts.schema)
    try:
        chosen = parts.fold(condition)
    except LoadError:
        return None  # said when it is read otherwise
    if chosen is not None:
        where.require_some(chosen.kept, chosen.rows)
    return chosen


class ChosenRows(NamedTuple):
    """What was found in the rows that count, how many these are, and how many there are."""

    found: Found
    kept: int
    rows: int


@dataclass(frozen=True)
class _Lying:
    """The parts of a table that seems large, or its only file, where they lie.

    Attributes
    ----------
    rows : int
        About how many there are, by those of the first part.
    """

    source: Source
    files: Files
    parts: Parts
    paths: tuple[str, ...]
    like: Footer
    own: pa.Schema
    rows: int

    @classmethod
    def of(cls, source: Source) -> _Lying | None:
        """Look at the first of them; None if the table cannot be folded where it lies."""
        tree, parts = source.parts or (source.tree, Parts(source.path, {source.path: {}}))
        paths = tuple(path for path in parts.values if tree.files[path])
        if not paths or parts.unlike:
            return None
        with Source(tree, paths[0]).seekable() as file:
            require_footer(source, file)
            first = pq.ParquetFile(file)
            rows = first.metadata.num_rows * source.given // max(1, tree.given(paths[0]))
            if rows < folding.ROWS:
                return None
            own, like = first.schema_arrow, footer(source, file)
        try:
            files = tree.keep()
        except LoadError:
            return None
        if is_canonical(own) or (parts.columns and FILE in map(str.lower, own.names)):
            return None
        return cls(source, files, parts, paths, like, own, rows)

    @cached_property
    def said(self) -> dict[str, list[Said]]:
        """What the folders of each say, by column."""
        typed = self.parts.typed()
        return {name: [typed[path][name] for path in self.paths] for name in self.parts.columns}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that are in the files, and count there."""
        return tuple(name for name in self.own.names if name not in self.said)

    @cached_property
    def schema(self) -> pa.Schema:
        """All columns."""
        kinds = types_of(self.parts.typed().values())
        return pa.schema([*map(self.own.field, self.names), *kinds.items()])

    def fold(self, condition: Condition | None = None) -> ChosenRows | None:
        """Fold the rows that count; None if that is not all it takes."""
        source, known, number = self.source, plain(self.schema), len(self.paths)
        some = [*range(number)]
        if condition and self.said:
            some = possible(condition, self.schema, self.said)
        begin = self._begin(some, condition)
        first = begin.first(looked_at(source, known), _PEEK)
        known = recognise(source, known, first)
        columns = Columns.of(replace(source, values=begin.values), known, first)
        if condition is None and not _is_folded(columns, known, self.rows):
            return None
        names = {*columns.names, *(condition.names if condition else ())}
        alike = self._alike([name for name in self.names if name in names])
        if alike is None or alike[0] < folding.ROWS:
            return None
        rows, disk = alike
        if not some:
            return ChosenRows(Found(()), 0, rows)
        stored = self._stored([disk[part] for part in some], some, condition)
        kept = rows if condition is None else folding.count(stored)
        if not kept:
            return None if kept is None else ChosenRows(Found(()), 0, rows)
        if not _is_folded(columns, known, kept):
            return None
        found = folding.fold(
            source, columns, tuple(self.paths[part] for part in some), stored, kept
        )
        if found is None:
            return None
        twice = both(self.own.names, self.said)
        about = (self.parts.note(number), *(replace(each, where=self.parts.path) for each in twice))
        return ChosenRows(
            Found(found.runs, (*(about if source.parts else ()), *found.notes)), kept, rows
        )

    def _stored(
        self, disk: Sequence[str | PlacedFile], parts: Sequence[int], condition: Condition | None
    ) -> Stored:
        said = {name: [values[part] for part in parts] for name, values in self.said.items()}
        return Stored(tuple(disk), self.names, said, condition)

    def _begin(self, parts: Sequence[int], condition: Condition | None) -> _Begin:
        """Find the first part of which rows count."""
        begin = _Begin(self.schema)
        for part in parts:
            with self.files.open(self.paths[part]) as file:
                measured(self.source, file, self.names, 0)
                begin = _Begin(self.schema, self._stored([lies(file)], [part], condition))
            if begin.first(self.schema.names[:1], 1).num_rows:
                break
        return begin

    def _alike(self, names: Sequence[str]) -> tuple[int, tuple[str | PlacedFile, ...]] | None:
        """Look at each part once; return all rows, and where they lie; None if they are unlike."""
        rows, size = 0, 0
        disk: list[str | PlacedFile] = []
        for path in self.paths:
            self.source.tree.tell(self.source.path, 0)
            with self.files.open(path) as file:
                known = footer(self.source, file)
                if known.columns != self.like.columns:
                    return None
                rows += known.rows
                pages = unpacked(self.source, file, names, known).values()
                size += sum(column.size for column in pages)
                disk.append(lies(file))
        require_measure(self.source, rows, size)
        return rows, tuple(disk)


class _Begin(NamedTuple):
    """The first rows of a part that count; of nothing without any."""

    schema: pa.Schema
    stored: Stored | None = None

    def first(self, names: Sequence[str], most: int) -> pa.Table:
        """Return some columns of so many rows."""
        if self.stored is None or not names:
            return self.schema.empty_table().select(names)
        return self.stored.first(names, most)

    def values(self, source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read columns row by row."""
        for batch in self.first(names, ROWS).to_batches():
            yield from rows_of(batch, names)


def _read(source: Source, file: BinaryIO, columns: Columns) -> Found:
    pages = measured(source, file, columns.names).values()
    rows = pq.ParquetFile(file).metadata.num_rows
    lists = columns.shape == "list"
    table = pq.ParquetFile(file, read_dictionary=_paths(file, columns.names))
    width = len(columns.names)
    require_room(source, rows * width)
    most = _LIST_ROWS if lists else 1 + _BATCH // width
    at_once = _rows(most, max(column.prefixed for column in pages))
    batches = table.iter_batches(at_once, columns=list(columns.names))
    spelled = partial(_spelled_out, source, columns)
    return interpret(source, columns, gather(source, map(spelled, batches)))


def schema(source: Source) -> pa.Schema:
    """Read the names and types of the columns, of a table in parts those of the first."""
    if source.parts is not None and (parts := [*source.parts.parts.typed().items()]):
        path, said = next((each for each in parts if source.parts.tree.files[each[0]]), parts[0])
        own = schema(Source(source.parts.tree, path))
        fields = (column for column in own if column.name not in said)
        return pa.schema([*fields, *types_of([of for _, of in parts]).items()])
    with source.seekable() as file:
        return plain(pq.ParquetFile(file).schema_arrow)


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read columns row by row."""
    with source.seekable() as file:
        page = max(column.page for column in unpacked(source, file, names).values())
        if page > _ROOM:
            raise source.error(
                Text("has a page of {size:,} MiB of texts", size=page >> 20),
                Text("Write it again with pyarrow or pandas, or with fewer texts in a row group."),
            )
        table = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        for batch in table.iter_batches(_rows(_FEW, page), columns=list(names)):
            yield from rows_of(batch, names)


def _is_folded(columns: Columns, schema: pa.Schema, rows: int) -> bool:
    """Whether a large table is of bare verdicts, or could not be read otherwise."""
    numbers = columns.score or columns.measured or columns.once
    bare = not (numbers or columns.lists or columns.extracted or columns.cluster)
    return folding.is_foldable(columns, schema) and (bare or rows * len(columns.names) > MAX_VALUES)


def _first(source: Source, file: BinaryIO, schema: pa.Schema) -> pa.Table:
    """Return the first rows of the columns of text that may say what they are."""
    rows = pq.ParquetFile(file).metadata
    sizes = [rows.row_group(group).num_rows for group in range(rows.num_row_groups)]
    if (texts := looked_at(source, schema)) and any(sizes):
        group = next(group for group, size in enumerate(sizes) if size)
        found = measured(source, file, texts, group)
        at_once = _rows(_PEEK, max(column.page for column in found.values()))
        table = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        for batch in table.iter_batches(at_once, row_groups=[group], columns=texts):
            return pa.Table.from_batches([unextended(batch)])
    return schema.empty_table().select(texts)


def measured(
    source: Source, file: BinaryIO, names: Sequence[str], group: int | None = None
) -> dict[str, UnpackedColumn]:
    """Return what some columns unpack to, if that is no more than a file of this size may hold.

    Raises
    ------
    LoadError
    """
    found = unpacked(source, file, names, group=group)
    values = max(column.values for column in found.values())
    require_measure(source, values, sum(column.size for column in found.values()))
    return found


def _paths(file: BinaryIO, names: Collection[str]) -> list[str]:
    """Return the paths of the values of some columns, which in lists are below them."""
    schema = pq.ParquetFile(file).schema
    paths = [schema.column(place).path for place in range(len(schema))]
    return [path for path in paths if path in names or path.partition(".")[0] in names]


def _rows(most: int, largest: int) -> int:
    """Return how many rows to read at a time if one may take so many bytes."""
    return max(1, min(most, _ROOM // max(1, largest)))


def _spelled_out(source: Source, columns: Columns, batch: pa.RecordBatch) -> pa.RecordBatch:
    for name in (*columns.numbers, *filter(None, [columns.error])):
        place = batch.schema.get_field_index(name)
        if types.is_dictionary(batch.column(place).type):
            batch = batch.set_column(place, name, spelled_out(source, batch.column(place)))
    return batch
