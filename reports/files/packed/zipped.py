"""A zip as a tree, without paths that lead out of it and within limits of size."""

from __future__ import annotations

import io
import re
import stat
import weakref
import zipfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.other_tools import foreign
from reports.files.packed.inflating import inflating, require_ratio
from reports.files.packed.zip_names import names_of
from reports.files.packed.zstd import METHOD, open_zstd
from reports.files.tree import DAMAGE, MAX_FILES, Tree, is_clutter, some_files, too_many

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
"""First bytes of a zip."""
ENTRY = b"PK\x01\x02"
"""First bytes of each entry of its directory."""

_DIRECTORY = 512 * MAX_FILES
"""Bytes of the directory of a zip."""
_BUFFER = 1 << 16
_BUILT_IN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class Sparing(io.BufferedReader):
    """A zip at a place: while it is opened no endless directory is fetched.

    Attributes
    ----------
    opened : bool
        Whether members may be read.
    """

    opened = False

    def __init__(self, name: str, raw: io.RawIOBase) -> None:
        super().__init__(raw, _BUFFER)
        self._zip = name
        self._entries = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read some bytes, of a directory of too many files none."""
        if self.opened:
            return super().read(size)
        if size is not None and size > _DIRECTORY:
            raise too_many(self._zip)
        data = super().read(size)
        self._entries += data.count(ENTRY)
        if self._entries > MAX_FILES:
            raise too_many(self._zip)
        return data


def open_zip(name: str, where: Path | BinaryIO, size: int, entries: int, digest: str) -> Tree:
    """Open a zip of known size, number of directory entries and digest; see `open_tree`."""
    if entries > MAX_FILES:
        raise too_many(name)
    try:
        archive = zipfile.ZipFile(where)
    except LoadError:
        raise
    except DAMAGE as error:
        raise LoadError(
            name,
            Text("begins like a zip but is cut short or damaged ({reason})", reason=str(error)),
            Text("Copy or download it again in full."),
        ) from error
    try:
        members, notes = _members(name, archive, size)
    except LoadError:
        archive.close()
        raise
    sizes = {path: members[path].file_size for path in sorted(members)}

    def opener(path: str) -> BinaryIO:
        member = members[path]
        packed = (
            archive.open(member)
            if member.compress_type in _BUILT_IN
            else open_zstd(archive, member)
        )
        return inflating(name, path, packed)

    weakref.finalize(opener, archive.close)  # the collector may take its file before itself
    packed = {path: member.compress_size for path, member in members.items()}
    return Tree(name, some_files(name, sizes), digest, opener, notes=tuple(notes), packed=packed)


def _members(
    name: str, archive: zipfile.ZipFile, size: int
) -> tuple[dict[str, zipfile.ZipInfo], list[Note]]:
    """Return the files of a zip by their paths, all of which may be read."""
    members: dict[str, zipfile.ZipInfo] = {}
    names, notes = names_of(archive.infolist())
    for member, spelled in zip(archive.infolist(), names, strict=True):
        path = _safe_path(name, spelled)
        if spelled.endswith("/") or any(map(is_clutter, path.split("/"))):
            continue
        if path in members:
            raise LoadError(
                name,
                Text("two members of the zip have this name"),
                Text("Zip the report's folder again."),
                path,
            )
        _require_plain(name, path, member, archive)
        require_ratio(name, path, member.file_size, member.compress_size)
        members[path] = member
    require_ratio(name, "", sum(member.file_size for member in members.values()), size)
    return members, notes


def _safe_path(name: str, path: str) -> str:
    if not path:
        raise LoadError(
            name, Text("a member of the zip has no name"), Text("Zip the report's folder again.")
        )
    if path.startswith("/") or ".." in path.split("/") or re.match("[A-Za-z]:", path):
        raise LoadError(
            name,
            Text("this name would lead out of the zip; names must be relative"),
            Text("Zip the report's folder again with an ordinary tool."),
            path,
        )
    return PurePosixPath(path).as_posix()


def _require_plain(name: str, path: str, member: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    if stat.S_ISLNK(member.external_attr >> 16):
        raise LoadError(
            name,
            Text("is a symbolic link, which kofn does not follow"),
            Text("Zip the files themselves instead of links to them."),
            path,
        )
    if member.flag_bits & 1:
        raise LoadError(
            name, Text("is encrypted"), Text("Zip the report's folder without a password."), path
        )
    if member.compress_type not in (*_BUILT_IN, METHOD):
        if found := foreign(archive.namelist()):
            raise found.error(name)
        raise LoadError(
            name,
            Text("is packed with a method other than deflate and zstandard"),
            Text("Zip the report's folder again with the tool's default settings."),
            path,
        )
