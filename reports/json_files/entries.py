"""A long JSON file read in blocks of whole entries of its one long list or object.

Entries are objects that begin with the same key, in any layout. A brace before a key is no part of
a string, so only where entries hold objects that begin alike, in a file without indents that tell
them apart, may a block be cut within one. Such a block, and any other that does not end where an
entry does, is no JSON: a value that was cut short stays open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.json_files.strict import NOT_FINITE, parse, require_room

BLOCK = 1 << 18
"""Bytes read at a time: few enough that what is made of them stays in the processor's cache."""
MAX_ENTRY = 256 << 20
"""Bytes of one entry."""
_HEAD = 8 << 20
"""Bytes in which the first entry begins."""

_SPACE = rb"[ \t\r\n]*+"
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_NAME = _STRING + _SPACE + b":" + _SPACE
_FIRST = rb"([\[{])" + _SPACE + rb"(?=(?:" + _NAME + rb")?+(\{" + _SPACE + _STRING + rb"))"
_BEFORE = _SPACE + b"(?:," + _SPACE + b")?+(?:" + _NAME + rb")?+(?=\{)"
_NEXT = re.compile(_BEFORE.decode(), re.DOTALL)
GAP = re.compile(_SPACE + b"," + _SPACE + rb"(?![\]}])")
"""What stands between two entries."""
_CLOSING = {b"[": b"]", b"{": b"}"}
_VALUE = json.JSONDecoder()


class EntryBlock(NamedTuple):
    """Whole entries, in the brackets of a list or object of their own."""

    offset: int  # Of the byte after the opening bracket, in the file.
    data: bytes


class Entries:
    """The entries of a file, in blocks.

    stream: At its beginning.
    member: The key whose value holds the entries; empty if the file itself is the object of
        entries.

    Attributes
    ----------
    found : bool
        Whether there are entries.
    before : dict
        What the file has before that key.
    rest : bytes
        Once all blocks are read: the file without the entries that were in them.
    whole : bytes
        The file, where there are no entries and it is no longer than where they would begin.

    Examples
    --------
    >>> import io, json
    >>> data = json.dumps({"accuracy": 50.0, "details": [{"a": 1}, {"a": 2}]}).encode()
    >>> entries = Entries(io.BytesIO(data), "details", "gsm8k.json")
    >>> [json.loads(block.data) for block in entries], json.loads(entries.rest)
    ([[{'a': 1}], [{'a': 2}]], {'accuracy': 50.0, 'details': []})
    >>> entries.before
    {'accuracy': 50.0}
    """

    def __init__(self, stream: BinaryIO, member: str, file: str, place: str = "") -> None:
        key = json.dumps(member).encode()
        before = re.escape(key) + _SPACE + b":" if member else rb"\A(?:\xef\xbb\xbf)?+"
        pattern = re.compile(before + _SPACE + _FIRST, re.DOTALL)
        head, ended = bytearray(), False
        while not (begin := pattern.search(head)) and len(head) < _HEAD:
            if not (chunk := stream.read(BLOCK)):
                ended = True
                break
            head += chunk
        at_top = _members(bytes(head[: begin.start()]), key) if begin and member else {}
        self.found = begin is not None and at_top is not None
        self.before = at_top or {}
        self.rest = bytes(head)
        self.whole = self.rest if ended else b""
        self._stream, self._file, self._place = stream, file, place
        if begin:
            self._opening, self._first = begin[1], begin[2]
            self._start = begin.end()
            self._pending = head[self._start :]
            self.rest = self.rest[: begin.end(1)]

    def __iter__(self) -> Iterator[EntryBlock]:
        data, offset, seen, more = self._pending, self._start, 1, True
        while more:
            more = bool(chunk := self._stream.read(BLOCK))
            data += chunk
            begin = data.rfind(self._first, seen)
            stop = data.rfind(b"}", 0, max(begin, 0)) + 1
            if stop and (gap := GAP.match(data, stop)):
                yield self._block(offset, data[:stop])
                del data[: gap.end()]
                offset, seen = offset + gap.end(), 1
            elif len(data) > MAX_ENTRY:
                raise self._refused(
                    Text("an entry is longer than {limit} MiB", limit=MAX_ENTRY >> 20), offset
                )
            else:
                seen = max(1, len(data) - len(self._first))
        if stop := self._end_of_last(data, offset):
            yield self._block(offset, data[:stop])
        gap = GAP.match(data, stop)
        self.rest += data[gap.end() if gap else stop :]

    def _end_of_last(self, data: bytearray, offset: int) -> int:
        """Return where entries end that others of their kind do not follow."""
        end = 0
        require_room(data, self._file, self._place_after(offset))
        try:
            text = data.decode()
            while entry := _NEXT.match(text, end):
                end = _VALUE.raw_decode(text, entry.end())[1]
        except (ValueError, RecursionError):
            rest = b"".join((self._opening, data))
            parse(rest, self._file, self._place_after(offset), absent=NOT_FINITE)
            raise self._refused(Text("the JSON ends in the middle of a value"), offset) from None
        return len(text[:end].encode())

    def _block(self, offset: int, entries: bytes | bytearray) -> EntryBlock:
        require_room(entries, self._file, self._place_after(offset))
        return EntryBlock(offset, b"".join((self._opening, entries, _CLOSING[self._opening])))

    def _place_after(self, offset: int) -> str:
        return ", ".join(filter(None, (self._place, f"after byte {offset}")))

    def _refused(self, problem: Text, offset: int) -> LoadError:
        fix = Text("Copy or download it again in full; perhaps it was still being written.")
        return LoadError(self._file, problem, fix, self._place_after(offset))


def _members(before: bytes, key: bytes) -> dict[str, Any] | None:
    """Return what comes before a key if that is an object's beginning."""
    try:
        found: dict[str, Any] = parse(before + key + b": null}", "", absent=NOT_FINITE)
    except LoadError:
        return None
    found.popitem()
    return found
