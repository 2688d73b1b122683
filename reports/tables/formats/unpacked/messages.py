"""The unpacked size of an Arrow file or stream, from the headers of its messages."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

FILE = b"ARROW1\0\0"
"""First bytes of a file, which ends with where its messages are; a stream is messages only."""

_CONTINUED = -1
_BATCH, _DICTIONARY = 3, 2
_TAIL = 10
_ANY_MESSAGES, _FEW_VALUES = 10_000, 50
_PACKED = b"ARROW:experimental_compression"
"""What files of 2020 say in their metadata, where later ones have a field."""


class UnpackedFile(NamedTuple):
    """What a file unpacks to."""

    values: int  # Of all rows or, where there are lists, of those with the most in all.
    size: int  # Bytes of all columns.


def unpacked(file: BinaryIO) -> UnpackedFile:
    """Look at the head of every message.

    Raises ValueError or OverflowError or struct.error if the file is damaged, or reading batches so
    small would take long.
    """
    values = size = 0
    for count, (message, body) in enumerate(_messages(file)):
        if count > max(_ANY_MESSAGES, values // _FEW_VALUES):
            raise ValueError("it is cut into batches of next to no rows")
        batch = message.table(2)
        if message.byte(1) == _DICTIONARY:
            batch = batch.table(1)
        elif message.byte(1) == _BATCH:
            values += max((length for length, _ in batch.pairs(1)), default=0)
        else:
            continue
        for offset, length in batch.pairs(2):
            packed = batch.place(3) or _PACKED in message.data
            size += _inflated(file, body + offset, length) if packed else length
    return UnpackedFile(values, size)


def _inflated(file: BinaryIO, at: int, length: int) -> int:
    """Return the bytes of a packed buffer, which stand before it: -1 if it is not packed."""
    if not length:
        return 0
    file.seek(at)
    (size,) = struct.unpack("<q", file.read(8))
    return length if size < 0 else int(size)


def _messages(file: BinaryIO) -> Iterator[tuple[_Table, int]]:
    """Yield messages, and where the body of each begins."""
    file.seek(0)
    if file.read(len(FILE)) == FILE:
        end = file.seek(-_TAIL, 2)
        (length,) = struct.unpack_from("<i", file.read(4))
        file.seek(end - length)
        footer = _Table.root(file.read(length))
        for at in (*footer.blocks(2), *footer.blocks(3)):
            message, body = _message(file, at)
            if message is not None:
                yield message, body
        return
    at = 0
    while True:
        message, body = _message(file, at)
        if message is None:
            return
        yield message, body
        at = body + max(0, message.long(3))


def _message(file: BinaryIO, at: int) -> tuple[_Table | None, int]:
    """Read a message and where its body begins; None at the end of a stream."""
    file.seek(at)
    head = file.read(8)
    if len(head) < 8:
        return None, at
    first, second = struct.unpack("<ii", head)
    length, start = (second, at + 8) if first == _CONTINUED else (first, at + 4)
    if length <= 0:
        return None, at
    file.seek(start)
    return _Table.root(file.read(length)), start + length


class _Table(NamedTuple):
    """A table of FlatBuffers: its fields by their numbers, each 0 or nothing if it is not there."""

    data: bytes
    at: int

    @classmethod
    def root(cls, data: bytes) -> _Table:
        return cls(data, struct.unpack_from("<I", data)[0])

    def place(self, field: int) -> int:
        """Return where a field is; 0 if it is not there."""
        names = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        (size,) = struct.unpack_from("<H", self.data, names)
        if 4 + 2 * field >= size:
            return 0
        (offset,) = struct.unpack_from("<H", self.data, names + 4 + 2 * field)
        return self.at + offset if offset else 0

    def byte(self, field: int) -> int:
        at = self.place(field)
        return struct.unpack_from("<B", self.data, at)[0] if at else 0

    def long(self, field: int) -> int:
        at = self.place(field)
        return struct.unpack_from("<q", self.data, at)[0] if at else 0

    def table(self, field: int) -> _Table:
        at = self.place(field)
        return _Table(self.data, at + struct.unpack_from("<I", self.data, at)[0])

    def pairs(self, field: int) -> Iterator[tuple[int, int]]:
        """Yield the structs of two numbers in a vector."""
        return struct.iter_unpack("<qq", self._vector(field, 16))

    def blocks(self, field: int) -> Iterator[int]:
        """Yield where the messages that a vector lists begin."""
        return (at for at, _, _ in struct.iter_unpack("<qqq", self._vector(field, 24)))

    def _vector(self, field: int, size: int) -> bytes:
        if not (at := self.place(field)):
            return b""
        at += struct.unpack_from("<I", self.data, at)[0]
        (count,) = struct.unpack_from("<I", self.data, at)
        found = self.data[at + 4 : at + 4 + count * size]
        if len(found) < count * size:
            raise struct.error("a list is cut short")
        return found
