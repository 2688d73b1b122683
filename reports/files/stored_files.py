"""The files of a loaded report, kept so that they can be read again in any order."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from metrics.data.words import Text
from reports.files import upload_store
from reports.files.errors import LoadError, changed, gone
from reports.files.progress import At
from reports.files.ranged import PlacedFile

CHUNK = 1 << 20
_LOG = logging.getLogger(__name__)

State = tuple[int, int]
"""Size and time of a file."""


class Files(Protocol):
    """The files of a tree, by the same paths.

    Attributes
    ----------
    name : str
        The report, as the user named it.
    key : tuple of str
        What tells the tree from all others.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> tuple[str, ...]: ...  # noqa: D102

    def work(self, path: str) -> int:
        """Return how many bytes are unpacked and read to read a file once."""

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open a file to be read in any order.

        at: Told how much was unpacked.
        Raises LoadError if it is gone or is no longer what it was.
        """

    def stream(self, path: str) -> BinaryIO:
        """Open a file to be read once, from its beginning; see `open`."""

    def place(self, path: str) -> Path | Upload | PlacedFile:
        """Return where a file lies, on disk and unpacked if need be, or elsewhere; see `open`."""


@dataclass(frozen=True, eq=False)
class OnDisk:
    """Files on disk; see `Files`."""

    name: str
    root: Path  # The folder they are in, or the one file.
    states: Mapping[str, State]  # What each was when it was loaded.
    key: tuple[str, ...]
    alone: bool = False  # Whether there is but one file.

    def work(self, path: str) -> int:
        """Return the size of a file."""
        return self.states[path][0]

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open a file if it is still what it was."""
        return _unchanged(self.name, path, self.place(path), self.states[path])

    def stream(self, path: str) -> BinaryIO:
        """Open a file if it is still what it was."""
        return self.open(path)

    def place(self, path: str) -> Path:
        """Return where a file lies."""
        return self.root if self.alone else self.root / path


class Archive(Protocol):
    """What files are packed in."""

    def open(self, path: str) -> BinaryIO:
        """Open a file to be read from its beginning."""


@dataclass(frozen=True, eq=False)
class PackedFiles:
    """Files that are packed, each unpacked when it is to be read in any order; see `Files`."""

    name: str
    files: Mapping[str, int]  # Their sizes.
    archive: Archive  # What they are packed in.
    key: tuple[str, ...]
    _unpacked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for path in self._unpacked:
            upload_store.remove_with(self, self._place(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedFiles, (self.name, self.files, self.archive, self.key, self._unpacked)

    def work(self, path: str) -> int:
        """Return the size of a file, twice where it is to be unpacked first."""
        return self.files[path] * (1 if self._place(path).exists() else 2)

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open a file of the folder of kept files, after unpacking it if it is not there."""
        place = self._place(path)
        if path not in self._unpacked:
            self._unpacked.add(path)
            upload_store.remove_with(self, place)
        _keep(self.name, place, _chunks(lambda: self.archive.open(path), at), self.files[path])
        return _opened(self.name, path, place)

    def stream(self, path: str) -> BinaryIO:
        """Unpack a file without keeping it."""
        return self.archive.open(path)

    def place(self, path: str) -> Upload:
        """Return a file that is unpacked for its own readers, as long as they need it."""
        return Upload.of(
            f"{self.name}, {path}",
            _chunks(lambda: self.archive.open(path)),
            self.files[path],
        )

    def _place(self, path: str) -> Path:
        return upload_store.named(*self.key, path)


@dataclass(frozen=True, eq=False)
class KeptFile:
    """One file of the folder of kept files, which goes with the last that reads it; see `Files`."""

    name: str
    key: tuple[str, ...]
    kept: Path
    # What it was when it was written, by its path.
    states: dict[str, State] = field(default_factory=dict)

    def __post_init__(self) -> None:
        upload_store.remove_with(self, self.kept)

    def __reduce__(self) -> tuple[Any, ...]:
        return KeptFile, (self.name, self.key, self.kept, self.states)

    def work(self, path: str) -> int:
        """Return the size of the file."""
        return self.states[path][0]

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open the file if it is still what it was."""
        return _unchanged(self.name, path, self.kept, self.states[path])

    def stream(self, path: str) -> BinaryIO:
        """Open the file if it is still what it was."""
        return self.open(path)

    def place(self, path: str) -> Upload:
        """Return where the file lies."""
        return Upload(self.name, self.kept)


@dataclass(frozen=True, eq=False)
class Overlaid:
    """Files of which some are kept in another way, such as unpacked or joined; see `Files`."""

    files: Files
    others: Mapping[str, Files]  # By their paths, those that are kept so.

    @property
    def name(self) -> str:
        """The report, as the user named it."""
        return self.files.name

    @property
    def key(self) -> tuple[str, ...]:
        """What tells the tree from all others."""
        return self.files.key

    def work(self, path: str) -> int:
        """Return how many bytes are read to read a file once."""
        return self._files_of(path).work(path)

    def open(self, path: str, at: At | None = None) -> BinaryIO:
        """Open a file to be read in any order."""
        return self._files_of(path).open(path, at)

    def stream(self, path: str) -> BinaryIO:
        """Open a file to be read once."""
        return self._files_of(path).stream(path)

    def place(self, path: str) -> Path | Upload | PlacedFile:
        """Return where a file lies."""
        return self._files_of(path).place(path)

    def _files_of(self, path: str) -> Files:
        return self.others.get(path, self.files)


@dataclass(frozen=True, eq=False)
class Upload:
    """An upload that lies in the folder of kept files, and goes with the last that reads it."""

    name: str
    place: Path

    def __post_init__(self) -> None:
        upload_store.remove_with(self, self.place)

    def __reduce__(self) -> tuple[Any, ...]:
        return Upload, (self.name, self.place)

    @classmethod
    def of(cls, name: str, chunks: Iterable[bytes], size: int) -> Upload:
        """Write an upload of so many bytes."""
        upload = cls(name, upload_store.named("upload", secrets.token_hex()))
        _keep(name, upload.place, chunks, size)
        return upload


def keep_made(files: Files, path: str, chunks: Iterable[bytes], *, anew: bool = False) -> KeptFile:
    """Write something made of files, as a file of this path, to the folder of kept files.

    chunks: Taken unless they were written before.
    anew: Whether they differ from what was written before.
    """
    own = (secrets.token_hex(),) if anew else ()
    return _keep_chunks(files.name, (*files.key, path, *own), path, chunks, 0)


def keep_upload(name: str, digest: str, path: str, upload: BinaryIO) -> KeptFile:
    """Write an upload, as a file of this path, to the folder of kept files.

    digest: Of its bytes.
    """
    size = upload.seek(0, os.SEEK_END)
    upload.seek(0)
    return _keep_chunks(name, (digest,), path, _chunks(lambda: nullcontext(upload)), size)


def state(status: os.stat_result) -> State:
    """Return what changes with the content of a file."""
    return status.st_size, status.st_mtime_ns


def _keep_chunks(
    name: str, key: tuple[str, ...], path: str, chunks: Iterable[bytes], expected: int
) -> KeptFile:
    kept = KeptFile(name, key, upload_store.named(*key))
    _keep(name, kept.kept, chunks, expected)
    with _opened(name, path, kept.kept) as file:
        kept.states[path] = state(os.fstat(file.fileno()))
    return kept


def _unchanged(name: str, path: str, place: Path, loaded: State) -> BinaryIO:
    file = _opened(name, path, place)
    if state(os.fstat(file.fileno())) != loaded:
        file.close()
        raise changed(name, path)
    return file


def _opened(name: str, path: str, place: Path) -> BinaryIO:
    try:
        return place.open("rb")
    except OSError as error:
        raise gone(name, path) from error


def _keep(name: str, path: Path, chunks: Iterable[bytes], expected: int) -> None:
    try:
        upload_store.keep(path, chunks, expected)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        _LOG.warning("kofn: %s cannot be written: %s", path.parent, reason)
        raise LoadError(
            name,
            Text("its texts cannot be kept ({reason})", reason=reason),
            Text(
                "Free some space in kofn's folder of kept files, which is named in the terminal "
                "where kofn was started, or set KOFN_CACHE to another folder."
            ),
        ) from error


def _chunks(
    opening: Callable[[], AbstractContextManager[BinaryIO]], at: At | None = None
) -> Iterator[bytes]:
    done = 0
    with opening() as stream:
        while chunk := stream.read(CHUNK):
            yield chunk
            done += len(chunk)
            if at:
                at(done)
