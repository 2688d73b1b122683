"""A zip as a tree: nothing leads out of it, and nothing inflates beyond measure."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from metrics.words import Text
from reports.errors import LoadError
from reports.other_tools import foreign
from reports.tree import DAMAGE, MAX_FILES, Tree, damaged, is_clutter, some_files, too_many

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
"""First bytes of a zip."""
ENTRY = b"PK\x01\x02"
"""First bytes of each entry of its directory."""
MAX_RATIO = 200
"""Inflated over packed size; real reports reach 100."""
ANY_RATIO = 64 << 20
"""Bytes that a zip or one of its members may inflate to whatever its ratio."""

_CHUNK = 1 << 20


def open_zip(name: str, where: Path | BinaryIO, size: int, entries: int, digest: str) -> Tree:
    """Open a zip of known size, number of directory entries and digest; see `open_tree`."""
    if entries > MAX_FILES:
        raise too_many(name)
    try:
        archive = zipfile.ZipFile(where)
    except DAMAGE as error:
        raise LoadError(
            name,
            Text("begins like a zip but is cut short or damaged ({reason})", reason=str(error)),
            Text("Copy or download it again in full."),
        ) from error
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        path = _safe_path(name, member)
        if member.is_dir() or any(map(is_clutter, path.split("/"))):
            continue
        if path in members:
            raise LoadError(
                name,
                Text("two members of the zip have this name"),
                Text("Zip the report's folder again."),
                path,
            )
        _require_plain(name, path, member, archive)
        _require_ratio(name, path, member.file_size, member.compress_size)
        members[path] = member
    _require_ratio(name, "", sum(member.file_size for member in members.values()), size)
    sizes = {path: members[path].file_size for path in sorted(members)}

    def opener(path: str) -> BinaryIO:
        member = _Member(name, path, archive.open(members[path]))
        return cast(BinaryIO, io.BufferedReader(member, _CHUNK))

    return Tree(name, some_files(name, sizes), digest, opener)


class _Member(io.RawIOBase):
    """A member of a zip, inflated as it is read; damage found on the way is a LoadError."""

    def __init__(self, name: str, path: str, stream: IO[bytes]) -> None:
        self._name, self._path, self._stream = name, path, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stream.read(min(len(buffer), _CHUNK))
        except DAMAGE as error:
            raise damaged(self._name, self._path, error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _safe_path(name: str, member: zipfile.ZipInfo) -> str:
    path = member.filename
    if not path:
        raise LoadError(
            name, Text("a member of the zip has no name"), Text("Zip the report's folder again.")
        )
    if (
        path.startswith("/")
        or "\\" in path
        or ".." in path.split("/")
        or re.match("[A-Za-z]:", path)
    ):
        raise LoadError(
            name,
            Text("this name would lead out of the zip; names must be relative, with /"),
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
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        if found := foreign(archive.namelist()):
            raise found.error(name)
        raise LoadError(
            name,
            Text("is packed with a method other than deflate"),
            Text("Zip the report's folder again with the tool's default settings."),
            path,
        )


def _require_ratio(name: str, path: str, inflated: int, packed: int) -> None:
    if inflated > max(ANY_RATIO, MAX_RATIO * packed):
        raise LoadError(
            name,
            Text(
                "would inflate to {inflated:,.0f} MiB, more than {limit} times its packed size",
                inflated=inflated / 2**20,
                limit=MAX_RATIO,
            ),
            Text("If it is a real report, unpack it yourself and load the folder."),
            path,
        )
