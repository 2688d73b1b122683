"""Parts of a table joined into one file, which is stored and read like any other.

So a table in parts has the columns, bounds, texts and refusals of its format.
"""

from __future__ import annotations

import io
import json
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from csv import Error
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.stored_files import KeptFile, keep_made
from reports.files.tree import Tree
from reports.tables.formats import delimited
from reports.tables.formats.records import MAX_RECORD
from reports.tables.formats.unpacked.pages import require_footer
from reports.tables.partitioned import Parts, Values, folder_values, shared_columns
from reports.tables.parts.finding import MARKS, find_parts, without_unfinished
from reports.tables.source import Source
from reports.tables.writing.restoring import is_canonical

PartFile = tuple[Source, Values]
"""A file, and what its folders say."""
Choose = Callable[[pa.RecordBatch], pa.RecordBatch]
"""Returns the rows of a batch that count."""

_BROKEN = (pa.ArrowException, OSError, UnicodeError, MemoryError, struct.error, Error)


class JoinedTree(NamedTuple):
    """A tree in which the parts of each table are one file."""

    tree: Tree  # Those of Parquet are read where they lie; what cannot be joined, cannot be opened.
    parts: Mapping[str, Parts]  # Those of the tables in Parquet, by their paths.
    whole: Tree  # What has them.
    notes: list[Note]  # Of what was joined so far.


def with_parts_joined(tree: Tree, further: Sequence[Parts] = ()) -> JoinedTree:
    """Join the parts of each table.

    further: Tables whose parts names do not tell.
    Raises LoadError if only a log says which files of a table count, there are too many, or none is
    finished.
    """
    whole, tree = tree, without_unfinished(tree)
    notes = [] if tree is whole else [*tree.notes]
    found = (parts for parts in find_parts(tree) if not _is_own(tree, parts))
    tables = {parts.path: parts for parts in (*found, *further)}
    if not tables:
        return JoinedTree(tree, {}, tree, notes)
    made: dict[str, KeptFile] = {}
    broken: dict[str, LoadError] = {}

    def join(path: str) -> None:
        try:
            made[path] = _join(tree, tables[path], notes)
        except LoadError as error:
            broken[path] = error.kept()
        except _BROKEN as error:
            fix = Text("Copy or download its parts again in full.")
            problem = Text("its parts cannot be read as one table ({why:.200})", why=str(error))
            broken[path] = tree.error(problem, fix, path)

    in_parquet = [path for path in tables if path.endswith(".parquet")]
    for path in tables:
        if path not in in_parquet:
            join(path)
    given = {path: sum(map(tree.given, parts.values)) for path, parts in tables.items()}
    gone = {path for parts in tables.values() for path in parts.values}
    gone |= {path for path in tree.files if PurePosixPath(path).name in MARKS}
    sizes = {path: size for path, size in tree.files.items() if path not in gone} | given
    joined = replace(tree.with_made(sizes, made, broken), packed={**tree.packed, **given})
    return JoinedTree(joined, {path: tables[path] for path in in_parquet}, tree, notes)


def _is_own(tree: Tree, parts: Parts) -> bool:
    """Whether kofn wrote the first of some files: runs of their own."""
    source = Source(tree, next(iter(parts.values)))
    if not parts.path.endswith(".parquet"):
        return False
    try:
        with source.seekable() as file:
            require_footer(source, file)
            return is_canonical(pq.ParquetFile(file).schema_arrow)
    except (LoadError, *_BROKEN):
        return False  # said when it is joined


def _join(tree: Tree, parts: Parts, notes: list[Note]) -> KeptFile:
    sources = [(Source(tree, path), of) for path, of in folder_values(tree, parts).items()]
    join: Callable[[Source, Sequence[PartFile], list[Note]], Iterable[bytes]] = _lines
    if parts.pieces:
        join = _cut
    elif parts.path.endswith(".csv"):
        join = _rows_of_text
    about = list[Note]()
    given = {parts.path: sum(map(tree.given, parts.values))}
    table = Source(replace(tree, files=given, packed={}), parts.path)
    kept = keep_made(tree.keep(), parts.path, join(table, sources, about))
    notes += [replace(note, where=parts.path) for note in (parts.note(len(sources)), *about)]
    return kept


def _rows_of_text(table: Source, parts: Sequence[PartFile], notes: list[Note]) -> Iterator[bytes]:
    """Write values as they are, each in quotation marks; a part may have the first one's header."""
    starts = [_begin(source) for source, _ in parts]
    first = starts[0]
    starts = [
        start if start.names_outcomes or {*start.names} & {*first.names} else first.elsewhere()
        for start in starts
    ]
    shared = shared_columns(table, [start.names for start in starts], parts[0][1], notes)
    return write_text(parts, starts, shared)


def _begin(source: Source) -> delimited.Start:
    start = delimited.begin(source)
    if not start.delimiter:
        raise source.error(
            Text("its first line is not divided by tab, comma, semicolon or bar"),
            Text("Write every part with the same columns."),
        )
    if re.search(rf'\\"[^"\r\n{re.escape(start.delimiter)}]', start.text):
        raise source.error(
            Text("has backslashes before quotation marks, as Spark writes texts"),
            Text("Write it as Parquet, or as CSV with option('escape', '\"')."),
        )
    return start


def _lines(table: Source, parts: Sequence[PartFile], notes: list[Note]) -> Iterator[bytes]:
    """Write the lines, each with what its folders say."""
    first, values = parts[0]
    shared_columns(table, [_keys(first)], values, notes)
    return (  # of two values of a key the last counts
        _with_values(source, folder_values, line)
        for source, folder_values in parts
        for line in _whole_lines(source)
    )


def _with_values(source: Source, folder_values: Values, line: bytes) -> bytes:
    if not folder_values:
        return line + b"\n"
    if not line.endswith(b"}"):
        problem = Text("a line is not a JSON object")
        raise source.error(problem, Text("Write one object a line."))
    added = json.dumps(folder_values, ensure_ascii=False)[1:].encode()
    return line[:-1] + (b"" if line[:-1].strip() == b"{" else b",") + added + b"\n"


def _keys(source: Source) -> list[str]:
    """Return the keys of the first line."""
    try:
        first = json.loads(next(_whole_lines(source), b"{}"))
        return [*first] if isinstance(first, dict) else []
    except (ValueError, RecursionError) as error:
        raise source.error(
            Text("its first line is not JSON"), Text("Write one object a line.")
        ) from error


def _whole_lines(source: Source) -> Iterator[bytes]:
    with source.text() as stream:
        while line := stream.readline(MAX_RECORD + 1):
            if line.strip():
                yield line.strip()


def _cut(table: Source, parts: Sequence[PartFile], notes: list[Note]) -> Iterator[bytes]:
    """Write one piece after the other."""
    for source, _ in parts:
        with source.open() as stream:
            while chunk := stream.read(1 << 20):
                yield chunk


def write_text(
    parts: Sequence[PartFile],
    starts: Sequence[delimited.Start],
    shared: Sequence[str],
    choose: Choose = lambda batch: batch,
) -> Iterator[bytes]:
    """Write values as they are, each in quotation marks, with what the folders of parts say."""
    whole = pa.schema([(name, pa.string()) for name in (*shared, *parts[0][1])])
    yield _written(whole.empty_table(), starts[0], header=True)
    for (source, values), start in zip(parts, starts, strict=True):
        from_folder = [
            None if of is None else str(of) for of in map(values.get, whole.names[len(shared) :])
        ]
        for batch in map(choose, delimited.texts(source, start, shared)):
            added = [pa.repeat(pa.scalar(of, pa.string()), len(batch)) for of in from_folder]
            rows = pa.record_batch([*batch.columns, *added], schema=whole)
            yield _written(rows, starts[0], header=False)


def _written(
    rows: pa.RecordBatch | pa.Table, start: delimited.Start, header: bool = False
) -> bytes:
    buffer = io.BytesIO()
    csv.write_csv(rows, buffer, csv.WriteOptions(include_header=header, delimiter=start.delimiter))
    return buffer.getvalue()
