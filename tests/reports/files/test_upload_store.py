"""The folder of kept files: private, bounded, and emptied when nobody needs them."""

import errno
import gc
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from reports.files import upload_store

pytestmark = pytest.mark.usefixtures("own_garbage")

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def kept(*parts, data=b"data"):
    path = upload_store.named(*parts)
    upload_store.keep(path, [data], len(data))
    return path


def test_the_folder_is_as_the_user_says_or_the_platform_has_it(monkeypatch, folder):
    assert upload_store.folder() == folder
    monkeypatch.delenv("KOFN_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert str(upload_store.folder()) == "/somewhere/kofn"


def test_looking_at_a_folder_that_is_not_there_makes_none(folder):
    assert upload_store.size() == 0
    upload_store.clear()
    assert not folder.exists()


@pytest.mark.parametrize(
    "hostile", ["../../etc/passwd", "/etc/passwd", "\0", "a" * 10_000, "\udcff"]
)
def test_names_lead_nowhere(folder, hostile):
    path = kept("digest", hostile)
    assert path.parent == upload_store.own()
    assert path.read_bytes() == b"data"
    assert [*upload_store.own().iterdir()] == [path]


def test_different_files_have_different_names():
    assert upload_store.named("a", "bc") != upload_store.named("ab", "c")


def test_only_the_user_may_read(folder):
    path = kept("secret")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_written_once():
    path = kept("same", data=b"first")
    upload_store.keep(path, iter(lambda: pytest.fail("read again"), None), 5)
    assert path.read_bytes() == b"first"
    assert upload_store.size() == 5


def test_of_two_who_write_a_file_at_once_the_first_to_end_stays(folder):
    path = upload_store.named("same")
    known = []

    def overtaken():
        upload_store.keep(path, [b"data"], 4)
        known.append(path.stat())
        yield b"data"

    upload_store.keep(path, overtaken(), 4)
    assert [(each.st_ino, each.st_mtime_ns) for each in known] == [
        (path.stat().st_ino, path.stat().st_mtime_ns)
    ]
    assert [*upload_store.own().iterdir()] == [path]


def test_a_file_that_breaks_off_leaves_nothing(folder):
    def broken():
        yield b"half"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        upload_store.keep(upload_store.named("broken"), broken(), 8)
    assert not [*upload_store.own().iterdir()]


def test_clearing_leaves_what_is_not_ours(folder):
    paths = [kept("a"), kept("b")]
    (folder / "notes.txt").write_text("mine")
    upload_store.clear()
    assert not any(path.exists() for path in paths)
    assert (folder / "notes.txt").exists()


def test_what_was_not_read_for_longest_makes_room(monkeypatch):
    monkeypatch.setattr(upload_store, "MOST", 10)
    first, second = kept("first"), kept("second")
    os.utime(first, (second.stat().st_atime - 60, first.stat().st_mtime))
    third = kept("third")
    assert [path.exists() for path in (first, second, third)] == [False, True, True]
    with pytest.raises(OSError, match="large"):
        kept("huge", data=b"x" * 11)


def test_the_folder_is_not_looked_through_for_each_of_many_small_files(monkeypatch):
    looks, listed = [], os.scandir
    monkeypatch.setattr("os.scandir", lambda path: looks.append(path) or listed(path))
    for number in range(100):
        kept(str(number))
    assert len(looks) <= 2


def test_what_a_file_takes_beyond_its_stated_size_counts(monkeypatch):
    monkeypatch.setattr(upload_store, "MOST", 100)
    first = upload_store.named("first")
    upload_store.keep(first, [b"x" * 90], 0)
    os.utime(first, (0, 0))
    kept("second", data=b"y" * 20)
    assert not first.exists()


OTHER = """
import sys, time
from reports.files import upload_store
path = upload_store.named("other")
upload_store.keep(path, [b"theirs"], 6)
print(path, flush=True)
sys.stdin.read()
"""


@contextmanager
def another_process():
    """Another process that keeps a file until it is told to end: where that is, and the process."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Path(process.stdout.readline().rstrip("\n")), process
        process.kill()


def test_what_a_killed_process_left_goes_with_the_next_start_and_not_before(folder):
    with another_process() as (theirs, process):
        os.utime(theirs, (0, 0))
        ours = kept("ours")
        upload_store.remove_left()
        assert theirs.read_bytes() == b"theirs"
        process.kill()
        process.wait()
        assert theirs.exists()
        upload_store.remove_left()
        assert not theirs.parent.exists()
        assert ours.read_bytes() == b"data"
        upload_store.remove_own()
    assert not [*folder.iterdir()]


def test_a_process_that_ends_leaves_nothing(folder):
    with another_process() as (theirs, process):
        assert theirs.exists()
        process.communicate()
    assert not [*folder.iterdir()]


CHILD = """
import sys
import tempfile
import time
from pathlib import Path
from reports.files import upload_store

upload_store.work_in(Path(sys.argv[1]), lambda path: print(path, flush=True))
path, cut = upload_store.named("made"), upload_store.named("cut")
upload_store.remove_with(upload_store, path)
upload_store.keep(path, [b"made"], 4)
upload_store.remove_with(upload_store, cut)
upload_store.keep(cut, iter(sys.stdin.readline, ""), 4)
"""


def test_what_a_child_keeps_is_its_parent_s_and_what_it_began(folder):
    class Owner:
        pass

    owner, place = Owner(), upload_store.lend()
    command = [sys.executable, "-c", CHILD, str(place)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as child:
        for name in ("made", "cut"):
            told = Path(child.stdout.readline().rstrip("\n"))
            assert told == upload_store.named(name)
            upload_store.remove_with(owner, told)
        while len([*place.iterdir()]) < 2:
            time.sleep(0.01)
        child.kill()
    assert upload_store.named("made").read_bytes() == b"made"
    assert len([*place.iterdir()]) == 2
    del owner
    gc.collect()
    assert not [*place.iterdir()]


def test_where_a_lock_cannot_be_had_nothing_is_kept_and_nothing_removed():
    def no_locks(lock):
        raise OSError(errno.ENOLCK, "No locks here")

    with another_process() as (theirs, process):
        process.kill()
        process.wait()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(upload_store, "_take", no_locks)
            with pytest.raises(OSError, match="No locks here"):
                kept("ours")
        assert theirs.exists()
        kept("ours")
        assert not theirs.exists()


def test_a_folder_removed_by_hand_is_made_again(folder):
    kept("before")
    shutil.rmtree(folder)
    path = kept("after")
    upload_store.remove_left()
    assert path.exists()


def test_a_lock_that_is_removed_while_it_is_taken_is_not_held(folder):
    folder.mkdir()
    (folder / "taken.lock").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upload_store, "_take", lambda lock: (folder / "taken.lock").unlink())
        assert upload_store._hold(folder / "taken.lock") is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="has no fork")
def test_a_forked_child_removes_nothing_of_its_parent():
    class Owner:
        pass

    path, owner = kept("used"), Owner()
    upload_store.remove_with(owner, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads
        child = os.fork()
    if child == 0:
        del owner
        upload_store.remove_own()
        os._exit(upload_store.own() == path.parent)
    assert os.waitpid(child, 0)[1] == 0
    assert path.exists()


def test_a_file_goes_with_its_last_owner():
    class Owner:
        pass

    path, owners = kept("shared"), [Owner(), Owner()]
    for owner in owners:
        upload_store.remove_with(owner, path)
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
    assert upload_store.size() == len(b"stays")


def test_temporary_files_are_in_the_folder_where_the_system_has_no_place_for_them(
    monkeypatch, folder
):
    monkeypatch.setenv("TMPDIR", "")
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("tempfile._candidate_tempdir_list", lambda: [str(folder / "missing")])
    upload_store.hold_temporary_files()
    with tempfile.NamedTemporaryFile() as file:
        assert Path(file.name).parent == folder
    assert os.environ["TMPDIR"] == str(folder)
