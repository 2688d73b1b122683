"""The read-only tree of files that readers look at, however these are packed."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property, wraps
from types import MappingProxyType
from typing import Any, BinaryIO, TypeVar
from weakref import WeakKeyDictionary

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.progress import Progress, meter, telling
from reports.files.ranged import PlacedFile, PlacedFiles
from reports.files.stored_files import Files, Overlaid

T = TypeVar("T")

MAX_FILES = 200_000
"""Files of one tree."""
MAX_READ = 1 << 30
"""Bytes of one file that `Tree.read` takes into memory."""

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)
"""What the standard library raises for a file or zip that cannot be read."""

_CLUTTER = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, eq=False)
class Tree:
    """Files that a reader may look at, whatever they are packed in."""

    name: str  # The folder, zip or file, as the user named it.
    # Size in bytes of each file by its path, relative, with ``/``, sorted. A single file is a tree
    # of one. Hidden files and the clutter of operating systems are left out.
    files: Mapping[str, int]
    # SHA-256 of the bytes of an upload or zip; of names, sizes and times of files on disk.
    digest: str
    _opener: Callable[[str], BinaryIO]
    _keeper: Callable[[], Files] | None = None
    _meter: Callable[[str, int], None] | None = None
    notes: tuple[Note, ...] = ()  # What was left out or taken for granted in opening it.
    # Bytes of those that are packed, as they were given.
    packed: Mapping[str, int] = field(default_factory=dict)
    written: datetime | None = None  # When the newest file was written, of those on disk.
    # Files whose last line was cut in the middle and left out; whoever reads lines adds to it.
    torn: set[str] = field(default_factory=set)
    # Those at places, as they are there.
    placed: Mapping[str, PlacedFile] = field(default_factory=dict)

    @cached_property
    def folders(self) -> Mapping[str, Sequence[str]]:
        """The files of each folder that holds some itself, by its path."""
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    def error(self, problem: Text, fix: Text, place: str = "") -> LoadError:
        """Make the error of a file, by its path and where in it, or of the whole."""
        return LoadError(self.name, problem, fix, place)

    def given(self, path: str) -> int:
        """Return how many bytes of what was given a file takes, packed as it may be."""
        return self.packed.get(path, self.files[path])

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading as a stream; a member of a zip cannot seek.

        Raises LoadError if the file cannot be read; for a damaged member perhaps only while
        reading.
        """
        try:
            return self._opener(path)
        except LoadError:
            raise
        except DAMAGE as error:
            raise damaged(self.name, path, error) from error

    def tell(self, path: str, share: float) -> None:
        """Say how much of a file was read, where it is not read through `open`."""
        if self._meter is not None:
            self._meter(path, round(share * self.files[path]))

    def keep(self) -> Files:
        """Return what reads the files again later; of an upload they are written to disk for it."""
        assert self._keeper is not None
        return self._keeper()

    def only(self, paths: Iterable[str]) -> Tree:
        """Return this tree with some of its files."""
        return replace(self, files=MappingProxyType({path: self.files[path] for path in paths}))

    def with_made(
        self,
        files: Mapping[str, int],
        made: Mapping[str, Files],
        broken: Mapping[str, LoadError] = MappingProxyType({}),
    ) -> Tree:
        """Return this tree with other files: some were made of its own, some cannot be opened.

        files: Sizes; of those that were made or cannot be opened they need not be there.
        """

        def opener(path: str) -> BinaryIO:
            if path in broken:
                raise broken[path]
            return made[path].open(path) if path in made else self.open(path)

        sizes = {**files, **{path: kept.work(path) for path, kept in made.items()}}
        files = MappingProxyType(dict(sorted((sizes | dict.fromkeys(broken, 0)).items())))
        keep = cache(lambda: Overlaid(self.keep(), made))
        return replace(self, files=files, _opener=opener, _keeper=keep)

    def later(self) -> Tree:
        """Return this tree as it can be read once the source is gone; see `keep`."""
        return reopened(self.name, self.files, self.digest, self.keep())

    def __reduce__(self) -> tuple[Any, ...]:
        return reopened, (self.name, dict(self.files), self.digest, self.keep())

    def read(self, path: str) -> bytes:
        """Return the bytes of a file of at most `MAX_READ`.

        Raises LoadError if the file is larger, damaged or cannot be read.
        """
        size = self.files[path]
        if size > MAX_READ:
            raise self.error(
                Text(
                    "is {size:,.0f} MiB; kofn takes files of up to {limit:,.0f} MiB",
                    size=size / 2**20,
                    limit=MAX_READ / 2**20,
                ),
                Text("Load fewer samples at a time, or a Parquet table of the outcomes."),
                path,
            )
        with self.open(path) as stream:
            data = stream.read(size)
        if len(data) < size:
            raise damaged(self.name, path, EOFError("it ends too early"))
        return data


def watched(tree: Tree, progress: Progress, paths: Iterable[str] | None = None) -> Tree:
    """Return a tree that tells how much of it was read, once that takes `AFTER` seconds.

    What is read again does not count again; files that nobody needs may leave the end unreached.

    paths: What is going to be read, if that is not all.
    """
    at = meter(progress, sum(tree.files[path] for path in paths or tree.files))

    def opener(path: str) -> BinaryIO:
        size = tree.files[path]
        return telling(tree.open(path), lambda count: at(path, min(count, size)))

    return replace(tree, _opener=opener, _meter=at)


def remembered(find: Callable[[Tree], T]) -> Callable[[Tree], T]:
    """Return a function that finds something in a tree once, and keeps it as long as the tree.

    What is found must not hold the tree. Why it cannot be found is kept likewise.
    """
    known: WeakKeyDictionary[Tree, T | LoadError] = WeakKeyDictionary()

    @wraps(find)
    def found(tree: Tree) -> T:
        if tree not in known:
            try:
                known[tree] = find(tree)
            except LoadError as error:
                known[tree] = error.kept()
        kept = known[tree]
        if isinstance(kept, LoadError):
            raise copy(kept)  # what is raised holds on to the tree
        return kept

    return found


def reopened(name: str, sizes: Mapping[str, int], digest: str, files: Files) -> Tree:
    """Return the tree of files that are read again."""
    placed = files.files if isinstance(files, PlacedFiles) else {}
    return Tree(
        name, MappingProxyType(dict(sizes)), digest, files.open, lambda: files, placed=placed
    )


def some_files(name: str, sizes: dict[str, int]) -> Mapping[str, int]:
    """Refuse a folder or zip without files."""
    if not sizes:
        raise LoadError(
            name, Text("holds no files"), Text("Give the folder or zip that holds a report.")
        )
    return MappingProxyType(sizes)


def is_clutter(name: str) -> bool:
    """Whether a file or folder of this name is hidden or made by an operating system."""
    return name.startswith(".") or name in _CLUTTER


def too_many(name: str) -> LoadError:
    """Say that a folder or zip has more than `MAX_FILES`."""
    return LoadError(
        name,
        Text("holds more than {limit} files", limit=MAX_FILES),
        Text("Give one report, or a folder of fewer reports."),
    )


def damaged(name: str, path: str, error: Exception) -> LoadError:
    """Say why a file, or one file of a folder or zip, cannot be read."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
    return LoadError(
        name,
        Text("cannot be read: {reason}", reason=reason),
        Text("Check that you may read it, and copy or download it again in full."),
        path,
    )
