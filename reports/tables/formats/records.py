"""Outcome tables as JSON: one object per line, or one list of objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter, methodcaller
from typing import Any

import msgspec
import pyarrow as pa
from pyarrow import types

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.json_files.line import is_torn
from reports.json_files.strict import FEW, NAN, parse, require_room
from reports.tables.encoding import as_unicode, decoded_head
from reports.tables.samples.gathering import Found, gather, interpret
from reports.tables.schema.columns import MAX_COLUMNS, Columns
from reports.tables.schema.data_types import is_text
from reports.tables.schema.spelled import looked_at, recognise
from reports.tables.source import Source

NAME = Text("JSON")
SUFFIXES = (".jsonl", ".ndjson")
MAX_RECORD = 256 << 20
"""Bytes of one line."""
MAX_LIST = 128 << 20
"""Bytes of one list of records, which is read whole; in memory it takes several times as much."""

_PEEK = 1_000
_ROWS = 20_000
_BYTES = 16 << 20
"""Of records that are decoded at once: what they hold may take thirty times as much."""
_SHORTEST = 12
"""Bytes of the shortest record that says how a question came out."""
_EMPTY = Text("holds thousands of records with almost nothing in them")
_FIRST_OBJECT = re.compile(r"\s*\[\s*\{|\s*\{[^\n]*\}[ \t\r]*\n\s*\{")
_ESCAPED = re.compile(r'[\\"\x00-\x1f]')
_REFUSED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

RawRecord = tuple[str, bytes | msgspec.Raw]


def sniff(head: bytes) -> bool:
    """Whether a file begins like a list of objects, or like two lines of one object each."""
    return _FIRST_OBJECT.match(decoded_head(head)) is not None


def read(source: Source) -> Found:
    """Read the keys that matter; which do, and what they hold, the first records say."""
    first = _first(source)
    schema = _schema(source, first)
    texts = looked_at(source, schema)
    peek = pa.table(
        {
            name: pa.array([_text(record.get(name)) for record in first], pa.string())
            for name in texts
        }
    )
    columns = Columns.of(source, recognise(source, schema, peek), peek)
    kinds = {
        name: pa.string() if name in columns.labels else schema.field(name).type
        for name in columns.names
    }
    return interpret(source, columns, gather(source, _batches(source, kinds)))


def schema(source: Source) -> pa.Schema:
    """Return the keys of the first records, and what they hold."""
    return _schema(source, _first(source))


def _first(source: Source) -> list[dict[str, Any]]:
    begin = next(_chunks(source, islice(_records(source), _PEEK)), [])
    return [_decoded(source, place, record, _OBJECT) for place, record in begin]


def values(source: Source, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read keys record by record."""
    decoder, value_of = _decoder(names)
    for place, record in _records(source):
        row = _decoded(source, place, record, decoder)
        yield tuple(value_of[name](row) for name in names)


def with_columns(
    source: Source, kinds: dict[str, pa.DataType]
) -> Iterator[tuple[list[bytes], dict[str, pa.Array]]]:
    """Read records as they are, and beside them some keys, in batches."""
    decoder, value_of = _decoder(list(kinds))
    for chunk in _chunks(source, _records(source)):
        rows = [_decoded(source, place, record, decoder) for place, record in chunk]
        columns = {
            name: _column(source, name, kind, list(map(value_of[name], rows)), chunk)
            for name, kind in kinds.items()
        }
        yield [bytes(record) for _, record in chunk], columns


def _records(source: Source) -> Iterator[RawRecord]:
    """Yield every record with its place."""
    with source.text() as stream:
        start = stream.peek(1 << 10) if hasattr(stream, "peek") else b""
        if start.lstrip()[:1] == b"[":
            data = stream.read(MAX_LIST + 1)
            if len(data) > MAX_LIST:
                raise _refused(
                    source, "", Text("is a list longer than {size} MiB", size=MAX_LIST >> 20)
                )
            yield from _members(source, data)
            return
        number = 0
        while line := stream.readline(MAX_RECORD + 1):
            number += 1
            if len(line) > MAX_RECORD:
                raise _refused(
                    source,
                    f"line {number}",
                    Text("is longer than {size} MiB", size=MAX_RECORD >> 20),
                )
            if number > 1 and is_torn(line):
                source.tree.torn.add(source.path)
                return
            if line.strip():
                yield f"line {number}", line


def _members(source: Source, data: bytes) -> Iterator[RawRecord]:
    if len(data) > _BYTES and data.count(b"{") > len(data) // _SHORTEST:
        raise _refused(source, "", _EMPTY)
    try:
        msgspec.json.decode(data, type=list[_Anything])
        members = msgspec.json.decode(data, type=list[msgspec.Raw])
    except _REFUSED:
        members = [
            msgspec.Raw(_spelled_out(source, "", member))
            for member in parse(data, source.tree.name, source.place, absent=NAN)
        ]
    for number, member in enumerate(members, start=1):
        yield f"record {number}", member


class _Anything(msgspec.Struct):
    """An object of which nothing is kept."""


_OBJECT = msgspec.json.Decoder(dict[str, Any])


def _chunks(source: Source, records: Iterable[RawRecord]) -> Iterator[list[RawRecord]]:
    """Yield as many records at a time as may be decoded at once."""
    chunk: list[RawRecord] = []
    size = 0
    for place, record in records:
        chunk.append((place, record))
        size += len(record)
        if size > _BYTES or len(chunk) == _ROWS:
            if size < _SHORTEST * len(chunk):
                raise _refused(source, place, _EMPTY)
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _decoded(source: Source, place: str, record: Any, decoder: msgspec.json.Decoder[Any]) -> Any:
    if len(record) > FEW:
        require_room(bytes(record), source.tree.name, _place_at(source, place))
    try:
        return decoder.decode(record)
    except _REFUSED as error:
        value = parse(bytes(record), source.tree.name, _place_at(source, place), absent=NAN)
        if not isinstance(value, dict):
            raise _refused(source, place, Text("is not an object")) from error
        return decoder.decode(_spelled_out(source, place, value))


def _spelled_out(source: Source, place: str, value: Any) -> bytes:
    """Write a value of lone surrogates, which JSON allows, as one that spells them in ASCII."""

    def spell(value: Any) -> Any:
        if isinstance(value, dict):
            return {as_unicode(key): spell(below) for key, below in value.items()}
        if isinstance(value, list):
            return list(map(spell, value))
        return as_unicode(value) if isinstance(value, str) else value

    try:
        return msgspec.json.encode(spell(value))
    except RecursionError as error:
        raise _refused(source, place, Text("is nested too deeply to read")) from error


def _refused(source: Source, place: str, problem: Text) -> LoadError:
    fix = Text("Write one JSON object for each sample or question, each on a line of its own.")
    return source.tree.error(problem, fix, _place_at(source, place))


def _place_at(source: Source, place: str) -> str:
    return ", ".join(filter(None, (source.place, place)))


def _schema(source: Source, records: Sequence[dict[str, Any]]) -> pa.Schema:
    found: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.items():
            found.setdefault(name, set()).update(_kinds(value))
        if len(found) > MAX_COLUMNS:
            raise source.error(
                Text("has more than {limit} different keys", limit=MAX_COLUMNS),
                Text("Write one object for each sample: question_id, sample, correct."),
            )
    if not found:
        raise _refused(source, "", Text("holds no records"))
    return pa.schema([(name, _type(kinds)) for name, kinds in found.items()])


def _kinds(value: Any) -> set[str]:
    if value is None:
        return set()
    if isinstance(value, list):
        of_items = set().union(*map(_kinds, value)) if value else set()
        simple = of_items <= {"number", "text"}
        return {"list", *(f"{kind}s" for kind in of_items)} if simple else {"nested"}
    if isinstance(value, dict):
        return {"nested"}
    return {"text" if isinstance(value, str) else "number"}


def _type(kinds: set[str]) -> pa.DataType:
    if not kinds:
        return pa.null()
    if kinds <= {"number", "text"}:
        return pa.string() if "text" in kinds else pa.float64()
    if kinds <= {"list", "numbers", "texts"}:
        return pa.large_list(pa.string() if "texts" in kinds else pa.float64())
    return pa.struct([])


def _batches(source: Source, kinds: dict[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Decode only the keys that matter."""
    schema = pa.schema(list(kinds.items()))
    for _, columns in with_columns(source, kinds):
        yield pa.record_batch(columns, schema=schema)


def _decoder(names: Sequence[str]) -> tuple[msgspec.json.Decoder[Any], dict[str, Any]]:
    """Return what decodes some keys of a record, and what takes each out of the result."""
    if any(map(_ESCAPED.search, names)):
        return _OBJECT, {name: methodcaller("get", name) for name in names}
    fields = [f"f{number}" for number in range(len(names))]
    row = msgspec.defstruct(
        "Row",
        [(field, Any, None) for field in fields],
        rename=dict(zip(fields, names, strict=True)),
    )
    return msgspec.json.Decoder(row), dict(zip(names, map(attrgetter, fields), strict=True))


def _column(
    source: Source, name: str, kind: pa.DataType, values: list[Any], records: Iterable[RawRecord]
) -> pa.Array:
    convert = _converter(kind)
    try:
        return pa.array([None if value is None else convert(value) for value in values], kind)
    except (TypeError, ValueError, OverflowError):
        for (place, _), value in zip(records, values, strict=True):
            if value is not None:
                _try(source, name, place, convert, value)
        raise


def _try(
    source: Source, name: str, place: str, convert: Callable[[Any], Any], value: object
) -> None:
    try:
        pa.array([convert(value)])
    except (TypeError, ValueError, OverflowError) as error:
        problem = Text(
            "the value of {name:.80}, {value:.40}, is not of the kind that the first records have",
            name=name,
            value=repr(value),
        )
        raise _refused(source, place, problem) from error


def _converter(kind: pa.DataType) -> Callable[[Any], Any]:
    if is_text(kind):
        return _text
    if types.is_large_list(kind):
        of_item = _converter(kind.value_type)
        return lambda value: [None if v is None else of_item(v) for v in _list(value)]
    return _no_values if types.is_struct(kind) else _number


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return msgspec.json.encode(value).decode()


def _number(value: Any) -> float:
    if isinstance(value, (bool, int, float)):
        return float(value)
    raise TypeError


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise TypeError


def _no_values(value: Any) -> dict[str, Any]:
    return {}
