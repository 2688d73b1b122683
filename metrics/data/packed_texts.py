"""Texts without an object each: bytes in one block, made a text when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from reprlib import repr as shortened
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

_STEP = 1 << 16
_END = "\0"


class PackedTexts(Sequence[str]):
    """A read-only sequence of texts that takes their bytes and four or eight more for each.

    Examples
    --------
    >>> texts = PackedTexts(["a", "Größe", ""])
    >>> texts[1], list(texts), texts == ("a", "Größe", "")
    ('Größe', ['a', 'Größe', ''], True)
    """

    __slots__ = ("_data", "_starts")
    _data: bytes
    _starts: NDArray[np.integer[Any]]

    def __init__(self, texts: Iterable[str] = ()) -> None:
        if isinstance(texts, PackedTexts):
            self._data, self._starts = texts._data, texts._starts
            return
        left, blocks, sizes = iter(texts), [], [np.zeros(0, np.int64)]
        while some := list(islice(left, _STEP)):
            blocks.append(_encoded(_END.join((*some, ""))))
            ends = np.flatnonzero(np.frombuffer(blocks[-1], np.uint8) == 0)
            if len(ends) > len(some):
                sizes.append(np.array([len(_encoded(text)) + 1 for text in some]))
            else:
                sizes.append(np.diff(ends, prepend=-1))
        self._set(blocks, np.concatenate(sizes))

    @classmethod
    def packed(cls, blocks: Iterable[bytes], sizes: NDArray[np.integer[Any]]) -> Self:
        """Take texts that are packed already.

        blocks: UTF-8, one text after the other; each ends with a zero byte, which it may also hold.
        sizes: Bytes of each text, with the one at its end. Shape (M,).
        """
        texts = cls.__new__(cls)
        texts._set(blocks, sizes)
        return texts

    def _set(self, blocks: Iterable[bytes], sizes: NDArray[np.integer[Any]]) -> None:
        self._data = b"".join(blocks)
        few = len(self._data) <= np.iinfo(np.int32).max
        self._starts = np.zeros(len(sizes) + 1, np.int32 if few else np.int64)
        np.cumsum(sizes, out=self._starts[1:])

    @property
    def joined(self) -> memoryview:
        """Their bytes, with a zero byte between one and the next."""
        return memoryview(self._data)[:-1]

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> PackedTexts: ...
    def __getitem__(self, index: int | slice) -> str | PackedTexts:
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        i = range(len(self))[index]
        return _decoded(self._data[self._starts[i] : self._starts[i + 1] - 1])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _STEP):
            starts = self._starts[first : first + _STEP + 1].tolist()
            block = _decoded(self._data[starts[0] : starts[-1] - 1]).split(_END)
            if len(block) < len(starts):
                yield from block
            else:
                yield from (self[place] for place in range(first, first + len(starts) - 1))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedTexts):
            return self._data == other._data and np.array_equal(self._starts, other._starts)
        if isinstance(other, (tuple, list)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return shortened(tuple(self[:8]))

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self._data, np.diff(self._starts))

    def take(self, rows: NDArray[Any]) -> PackedTexts:
        """Return the texts at some places, or those that a mask marks, in their order."""
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        if np.array_equal(places, np.arange(len(self))):
            return PackedTexts(self)
        starts, stops = self._starts[:-1][places], self._starts[1:][places]
        parts = (slice(first, first + _STEP) for first in range(0, len(places), _STEP))
        edges = (zip(starts[part].tolist(), stops[part].tolist(), strict=True) for part in parts)
        blocks = (b"".join([self._data[start:stop] for start, stop in some]) for some in edges)
        return PackedTexts.packed(blocks, stops - starts)

    def distinct(self) -> tuple[NDArray[np.int32], PackedTexts]:
        """Return the number of each text among the different ones, and these as they come.

        Examples
        --------
        >>> codes, texts = PackedTexts(["b", "a", "b"]).distinct()
        >>> codes.tolist(), texts
        ([0, 1, 0], ('b', 'a'))
        """
        known = hashes(self)
        in_order = np.sort(known)
        if (in_order[1:] != in_order[:-1]).all():
            return np.arange(len(self), dtype=np.int32), PackedTexts(self)
        order = np.argsort(known)
        new = np.append(True, in_order[1:] != in_order[:-1])
        again = np.flatnonzero(~new)
        if self.take(order[again]) != self.take(order[again - 1]):
            return self._distinct_of_equal_hashes()
        first = np.minimum.reduceat(order, np.flatnonzero(new))
        by_place = np.argsort(first)
        number = np.empty(len(first), dtype=np.int32)
        number[by_place] = np.arange(len(first))
        codes = np.empty(len(self), dtype=np.int32)
        codes[order] = number[np.cumsum(new) - 1]
        return codes, self.take(first[by_place])

    def _distinct_of_equal_hashes(self) -> tuple[NDArray[np.int32], PackedTexts]:
        numbers: dict[str, int] = {}
        found = (numbers.setdefault(text, len(numbers)) for text in self)
        return np.fromiter(found, np.int32, len(self)), PackedTexts(numbers)


def hashes(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the hash of each text, the same in this process only."""
    return np.fromiter(map(hash, texts), np.int64, len(texts))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def restored(kind: type[PackedTexts], data: bytes, sizes: NDArray[np.integer[Any]]) -> PackedTexts:
    """Return texts as they were pickled."""
    return kind.packed([data], sizes)
