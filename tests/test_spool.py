"""The folder of kept files: private, bounded, and emptied when nobody needs them."""

import gc
import os
import stat
from contextlib import nullcontext

import pytest

from reports import spool


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def kept(*parts, data=b"data"):
    path = spool.named(*parts)
    spool.keep(path, [data], len(data))
    return path


def test_the_folder_is_as_the_user_says_or_the_platform_has_it(monkeypatch, folder):
    assert spool.folder() == folder
    monkeypatch.delenv("KOFN_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert str(spool.folder()) == "/somewhere/kofn"


def test_looking_at_a_folder_that_is_not_there_makes_none(folder):
    assert spool.size() == 0
    spool.clear()
    assert not folder.exists()


@pytest.mark.parametrize(
    "hostile", ["../../etc/passwd", "/etc/passwd", "\0", "a" * 10_000, "\udcff"]
)
def test_names_lead_nowhere(folder, hostile):
    path = kept("digest", hostile)
    assert path.parent == folder
    assert path.read_bytes() == b"data"
    assert [*folder.iterdir()] == [path]


def test_different_files_have_different_names():
    assert spool.named("a", "bc") != spool.named("ab", "c")


def test_only_the_user_may_read(folder):
    path = kept("secret")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_written_once():
    path = kept("same", data=b"first")
    spool.keep(path, iter(lambda: pytest.fail("read again"), None), 5)
    assert path.read_bytes() == b"first"
    assert spool.size() == 5


def test_of_two_who_write_a_file_at_once_the_first_to_end_stays(folder):
    path = spool.named("same")
    known = []

    def overtaken():
        spool.keep(path, [b"data"], 4)
        known.append(path.stat())
        yield b"data"

    spool.keep(path, overtaken(), 4)
    assert [(each.st_ino, each.st_mtime_ns) for each in known] == [
        (path.stat().st_ino, path.stat().st_mtime_ns)
    ]
    assert [*folder.iterdir()] == [path]


def test_a_file_that_breaks_off_leaves_nothing(folder):
    def broken():
        yield b"half"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        spool.keep(spool.named("broken"), broken(), 8)
    assert not [*folder.iterdir()]


def test_clearing_leaves_what_is_not_ours(folder):
    kept("a"), kept("b")
    (folder / "notes.txt").write_text("mine")
    spool.clear()
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_what_was_not_read_for_longest_makes_room(monkeypatch):
    monkeypatch.setattr(spool, "MOST", 10)
    first, second = kept("first"), kept("second")
    os.utime(first, (second.stat().st_atime - 60, first.stat().st_mtime))
    third = kept("third")
    assert [path.exists() for path in (first, second, third)] == [False, True, True]
    with pytest.raises(OSError, match="large"):
        kept("huge", data=b"x" * 11)


def test_what_another_process_left_goes_and_what_this_one_uses_stays():
    class Owner:
        pass

    left, used, owner = kept("left"), kept("used"), Owner()
    spool.remove_with(owner, used)
    for path in (left, used):
        os.utime(path, (0, 0))
    kept("new")
    assert (left.exists(), used.exists()) == (False, True)


def test_a_file_goes_with_its_last_owner():
    class Owner:
        pass

    path, owners = kept("shared"), [Owner(), Owner()]
    for owner in owners:
        spool.remove_with(owner, path)
    del owner
    owners.pop()
    gc.collect()
    assert path.exists()
    owners.pop()
    gc.collect()
    assert not path.exists()


def test_a_file_that_goes_while_the_folder_is_looked_at_is_passed_over(monkeypatch):
    gone = kept("goes")
    kept("stays", data=b"stays")
    listed = os.scandir

    def then_gone(path):
        with listed(path) as entries:
            found = [*entries]
        gone.unlink()
        return nullcontext(found)

    monkeypatch.setattr("os.scandir", then_gone)
    assert spool.size() == len(b"stays")
