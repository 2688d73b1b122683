"""A folder, a zip or a single file from a user, as one safe read-only tree."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, BinaryIO

from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError, changed, gone
from reports.files.folders import packed, several
from reports.files.globs import matches
from reports.files.on_disk import digest_of, moment, open_folder, open_glob, open_paths
from reports.files.once import Once
from reports.files.packed.compressed import PACKED_STARTS, packed_files, unpacked
from reports.files.packed.zipped import ENTRY, ZIP_STARTS, Sparing, open_zip
from reports.files.ranged import PlacedFile, PlacedFiles, Ranged
from reports.files.remote_storage.opening import find_place
from reports.files.stored_files import (
    Files,
    KeptFile,
    OnDisk,
    PackedFiles,
    Upload,
    keep_upload,
    state,
)
from reports.files.tree import Tree, damaged

Given = Address | Upload | tuple[str, bytes] | BinaryIO
Source = str | os.PathLike[str] | Given
"""A folder, a zip or a file."""
_Where = Path | BinaryIO | PlacedFile


def open_tree(source: Source | list[Source]) -> Tree:
    """Open a folder, a zip, or a file, be it packed with gzip or zstd; files of a glob; a place.

    Several paths, or several files, are one tree.

    What it is, its content decides and not its name.

    Nothing is unpacked to disk, and no link is followed out of a folder.

    source: What a text is, `Address.read` says. A file object of a zip must stay open as long as
        the tree is used.
    Raises LoadError if there is nothing to read, or what is packed is damaged, encrypted, or built
    to do harm: names that lead out of it, links, names that occur twice, too many members, or what
    inflates beyond measure. Raises TypeError if it is nothing of the kind.

    Examples
    --------
    >>> tree = open_tree(("gsm8k.json", b"{}"))
    >>> dict(tree.files), tree.read("gsm8k.json")
    ({'gsm8k.json': 2}, b'{}')
    """
    if isinstance(source, list):
        return open_tree(source[0]) if len(source) == 1 else _open_several(source)
    if isinstance(source, tuple):
        return _open_file(source[0], io.BytesIO(source[1]))
    if isinstance(source, (str, os.PathLike)):
        source = Address.read(source)
    if isinstance(source, Address):
        return _open_address(source)
    if isinstance(source, Upload):
        try:
            return _open_file(source.name, source.place, source)
        except OSError as error:
            raise gone(source.name, "") from error
    if not hasattr(source, "seek"):
        raise TypeError(
            "A report is given by its path, as (name, bytes), as a binary file that is open, or as "
            f"a table of pandas, polars or Arrow, not as {type(source).__qualname__}."
        )
    return _open_file(str(getattr(source, "name", "upload")), source)


def open_within(tree: Tree, path: str) -> Tree:
    """Open a zip that is a file of a tree."""
    place = tree.keep().place(path)
    name = f"{tree.name}/{path}"
    try:
        if isinstance(place, Upload):
            return _open_file(name, place.place, place)
        return _open_file(name, place)
    except OSError as error:
        raise gone(tree.name, path) from error


def _open_several(sources: Sequence[Source]) -> Tree:
    """Open paths of this machine, or files that are in memory, as one tree."""
    names = [*map(name_of, sources)]
    if len({*names}) < len(names) or not names:
        problem = Text("have the same name") if names else Text("are none")
        raise LoadError(several(names), problem, Text("Give each file once, or their folder."))
    name = several(names)
    if all(isinstance(source, (str, os.PathLike)) for source in sources):
        return open_paths(name, names)
    if any(isinstance(source, (str, os.PathLike, Address)) for source in sources):
        problem = Text("are partly on this machine and partly elsewhere")
        raise LoadError(name, problem, Text("Load what is elsewhere separately."))
    tree = open_tree(packed(f"{name}.zip", zip(names, map(_data, sources), strict=True)))
    return tree.only(dict.fromkeys([*(n for n in names if n in tree.files), *tree.files]))


def name_of(source: Source | list[Source]) -> str:
    """Return what a source is called."""
    if isinstance(source, list):
        return several([*map(name_of, source)])
    if isinstance(source, tuple):
        return source[0]
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return source.shown if isinstance(source, Address) else str(getattr(source, "name", "upload"))


def _data(source: Source) -> bytes:
    if isinstance(source, tuple):
        return source[1]
    if isinstance(source, Upload):
        return source.place.read_bytes()
    assert not isinstance(source, (str, os.PathLike, Address))
    source.seek(0)
    return source.read()


def _open_address(address: Address) -> Tree:
    match address.kind:
        case "glob":
            return _open_matches(address.text)
        case "place":
            found = find_place(address)
            if isinstance(found, Tree):
                return unpacked(found, packed_files(found), sum(found.files.values()))
            return _open_file(found.name, found)
        case "engine":
            raise LoadError(
                address.shown,
                Text("is a table in an engine, but a file is needed here"),
                Text("Give a path or a place."),
            )
    return _open_path(address.text)


def _open_matches(pattern: str) -> Tree:
    """Open what a pattern matches: the files of several as one tree, a single one as itself."""
    found = {*matches(pattern)}
    return _open_path(str(*found)) if len(found) == 1 else open_glob(pattern, found)


def _open_path(name: str) -> Tree:
    try:
        mode = os.stat(name).st_mode
        if stat.S_ISDIR(mode):
            return open_folder(Path(name))
        if stat.S_ISREG(mode):
            return _open_file(name, Path(name))
    except FileNotFoundError as error:
        raise LoadError(name, Text("does not exist"), Text("Check the path.")) from error
    except LoadError:
        raise
    except (OSError, ValueError) as error:
        raise damaged(name, "", error) from error
    raise LoadError(
        name, Text("is neither a file nor a folder"), Text("Give a folder, a zip or a file.")
    )


def _open_file(name: str, where: _Where, upload: Upload | None = None) -> Tree:
    with _at_start(where) as file:
        start, size = file.read(4), file.seek(0, io.SEEK_END)
    if size == 0:
        raise LoadError(
            name, Text("is empty"), Text("Check that it was written or uploaded in full.")
        )
    if start.startswith(ZIP_STARTS):
        tree = _open_packed(name, where, size, upload)
        if isinstance(where, Path) and upload is None:
            tree = replace(tree, written=moment(where.stat()))
        return unpacked(tree, packed_files(tree), size)
    if name.lower().endswith(".zip") and not start.startswith(PACKED_STARTS):
        raise LoadError(
            name,
            Text("is not a zip, though its name says so"),
            Text("Zip the report's folder again, or load the folder itself."),
        )
    tree = _open_alone(name, where, size, upload)
    if start.startswith(PACKED_STARTS):
        tree = unpacked(tree, tree.files, size)
        _require_content(tree)
    return tree


def _open_alone(name: str, where: _Where, size: int, upload: Upload | None) -> Tree:
    path = PurePosixPath(name.replace("\\", "/")).name
    if isinstance(where, PlacedFile):
        kept_there = PlacedFiles(name, {path: where}, (where.url, where.digest))
        sizes = MappingProxyType({path: size})
        return Tree(
            name, sizes, where.digest, kept_there.open, lambda: kept_there, placed={path: where}
        )

    def opener(_: str) -> BinaryIO:
        file = _reopened(where)
        return file.open("rb") if isinstance(file, Path) else file

    sizes = MappingProxyType({path: size})
    if isinstance(where, Path):
        now = where.stat()
        if upload is not None:
            _, digest = _fingerprint(where)
            kept = KeptFile(name, (digest,), where, {path: state(now)})
            return Tree(name, sizes, digest, opener, lambda: kept)
        digest, written = digest_of({path: now}), moment(now)
        key = (str(where.resolve()), digest)
        files = OnDisk(name, where, {path: state(now)}, key, alone=True)
        return Tree(name, sizes, digest, opener, lambda: files, written=written)
    _, digest = _fingerprint(where)

    @cache
    def keep() -> Files:
        return keep_upload(name, digest, path, where)

    return Tree(name, sizes, digest, opener, keep)


def _require_content(tree: Tree) -> None:
    (path,) = tree.files
    with tree.open(path) as stream:
        if not stream.read(1):
            raise tree.error(
                Text("is packed but empty"), Text("Check that it was written or uploaded in full.")
            )


def _open_packed(name: str, where: _Where, size: int, upload: Upload | None = None) -> Tree:
    """Open a zip, so that its files can be read again later."""
    if isinstance(where, PlacedFile):
        file, digest = Sparing(name, Ranged(where)), where.digest
        tree = open_zip(name, file, size, 0, digest)
        file.opened = True
    else:
        entries, digest = _fingerprint(where, ENTRY)
        tree = open_zip(name, where, size, entries, digest)

    @cache
    def keep() -> Files:
        if isinstance(where, (Path, PlacedFile)):
            archive = _Archive(name, upload or where, digest, Once.of(tree))
        else:
            kept = keep_upload(name, digest, "", where)
            archive = _Archive(name, Upload(name, kept.kept), digest)
        return PackedFiles(name, dict(tree.files), archive, (digest,))

    return replace(tree, _keeper=keep)


@dataclass(frozen=True, eq=False)
class _Archive:
    """A zip that is opened again by whoever unpacks it, be it another process."""

    name: str
    source: Path | Upload | PlacedFile
    digest: str
    _opened: Once[Tree] = field(default_factory=Once)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Archive, (self.name, self.source, self.digest)

    def open(self, path: str) -> BinaryIO:
        return self._opened.get(self._open_again).open(path)

    def _open_again(self) -> Tree:
        where = self.source.place if isinstance(self.source, Upload) else self.source
        try:
            size = where.state.size if isinstance(where, PlacedFile) else where.stat().st_size
            tree = _open_packed(self.name, where, size)
        except OSError as error:
            raise gone(self.name, "") from error
        if tree.digest != self.digest:
            raise changed(self.name, "")
        return tree


def _reopened(file: Path | BinaryIO) -> Path | BinaryIO:
    """Return a file to be read from its beginning, whoever else reads it."""
    if isinstance(file, Path):
        return file
    if isinstance(file, io.BytesIO):
        return io.BytesIO(file.getvalue())
    file.seek(0)
    return io.BytesIO(file.read())


def _at_start(where: _Where) -> AbstractContextManager[BinaryIO]:
    if isinstance(where, Path):
        return where.open("rb")
    if isinstance(where, PlacedFile):
        return where.open()
    where.seek(0)
    return nullcontext(where)


def _fingerprint(where: Path | BinaryIO, mark: bytes = b"") -> tuple[int, str]:
    """Return how often a file holds a mark, and its SHA-256, in one pass."""
    sha, marks, tail = hashlib.sha256(), 0, b""
    with _at_start(where) as file:
        while chunk := file.read(1 << 20):
            sha.update(chunk)
            if mark:
                marks, tail = marks + (tail + chunk).count(mark), chunk[1 - len(mark) :]
    return marks, sha.hexdigest()
