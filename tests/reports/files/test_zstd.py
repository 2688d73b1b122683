"""Members of a zip that are packed with zstandard: read, checked, and refused where damaged."""

import struct
import zlib

import pyarrow as pa
import pytest

from reports import LoadError
from reports.files.archive import open_tree


def packed(name, data, *, crc=None, size=None):
    """Write a zip with one member, packed with method 93."""
    inside, named = pa.compress(data, codec="zstd", asbytes=True), name.encode()
    size = len(data) if size is None else size
    told = (93, 0, 33, zlib.crc32(data) if crc is None else crc, len(inside), size, len(named))
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, *told, 0) + named + inside
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, *told, 0, 0, 0, 0, 0, 0) + named
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + end


def test_a_member_is_read_whole():
    data = b'{"id": 1}' * 100_000
    tree = open_tree(("x.zip", packed("a.json", data)))
    assert tree.read("a.json") == data
    with tree.open("a.json") as stream:
        assert stream.read(9) == b'{"id": 1}'


@pytest.mark.parametrize("wrong", [{"crc": 1}, {"size": 10}, {"size": 2_000_000}])
def test_a_member_that_is_not_what_it_says_is_refused(wrong):
    tree = open_tree(("x.zip", packed("a.json", bytes(1_000_000), **wrong)))
    with pytest.raises(LoadError, match=r"a\.json: cannot be read"):
        tree.read("a.json")


def test_what_would_inflate_beyond_measure_is_refused_unread():
    data = packed("a.json", bytes(100), size=1 << 30)
    with pytest.raises(LoadError, match="would inflate to 1,024 MiB"):
        open_tree(("x.zip", data))
