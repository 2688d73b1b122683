"""A zip member that is packed with zstandard, which `zipfile` reads from Python 3.14 on."""

from __future__ import annotations

import copy
import io
import zipfile
import zlib
from typing import IO, Any

import pyarrow as pa

METHOD = 93
"""The number of zstandard among the methods of a zip."""


def open_zstd(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """Open a member as a stream of what it inflates to, and check that at its end."""
    as_it_is = copy.copy(member)
    as_it_is.compress_type = zipfile.ZIP_STORED
    as_it_is.file_size = member.compress_size
    del as_it_is.CRC  # that of what it inflates to
    return io.BufferedReader(_Inflating(archive.open(as_it_is), member))


class _Inflating(io.RawIOBase):
    def __init__(self, packed: IO[bytes], member: zipfile.ZipInfo) -> None:
        self._packed, self._member = packed, member
        self._stream = pa.CompressedInputStream(packed, "zstd")
        self._size = self._crc = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(min(len(buffer), 1 + self._member.file_size - self._size))
        self._size += len(data)
        self._crc = zlib.crc32(data, self._crc)
        at_end = not data and len(buffer)
        if self._size > self._member.file_size or (at_end and not self._is_whole()):
            raise zipfile.BadZipFile(f"Bad size or CRC-32 for file {self._member.filename!r}")
        buffer[: len(data)] = data
        return len(data)

    def _is_whole(self) -> bool:
        return (self._size, self._crc) == (self._member.file_size, self._member.CRC)

    def close(self) -> None:
        self._packed.close()
        super().close()
