"""How far the reading of a tree has come."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from reports.files.tree import Tree

Progress = Callable[[int, int], None]
"""Told how many bytes of how many were read."""

AFTER, EVERY = 0.5, 0.1
"""Seconds before the first report, and between two."""
_BUFFER = 1 << 18


def watched(tree: Tree, progress: Progress, paths: Iterable[str] | None = None) -> Tree:
    """Return a tree that tells how much of it was read, once that takes `AFTER` seconds.

    What is read again does not count again; files that nobody needs may leave the end unreached.

    Parameters
    ----------
    tree : Tree
    progress : callable
    paths : iterable of str, optional
        What is going to be read, if that is not all.
    """
    at = meter(progress, sum(tree.files[path] for path in paths or tree.files))

    def opener(path: str) -> BinaryIO:
        size = tree.files[path]
        stream = _Watched(tree.open(path), lambda count: at(path, min(count, size)))
        return cast(BinaryIO, io.BufferedReader(stream, _BUFFER))

    return replace(tree, _opener=opener, _meter=at)


def meter(progress: Progress | None, total: int) -> Callable[[str, int], None]:
    """Return what is to be told the file that is read, and how much of it was.

    Parameters
    ----------
    progress : callable or None
        Told the sum over files, once `AFTER` seconds have passed.
    total : int
        Bytes of all files; one that grows meanwhile does not count beyond.
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
