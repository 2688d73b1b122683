"""Where a Parquet table is: one file, or parts with the values that their folders give.

Nothing is joined or copied: columns are read of one part after the other, and of a condition's rows
those row groups in which any row counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.progress import Progress
from reports.files.ranged import PlacedFile, lies
from reports.files.tree import Tree, watched
from reports.tables.bounds import require_measure
from reports.tables.conditions import HoldingRows, fit_condition, possible
from reports.tables.engine import FILE, Condition, Stored
from reports.tables.formats.unpacked.pages import (
    Footer,
    UnpackedColumn,
    footer,
    held,
    require_footer,
    unpacked,
)
from reports.tables.partitioned import Parts, Values, folder_values, shared_columns, types_of
from reports.tables.samples.gathering import Found
from reports.tables.schema.data_types import is_text, plain, unextended
from reports.tables.source import Source
from reports.tables.where import Where

NAME = Text("Parquet")

_BATCH = 10_000_000
_LIST_ROWS = 10_000
_FEW = 64
_SLICE = 1 << 16
_ROOM = 256 << 20
"""Bytes that a batch may take at most, if all its rows held the longest text there is."""
_BUFFER = 1 << 20


@dataclass(frozen=True, eq=False)
class ParquetTable:
    """A Parquet table where it lies."""

    tree: Tree
    parts: Parts  # Its files, of which it may have but one.
    where: Where | None = None  # Which rows count; None means all.
    _masks: dict[tuple[str, int], pa.BooleanArray] = field(default_factory=dict, init=False)
    _ends: dict[str, Footer] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, source: Source) -> ParquetTable:
        """Return where a table lies."""
        if isinstance(source.rows_elsewhere, ParquetTable):
            return source.rows_elsewhere
        return cls(source.tree, Parts(source.path, {source.path: {}}))

    def later(self) -> ParquetTable:
        """Return it as it can be read once what was loaded is gone."""
        return replace(self, tree=self.tree.later())

    def watched(self, progress: Progress) -> ParquetTable:
        """Return it so that reading it tells how far it has come."""
        return replace(self, tree=watched(self.tree, progress, self.parts.values))

    @cached_property
    def table(self) -> Source:
        """All of it as one file."""
        path = self.parts.path
        if path in self.tree.files:
            return Source(self.tree, path)
        given = sum(map(self.tree.given, self.parts.values))
        return Source(replace(self.tree, files={**self.tree.files, path: given}), path)

    @cached_property
    def folder_values(self) -> dict[str, Values]:
        """What the folders of each part say that holds anything, by its path."""
        return folder_values(self.tree, self.parts)

    @cached_property
    def _looked(self) -> tuple[list[pa.Schema], int]:
        """Return the different columns that parts have, and how many rows there are."""
        schemas, rows = list[pa.Schema](), 0
        for path in self.folder_values:
            with self._open(path) as file:
                whole = pq.ParquetFile(file)
                rows += whole.metadata.num_rows
                if whole.schema_arrow not in schemas:
                    schemas.append(whole.schema_arrow)
        return schemas, rows

    @property
    def rows(self) -> int:
        """How many there are, whether they count or not."""
        return self._looked[1]

    @property
    def first_schema(self) -> pa.Schema:
        """The columns of the first part."""
        return self._looked[0][0]

    @property
    def is_alone(self) -> bool:
        """Whether it is one file of which no folder says anything."""
        return not self.parts.columns and len(self.folder_values) == 1

    @cached_property
    def _shared(self) -> tuple[pa.Schema, tuple[Note, ...]]:
        """Return the columns that all parts have, in types that hold what they hold, and notes."""
        if self.is_alone:
            return plain(self.first_schema), ()
        schemas, notes = [*map(spelled_out, self._looked[0])], list[Note]()
        table, from_folder = self.table, next(iter(self.folder_values.values()))
        names = shared_columns(table, [each.names for each in schemas], from_folder, notes)
        some = [pa.schema([each.field(name) for name in names]) for each in schemas]
        try:
            unified = pa.unify_schemas(some, promote_options="permissive")
        except pa.ArrowException as error:
            raise table.error(
                Text("its parts have a column of unlike types ({why:.200})", why=str(error)),
                Text("Write all parts with the same types."),
            ) from error
        return plain(pa.schema([*unified, *types_of(self.folder_values.values()).items()])), tuple(
            notes
        )

    @property
    def schema(self) -> pa.Schema:
        """All columns."""
        return self._shared[0]

    def _notes(self) -> Iterator[Note]:
        if not self.is_alone or self.parts.path not in self.folder_values:
            for each in (self.parts.note(len(self.folder_values)), *self._shared[1]):
                yield replace(each, where=self.parts.path)

    @cached_property
    def condition(self) -> Condition | None:
        """Which rows count."""
        return None if self.where is None else fit_condition(self.where, self.schema)

    @cached_property
    def _counting(self) -> list[str]:
        """The parts that their folders do not rule out."""
        paths = [*self.folder_values]
        if self.condition is None or not self.parts.columns:
            return paths
        folder_values = {
            name: [self.folder_values[path][name] for path in paths] for name in self.parts.columns
        }
        return [paths[place] for place in possible(self.condition, self.schema, folder_values)]

    def count(self) -> int:
        """Count the rows that count."""
        if self.where is None:
            return self.rows
        for path in self._counting:
            with self._open(path) as file:
                self._groups(path, file)
        return sum(mask.true_count for mask in self._masks.values())

    def first(self, names: Sequence[str], most: int) -> pa.Table:
        """Return some columns of at most so many of the first rows that count."""
        batches, rows = list[pa.RecordBatch](), 0
        for path in self._counting if names else ():
            with self._open(path) as file:
                for group in self._groups(path, file):
                    pages = self._fitting()(path, file, names, group)
                    at_once = _rows(most, max(each.page for each in pages))
                    for batch in self._read(path, file, names, at_once, [group]):
                        batches.append(unextended(batch))
                        rows += len(batch)
                        if rows >= most:
                            return pa.Table.from_batches(batches).slice(0, most)
        return (
            pa.Table.from_batches(batches) if batches else self.schema.empty_table().select(names)
        )

    def require_some(self) -> None:
        """Refuse a condition that holds of no row."""
        if self.where is not None and not len(self.first(self.schema.names[:1], 1)):
            self.where.require_some(0, self.rows)

    def with_notes(self, place: str, found: Found, n_rows: int) -> Found:
        """Say of what was found that parts are one table, and how many of its rows count."""
        runs, notes = found
        if self.where is not None:
            about = self.where.note(n_rows, self.rows, place)
            runs = tuple(replace(run, notes=(about, *run.notes)) for run in runs)
        return Found(runs, (*self._notes(), *notes))

    def batches(self, names: Sequence[str], *, lists: bool) -> Iterator[pa.RecordBatch]:
        """Read some columns of the rows that count, texts as codes.

        Raises LoadError if they unpack to more than files of this size may hold; before any is
        unpacked.
        """
        most = _LIST_ROWS if lists else 1 + _BATCH // len(names)
        fits = self._fitting()
        for path in self._counting:
            with (
                self._open(path) as file,
                held(self._part(path), file, self._columns_of(path, names)),
            ):
                at_once = _rows(most, max(each.prefixed for each in fits(path, file, names)))
                groups = self._groups(path, file)
                yield from self._read(path, file, names, at_once, groups, coded=True)

    def written_batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read some columns of the rows that count, few at a time, as they are written."""
        for path in self._counting:
            with self._open(path) as file:
                page = max(each.page for each in self._pages(path, file, names))
                if page > _ROOM:
                    raise self._part(path).error(
                        Text("has a page of {size} MiB of texts", size=page >> 20),
                        Text(
                            "Write it again with pyarrow or pandas, or with fewer texts in a row "
                            "group."
                        ),
                    )
                groups = self._groups(path, file)
                yield from self._read(path, file, names, _rows(_FEW, page), groups)

    @contextmanager
    def measured(self, names: Sequence[str]) -> Iterator[BinaryIO]:
        """Open the only file, if some columns unpack to no more than one of its size may hold."""
        (path,) = self.folder_values
        with self._open(path) as file:
            self._fitting()(path, file, names)
            yield file

    def stored(self, names: Collection[str]) -> tuple[tuple[str, ...], Stored] | None:
        """Return the paths of its parts and where they are on disk; None if they cannot be there.

        Raises LoadError if some columns unpack to more than files of this size may hold.
        """
        if self.parts.columns and FILE in map(str.lower, self.schema.names):
            return None
        try:
            files = self.tree.keep()
        except LoadError:
            return None
        fits, disk = self._fitting(), list[str | PlacedFile]()
        for path in self._counting:
            self.tree.tell(path, 0)
            with files.open(path) as file:
                require_footer(self._part(path), file)
                fits(path, file, names)
                disk.append(lies(file))
        paths = tuple(self._counting)
        folder_values = {
            name: [self.folder_values[path][name] for path in paths] for name in self.parts.columns
        }
        own = tuple(name for name in self.schema.names if name not in folder_values)
        return paths, Stored(
            tuple(disk), own, folder_values, self.condition, len(self._looked[0]) > 1
        )

    def _part(self, path: str) -> Source:
        return Source(self.tree, path)

    @contextmanager
    def _open(self, path: str) -> Iterator[BinaryIO]:
        part = self._part(path)
        with part.reading(NAME), part.seekable() as file:
            require_footer(part, file)
            yield file

    def _columns_of(self, path: str, names: Collection[str]) -> list[str]:
        """Return the columns of some that are in the file of a part, or its first one."""
        own = [name for name in names if name not in self.folder_values[path]]
        return own or [
            next(name for name in self.schema.names if name not in self.folder_values[path])
        ]

    def _groups(self, path: str, file: BinaryIO) -> list[int]:
        """Return the row groups of a part that have rows which count."""
        whole = pq.ParquetFile(file).metadata
        groups = [n for n in range(whole.num_row_groups) if whole.row_group(n).num_rows]
        if self.where is None:
            return groups
        for group in groups:
            if (path, group) not in self._masks:
                self._masks[path, group] = self._mask(path, file, group)
        return [group for group in groups if self._masks[path, group].true_count]

    def _pages(
        self, path: str, file: BinaryIO, names: Collection[str], group: int | None = None
    ) -> Collection[UnpackedColumn]:
        """Return what some columns of a part unpack to, perhaps of one row group."""
        if path not in self._ends:
            self._ends.clear()
            self._ends[path] = footer(self._part(path), file)
        known, own = self._ends[path], self._columns_of(path, names)
        return unpacked(self._part(path), file, own, known, group).values()

    def _fitting(self) -> Callable[..., Collection[UnpackedColumn]]:
        """Return `_pages` that refuses a table of which all parts together unpack to too much."""
        rows = size = 0

        def fits(*about: Any) -> Collection[UnpackedColumn]:
            nonlocal rows, size
            pages = self._pages(*about)
            rows += max(each.values for each in pages)
            size += sum(each.size for each in pages)
            require_measure(self.table, rows, size)
            return pages

        return fits

    def _mask(self, path: str, file: BinaryIO, group: int) -> pa.BooleanArray:
        """Return which rows of a row group count."""
        assert self.condition is not None
        names, holds = self.condition.names, HoldingRows(self.condition)
        pages = self._fitting()(path, file, names, group)
        at_once = _rows(_SLICE, max(each.prefixed for each in pages))
        rows = self._read(path, file, names, at_once, [group], coded=True, chosen=False)
        return pa.concat_arrays([*map(holds, rows)])

    def _read(
        self,
        path: str,
        file: BinaryIO,
        names: Sequence[str],
        at_once: int,
        groups: list[int],
        *,
        coded: bool = False,
        chosen: bool = True,
    ) -> Iterator[pa.RecordBatch]:
        """Read some columns of the rows of a part that count, or of all."""
        chosen = chosen and self.where is not None
        own = self._columns_of(path, names)
        table = (
            pq.ParquetFile(file, read_dictionary=_paths(file, own))
            if coded
            else pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        )
        masks = pa.chunked_array([self._masks.get((path, n), []) for n in groups], pa.bool_())
        at = 0
        for batch in table.iter_batches(at_once, row_groups=groups, columns=own):
            batch.validate(full=True)
            if chosen:
                mask, at = masks.slice(at, len(batch)).combine_chunks(), at + len(batch)
                batch = batch.filter(mask)
            yield self._filled(batch, path, names, coded=coded)

    def _filled(
        self, batch: pa.RecordBatch, path: str, names: Sequence[str], *, coded: bool = False
    ) -> pa.RecordBatch:
        """Add what the folders of a part say, in the types of the table."""
        if self.is_alone:
            return batch
        batch, folder_values, columns = unextended(batch), self.folder_values[path], []
        for name in names:
            kind = self.schema.field(name).type
            if name in folder_values:
                column = pa.repeat(pa.scalar(folder_values[name], kind), len(batch))
            else:
                column = batch.column(name)
            columns.append(_coded(column) if coded and is_text(kind) else column.cast(kind))
        return pa.RecordBatch.from_arrays(columns, [*names])


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


def _coded(column: pa.Array) -> pa.DictionaryArray:
    """Return texts as codes that other parts have in the same type."""
    found = column if types.is_dictionary(column.type) else column.dictionary_encode()
    texts = found.dictionary.cast(pa.string())
    return pa.DictionaryArray.from_arrays(found.indices.cast(pa.int32()), texts)


def _paths(file: BinaryIO, names: Collection[str]) -> list[str]:
    """Return the paths of the values of some columns, which in lists are below them."""
    schema = pq.ParquetFile(file).schema
    paths = [schema.column(place).path for place in range(len(schema))]
    return [path for path in paths if path in names or path.partition(".")[0] in names]


def _rows(most: int, largest: int) -> int:
    """Return how many rows to read at a time if one may take so many bytes."""
    return max(1, min(most, _ROOM // max(1, largest)))
