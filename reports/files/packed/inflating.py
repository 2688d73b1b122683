"""Unpack files while they are read, within limits."""

from __future__ import annotations

import io
from typing import IO, Any, BinaryIO, cast

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.tree import DAMAGE, damaged

MAX_RATIO = 200
"""Inflated over packed size; real reports reach 100."""
ANY_RATIO = 64 << 20
"""Bytes that anything packed may inflate to whatever its ratio."""

CHUNK = 1 << 20

_Packed = IO[bytes] | io.BufferedIOBase


def inflating(name: str, path: str, stream: _Packed) -> BinaryIO:
    """Return what a stream inflates; damage found on the way is a LoadError."""
    return cast(BinaryIO, io.BufferedReader(_Inflated(name, path, stream), CHUNK))


def most_inflated(packed: int) -> int:
    """Return to how many bytes some packed bytes may inflate."""
    return max(ANY_RATIO, MAX_RATIO * packed)


def require_ratio(name: str, path: str, size: int, packed: int) -> None:
    """Refuse what inflates to a size beyond measure."""
    if size > most_inflated(packed):
        raise LoadError(
            name,
            Text(
                "would inflate to {inflated:,.0f} MiB, more than {limit} times its packed size",
                inflated=size / 2**20,
                limit=MAX_RATIO,
            ),
            Text("If it is a real report, unpack it yourself and load the folder."),
            path,
        )


class _Inflated(io.RawIOBase):
    def __init__(self, name: str, path: str, stream: _Packed) -> None:
        self._name, self._path, self._stream = name, path, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stream.read(min(len(buffer), CHUNK))
        except DAMAGE as error:
            raise damaged(self._name, self._path, error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
