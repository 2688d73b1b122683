"""The positions of a file's JSON records, so that one can be read without the others."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, repeat
from typing import Any, BinaryIO, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.progress import Progress, meter
from reports.files.stored_files import Files
from reports.json_files.entries import Entries
from reports.json_files.line import is_torn
from reports.json_files.strict import MAX_WHOLE

MAX_LINE = 64 << 20
"""Bytes of one line."""
MOST_AT_ONCE = 64 << 20
"""Bytes of the texts of one question."""
_MOST_OPEN = 64
"""Files that stay open, beside those of one question."""

_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_NOT_FINITE = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")|NaN|Infinity', re.DOTALL)


Reading = Callable[[NDArray[np.integer]], Iterator[bytes]]
"""Reads some records, by their numbers."""


class Places(Protocol):
    """Where records are, such as `Located`."""

    @property
    def size(self) -> int:
        """How many there are."""

    def read(self, numbers: NDArray[np.integer]) -> Iterator[bytes]:
        """Read some records."""

    def reading(self) -> AbstractContextManager[Reading]:
        """Give what reads as `read` does, for many calls."""

    def scan(self, progress: Progress | None) -> Iterator[bytes]:
        """Read all records in their order."""


class Span(NamedTuple):
    """A record, its name where it is the member of an object, and where it begins."""

    name: str | None
    offset: int
    data: bytes


@dataclass(frozen=True, eq=False, slots=True)
class Located:
    """Records of one file or of several that are parts of one."""

    files: Files
    paths: Sequence[str]
    # Where each record begins in its file, file by file and in the order of each.
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int32]  # Bytes of each.
    firsts: NDArray[np.int64]  # The number of the first record of each file, and R.

    @property
    def size(self) -> int:
        """How many records there are."""
        return len(self.offsets)

    def read(self, numbers: NDArray[np.integer]) -> Iterator[bytes]:
        """Read some records.

        Raises LoadError if a file is gone or was changed, or they are longer than `MOST_AT_ONCE`
        together.
        """
        with self.reading() as read:
            yield from read(numbers)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Give what reads as `read` does, for many calls: the files it needs stay open."""
        with ExitStack() as opened:
            files: dict[int, BinaryIO] = {}

            def read(numbers: NDArray[np.integer]) -> Iterator[bytes]:
                self._require_room(numbers)
                parts = (np.searchsorted(self.firsts, numbers, side="right") - 1).tolist()
                if len(files) > _MOST_OPEN:
                    opened.close()
                    files.clear()
                for part in {*parts} - files.keys():
                    files[part] = opened.enter_context(self.files.open(self.paths[part]))
                for part, number in zip(parts, numbers, strict=True):
                    files[part].seek(self.offsets[number])
                    yield files[part].read(self.lengths[number])

            yield read

    def _require_room(self, numbers: NDArray[np.integer]) -> None:
        if (size := int(self.lengths[numbers].sum(dtype=np.int64))) > MOST_AT_ONCE:
            raise LoadError(
                self.files.name,
                Text(
                    "the texts of this question take {size} MiB; kofn shows up to {limit}",
                    size=size >> 20,
                    limit=MOST_AT_ONCE >> 20,
                ),
                Text("Look at them in the file itself."),
                self.paths[0],
            )

    def scan(self, progress: Progress | None) -> Iterator[bytes]:
        """Read all records in their order; see `read`."""
        ends = self.offsets + self.lengths
        at = meter(progress, int(ends[self.firsts[1:] - 1].sum()))
        for path, (first, last) in zip(self.paths, pairwise(self.firsts), strict=True):
            position = 0
            with self.files.open(path) as stream:
                for offset, end in zip(self.offsets[first:last], ends[first:last], strict=True):
                    stream.read(offset - position)
                    yield stream.read(end - offset)
                    position = end
                    at(path, int(end))


def locate(
    files: Files,
    paths: Sequence[str],
    records: Callable[[str], Iterable[Span]],
    look: Callable[[str, Span], None],
    progress: Progress | None,
) -> Located:
    """Remember where records lie.

    records: Gives those of a file, as `lines` or `entries` do.
    look: Shown the path of every record, and the record.
    progress: Told how far that has come, if it takes long.
    """
    offsets, lengths, firsts = array("q"), array("i"), [0]
    at = meter(progress, sum(map(files.work, paths)))
    for path in paths:
        files.open(path, partial(at, f"{path}, packed")).close()
        for record in records(path):
            look(path, record)
            offsets.append(record.offset)
            lengths.append(len(record.data))
            at(path, record.offset + len(record.data))
        firsts.append(len(offsets))
    return Located(
        files,
        paths,
        np.array(offsets, np.int64),
        np.array(lengths, np.int32),
        np.array(firsts, np.int64),
    )


def lines(files: Files, path: str) -> Iterator[Span]:
    """Read the lines that are not empty."""
    offset = 0
    with files.open(path) as stream:
        while line := stream.readline(MAX_LINE):
            if not line.isspace() and not is_torn(line):
                yield Span(None, offset, line)
            offset += len(line)


def whole(files: Files, path: str) -> Iterator[Span]:
    """Read a file that is one record."""
    with files.open(path) as stream:
        yield Span(None, 0, stream.read(MAX_LINE))


def entries(files: Files, path: str, member: str, whole: bool = False) -> Iterator[Span]:
    """Read the entries of a list or object.

    member: The key whose value holds them, with dots where that lies deeper; empty if the file
        itself is the object.
    whole: Whether the file could only be read as a whole when it was loaded.
    """
    if "." not in member and not whole:
        with files.open(path) as stream:
            found = Entries(stream, member, files.name, path)
            if found.found:
                for block in found:
                    yield from _split(files, path, block.data, block.offset - 1)
                return
    with files.open(path) as stream:
        data = stream.read(MAX_WHOLE)
    value = data.removeprefix(_BOM)
    for key in filter(None, member.split(".")):
        like, members = _decoded(files, path, value, dict[str, msgspec.Raw])
        start, size = like.index(bytes(members[key])), len(members[key])
        value = value[start : start + size]
    yield from _split(files, path, value, data.index(value))


def _split(files: Files, path: str, data: bytes, offset: int) -> Iterator[Span]:
    """Find entries again in what they were read from: nothing but separators lies between."""
    like, found = _decoded(files, path, data, list[msgspec.Raw] | dict[str, msgspec.Raw])
    named = found.items() if isinstance(found, dict) else zip(repeat(None), found, strict=False)
    at = 0
    for name, raw in named:
        at = like.index(bytes(raw), at)
        yield Span(name, offset + at, data[at : at + len(raw)])
        at += len(raw)


def _decoded(files: Files, path: str, data: bytes, kind: Any) -> tuple[bytes, Any]:
    """Return data and what it holds; without halves of surrogate pairs, NaN or Infinity."""
    try:
        return data, msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError:
        like = _SURROGATE.sub(rb"\\u0000", data)
        like = _NOT_FINITE.sub(lambda found: found[1] or b"1" * len(found[0]), like)
    try:
        return like, msgspec.json.decode(like, type=kind)
    except msgspec.MsgspecError as error:
        raise LoadError(
            files.name,
            Text("its texts cannot be told apart"),
            Text("Write the file again with a standard JSON library."),
            path,
        ) from error
