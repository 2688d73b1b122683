"""Uploads that are kept: found by their key alone, and gone at their time or for want of room."""

import gc
import stat

import pytest

from reports.files import upload_store
from reports.files.stored_files import Upload
from reports.files.stored_uploads import Keeping

pytestmark = pytest.mark.usefixtures("own_garbage")


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """The files that are on disk."""
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    return lambda: [path for path in tmp_path.glob("*/*") if path.is_file()]


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def upload(name="a.csv", size=10):
    return Upload.of(name, [b"x" * size], size)


def test_an_upload_is_found_by_its_keys_while_nobody_uses_it(kept):
    keeping = Keeping()
    use = keeping.keep(upload(), 10)
    own, shared = use.key, use.shared
    del use
    for key in (own, shared):
        found = keeping.find(key)
        assert found.upload.name == "a.csv"
        assert found.upload.place.read_bytes() == b"x" * 10
    assert len(kept()) == 1
    assert not stat.S_IMODE(kept()[0].stat().st_mode) & 0o077
    assert not stat.S_IMODE(kept()[0].parent.stat().st_mode) & 0o077


def test_nothing_but_a_key_finds_an_upload():
    keeping = Keeping()
    use = keeping.keep(upload(), 10)
    place = use.upload.place
    for guess in ("", "a.csv", place.name, str(place), f"../{place.name}", use.key[:-1], "\ud800"):
        assert keeping.find(guess) is None
    assert len({use.key, use.shared}) == 2
    assert min(len(use.key), len(use.shared)) >= 32


def test_it_is_gone_its_time_after_its_last_use(kept, clock):
    keeping = Keeping(minutes=5, now=clock)
    key = keeping.keep(upload(), 10).key
    clock.now = 299
    assert keeping.find(key)
    clock.now = 597
    use = keeping.find(key)
    clock.now = 5000  # in use as long as somebody has it
    keeping.expire()
    assert keeping.knows(use)
    del use
    clock.now = 5299
    keeping.expire()
    assert len(kept()) == 1
    clock.now = 5300
    keeping.expire()
    assert keeping.find(key) is None
    assert not kept()


def test_whoever_has_it_keeps_the_file_though_its_time_is_over(kept, clock):
    keeping = Keeping(minutes=5, now=clock)
    use = keeping.keep(upload(), 10)
    keeping.forget(use)
    assert not keeping.knows(use)
    assert len(kept()) == 1
    del use
    assert not kept()


def test_the_one_not_used_for_longest_makes_room(kept, clock):
    keeping = Keeping(megabytes=1, now=clock)
    keys = []
    for number in range(3):
        clock.now = number
        keys.append(keeping.keep(upload(f"{number}", 300_000), 300_000).key)
    clock.now = 3
    assert keeping.find(keys[0])
    clock.now = 4
    keys.append(keeping.keep(upload("3", 300_000), 300_000).key)
    assert [bool(keeping.find(key)) for key in keys] == [True, False, True, True]
    gc.collect()
    assert sum(path.stat().st_size for path in kept()) == 900_000


@pytest.mark.parametrize(("minutes", "megabytes"), [(0, 2000), (60, 0), (60, 0.000_009)])
def test_nothing_is_kept_where_it_may_not_be(kept, minutes, megabytes):
    keeping = Keeping(minutes, megabytes)
    use = keeping.keep(upload(), 10)
    assert (use.key, use.shared) == ("", "")
    assert not keeping.knows(use)
    assert keeping.find("") is None
    del use
    assert not kept()


def test_whom_it_was_given_to_cannot_end_its_stay():
    keeping = Keeping()
    use = keeping.keep(upload(), 10)
    keeping.forget(keeping.find(use.shared))
    assert keeping.knows(use)
    keeping.forget(keeping.find(use.key))
    assert keeping.find(use.shared) is None


def test_clearing_ends_every_stay(kept):
    keeping = Keeping()
    key = keeping.keep(upload(), 10).key
    upload_store.clear()
    keeping.clear()
    assert keeping.find(key) is None


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "an hour"])
def test_a_wrong_setting_is_refused(text):
    with pytest.raises(ValueError, match="KOFN_KEEP_MB must be a number of 0 or more"):
        Keeping.of({"KOFN_KEEP_MB": text})


def test_settings_are_read():
    keeping = Keeping.of({"KOFN_KEEP": "0.5", "KOFN_KEEP_MB": ""})
    assert (keeping.minutes, keeping.megabytes) == (0.5, 2000)
