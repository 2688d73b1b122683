"""The unpacked size of Parquet columns, from the headers of their pages.

The sums in the footer may lie, and pyarrow ends the whole process where they are damaged. What it
unpacks and makes room for, the header of each page says.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.ranged import AT_ONCE, Exact, hold
from reports.tables.source import Source

MAX_FOOTER = 16 << 20
"""Bytes of a footer, which is read whole."""

_TAIL = 8
_HEADER, _LONGEST_HEADER = 1 << 8, 1 << 24
_HELD = 256 << 20
"""Bytes of columns that are held."""
_ANY_PAGES, _FEW_VALUES = 10_000, 50
_DICTIONARY, _PREFIXED = 2, 7
"""A kind of page, and an encoding in which a value repeats what the one before it begins with."""
_DAMAGE = (
    *(AttributeError, LookupError, TypeError, ValueError),
    *(OverflowError, RecursionError, struct.error),
)

Struct = dict[int, Any]


@dataclass
class UnpackedColumn:
    """What a column unpacks to."""

    values: int = 0  # Of all rows or, in a column of lists, of all lists.
    size: int = 0  # Bytes of its pages.
    page: int = 0  # Bytes of the largest page, which is unpacked whole.
    # Bytes of the largest page whose values need not spell out what the one before begins with.
    prefixed: int = 0

    def add(self, header: Struct) -> int:
        """Add a page; return how many values it has."""
        size, data = header[2], header.get(5) or header.get(8)
        self.size += size
        self.page = max(self.page, size)
        if header[1] == _DICTIONARY or data is None:
            return 0
        self.values += data[1]
        if data.get(2 if 5 in header else 4) == _PREFIXED:
            self.prefixed = max(self.prefixed, size)
        return int(data[1])


@dataclass(frozen=True)
class Footer:
    """What a file says of itself at its end."""

    columns: list[Struct]  # Names and types, as they are written.
    rows: int
    groups: list[Struct]  # Of rows.

    def chunks(self, names: Collection[str], group: int | None = None) -> list[tuple[str, Struct]]:
        """Return the chunks of some columns, of all row groups or of one."""
        groups = self.groups if group is None else [self.groups[group]]
        chunks = ((chunk[3][3][0].decode(), chunk[3]) for group in groups for chunk in group[1])
        return [(name, chunk) for name, chunk in chunks if name in names]


def footer(source: Source, file: BinaryIO) -> Footer:
    """Read the footer.

    Raises LoadError if it is damaged or too large.
    """
    with _damage_reported(source):
        found = _Compact(file.read(require_footer(source, file))).struct()
        return Footer(found[2], int(found[3]), found[4])


def unpacked(
    source: Source,
    file: BinaryIO,
    names: Collection[str],
    known: Footer | None = None,
    group: int | None = None,
) -> dict[str, UnpackedColumn]:
    """Look at the footer, unless it is known, and at the pages of some columns.

    group: The row group of whose columns only the first pages with values are looked at.
    Raises LoadError if they are damaged, or so many and so small that reading them would take long.
    """
    columns = {name: UnpackedColumn() for name in names}
    pages = values = 0
    known = known or footer(source, file)
    with _damage_reported(source):
        for name, header in _headers(file, known.chunks(names, group), group is not None):
            values += columns[name].add(header)
            pages += 1
            if pages > max(_ANY_PAGES, values // _FEW_VALUES):
                raise source.error(
                    Text("is split into pages that hold almost no values"),
                    Text("Write it again with pyarrow or pandas."),
                )
    return columns


@contextmanager
def held(source: Source, file: BinaryIO, names: Collection[str]) -> Iterator[None]:
    """Fetch some columns of a file at a place, and hold them meanwhile, if they are small.

    Their pages are looked at one by one before any is unpacked.
    """
    ranges: list[tuple[int, int]] = []
    if isinstance(file, Exact):
        with _damage_reported(source):
            ranges = [_extent(chunk) for _, chunk in footer(source, file).chunks(names)]
        if sum(length for _, length in ranges) > _HELD:
            ranges = []
    with hold(file, ranges) if isinstance(file, Exact) and ranges else nullcontext():
        yield


@contextmanager
def _damage_reported(source: Source) -> Iterator[None]:
    try:
        yield
    except LoadError:
        raise
    except _DAMAGE as error:
        raise source.error(
            Text("has a damaged footer or pages that cannot be told apart"),
            Text("Copy or download it again in full, or write it again with pyarrow or pandas."),
        ) from error


def require_footer(source: Source, file: BinaryIO) -> int:
    """Return how many bytes of a file its footer takes.

    Raises LoadError if there are more than `MAX_FOOTER`.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    length = int.from_bytes(file.read(4), "little")
    if MAX_FOOTER < length < size:
        raise source.error(
            Text("has a footer of {size} MiB", size=length >> 20),
            Text("Write it again in fewer row groups, or with fewer columns."),
        )
    file.seek(max(0, size - _TAIL - length))
    return length


def _headers(
    file: BinaryIO, chunks: Sequence[tuple[str, Struct]], first: bool
) -> Iterator[tuple[str, Struct]]:
    """Yield the headers of all pages, or of the first ones; of several chunks at once elsewhere."""

    def look(chunk: Struct, file: BinaryIO | Exact) -> list[Struct]:
        headers = []
        for header in islice(_pages(file, chunk), _ANY_PAGES + chunk[5] // _FEW_VALUES):
            headers.append(header)
            if first and header[1] != _DICTIONARY:
                break
        return headers

    if not isinstance(file, Exact):
        for name, chunk in chunks:
            for header in look(chunk, file):
                yield name, header
        return
    pool = futures.ThreadPoolExecutor(AT_ONCE)
    try:
        looks = [pool.submit(look, chunk, file.again()) for _, chunk in chunks]
        for (name, _), looked in zip(chunks, looks, strict=True):
            for header in looked.result():
                yield name, header
    finally:
        pool.shutdown(cancel_futures=True)


def _extent(chunk: Struct) -> tuple[int, int]:
    """Return where the pages of a column chunk begin, and how many bytes they take."""
    at = chunk[9]
    return (chunk[11] if 0 < chunk.get(11, 0) < at else at), chunk[7]


def _pages(file: BinaryIO | Exact, chunk: Struct) -> Iterator[Struct]:
    """Yield the headers of the pages that hold the values of a column chunk."""
    (at, length), left = _extent(chunk), chunk[5]
    end = at + length
    while left > 0 and at < end:
        header, length = _header(file, at)
        yield header
        at += length + header[3]
        data = header.get(5) or header.get(8)
        left -= data[1] if data else 0


def _header(file: BinaryIO | Exact, at: int) -> tuple[Struct, int]:
    """Return the header of the page that begins at a place, and its length."""
    size = _HEADER
    while True:
        file.seek(at)
        reader = _Compact(file.read(size))
        try:
            return reader.struct(), reader.at
        except LookupError:
            if size >= _LONGEST_HEADER or len(reader.data) < size:
                raise
        size *= 16


class _Compact:
    """Reads Thrift's compact protocol: structs by the numbers of their fields."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self) -> Struct:
        found: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            found[number] = _OF_KIND[head & 15](self)
        return found

    def _list(self) -> list[Any]:
        head = self._byte()
        size = self._varint() if head >> 4 == 15 else head >> 4
        kind = head & 15
        read = _Compact._byte if kind in (1, 2) else _OF_KIND[kind]
        return [read(self) for _ in range(size)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.data):
            raise IndexError
        return self.data[self.at - size : self.at]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) > 127:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise OverflowError
        return value | byte << shift

    def _integer(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)


_OF_KIND: dict[int, Callable[[_Compact], Any]] = {
    1: lambda _: True,
    2: lambda _: False,
    3: _Compact._byte,
    **dict.fromkeys((4, 5, 6), _Compact._integer),
    7: lambda reader: reader._bytes(8),
    8: lambda reader: reader._bytes(reader._varint()),
    9: _Compact._list,
    10: _Compact._list,
    12: _Compact.struct,
}
