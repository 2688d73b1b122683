"""The names of a zip's members, in whichever encoding the packing tool used.

A zip marks a name as UTF-8, or leaves open what its bytes mean. Then macOS writes UTF-8 all the
same and Windows in China GBK; by the standard it is code page 437, which any bytes decode as.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from zipfile import ZipInfo

from metrics.data.words import Text
from reports.files.notes import Note

_MARK = 0x800
"""The flag of a name in UTF-8."""
_BY_STANDARD = "cp437"
_CHINESE = "gb18030"
_UNICODE_PATH = 0x7075
"""The extra field in which Info-ZIP repeats a name in UTF-8, with a checksum of the other."""
_FIELD = struct.Struct("<HH")
_CHECKED = struct.Struct("<BL")


def names_of(members: Sequence[ZipInfo]) -> tuple[list[str], list[Note]]:
    """Return the name of each member with slashes, and what was taken for granted."""
    marked = list(map(_marked, members))
    unmarked = [_bytes(member) for member, name in zip(members, marked, strict=True) if not name]
    encoding = _encoding([name for name in unmarked if not name.isascii()])
    rest = iter([name.decode(encoding) for name in unmarked])
    names = [(name or next(rest)).split("\0")[0] for name in marked]
    return [name.replace("\\", "/") for name in names], list(_notes(names, encoding))


def _marked(member: ZipInfo) -> str:
    """Return a name that is known to be UTF-8; nothing where that is left open."""
    if member.flag_bits & _MARK:
        return member.orig_filename
    for kind, data in _fields(member.extra):
        if kind == _UNICODE_PATH and len(data) > _CHECKED.size:
            version, checksum = _CHECKED.unpack_from(data)
            if (version, checksum) == (1, zlib.crc32(_bytes(member))):
                return data[_CHECKED.size :].decode(errors="replace")
    return ""


def _bytes(member: ZipInfo) -> bytes:
    return member.orig_filename.encode(_BY_STANDARD)


def _fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= _FIELD.size:
        kind, size = _FIELD.unpack_from(extra)
        yield kind, extra[_FIELD.size : _FIELD.size + size]
        extra = extra[_FIELD.size + size :]


def _encoding(names: Sequence[bytes]) -> str:
    """Return what all names decode as; it is Chinese only if most letters are everyday ones.

    Accented letters of code page 437 decode as Chinese too, but never as letters of GB 2312.
    """
    if _decoded(names, "utf-8") is not None:
        return "utf-8"
    letters = [letter for letter in _decoded(names, _CHINESE) or "" if not letter.isascii()]
    everyday = sum(_decoded([letter.encode(_CHINESE)], "gb2312") is not None for letter in letters)
    return _CHINESE if letters and 2 * everyday >= len(letters) else _BY_STANDARD


def _decoded(names: Iterable[bytes], encoding: str) -> str | None:
    try:
        return "".join(name.decode(encoding) for name in names)
    except UnicodeDecodeError:
        return None


def _notes(names: Sequence[str], encoding: str) -> Iterator[Note]:
    if encoding == _CHINESE:
        what = Text(
            "The zip does not state the encoding of its file names; kofn reads them as GBK, "
            "such as {name:.200}.",
            name=next(name for name in names if not name.isascii()),
        )
        yield Note(what)
    if folded := [name for name in names if "\\" in name]:
        what = Text(
            "Names in the zip have backslashes, such as {name:.200}; kofn reads them as folders.",
            name=folded[0],
        )
        yield Note(what, count=len(folded))
