"""Outcome tables in Parquet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.keeping import Files
from reports.files.places.ranged import PlacedFile, lies
from reports.files.tree import Tree
from reports.tables.bounds import MAX_VALUES, require_measure, require_room, spelled_out
from reports.tables.columns.columns import Columns
from reports.tables.columns.data_types import plain
from reports.tables.columns.spelled import looked_at, recognise
from reports.tables.conditions import for_fold, possible
from reports.tables.formats.pages import Footer, Unpacked, footer, held, require_footer, unpacked
from reports.tables.large import folding
from reports.tables.large.engine import FILE, Condition, Stored
from reports.tables.own.restoring import is_canonical, restore
from reports.tables.parted import Parts, both, types_of
from reports.tables.runs.gathering import Found, gather, interpret, rows_of
from reports.tables.source import Source
from reports.tables.where import Where

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
    if source.parts is not None:
        if found := _in_parts(source, *source.parts):
            return found
        source = replace(source, parts=None)
    with source.seekable() as file:
        require_footer(source, file)
        schema = pq.ParquetFile(file).schema_arrow
        if is_canonical(schema):
            _require_measure(source, file, schema.names)
            return restore(source, file)
        schema = plain(schema)
        first = _first(source, file, schema)
        schema = recognise(source, schema, first)
        columns = Columns.of(source, schema, first)
        with held(source, file, columns.names):
            return _read(source, file, columns, schema)


def read_where(source: Source, where: Where) -> Chosen | None:
    """Fold the rows of a large table that count, where they lie.

    None if folding is not all it takes to read it.

    Raises
    ------
    LoadError
        If the condition does not fit, or holds of no row.
    """
    tree, parts = source.parts or (source.tree, Parts(source.path, {source.path: {}}))
    paths = tuple(path for path in parts.values if tree.files[path])
    if not paths or parts.unlike:
        return None
    try:
        files = tree.keep()
    except LoadError:
        return None
    kinds = types_of(parts.typed().values())
    with files.open(paths[0]) as file:
        like = footer(source, file)
        if like.rows * source.given // max(1, tree.given(paths[0])) < folding.ROWS:
            return None
        own = pq.ParquetFile(file).schema_arrow
    if is_canonical(own) or {*own.names} & kinds.keys() or FILE in map(str.lower, own.names):
        return None
    schema = pa.schema([*own, *kinds.items()])
    condition = for_fold(where, schema)
    if condition is None:
        return None
    try:
        of_parts = _PartsWhere(replace(source, values=_look_closer), files, parts, paths, condition)
        chosen = of_parts.fold(own.names, schema, like)
    except (LoadError, _CloserError):
        return None  # said when it is read otherwise
    if chosen is not None:
        where.require_some(chosen.kept, chosen.rows)
    return chosen


class Chosen(NamedTuple):
    """What was found in the rows that count, how many these are, and how many there are."""

    found: Found
    kept: int
    rows: int


class _CloserError(Exception):
    """It takes more than the first rows to tell what a table has."""


def _look_closer(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    raise _CloserError


class _PartsWhere(NamedTuple):
    """Parts of a table of which some rows count."""

    source: Source
    files: Files
    parts: Parts
    paths: tuple[str, ...]
    condition: Condition

    def fold(self, own: Sequence[str], schema: pa.Schema, like: Footer) -> Chosen | None:
        """Fold them; None if that is not all it takes."""
        source, paths = self.source, self.paths
        typed = self.parts.typed()
        said = {name: [typed[path][name] for path in paths] for name in self.parts.columns}
        some = possible(self.condition, schema, said) if said else [*range(len(paths))]

        def stored(disk: Sequence[str | PlacedFile], numbers: Sequence[int]) -> Stored:
            of = {name: [values[number] for number in numbers] for name, values in said.items()}
            return Stored(tuple(disk), tuple(own), of, self.condition)

        known = plain(schema)
        texts = looked_at(source, known)
        first = known.empty_table().select(texts)
        for number in some if texts else ():
            with self.files.open(paths[number]) as file:
                first = stored([lies(file)], [number]).first(schema, texts, _PEEK)
            if len(first):
                break
        known = recognise(source, known, first)
        columns = Columns.of(source, known, first)
        names = {*columns.names, *self.condition.names}
        alike = _alike(source, self.files, paths, like, [name for name in own if name in names])
        if alike is None or alike[0] < folding.ROWS:
            return None
        rows, disk = alike
        if not some:
            return Chosen(Found(()), 0, rows)
        where_they_lie = stored([disk[number] for number in some], some)
        kept = folding.count(where_they_lie)
        if not kept:
            return None if kept is None else Chosen(Found(()), 0, rows)
        if not _is_folded(columns, known, kept):
            return None
        some_paths = tuple(paths[number] for number in some)
        found = folding.fold(source, columns, some_paths, where_they_lie, kept)
        if found is None:
            return None
        about = (self.parts.note(len(paths)),) if source.parts else ()
        return Chosen(Found(found.runs, (*about, *found.notes)), kept, rows)


def _read(source: Source, file: BinaryIO, columns: Columns, schema: pa.Schema) -> Found:
    pages = _require_measure(source, file, columns.names).values()
    rows = pq.ParquetFile(file).metadata.num_rows
    if rows >= folding.ROWS and (found := _fold(source, columns, schema, rows)):
        return found
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
    """Read the names and types of the columns."""
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


def _fold(source: Source, columns: Columns, schema: pa.Schema, rows: int) -> Found | None:
    """Fold a large table; for that it must lie by itself, on disk or elsewhere."""
    if not _is_folded(columns, schema, rows):
        return None
    try:
        files = source.tree.keep()
    except LoadError:
        return None
    with files.open(source.path) as file:
        return folding.fold(source, columns, (source.path,), Stored((lies(file),)), rows)


def _is_folded(columns: Columns, schema: pa.Schema, rows: int) -> bool:
    """Whether a large table is of bare verdicts, or could not be read otherwise."""
    numbers = columns.score or columns.measured or columns.once
    bare = not (numbers or columns.lists or columns.extracted or columns.cluster)
    return folding.is_foldable(columns, schema) and (bare or rows * len(columns.names) > MAX_VALUES)


def _in_parts(source: Source, tree: Tree, parts: Parts) -> Found | None:
    """Fold a large table where its parts lie; None if that is not all it takes to read it."""
    paths = tuple(path for path in parts.values if tree.files[path])
    if not paths or parts.unlike:
        return None
    try:
        files = tree.keep()
    except LoadError:
        return None
    said = parts.typed()
    kinds = types_of(said.values())
    with files.open(paths[0]) as file:
        like = footer(source, file)
        rows = like.rows * source.given // max(1, tree.given(paths[0]))
        if rows < folding.ROWS:
            return None
        own = plain(pq.ParquetFile(file).schema_arrow)
        first = _first(source, file, own)
    of_files = [column for column in own if column.name not in kinds]
    schema = pa.schema([*of_files, *kinds.items()])
    first = first.select([name for name in first.column_names if name not in kinds])
    for name, kind in kinds.items():
        held = pa.repeat(pa.scalar(said[paths[0]][name], kind), len(first))
        first = first.append_column(name, held)
    schema = recognise(source, schema, first)
    columns = Columns.of(source, schema, first)
    names = tuple(column.name for column in of_files)
    if not _is_folded(columns, schema, rows) or FILE in map(str.lower, names):
        return None
    alike = _alike(source, files, paths, like, [name for name in columns.names if name in names])
    if alike is None:
        return None
    rows, disk = alike
    stored = Stored(disk, names, {name: [said[path][name] for path in paths] for name in kinds})
    found = folding.fold(source, columns, paths, stored, rows)
    if found is None:
        return None
    twice = (replace(note, where=parts.path) for note in both(own.names, kinds))
    return Found(found.runs, (parts.note(len(paths)), *twice, *found.notes))


def _alike(
    source: Source, files: Files, paths: Sequence[str], like: Footer, names: Sequence[str]
) -> tuple[int, tuple[str | PlacedFile, ...]] | None:
    """Look at each part once: return all rows, and where the parts lie; None if they are unlike."""
    rows, size = 0, 0
    disk: list[str | PlacedFile] = []
    for path in paths:
        source.tree.tell(source.path, 0)
        with files.open(path) as file:
            known = footer(source, file)
            if known.columns != like.columns:
                return None
            rows += known.rows
            size += sum(column.size for column in unpacked(source, file, names, known).values())
            disk.append(lies(file))
    require_measure(source, rows, size)
    return rows, tuple(disk)


def _first(source: Source, file: BinaryIO, schema: pa.Schema) -> pa.Table:
    """Return the first rows of the columns of text that may say what they are."""
    rows = pq.ParquetFile(file).metadata
    sizes = [rows.row_group(group).num_rows for group in range(rows.num_row_groups)]
    if (texts := looked_at(source, schema)) and any(sizes):
        group = next(group for group, size in enumerate(sizes) if size)
        found = _require_measure(source, file, texts, group)
        at_once = _rows(_PEEK, max(column.page for column in found.values()))
        table = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        for batch in table.iter_batches(at_once, row_groups=[group], columns=texts):
            return pa.Table.from_batches([batch])
    return schema.empty_table().select(texts)


def _require_measure(
    source: Source, file: BinaryIO, names: Sequence[str], group: int | None = None
) -> dict[str, Unpacked]:
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
