"""Members of a zip that are packed with zstandard: read, checked, and refused where damaged."""

import struct

import pytest

from reports import LoadError
from reports.files.archive import open_tree
from tests.reports.files.packed.zstd_zips import packed


def alone(name, data, **wrong):
    """Return a zip of one member."""
    local, entry = packed(name, data, **wrong)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + end


def test_a_member_is_read_whole():
    data = b'{"id": 1}' * 100_000
    tree = open_tree(("x.zip", alone("a.json", data)))
    assert tree.read("a.json") == data
    with tree.open("a.json") as stream:
        assert stream.read(9) == b'{"id": 1}'


@pytest.mark.parametrize("wrong", [{"crc": 1}, {"size": 10}, {"size": 2_000_000}])
def test_a_member_that_is_not_what_it_says_is_refused(wrong):
    tree = open_tree(("x.zip", alone("a.json", bytes(1_000_000), **wrong)))
    with pytest.raises(LoadError, match=r"a\.json: cannot be read"):
        tree.read("a.json")


def test_what_would_inflate_beyond_measure_is_refused_unread():
    data = alone("a.json", bytes(100), size=1 << 30)
    with pytest.raises(LoadError, match="would inflate to 1,024 MiB"):
        open_tree(("x.zip", data))
