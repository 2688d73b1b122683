"""Outcome tables as text, with values separated by commas, tabs, semicolons or bars."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from csv import Error, reader
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import islice, pairwise
from typing import Any, BinaryIO, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, types

from metrics.data.words import Enumerated, Text
from reports.files.errors import LoadError, OpenChoice
from reports.files.notes import Note
from reports.files.other_tools import PICTURE, PICTURES
from reports.tables.encoding import GUESSED, decoded_head, stream_of
from reports.tables.formats.thousands import grouped_columns, ungrouped
from reports.tables.formats.whole_rows import (
    ROW,
    QuotesClosed,
    RowsAlone,
    end_of_rows,
    ending_reader,
    whole_lines,
)
from reports.tables.meaning.codes import labels
from reports.tables.meaning.refusals import without_rows
from reports.tables.samples.gathering import Found, gather, interpret, rows_of
from reports.tables.schema.columns import MAX_COLUMNS, Columns
from reports.tables.schema.data_types import is_text
from reports.tables.schema.names import ALIASES, CORRECT, QUESTION, SCORE, key
from reports.tables.schema.spelled import recognise
from reports.tables.source import HEAD, Source

NAME = Text("CSV")
SUFFIXES = (".csv", ".tsv", ".tab")

_LINE = 1 << 16
_BEGINNING = 1 << 22
"""Bytes that are looked at first."""
_FEW = 1_000
_DELIMITERS = "\t,;|"
_QUOTED = re.compile(r'"(?:[^"]|"")*(?:"|\Z)')
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_KNOWN = {name for names in ALIASES.values() for name in names}
_FRACTION = re.compile(r"[+-]?[0-9]+([.,])[0-9]+")
_MILLIONS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3}){2,}")
_SEPARATOR = re.compile(r"\ufeff?\s*\"?sep=([\t,;|])\"?[ \t]*\r?(?:\n|\Z)", re.IGNORECASE)
NULLS = ["", "null", "NULL", "None", "none", "nan", "NaN", "NA", "N/A", "n/a", "<NA>", "#N/A"]
_LABEL = pa.dictionary(pa.int32(), pa.string())


def sniff(head: bytes) -> bool:
    """Whether a file begins like a header that names questions or outcomes."""
    start = Start.of(decoded_head(head))
    return bool("\0" not in start.text and start.delimiter and start.names_outcomes)


def read(source: Source) -> Found:
    """Read the columns that matter; types are those of the first 16 MiB."""
    start = begin(source)
    text, lines, delimiter = start.text, start.lines, start.delimiter
    if "\0" in text:
        with source.open() as stream:
            if stream.read(HEAD).startswith(PICTURES):
                raise PICTURE.error(source.tree.name, source.path)
        raise source.error(
            Text("holds NUL characters, as no text does"),
            Text("Save it as UTF-8, or as UTF-16 with a byte order mark."),
        )
    if not delimiter:
        raise source.error(
            Text(
                "the first line, {line!r}, is not divided by tab, comma, semicolon or bar",
                line=lines[0][:60] if lines else "",
            ),
            Text("Begin with a line of column names, such as question_id,sample,correct."),
        )
    if len(lines) and lines[0].count(delimiter) >= MAX_COLUMNS:
        raise source.error(
            Text("has more than {limit} columns", limit=MAX_COLUMNS),
            Text("Write one row for each sample: question_id, sample, correct."),
        )
    if not source.chosen and _holds_values(text.splitlines()[0][:_LINE], delimiter):
        raise source.error(
            Text(
                "the first line, {line:.60}, seems to hold values instead of the names of columns",
                line=repr(lines[0]),
            ),
            Text(
                "Begin with a line of names, such as question_id,sample,correct, or "
                "question_id,1,2,3 with a column for each sample."
            ),
        )
    point = _decimal_point(lines, delimiter)
    try:
        runs, notes = _read_whole(source, start, point)
    except (pa.ArrowInvalid, UnicodeError) as error:
        raise _explained(source, str(error).splitlines()[0], delimiter) from error
    if source.encoding in GUESSED:
        what = Text("The text is in {name}, not in UTF-8.", name=GUESSED[source.encoding])
        notes = (*notes, Note(what, source.place))
    if point == ",":
        what = Text("Numbers have decimal commas: 0,5 is read as one half.")
        notes = (*notes, Note(what, source.place))
    return Found(runs, notes)


def _read_whole(source: Source, start: Start, point: str) -> Found:
    """Read a table; without its last row if that is cut in the middle, which `Tree.torn` says."""
    try:
        return _read(source, start, point)
    except OpenChoice:
        raise
    except (pa.ArrowInvalid, UnicodeError, LoadError) as error:
        with source.text() as text:
            end, rest = end_of_rows(text)
        if not end or not _is_cut(rest, start):
            raise
        try:
            found = _read(replace(source, end=end), start, point)
        except (pa.ArrowInvalid, UnicodeError, LoadError):
            raise error from None
        source.tree.torn.add(source.path)
        return found


def _is_cut(row: bytes, start: Start) -> bool:
    """Whether a last row has fewer values than there are names, or ends within one."""
    try:
        text = row.decode()
    except UnicodeDecodeError:
        return True
    if text.count('"') % 2:
        return True
    return len(_values(text, start.delimiter)) <= start.lines[0].count(start.delimiter)


def _values(row: str, delimiter: str) -> list[str]:
    """Return the values of the first row of a text; none of one that is no row."""
    try:
        return next(reader(StringIO(row, newline=""), delimiter=delimiter), [])
    except Error:
        return []


class Start(NamedTuple):
    """How a file begins."""

    skipped: int  # Lines before that of the names: the one in which Excel says what divides values.
    text: str  # What follows it.
    lines: list[str]  # The first of that, without what is quoted.
    delimiter: str  # Empty if nothing divides values.
    # Whether the line of names is in the file, and not in another part of its table only.
    stands: bool = True

    @property
    def header(self) -> bytes:
        """The line of names, or nothing where it is not there or may be more than one line."""
        line = self._first.rstrip("\r")
        whole = self.stands and len(line) < _LINE and line.count('"') % 2 == 0
        return line.encode() if whole else b""

    @property
    def blank(self) -> bytes:
        """A row without any value."""
        return (self.delimiter * (len(self.names) - 1)).encode()

    @property
    def names(self) -> list[str]:
        """What is in the line of names."""
        return _values(self._first.strip(), self.delimiter)

    @property
    def names_outcomes(self) -> bool:
        """Whether names are those of questions or outcomes."""
        return bool({*map(key, self.names)} & {*QUESTION, *CORRECT, *SCORE})

    @property
    def _first(self) -> str:
        return self.text.lstrip("\r\n ").partition("\n")[0]

    @classmethod
    def of(cls, text: str) -> Start:
        """Find out by the first characters of a file."""
        stated = _SEPARATOR.match(text)
        rest = text[stated.end() :] if stated else text
        lines = _lines(rest)
        delimiter = stated[1] if stated and lines else _delimiter(lines)
        return cls(1 if stated else 0, rest, lines, delimiter)

    def elsewhere(self) -> Start:
        """Return it for a part of the table that does not repeat it."""
        return self._replace(skipped=0, stands=False)


def begin(source: Source) -> Start:
    """Look how a file begins."""
    with source.open() as stream:
        return Start.of(decoded_head(stream.read(HEAD)))


def _read(source: Source, start: Start, point: str) -> Found:
    first = _first(source, start, point)
    schema = first.schema
    thousands = grouped_columns(first) if point == "." else []
    for name in thousands:
        schema = schema.set(schema.get_field_index(name), pa.field(name, pa.float64()))
    schema = recognise(source, schema, first)
    columns = Columns.of(source, schema, first)
    thousands = [name for name in thousands if name in columns.numbers]
    kinds = {name: _LABEL for name in (*columns.labels, *filter(None, [columns.error]))}
    for name in columns.numbers:
        inferred = first.schema.field(name).type
        as_is = types.is_boolean(inferred) or types.is_string(inferred)
        kinds[name] = inferred if as_is else pa.float64()
    alone = RowsAlone(start.header, start.blank)
    with (
        _opened(source, start, schema, alone) as stream,
        _open(stream, start, kinds, point) as table,
    ):
        batches = map(partial(ungrouped, source, names=thousands), map(_without_empty, table))
        data = gather(source, batches)
    _require_no_names(source, data, {*schema.names})
    runs, notes = interpret(source, columns, data)
    notes = (*notes, *alone.notes(source))
    if thousands:
        what = Text(
            "Commas stand between thousands in {columns}: 1,234 is read as 1234.",
            columns=Enumerated(thousands),
        )
        notes = (*notes, Note(what, source.place))
    return Found(runs, notes)


def schema(source: Source) -> pa.Schema:
    """Return the names in the first line, with the types of the first rows."""
    return _first(source, begin(source), decimal_point(source)).schema


def _first(source: Source, start: Start, point: str) -> pa.RecordBatch:
    with _text(source, start) as stream:
        beginning = stream.read(ROW + 1)
    is_all = len(beginning) <= ROW
    end = len(beginning) if is_all else end_of_rows(io.BytesIO(beginning))[0]
    with _open(_buffer(beginning[:end]), start, point=point) as table:
        return next(iter(table), pa.RecordBatch.from_pylist([], table.schema))


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read columns row by row, as they are written: first of the beginning, which is in memory."""
    start, kinds, done = begin(source), dict.fromkeys(names, pa.string()), 0
    with _text(source, start) as stream:
        beginning = stream.read(_BEGINNING)
    is_all = len(beginning) < _BEGINNING
    end = len(beginning) if is_all else end_of_rows(io.BytesIO(beginning))[0]
    try:
        with _open(_buffer(beginning[:end]), start, kinds, size=end + 1) as table:
            rows = _rows(table, names)
            # the last of a part may be cut
            for row in rows if is_all else (row for row, _ in pairwise(rows)):
                yield row
                done += 1
    except pa.ArrowInvalid:
        if is_all:
            raise
    if not is_all:
        with _text(source, start) as stream, _open(stream, start, kinds) as table:
            yield from islice(_rows(table, names), done, None)


def _buffer(data: bytes) -> BinaryIO:
    return cast(BinaryIO, pa.BufferReader(data))


def _rows(table: Iterable[pa.RecordBatch], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for batch in table:
        for first in range(0, batch.num_rows, _FEW):
            yield from rows_of(batch.slice(first, _FEW), names)


def texts(source: Source, start: Start, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Read columns as they are written.

    Raises LoadError if a quotation mark encloses rows.
    """
    kinds, alone = dict.fromkeys(names, pa.string()), RowsAlone(start.header, start.blank)
    with (
        _opened(source, start, schema(source), alone) as stream,
        _open(stream, start, kinds) as table,
    ):
        yield from table


def decimal_point(source: Source) -> str:
    """Return what stands before the decimals of numbers."""
    start = begin(source)
    return _decimal_point(start.lines, start.delimiter)


@contextmanager
def _text(source: Source, start: Start) -> Iterator[BinaryIO]:
    """Open the lines of a table that are rows, and its header once."""
    alone = RowsAlone(start.header, start.blank)
    with source.text() as text, stream_of(alone.of(whole_lines(text))) as stream:
        yield stream


@contextmanager
def _opened(
    source: Source, start: Start, schema: pa.Schema, alone: RowsAlone
) -> Iterator[BinaryIO]:
    """Open them so that no row is lost in quotation marks."""
    plain = [place for place, column in enumerate(schema) if not is_text(column.type)]
    quotes = QuotesClosed(source, start.delimiter, len(schema), plain)
    with source.text() as text, stream_of(quotes.of(alone.of(whole_lines(text)))) as stream:
        yield stream


def _require_no_names(source: Source, data: pa.Table, names: Collection[str]) -> None:
    """Refuse a row of names, which has them in another order than the first line."""
    if not all(is_text(column.type) for column in data.schema):
        return
    rows = np.ones(len(data), bool)
    for name in data.column_names:
        coded = labels(data[name])
        is_name = np.array([*(value.strip() in names for value in coded.values), False])
        rows &= is_name[coded.codes]
        if not rows.any():
            return
    raise source.error(
        Text(
            "row {row} seems to be a header, with names in another order than the first line",
            row=int(np.argmax(rows)) + 1,
        ),
        Text("Load the tables that were joined here one by one."),
    )


def _open(
    stream: BinaryIO,
    start: Start,
    kinds: dict[str, pa.DataType] | None = None,
    point: str = ".",
    size: int | None = None,
) -> AbstractContextManager[csv.CSVStreamingReader]:
    table = csv.open_csv(
        stream,
        csv.ReadOptions(
            block_size=size or ROW,
            skip_rows=start.skipped,
            column_names=None if start.stands else start.names,
        ),
        csv.ParseOptions(delimiter=start.delimiter, newlines_in_values=True),
        csv.ConvertOptions(
            column_types=kinds,
            include_columns=list(kinds or ()),
            null_values=NULLS,
            decimal_point=point,
        ),
    )
    return ending_reader(stream, table)


def _without_empty(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Make empty labels null."""
    for position, column in enumerate(batch.columns):
        if types.is_dictionary(column.type):
            values = pc.if_else(pc.equal(column.dictionary, ""), None, column.dictionary)
            whole = pa.DictionaryArray.from_arrays(column.indices, values)
            batch = batch.set_column(position, batch.schema.names[position], whole)
    return batch


def _lines(text: str) -> list[str]:
    """Return the first lines without what is quoted."""
    lines = _QUOTED.sub('""', text).splitlines()
    return [line for line in lines[:10] if line.strip()]


def _delimiter(lines: list[str]) -> str:
    """Return what divides the first lines into as many fields, or the first line at all."""
    equal = {
        character: lines[0].count(character)
        for character in _DELIMITERS
        if lines and {line.count(character) for line in lines[:2]} == {lines[0].count(character)}
    }
    any_at_all = {character: lines[0].count(character) for character in _DELIMITERS if lines}
    for counts in (equal, any_at_all):
        best = max(counts, key=lambda character: counts[character], default="")
        if best and counts[best]:
            return best
    return ""


def _holds_values(line: str, delimiter: str) -> bool:
    """Whether a first line has numbers, and not as the samples of a wide table."""
    names = [key(name) for name in _values(line, delimiter)]
    numbers = [name for name in names if _NUMBER.fullmatch(name)]
    others = {name for name in names if name} - {*numbers}
    repeated = len(numbers) > len({*numbers})
    return repeated or bool(numbers and others and not others & _KNOWN)


def _decimal_point(lines: list[str], delimiter: str) -> str:
    """Return the comma if the first lines have numbers with it, and none with a point."""
    values = {value.strip() for line in lines for value in line.split(delimiter)}
    if any(map(_MILLIONS.fullmatch, values)):
        return "."
    points = {found[1] for value in values if (found := _FRACTION.fullmatch(value))}
    return "," if points == {","} else "."


def _explained(source: Source, reason: str, delimiter: str) -> LoadError:
    if "UTF8" in reason or "codec" in reason:
        return source.error(
            Text("is not text in UTF-8 ({reason:.100})", reason=reason),
            Text("Save it as UTF-8, or as UTF-16 with a byte order mark."),
        )
    if "Empty CSV" in reason:
        return without_rows(source)
    if "straddl" in reason:
        return source.error(
            Text("a row is longer than {size} MiB", size=ROW >> 20),
            Text("Check its quotes, or write the table as Parquet."),
        )
    return source.error(
        Text(
            "cannot be read with {delimiter!r} between values ({reason:.200})",
            delimiter=delimiter,
            reason=reason,
        ),
        Text("Write it again with pandas, or as Parquet."),
    )
