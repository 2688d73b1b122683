"""A file packed with gzip as a tree of one: the file that is in it."""

from __future__ import annotations

import gzip
import io
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import BinaryIO

from metrics.words import Text
from reports.errors import LoadError
from reports.inflating import CHUNK, inflating, require_ratio
from reports.tree import Tree

GZIP_STARTS = b"\x1f\x8b"
"""First bytes of what gzip packed."""

_SUFFIXES = {".gz": "", ".tgz": ".tar"}


def inflated_size(name: str, file: Path | BinaryIO, size: int) -> int:
    """Return how many bytes a file of a size inflates to.

    That takes inflating it once: what the file says of it holds for small ones only, and may lie.

    Raises
    ------
    LoadError
        If it is damaged, or inflates to nothing or beyond measure.
    """
    held = 0
    with _opened(name, file) as stream:
        while chunk := stream.read(CHUNK):
            held += len(chunk)
            require_ratio(name, "", held, size)
    if not held:
        raise LoadError(
            name,
            Text("has nothing packed in it"),
            Text("Check that it was written or uploaded in full."),
        )
    return held


def open_gzip(name: str, file: Path | BinaryIO, inflated: int, digest: str) -> Tree:
    """Open a file that gzip packed, of known size once inflated and digest; see `open_tree`."""
    sizes = MappingProxyType({unpacked_name(name): inflated})
    return Tree(name, sizes, digest, lambda _: _opened(name, file))


def unpacked_name(name: str) -> str:
    """Return the name of a file once it is unpacked.

    Examples
    --------
    >>> unpacked_name("runs/a.csv.gz"), unpacked_name("a.TGZ"), unpacked_name("a.csv")
    ('a.csv', 'a.tar', 'a.csv')
    """
    path = PurePosixPath(name.replace("\\", "/"))
    suffix = _SUFFIXES.get(path.suffix.lower())
    return path.name if suffix is None else path.stem + suffix


def _opened(name: str, file: Path | BinaryIO) -> BinaryIO:
    return inflating(name, "", gzip.open(again(file)))


def again(file: Path | BinaryIO) -> Path | BinaryIO:
    """Return a file to be read from its beginning, whoever else reads it."""
    if isinstance(file, Path):
        return file
    if isinstance(file, io.BytesIO):
        return io.BytesIO(file.getvalue())
    file.seek(0)
    return io.BytesIO(file.read())
