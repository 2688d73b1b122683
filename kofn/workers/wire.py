"""Messages between the server and its jobs: frames of kofn's own types, arrays without a copy.

No byte of a report is ever unpickled. A job pickles what kofn made of it: frozen dataclasses, plain
Python values and arrays of numpy, in which text of the report is no more than text. The server does
not rely on that: it makes nothing but such values, whatever a job sends.
"""

from __future__ import annotations

import dataclasses
import io
import pickle
import socket
import struct
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from enum import IntEnum
from functools import partial
from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple

import kofn
import metrics
import reports
from metrics.data import packed_texts, words
from reports.files import errors, tree
from reports.files.once import Once
from reports.files.progress import EVERY
from reports.run.fingerprint import Fingerprint
from reports.tables.reader import FORMATS

PAIR = struct.Struct("<qq")
"""How much is done, and of how much."""
NUMBER = struct.Struct("<q")
ORDER = struct.Struct("<q")
"""The number of a job that is to begin; negative, of one that is to end."""
_HEAD = struct.Struct("<II")
_SIZE = struct.Struct("<Q")
_OURS = tuple(each.__name__ for each in (metrics, reports, kofn))
_TEXTS = ("DecodedTexts", "Shown", "Iterator[Span]", "Iterable[Span]")
_KINDS = (Fingerprint, Once, errors.LoadError, words.MetricError, tuple, Sequence)
_OTHERS = {
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("pathlib", "PosixPath"),
    ("pathlib", "WindowsPath"),
    *((kind.__module__, kind.__name__) for kind in (datetime, timedelta, timezone, partial)),
    *(("builtins", kind.__name__) for kind in (bytearray, complex, frozenset, range, set, slice)),
}


class Tag(IntEnum):
    """What a frame says."""

    ASKED = 0
    STARTED = 1
    PROGRESS = 2
    KEEPS = 3
    DONE = 4
    REFUSED = 5
    FAULT = 6
    FULL = 7
    NOTED = 8


class WireMessage(NamedTuple):
    """A message: what it says, and its parts."""

    tag: int
    parts: Sequence[bytes | bytearray]


def pack(value: object) -> list[Any]:
    """Return a value as parts of a frame; arrays are parts of their own and are not copied."""
    buffers: list[pickle.PickleBuffer] = []
    written = io.BytesIO()
    _Pickler(written, protocol=5, buffer_callback=buffers.append).dump(value)
    return [written.getbuffer(), *(buffer.raw() for buffer in buffers)]


def unpack(parts: Sequence[bytes | bytearray]) -> Any:
    """Return a value that was packed.

    Raises pickle.UnpicklingError if it is made of anything but kofn's own types, plain values and
    arrays.
    """
    return _Unpickler(io.BytesIO(parts[0]), buffers=parts[1:]).load()


def send(to: socket.socket, tag: Tag, parts: Sequence[Any]) -> None:
    """Send a frame."""
    views = [memoryview(part).cast("B") for part in parts]
    sizes = b"".join(_SIZE.pack(len(view)) for view in views)
    to.sendall(_HEAD.pack(tag, len(views)) + sizes)
    for view in views:
        to.sendall(view)


def frames(of: socket.socket) -> Iterator[WireMessage | None]:
    """Receive frames until the other side is gone; None every now and then while none comes."""
    of.settimeout(EVERY)
    try:
        while True:
            tag, count = _HEAD.unpack((yield from _received(of, _HEAD.size)))
            sizes = yield from _received(of, count * _SIZE.size)
            parts = []
            for (size,) in _SIZE.iter_unpack(sizes):
                parts.append((yield from _received(of, size)))
            yield WireMessage(tag, parts)
    except (EOFError, ConnectionError):
        return


def _received(of: socket.socket, size: int) -> Any:
    data = bytearray(size)
    left = memoryview(data)
    while left:
        try:
            count = of.recv_into(left)
        except TimeoutError:
            yield None
            continue
        if not count:
            raise EOFError
        left = left[count:]
    return data


def read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a mapping that is not to be changed."""
    return MappingProxyType(values)


_MAKERS = {
    (maker.__module__, maker.__name__)
    for maker in (
        read_only,
        packed_texts.restored,
        words.restored,
        errors.restored,
        tree.reopened,
        *(known.values for known in FORMATS if known.values),
    )
}
"""Functions of kofn that values are made by; `values` of formats are only referred to."""


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return read_only, (dict(value),)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS or (module, name) in _MAKERS:
            return super().find_class(module, name)
        if any(module.startswith(f"{each}.") for each in _OURS) and "." not in name:
            found = super().find_class(module, name)
            if _is_value(found) if isinstance(found, type) else _tells_texts(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is nothing that a report is made of")


def _tells_texts(found: Any) -> bool:
    """Whether something is a function that tells the texts of records, or the records of a file."""
    made = getattr(found, "__annotations__", {}).get("return")
    return isinstance(found, FunctionType) and made in _TEXTS


def _is_value(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or issubclass(kind, _KINDS)
