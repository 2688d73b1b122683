"""Many values, with each distinct one stored once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeVar, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)

LONGEST = 256
"""Letters of a text beyond which it is no answer, but what an answer is found in."""
SHOWN = 80
"""Letters of a label."""
CUT = "…"
"""The end of a label that is only the beginning of a text."""

_STEP = 1 << 16
_HASHABLE: tuple[set[type], ...] = ({str}, {str, type(None)}, {bool})
"""Types among which equal values are the same value; True and 1 are not."""


class Interned(Sequence[Any]):
    """A growing sequence of values of JSON.

    longest: Letters beyond which the beginning of a text and a digest are kept: equal for equal
        texts.

    Attributes
    ----------
    distinct : list
        The different values, in the order they came.

    Examples
    --------
    >>> values = Interned(["7", None, "8", "7"])
    >>> values.codes.tolist(), values.distinct, values[3]
    ([0, 1, 2, 0], ['7', None, '8'], '7')
    >>> [len(text) for text in Interned(["x" * 10, "x" * 100_000], longest=256)]
    [10, 112]
    """

    def __init__(self, values: Iterable[Any] = (), longest: int | None = None) -> None:
        self.distinct: list[Any] = []
        self._numbers = _Numbers(self.distinct)
        self._longest = longest
        self._size = 0
        self._room: NDArray[np.unsignedinteger] = np.empty(0, np.uint8)
        self.extend(list(values))

    def extend(self, values: Sequence[Any]) -> None:
        """Add values."""
        types = set(map(type, values))
        numbers: Iterable[int]
        if types in _HASHABLE and not (str in types and self._exceeded(values)):
            numbers = map(self._numbers.__getitem__, values)
        else:
            numbers = (self._number(self._shortened(value)) for value in values)
        codes = np.fromiter(numbers, np.uint32, len(values))
        start, self._size = self._size, self._size + len(values)
        self._make_room()
        self._room[start : self._size] = codes

    def _make_room(self) -> None:
        """Double the codes' room when it is full, and the bytes of each when they are too few."""
        held = self._room
        size = len(held) if self._size <= len(held) else max(self._size, 2 * len(held))
        kind = np.promote_types(held.dtype, np.min_scalar_type(len(self.distinct)))
        if (size, kind) != (len(held), held.dtype):
            self._room = np.empty(size, kind)
            self._room[: len(held)] = held

    def _exceeded(self, texts: Sequence[str | None]) -> bool:
        limit = self._longest
        return limit is not None and max(map(len, filter(None, texts)), default=0) > limit

    def _shortened(self, value: Any) -> Any:
        if self._longest is None or not isinstance(value, str) or len(value) <= self._longest:
            return value
        return value[:SHOWN] + digest(value)

    @property
    def codes(self) -> NDArray[np.unsignedinteger]:
        """The place of each value among the distinct ones, in as few bytes as that takes."""
        return self._room[: self._size]

    def spread(self, array: NDArray[T]) -> NDArray[T]:
        """Return an element for each value from an array of one for each distinct value."""
        spread = np.empty(self._size, array.dtype)
        for start in range(0, self._size, _STEP):
            part = slice(start, start + _STEP)
            spread[part] = array[self.codes[part]]
        return spread

    def _number(self, value: Any) -> int:
        if value is None or isinstance(value, str):
            return self._numbers[value]
        key = _key(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.distinct)
            self.distinct.append(value)
        return self._numbers[key]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return map(self.distinct.__getitem__, self.codes.tolist())

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self.distinct[code] for code in self.codes[index]]
        return self.distinct[self.codes[index]]


def digest(text: str) -> str:
    """Return a short text that is equal for equal texts."""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def label(text: str) -> str:
    """Return a text, of a long one the beginning."""
    return text if len(text) <= SHOWN else text[:SHOWN] + CUT


def _key(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:
        return json.dumps(value, sort_keys=True).encode()


class _Numbers(dict[Any, int]):
    """The number of each value, given when it is first asked for."""

    def __init__(self, distinct: list[Any]) -> None:
        self._distinct = distinct

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self._distinct)
        self._distinct.append(value)
        return number
