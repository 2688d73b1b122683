"""Selected fields of many JSON entries at once; no others become objects.

What msgspec lets pass and strict JSON does not, a key that occurs twice in an entry, shows in the
length: entries laid out like the first one have exactly the bytes of its keys, of its layout and of
their own values. Entries of any other length are parsed strictly. In fields that nobody asks for,
numbers beyond 64 bits are not looked at.

To parse every entry strictly would be easier to explain, but a results file of 300 MB with long
texts is then read in 3.3 times the time of reading its bytes, and so in 2.2 times.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, NamedTuple, Protocol

import msgspec

from reports.files.errors import LoadError
from reports.json_files.entries import GAP, EntryBlock
from reports.json_files.line import REFUSED
from reports.json_files.strict import INT64, parse

MISSING = object()
"""The value of a field that an entry does not have."""

_MOST_KEYS = 64
_INTEGER = Annotated[int, msgspec.Meta(ge=-INT64, le=INT64 - 1)]
_SCALAR = None | bool | _INTEGER | float | str | dict[str, Any]
_VALUES = msgspec.json.Decoder(list[_SCALAR | list[_SCALAR | list[Any]]])
_ENTRIES = msgspec.json.Decoder(list[msgspec.Raw] | dict[str, msgspec.Raw])
_ESCAPED = re.compile(r'[\\"\x00-\x1f]')


class EntryFields(Protocol):
    """The fields of entries.

    Attributes
    ----------
    names : sequence of str or None
        The keys of the entries, where they are of an object and not of a list.
    keys : sequence of str
        Of the fields of the first entry; empty where that is no object.
    objects : bool
        Whether every entry is an object.
    """

    @property
    def names(self) -> Sequence[str] | None: ...  # noqa: D102
    @property
    def keys(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def objects(self) -> bool: ...  # noqa: D102
    def __len__(self) -> int: ...
    def values(self, key: str) -> list[Any]:
        """Return a field of every entry; `MISSING` where it has none."""


def reduced(fields: EntryFields, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Give each entry with some of its fields only.

    Examples
    --------
    >>> list(reduced(Parsed([{"id": 1, "prompt": "?"}, {"id": 2, "gold": 7}]), ["id", "gold"]))
    [{'id': 1}, {'id': 2, 'gold': 7}]
    """
    for values in zip(*map(fields.values, keys), strict=True):
        pairs = zip(keys, values, strict=True)
        yield {key: value for key, value in pairs if value is not MISSING}


class Parsed:
    """The fields of entries that are objects already; see `EntryFields`."""

    def __init__(self, entries: Mapping[str, Any] | Sequence[Any]) -> None:
        self.names = list(entries) if isinstance(entries, Mapping) else None
        self.entries = list(entries.values() if isinstance(entries, Mapping) else entries)
        self.keys = tuple(self.entries[0]) if self.entries and self._is_object(0) else ()
        self.objects = all(map(self._is_object, range(len(self.entries))))

    def __len__(self) -> int:
        return len(self.entries)

    def values(self, key: str) -> list[Any]:
        """Return a field of every entry; `MISSING` where it has none."""
        return [
            entry.get(key, MISSING) if self._is_object(i) else MISSING
            for i, entry in enumerate(self.entries)
        ]

    def _is_object(self, i: int) -> bool:
        return isinstance(self.entries[i], Mapping)


class FieldReader:
    """Reads the fields of blocks of entries, most of which are laid out alike.

    absent: What is None though it is no JSON; see `parse`.

    Examples
    --------
    >>> reader = FieldReader("gsm8k.json", "details")
    >>> fields = reader.read(EntryBlock(20, b'[{"pred": ["7"]}, {"pred": ["8"]}]'))
    >>> len(fields), fields.keys, fields.values("pred")
    (2, ('pred',), [['7'], ['8']])
    """

    def __init__(self, file: str, place: str, absent: Container[str] = ()) -> None:
        self._file, self._place, self._absent = file, place, absent
        self._layout: _Layout | None = None

    def read(self, block: EntryBlock) -> EntryFields:
        """Read the fields of a block.

        Raises LoadError if it is not strict JSON, here or when a field is read.
        """
        source = block.data, self._file, f"{self._place}, after byte {block.offset}"
        try:
            columns = self._columns(block.data)
        except (*REFUSED, LoadError):
            columns = None
        return (
            Parsed(parse(*source, absent=self._absent))
            if columns is None
            else _Raw(*columns, source)
        )

    def _columns(self, data: bytes) -> _Columns | None:
        """Return names and columns, if all entries are laid out like those before or the first."""
        if not data.isascii():
            data.decode()
        if self._layout and (columns := _columns(data, self._layout)):
            return columns
        self._layout = _layout(data)
        return _columns(data, self._layout) if self._layout else None


_Columns = tuple[Sequence[str] | None, Mapping[str, Sequence[msgspec.Raw]]]


class _Raw:
    """The fields of entries that have the same keys and lie in a block of JSON; `EntryFields`."""

    objects = True

    def __init__(
        self,
        names: Sequence[str] | None,
        columns: Mapping[str, Sequence[msgspec.Raw]],
        source: tuple[bytes, str, str],
    ) -> None:
        self.names, self.keys, self._columns = names, tuple(columns), columns
        self._source = source

    def __len__(self) -> int:
        return len(self._columns[self.keys[0]])

    def values(self, key: str) -> list[Any]:
        if key not in self._columns:
            return [MISSING] * len(self)
        joined = b"".join((b"[", b",".join(self._columns[key]), b"]"))
        try:
            return _VALUES.decode(joined)
        except REFUSED:
            return Parsed(parse(*self._source)).values(key)


class _Layout(NamedTuple):
    """How entries are written."""

    keys: tuple[str, ...]
    entry: int  # Bytes of an entry beside its name and its values.
    gap: int  # Bytes between two entries.


def _layout(data: bytes) -> _Layout | None:
    """Look at the first entry of a block, strictly."""
    entries: Any = _ENTRIES.decode(data)
    name, first = next(iter(entries.items())) if isinstance(entries, dict) else ("", entries[0])
    keys = tuple(parse(bytes(first), ""))
    if not 0 < len(keys) <= _MOST_KEYS or any(map(_ESCAPED.search, keys)):
        return None
    members = msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    begin = data.find(b"{", 1)
    gap = GAP.match(data, begin + len(first))
    of_name = begin - 1 - len(name.encode())
    entry = of_name + len(first) - sum(map(len, members.values()))
    return _Layout(keys, entry, len(gap[0]) if gap else 0)


def _columns(data: bytes, layout: _Layout) -> _Columns | None:
    """Return names and columns of a block that has the length which its layout makes."""
    try:
        rows = _decoder(layout.keys, data[:1] == b"{").decode(data)
    except msgspec.ValidationError:
        return None
    names = list(rows) if isinstance(rows, dict) else None
    columns: list[Sequence[msgspec.Raw]] = list(
        zip(*map(msgspec.structs.astuple, rows.values() if names else rows), strict=True)
    )
    of_names = sum(len(name.encode()) for name in names or ())
    of_values = sum(map(len, chain.from_iterable(columns)))
    of_layout = len("[]") + len(rows) * (layout.entry + layout.gap) - layout.gap
    if len(data) != of_layout + of_names + of_values:
        return None
    return names, dict(zip(layout.keys, columns, strict=True))


@lru_cache(maxsize=64)
def _decoder(keys: tuple[str, ...], named: bool) -> msgspec.json.Decoder[Any]:
    fields = [(f"field{i}", msgspec.Raw) for i in range(len(keys))]
    rename = {f"field{i}": key for i, key in enumerate(keys)}
    row: Any = msgspec.defstruct("Row", fields, rename=rename, gc=False)
    return msgspec.json.Decoder(dict[str, row] if named else list[row])
