"""The long table that kofn wrote itself, as CSV or JSONL."""

from __future__ import annotations

import csv as text
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import Any, BinaryIO

import msgspec
import pyarrow as pa
from pyarrow import csv

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.tables.encoding import decoded_head
from reports.tables.formats.whole_rows import ending_reader
from reports.tables.samples.gathering import Found
from reports.tables.source import Source, Values
from reports.tables.writing.canonical import (
    ADDED,
    FACTS,
    FIXED,
    LABEL,
    SEGMENT,
    STATE,
    WORD,
)
from reports.tables.writing.files import ALWAYS
from reports.tables.writing.formulas import unguarded, with_texts
from reports.tables.writing.restoring import changed_error, restore_batches

NAME = Text("CSV or JSONL of kofn")
SUFFIXES: tuple[str, ...] = ()
schema = None
values: Values | None = None

_OLDEST = FIXED.names[: -len(ADDED)]
_BLOCK = 16 << 20
"""Bytes of CSV at a time, and the most of a line of JSON."""
_MARK = 8
_LINES = 100_000
_VALUE = r'(?:"(?:[^"\\]|\\.)*"|\w+)'
_LINE = re.compile(r"\{" + ",".join(f'"{name}":{_VALUE}' for name in ALWAYS))
_ROW = msgspec.json.Decoder(dict[str, str | int | float | bool | None])
_LABEL = pa.dictionary(pa.int32(), pa.string())
_ABSENT = object()


def sniff(head: bytes) -> bool:
    """Whether a file begins as `reports.tables.write` begins it."""
    start = decoded_head(head)
    return bool(_LINE.match(start)) or _names(start)[: len(_OLDEST)] == _OLDEST


def read(source: Source) -> Found:
    """Read the runs that were written.

    Raises LoadError if the table was changed since, so that it is no longer one row for every cell.
    """
    with source.open() as stream:
        of_lines = decoded_head(stream.read(_MARK)).startswith("{")
    with source.text() as stream:
        if of_lines:
            return restore_batches(source, FIXED.names, _of_lines(source, stream))
        with _open_csv(stream, []) as table:
            names = table.schema.names
    with source.text() as stream, _open_csv(stream, names) as table:
        rows = (with_texts(batch, unguarded) for batch in table)
        return restore_batches(source, names, rows)


def _names(start: str) -> list[str]:
    """Return the names in the first line of a CSV file."""
    return next(text.reader(start.splitlines()[:1]), [])


def _kind(name: str) -> pa.DataType:
    if name in FIXED.names:
        return FIXED.field(name).type
    texts = name in (STATE, LABEL, FACTS) or name.startswith((SEGMENT, WORD))
    return _LABEL if texts else pa.float64()


def _open_csv(
    stream: BinaryIO, names: Sequence[str]
) -> AbstractContextManager[csv.CSVStreamingReader]:
    """Open a table whose quoted texts are never null, and whose empty cells always are."""
    table = csv.open_csv(
        stream,
        csv.ReadOptions(block_size=_BLOCK),
        csv.ParseOptions(newlines_in_values=True),
        csv.ConvertOptions(
            column_types={name: _kind(name) for name in names},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    return ending_reader(stream, table)


def _of_lines(source: Source, stream: BinaryIO) -> Iterator[pa.RecordBatch]:
    lines = enumerate(iter(lambda: stream.readline(_BLOCK), b""), start=1)
    while chunk := list(islice(lines, _LINES)):
        rows = []
        for number, line in chunk:
            try:
                rows.append(_ROW.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise _kind_error(source, number) from error
        names = dict.fromkeys([*FIXED.names, *chain.from_iterable(rows)])
        try:
            columns = {name: _column(name, rows) for name in names}
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise _kind_error(source, chunk[-1][0]) from error
        yield pa.record_batch(columns)


def _column(name: str, rows: Sequence[Mapping[str, Any]]) -> pa.Array:
    kind = _kind(name)
    values: Iterable[Any] = (row.get(name) for row in rows)
    if pa.types.is_floating(kind):
        of = (row.get(name, _ABSENT) for row in rows)
        values = [None if v is _ABSENT else math.nan if v is None else float(v) for v in of]
    return pa.array(values, kind)


def _kind_error(source: Source, number: int) -> LoadError:
    return changed_error(
        source, Text("a value up to line {number} is of another kind", number=number)
    )
