"""Strict JSON: what the standard leaves undefined is refused, and every refusal says where."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Container, Mapping
from typing import Any, NoReturn

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.tree import Tree

INT64 = 1 << 63
"""Integers must lie in -INT64 … INT64 - 1."""

NAN = ("NaN",)
"""What pandas writes where there is no number."""
NOT_FINITE = (*NAN, "Infinity", "-Infinity")
"""What Python writes of numbers that JSON does not have."""

MAX_WHOLE = 256 << 20
"""Bytes that are parsed at once; in memory they take three times as much or more."""

_LITTLE = 24 << 20
FEW = _LITTLE // 80
"""Bytes of JSON that take little memory whatever they hold: eighty for each at most."""
_DENSEST = 33
_OF_EACH = {b"{": 192, b"[": 64, b",": 48}
"""Bytes in memory of an object, a list and any other value, by what tells how many there are."""
_ALIKE, _OF_KEY = 16, 200
"""Keys of an object that others may have too, and bytes in memory of each that it has beyond."""
_ANY_ROOM = 256 << 20
_ROOM = 3
"""Bytes in memory that values may take: for each byte of a small file, in all, and for each byte of
a large one. Real reports take one for each byte, lists of verdicts without spaces 24."""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_LOOKED_AT = 64
_WRITE_NULL = Text("Write null where there is no number; json.dumps(…, allow_nan=False) checks it.")
_WRITE_AGAIN = Text("Write the file again with a standard JSON library.")


def parse(data: bytes, file: str, place: str = "", *, absent: Container[str] = ()) -> Any:
    """Parse one JSON value.

    data: UTF-8, with or without a byte order mark.
    file, place: Where the bytes come from, for messages; the line and column are added to the
        place.
    absent: Of `NOT_FINITE`, the tokens that are None.
    Returns: Dictionaries, lists, strings, numbers, booleans and None.
    Raises LoadError for more than `MAX_WHOLE` bytes; text that is not UTF-8, cut short or not JSON;
    NaN and Infinity; a key that occurs twice in an object; numbers beyond 64 bits; nesting too deep
    to read.

    Examples
    --------
    >>> parse(b'{"accuracy": 42.5, "details": null}', "gsm8k.json")
    {'accuracy': 42.5, 'details': None}
    >>> parse(b'{"accuracy": NaN}', "gsm8k.json")
    Traceback (most recent call last):
    ...
    reports.files.errors.LoadError: gsm8k.json, line 1, column 14: NaN is not a number that JSON \
allows. Write null where there is no number; json.dumps(…, allow_nan=False) checks it.
    """
    if len(data) > MAX_WHOLE:
        raise _too_long(len(data), file, place)
    require_room(data, file, place)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LoadError(
            file,
            Text("is not UTF-8 text"),
            Text("Save it as UTF-8."),
            _join(place, f"byte {error.start}"),
        ) from error

    def refuse(problem: Text, position: int | None, fix: Text = _WRITE_AGAIN) -> NoReturn:
        where = "" if position is None else _line_and_column(text, position, place)
        raise LoadError(file, problem, fix, _join(place, where))

    def constant(token: str) -> None:
        if token not in absent:
            refuse(
                Text("{token} is not a number that JSON allows", token=token),
                _position(text, token),
                _WRITE_NULL,
            )

    def too_large(token: str) -> NoReturn:
        refuse(
            Text("the number that begins {token:.12} is beyond 64 bits", token=token),
            _position(text, token),
        )

    def integer(token: str) -> int:
        if len(token) > 20 or not -INT64 <= (value := int(token)) < INT64:
            too_large(token)
        return value

    def real(token: str) -> float:
        if math.isinf(value := float(token)):
            too_large(token)
        return value

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            key, count = Counter(key for key, _ in pairs).most_common(1)[0]
            refuse(
                Text("the key {key!r} occurs {times} times in one object", key=key, times=count),
                None,
            )
        return result

    try:
        return json.loads(
            text,
            parse_constant=constant,
            parse_int=integer,
            parse_float=real,
            object_pairs_hook=members,
        )
    except json.JSONDecodeError as error:
        if _is_cut(text, error):
            refuse(
                Text("the JSON ends in the middle of a value"),
                len(text),
                Text("Copy or download it again in full; perhaps it was still being written."),
            )
        refuse(Text("is not JSON ({reason})", reason=error.msg), error.pos)
    except RecursionError:
        refuse(Text("is nested too deeply to read"), None)


def object_in(tree: Tree, path: str | None) -> Mapping[str, Any]:
    """Return the object that a file holds; an empty one without a file or of any other."""
    try:
        held = parse_file(tree, path, absent=NOT_FINITE) if path else None
    except LoadError:
        held = None
    return held if isinstance(held, Mapping) else {}


def parse_file(tree: Tree, path: str, *, absent: Container[str] = ()) -> Any:
    """Parse a file of a tree; see `parse`."""
    require_whole(tree, path)
    return parse(tree.read(path), tree.name, path, absent=absent)


def require_whole(tree: Tree, path: str) -> None:
    """Refuse a file that is too long to be read at once."""
    if tree.files[path] > MAX_WHOLE:
        raise _too_long(tree.files[path], tree.name, path)


def require_room(data: bytes | bytearray, file: str, place: str) -> None:
    """Refuse JSON that holds more values than it may, before any of them is made."""
    if len(data) <= FEW:
        return
    size = sum(data.count(mark) * each for mark, each in _OF_EACH.items())
    size += max(0, data.count(b'":') - _ALIKE * data.count(b"{")) * _OF_KEY
    room = min(_DENSEST * len(data), max(_ANY_ROOM, _ROOM * len(data)))
    if size > max(_LITTLE, room):
        raise LoadError(
            file,
            Text(
                "is {size:,.1f} MiB of JSON whose values, most of them empty or a few letters "
                "long, would take {room} MiB of memory",
                size=len(data) / 2**20,
                room=size >> 20,
            ),
            Text(
                "Check the program that wrote it. For samples, a Parquet table takes far less "
                "memory."
            ),
            place,
        )


def _too_long(size: int, file: str, place: str) -> LoadError:
    return LoadError(
        file,
        Text(
            "is {size} MiB of JSON that must be read at once; kofn takes up to {limit} MiB",
            size=size >> 20,
            limit=MAX_WHOLE >> 20,
        ),
        Text("Write all its entries with the same keys in the same order, or a Parquet table."),
        place,
    )


def ends_early(data: bytes) -> bool:
    """Whether what is no JSON would be if it went on."""
    text = data.decode(errors="replace")
    try:
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        return _is_cut(text, error)
    except RecursionError:
        return False
    return False


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    rest = text[error.pos :].rstrip()
    begun = any(word.startswith(rest) for word in ("true", "false", "null")) or not rest.strip("-.")
    return error.msg.startswith("Unterminated string") or (begun and error.msg != "Extra data")


def _position(text: str, token: str) -> int | None:
    """Find a token that stands outside strings, of a long one what it begins with."""
    pattern = rf"{_STRING}|(?<![\w.+-])({re.escape(token[:_LOOKED_AT])})"
    return next((m.start() for m in re.finditer(pattern, text, re.DOTALL) if m[1]), None)


def _line_and_column(text: str, position: int, place: str) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    if place and "\n" not in text.strip():
        return f"column {column}"
    return f"line {line}, column {column}"


def _join(*places: str) -> str:
    return ", ".join(filter(None, places))
