"""Progress of reading a tree."""

from __future__ import annotations

import io
from collections.abc import Callable
from time import monotonic
from typing import Any, BinaryIO, cast

Progress = Callable[[int, int], None]
"""Told how many bytes of how many were read."""
At = Callable[[int], None]
"""Told how many bytes of a file were gone through."""

AFTER, EVERY = 0.5, 0.1
"""Seconds before the first report, and between two."""
_BUFFER = 1 << 18


def meter(progress: Progress | None, total: int) -> Callable[[str, int], None]:
    """Return what is to be told the file that is read, and how much of it was.

    progress: Told the sum over files, once `AFTER` seconds have passed.
    total: Bytes of all files; one that grows meanwhile does not count beyond.
    """
    if progress is None:
        return lambda path, count: None
    reached: dict[str, int] = {}
    due = monotonic() + AFTER

    def at(path: str, count: int) -> None:
        nonlocal due
        reached[path] = max(count, reached.get(path, 0))
        if (now := monotonic()) >= due:
            due = now + EVERY
            progress(min(sum(reached.values()), total), total)

    return at


def telling(stream: BinaryIO, at: At) -> BinaryIO:
    """Return a stream that tells how much was read of it."""
    return cast(BinaryIO, io.BufferedReader(_Watched(stream, at), _BUFFER))


class _Watched(io.RawIOBase):
    """Tells how much was read, wherever in the file: some formats begin at its end."""

    def __init__(self, stream: BinaryIO, at: Callable[[int], None]) -> None:
        self._stream, self._at, self._count = stream, at, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._stream.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        count = cast(io.BufferedIOBase, self._stream).readinto(buffer)
        self._count += count
        self._at(self._count)
        return count

    def close(self) -> None:
        self._stream.close()
        super().close()
