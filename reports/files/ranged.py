"""A remote file, opened like any other and fetched by byte ranges."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic, sleep
from typing import Any, BinaryIO, TypeVar, cast
from weakref import WeakKeyDictionary

from metrics.data.words import Text
from reports.files.errors import LoadError, changed
from reports.files.progress import At

_LEAST, _AHEAD, _TIMES = 1 << 14, 8 << 20, 4
"""Bytes that are fetched at least, and at most ahead of what is asked for: times as many each time,
where a file is read in order."""
_PEEK = 1 << 12
"""Bytes that are fetched at least of a file whose format says where what it needs lies."""
_HOLE = 1 << 14
"""Bytes between two ranges that are fetched with them: Arrow asks for those up to 8 KiB."""
_SMALL = 1 << 20
"""Bytes of a file that is fetched at once."""
_FILL = 1 << 18
"""Bytes that whoever reads a file piece by piece asks for at most: more is wanted as it is."""
_PIECE = 1 << 16
_ROOM = 32 << 20
"""Bytes of ends and beginnings of files that are held, since formats look there several times."""
AT_ONCE = 8
"""Ranges of a file that are fetched together, where each takes its time on the way."""
_TRIES, _PAUSE = 3, 0.25
_PATIENCE, _SLOWEST = 30.0, 1 << 16
"""Seconds that any range may take, and bytes a second beyond."""


T = TypeVar("T")


class Broken(Exception):
    """A range that did not come whole, though it may when it is asked for again."""

    def __init__(self, problem: Text) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class PlacedState:
    """What changes with the content of a file at a place."""

    size: int
    time: str = ""  # When it was written, as its server says; empty if it does not.
    tag: str = ""  # Its ETag; empty if it has none.

    def may_be(self, other: PlacedState) -> bool:
        """Say whether both may be of the same content, as far as each is known."""
        marks = ((self.time, other.time), (self.tag, other.tag))
        return self.size == other.size and all(a == b for a, b in marks if a and b)


@dataclass(frozen=True, eq=False)
class PlacedFile(ABC):
    """A file at a place."""

    name: str
    url: str  # Where it is, which may hold what is not to be shown.
    state: PlacedState  # What it was when it was found.

    @property
    def digest(self) -> str:
        """SHA-256 of where it is and of what changes with its content."""
        return digest_of({self.url: self})

    def read(self, start: int, count: int) -> bytes:
        """Fetch some bytes, of which there are so many.

        Raises LoadError if they cannot be had, or the file is no longer what it was.
        """
        return persist(self.name, lambda: self.fetch(start, count))

    @abstractmethod
    def fetch(self, start: int, count: int) -> bytes:
        """Fetch some bytes once, of which there are so many.

        Raises Broken if they did not come whole. Raises LoadError if asking again is of no use.
        """

    def open(self) -> BinaryIO:
        """Open it to be read in any order; nothing is fetched before it is read."""
        return cast(BinaryIO, io.BufferedReader(Ranged(self), _PIECE))

    def changed(self) -> LoadError:
        """Say that it is no longer what it was."""
        return changed(self.name, "")


def persist(name: str, ask: Callable[[], T]) -> T:
    """Return what is asked for, again where it broke."""
    for tried in range(1, _TRIES + 1):
        try:
            return ask()
        except Broken as broken:
            problem = broken.problem
            if tried < _TRIES:
                sleep(_PAUSE * tried)
    raise LoadError(name, problem, Text("Try again later."))


def digest_of(files: Mapping[str, PlacedFile]) -> str:
    """Return a SHA-256 that changes with the names, sizes, times and tags of files."""
    sha = sha256()
    for path, file in sorted(files.items()):
        state = file.state
        sha.update(f"{path}\0{file.url}\0{state.size}\0{state.time}\0{state.tag}\n".encode())
    return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class PlacedFiles:
    """Files at a place; see `Files`."""

    name: str
    files: Mapping[str, PlacedFile]
    key: tuple[str, ...]

    def work(self, path: str) -> int:
        """Return the size of a file."""
        return self.files[path].state.size

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open a file, of which nothing is fetched before it is read."""
        return self.files[path].open()

    def stream(self, path: str) -> BinaryIO:
        """Open a file, of which nothing is fetched before it is read."""
        return self.open(path)

    def place(self, path: str) -> PlacedFile:
        """Return the file."""
        return self.files[path]


class Ranged(io.RawIOBase):
    """A file at a place, as one that can be read in any order.

    What is read in order is fetched in ever longer ranges.
    """

    def __init__(self, placed: PlacedFile) -> None:
        self.placed = placed
        self._at = self._ahead = 0
        self._end = -1
        self._window = (0, b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return where it is read next."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to another place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.placed.state.size}
        if (place := base[whence] + offset) < 0:
            raise ValueError(f"negative seek value {place}")
        self._at = place
        return place

    def readinto(self, buffer: Any) -> int:
        """Read some of so many bytes: those that were fetched already, or are at once."""
        count = min(len(buffer), self.placed.state.size - self._at)
        if count <= 0:
            return 0
        start, data = self._next_window(count)
        part = memoryview(data)[self._at - start :][:count]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def _next_window(self, count: int) -> tuple[int, bytes]:
        """Return a range of bytes, and where it begins, in which the next one is."""
        start, data = self._window
        if start <= self._at < start + len(data):
            return self._window
        if (known := _WINDOWS.find(self.placed, self._at)) is not None:
            return known
        size = self.placed.state.size
        if count > _FILL and size > _SMALL:
            return self._at, self.placed.read(self._at, count)
        in_order = self._at == self._end
        self._ahead = min(self._ahead * _TIMES, _AHEAD) if in_order else _LEAST
        start, wanted = self._at, min(self._ahead, size - self._at)
        if size <= _SMALL:
            start, wanted = 0, size
        self._window = start, self.placed.read(start, wanted)
        self._end = start + wanted
        if wanted <= _SMALL:
            _WINDOWS.keep(self.placed, *self._window)
        return self._window


class Exact(Ranged):
    """A file at a place, of which hardly more is fetched than is read.

    For formats that know where what they need lies: they read few pieces, and each whole.

    tell: Told how many bytes were fetched so far.
    """

    def __init__(self, placed: PlacedFile, tell: At | None = None) -> None:
        super().__init__(placed)
        self._tell, self._fetched = tell, 0

    def fetch(self, start: int, count: int) -> tuple[int, bytes]:
        """Fetch a range; return it with where it begins."""
        return start, self.placed.read(start, count)

    def again(self) -> Exact:
        """Return the same file, to be read beside."""
        return Exact(self.placed)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read so many bytes, or all that are left."""
        left = max(0, self.placed.state.size - self._at)
        count = left if size is None or size < 0 else min(size, left)
        start, data = self._window
        if not start <= self._at <= self._at + count <= start + len(data):
            start, data = self._window_near(count, left)
        part = data[self._at - start : self._at - start + count]
        self._at += count
        return part

    def _window_near(self, count: int, left: int) -> tuple[int, bytes]:
        if whole := _stitched(_HOLDS.get(self.placed, ()), self._at, count):
            return self._at, whole
        known = _WINDOWS.find(self.placed, self._at)
        if known and self._at + count <= known[0] + len(known[1]):
            return known
        wanted = min(max(count, _PEEK), left)
        found = self._at, self.placed.read(self._at, wanted)
        self._fetched += wanted
        if self._tell:
            self._tell(self._fetched)
        if count <= _PEEK:
            self._window = found
        if wanted <= _FILL:
            _WINDOWS.keep(self.placed, *found)
        return found


def _stitched(held: Sequence[tuple[int, bytes]], at: int, count: int) -> bytes:
    """Return some bytes of ranges in their order; none where not all are held."""
    parts: list[bytes] = []
    for start, data in held:
        if count and start <= at < start + len(data):
            parts.append(data[at - start : at - start + count])
            at += len(parts[-1])
            count -= len(parts[-1])
    return b"" if count else b"".join(parts)


_HOLDS: WeakKeyDictionary[PlacedFile, list[tuple[int, bytes]]] = WeakKeyDictionary()


@contextmanager
def hold(file: Exact, ranges: Sequence[tuple[int, int]]) -> Iterator[None]:
    """Fetch ranges of a file, several at once, and hold them meanwhile.

    ranges: Where they begin, and how many bytes they have.
    """
    size = file.placed.state.size
    together: list[list[int]] = []
    for start, count in sorted(ranges):
        stop = min(start + count, size)
        if together and start <= together[-1][1] + _HOLE:
            start = together[-1][1]
            if stop - together[-1][0] <= _AHEAD:
                together[-1][1] = max(start, stop)
                continue
        if start < stop:
            together.append([start, stop])
    pool = futures.ThreadPoolExecutor(AT_ONCE)
    try:
        fetched = [pool.submit(file.again().fetch, start, stop - start) for start, stop in together]
        _HOLDS[file.placed] = [each.result() for each in fetched]
        yield
    finally:
        pool.shutdown(cancel_futures=True)
        _HOLDS.pop(file.placed, None)


class _Windows:
    """Ranges of files that were fetched not long ago."""

    def __init__(self) -> None:
        self._lock, self._size = Lock(), 0
        self._held: OrderedDict[tuple[PlacedFile, int], bytes] = OrderedDict()

    def find(self, placed: PlacedFile, at: int) -> tuple[int, bytes] | None:
        """Return a range that has a byte, and where it begins."""
        with self._lock:
            for (other, start), data in self._held.items():
                if other is placed and start <= at < start + len(data):
                    self._held.move_to_end((other, start))
                    return start, data
        return None

    def keep(self, placed: PlacedFile, start: int, data: bytes) -> None:
        """Hold a range, as long as there is room."""
        with self._lock:
            self._size += len(data) - len(self._held.pop((placed, start), b""))
            self._held[placed, start] = data
            while self._size > _ROOM:
                self._size -= len(self._held.popitem(last=False)[1])


_WINDOWS = _Windows()


def lies(file: BinaryIO) -> str | PlacedFile:
    """Return the path of a file that is open, or the file at a place."""
    raw = getattr(file, "raw", file)
    return raw.placed if isinstance(raw, Ranged) else file.name


def take(read: Callable[[int], bytes], count: int) -> bytes:
    """Read a body that must have so many bytes.

    Raises Broken if it ends too early, goes on, or does not come to an end.
    """
    due = monotonic() + _PATIENCE + count / _SLOWEST
    data = bytearray()
    while len(data) <= count and (chunk := read(min(_PIECE, count + 1 - len(data)))):
        data += chunk
        if monotonic() > due:
            raise Broken(Text("comes too slowly"))
    if len(data) != count:
        raise Broken(Text("does not have the length that its server states"))
    return bytes(data)
