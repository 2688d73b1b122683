"""The contents of files packed with gzip or zstandard, alone or in a folder or zip."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import IO, BinaryIO, cast

import pyarrow as pa

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.packed.inflating import CHUNK, inflating, most_inflated, require_ratio
from reports.files.stored_files import Files, Overlaid, PackedFiles
from reports.files.tree import DAMAGE, Tree, damaged

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
PACKED_STARTS = (_GZIP, _ZSTD)
"""First bytes of what gzip or zstandard packed."""

_SUFFIXES = (".gz", ".zst", ".zstd")
_NAMES = {**dict.fromkeys(_SUFFIXES, ""), ".tgz": ".tar"}
_ARCHIVES = tuple(".tar" + suffix for suffix in _SUFFIXES)


def packed_files(tree: Tree) -> Iterator[str]:
    """Find the files of a folder or zip that are packed; an archive of many is left as it is."""
    for path in tree.files:
        lower = path.lower()
        if lower.endswith(_SUFFIXES) and not lower.endswith(_ARCHIVES) and _is_packed(tree, path):
            yield path


def unpacked(tree: Tree, packed: Iterable[str], size: int) -> Tree:
    """Return a tree in which some files that are packed are the files in them.

    Their sizes take inflating each once: what a file says of it holds for small ones only, and may
    lie. One that is damaged cannot be opened.

    size: Bytes of the folder, zip or file, of which all of them together are no large multiple.
    Raises LoadError if they inflate beyond measure.
    """
    within: dict[str, str] = {}
    notes: list[Note] = []
    for path in packed:
        name = str(PurePosixPath(path).with_name(unpacked_name(path)))
        if name in within or (name in tree.files and name != path):
            notes.append(_left_out(path))
        else:
            within[name] = path
    sizes: dict[str, int] = {}
    broken: dict[str, LoadError] = {}
    total = 0
    for name, path in within.items():
        try:
            sizes[name] = _inflated_size(tree, path, most_inflated(size) - total)
        except LoadError as error:
            sizes[name], broken[name] = 0, error.kept()
        total += sizes[name]
        require_ratio(tree.name, path, total, size)
    left = tree.files.keys() - within.values()
    files = dict(sorted({**sizes, **{path: tree.files[path] for path in left}}.items()))

    def opener(path: str) -> BinaryIO:
        if path in broken:
            raise broken[path]
        return _inflated(tree, within[path]) if path in within else tree.open(path)

    @cache
    def keep() -> Files:
        kept = tree.keep()
        inner = PackedFiles(tree.name, sizes, _Inflating(kept, within), kept.key)
        return Overlaid(kept, dict.fromkeys(sizes, inner))

    return replace(
        tree,
        files=MappingProxyType(files),
        _opener=opener,
        _keeper=keep,
        notes=(*tree.notes, *notes),
        placed={path: file for path, file in tree.placed.items() if path in left},
        packed={**tree.packed, **{name: tree.given(path) for name, path in within.items()}},
    )


def unpacked_name(name: str) -> str:
    """Return the name of a file once it is unpacked.

    Examples
    --------
    >>> unpacked_name("runs/a.csv.gz"), unpacked_name("a.TGZ"), unpacked_name("a.csv.zst")
    ('a.csv', 'a.tar', 'a.csv')
    """
    path = PurePosixPath(name.replace("\\", "/"))
    suffix = _NAMES.get(path.suffix.lower())
    return path.name if suffix is None else path.stem + suffix


def _inflated(tree: Tree | Files, path: str) -> BinaryIO:
    packed = io.BufferedReader(cast(io.RawIOBase, tree.open(path)))
    try:
        is_zstd = packed.peek(len(_ZSTD)).startswith(_ZSTD)
    except DAMAGE as error:
        raise damaged(tree.name, path, error) from error
    return inflating(tree.name, path, _Zstd(packed) if is_zstd else _Gzip(packed))


@dataclass(frozen=True, eq=False)
class _Inflating:
    """Files that are packed, by the names of what is in them."""

    files: Files
    within: Mapping[str, str]

    def open(self, path: str) -> BinaryIO:
        return _inflated(self.files, self.within[path])


class _Gzip(gzip.GzipFile):
    """Inflates with gzip, and closes what it reads from."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        super().__init__(fileobj=packed)

    def close(self) -> None:
        super().close()
        self._packed.close()


class _Zstd(io.BufferedIOBase):
    """Inflates with zstandard, and closes what it reads from."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed, self._stream = packed, pa.CompressedInputStream(packed, "zstd")

    def read(self, size: int | None = None) -> bytes:
        return bytes(self._stream.read(size))

    def close(self) -> None:
        super().close()
        self._packed.close()


def _inflated_size(tree: Tree, path: str, most: int) -> int:
    """Return how many bytes a file inflates to; no more are counted once they are too many."""
    held = 0
    with _inflated(tree, path) as stream:
        while held <= most and (chunk := stream.read(CHUNK)):
            held += len(chunk)
    return held


def _is_packed(tree: Tree, path: str) -> bool:
    """Whether a file begins like a packed one; so does one that cannot be read, by its name."""
    try:
        with tree.open(path) as stream:
            return stream.read(len(_ZSTD)).startswith(PACKED_STARTS)
    except LoadError:
        return True


def _left_out(path: str) -> Note:
    what = Text("Left out: the file packed in it lies beside it under the same name.")
    return Note(what, path)
