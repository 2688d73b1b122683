"""Zips whose members are packed with zstandard, which `zipfile` writes from Python 3.14 on."""

import struct
import zlib

import pyarrow as pa


def write_zstd(path, members):
    """Write a zip of members, each a name and its bytes."""
    entries = []
    with path.open("wb") as file:
        for name, data in members:
            entry = packed(name, data, file.tell())
            file.write(entry[0])
            entries.append(entry[1])
        start, size = file.tell(), sum(map(len, entries))
        file.writelines(entries)
        count = min(len(entries), 0xFFFF)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, size, start, 0))


def packed(name, data, offset=0, *, crc=None, size=None):
    """Return a member as it stands in a zip, and its entry in the directory."""
    inside, named = pa.compress(data, codec="zstd", asbytes=True), name.encode()
    size = len(data) if size is None else size
    told = (93, 0, 33, zlib.crc32(data) if crc is None else crc, len(inside), size, len(named))
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, *told, 0) + named + inside
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, *told, 0, 0, 0, 0, 0, offset)
    return local, entry + named
