"""Folder, zip and file are the same tree, and no archive can do harm."""

import contextlib
import gc
import hashlib
import io
import os
import stat
import struct
import tracemalloc
import warnings
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import load
from reports.files.archive import open_tree
from reports.files.errors import LoadError
from reports.files.tree import MAX_FILES

pytestmark = pytest.mark.usefixtures("own_garbage")

FILES = {
    "20260301_090000/configs/run.py": b"models=[]",
    "20260301_090000/results/m/gsm8k.json": b'{"accuracy": 50.0}',
}


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path):
    for name, data in FILES.items():
        (tmp_path / "outputs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "outputs" / name).write_bytes(data)
    return tmp_path / "outputs"


def sources(folder, tmp_path):
    data = zipped(FILES)
    path = tmp_path / "report.zip"
    path.write_bytes(data)
    named = io.BytesIO(data)
    named.name = "report.zip"
    return [folder, str(folder), path, ("report.zip", data), named, ("misnamed.json", data)]


def test_folder_and_zip_give_the_same_files(folder, tmp_path):
    for source in sources(folder, tmp_path):
        tree = open_tree(source)
        assert dict(tree.files) == {name: len(data) for name, data in FILES.items()}
        assert {name: tree.read(name) for name in tree.files} == FILES
        for name, data in FILES.items():
            with tree.open(name) as stream:
                assert stream.read(3) + stream.read() == data


def test_a_zip_is_closed_before_the_collector_takes_its_file(tmp_path):
    """Its file comes first where something held it while others were looked through."""
    path = tmp_path / "r.zip"
    path.write_bytes(zipped(FILES))
    cycle = [open_tree(path)]
    cycle.append(cycle)
    (file,) = (
        each
        for each in gc.get_objects()
        if isinstance(each, io.BufferedReader) and getattr(each, "name", None) == str(path)
    )
    gc.collect()
    del file, cycle
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        gc.collect()
    assert not [each for each in warned if issubclass(each.category, ResourceWarning)]


def test_an_archive_that_is_refused_holds_no_file_open(tmp_path):
    path = tmp_path / "r.zip"
    path.write_bytes(zipped({"../x": b"1"}))
    with pytest.raises(LoadError) as _refused:
        open_tree(path)
    assert str(path) not in {*map(os.path.realpath, os.scandir("/proc/self/fd"))}


def test_a_single_file_is_a_tree_of_one(tmp_path):
    path = tmp_path / "gsm8k.json"
    path.write_bytes(b"{}")
    file = io.BytesIO(b"{}")
    file.name = "gsm8k.json"
    file.read()
    for source in (path, ("gsm8k.json", b"{}"), file):
        tree = open_tree(source)
        assert dict(tree.files) == {"gsm8k.json": 2}
        assert tree.read("gsm8k.json") == tree.read("gsm8k.json") == b"{}"
    assert tree.digest == hashlib.sha256(b"{}").hexdigest()


def test_the_tree_has_the_name_the_user_gave(folder):
    assert open_tree(str(folder)).name == str(folder)
    assert open_tree(("../../x.json", b"{}")).name == "../../x.json"
    assert list(open_tree(("..\\..\\x.json", b"{}")).files) == ["x.json"]


def test_the_digest_of_a_folder_follows_names_sizes_and_times(folder):
    before = open_tree(folder).digest
    assert open_tree(folder).digest == before
    changed = folder / "20260301_090000/configs/run.py"
    os.utime(changed, ns=(1, 1))
    touched = open_tree(folder).digest
    changed.rename(changed.with_name("run2.py"))
    assert len({before, touched, open_tree(folder).digest}) == 3


def test_the_digest_of_a_file_on_disk_follows_its_state_and_that_of_an_upload_its_bytes(tmp_path):
    path = tmp_path / "gsm8k.json"
    path.write_bytes(b"{}")
    before = open_tree(path).digest
    assert open_tree(path).digest == before
    os.utime(path, ns=(1, 1))
    assert open_tree(path).digest != before
    assert open_tree(("other.json", b"{}")).digest == open_tree(("gsm8k.json", b"{}")).digest


def test_hidden_files_and_clutter_are_left_out(tmp_path):
    clutter = dict.fromkeys(
        ["__MACOSX/._a.json", ".DS_Store", "r/.git/x", "r/Thumbs.db", "r/desktop.ini"], b"x"
    )
    files = {"r/a.json": b"{}"} | clutter
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert list(open_tree(("r.zip", zipped(files))).files) == ["r/a.json"]
    assert list(open_tree(tmp_path).files) == ["r/a.json"]


def test_a_link_out_of_a_folder_is_not_followed(folder, tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "dir").symlink_to(tmp_path / "elsewhere")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "broken").symlink_to(folder / "nothing")
    (folder / "inside.json").symlink_to(folder / "20260301_090000/results/m/gsm8k.json")
    tree = open_tree(folder)
    assert set(tree.files) == {*FILES, "inside.json"}
    (note,) = tree.notes
    assert (note.count, note.severity) == (4, "warning")
    assert "4 links lead out of the folder or nowhere (broken, dir, link.json, loop)" in str(
        note.what
    )


def test_a_link_to_what_is_in_the_folder_anyway_is_not_worth_a_word(folder):
    (folder / "latest").symlink_to(folder / "20260301_090000")
    (folder / "dir").symlink_to("20260301_090000/results")
    tree = open_tree(folder)
    assert dict(tree.files) == {name: len(data) for name, data in FILES.items()}
    assert not tree.notes


def test_a_report_says_what_links_it_did_not_follow(folder, tmp_path):
    folder.joinpath("20260301_090000/results").rename(tmp_path / "results")
    (folder / "20260301_090000/results").symlink_to(tmp_path / "results")
    with pytest.raises(LoadError, match="results is a link that leads out of the folder"):
        load(folder)
    (tmp_path / "only").mkdir()
    (tmp_path / "only/results").symlink_to(tmp_path / "results")
    with pytest.raises(LoadError, match="holds only links that lead out of it"):
        load(tmp_path / "only")


def test_what_is_not_there_or_empty_says_so(tmp_path):
    (tmp_path / "empty.json").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    for name, message in {
        "missing.zip": "missing.zip: does not exist. Check the path.",
        "empty.json": "empty.json: is empty. Check",
        "folder": "folder: holds no files. Give",
        "fifo": "fifo: is neither a file nor a folder",
        "nul\0.json": "cannot be read: embedded null byte",
    }.items():
        with pytest.raises(LoadError) as caught:
            open_tree(str(tmp_path / name))
        assert message in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    (tmp_path / "x.json").chmod(0)
    with pytest.raises(LoadError, match="Permission denied"):
        open_tree(tmp_path / "x.json")


def member(name, *, mode=0o644, **fields):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFREG | mode) << 16
    for key, value in fields.items():
        setattr(info, key, value)
    return info


@pytest.mark.parametrize(
    "name",
    [
        *("../x.json", "a/../../x.json", "/etc/passwd", "C:/x.json", "c:x.json"),
        *("a\\..\\x.json", "..\\x.json", "C:\\x.json", "\\etc\\passwd", "\\\\host\\share\\x.json"),
    ],
)
def test_a_name_that_leads_out_of_a_zip_is_refused(name):
    with pytest.raises(LoadError, match="would lead out of the zip") as caught:
        open_tree(("r.zip", zipped({"good.json": b"{}", name: b"{}"})))
    assert caught.value.place == name.replace("\\", "/")


def test_links_encryption_and_other_methods_in_a_zip_are_refused():
    link = member("link", external_attr=(stat.S_IFLNK | 0o777) << 16)
    with pytest.raises(LoadError, match=r"r\.zip, link: is a symbolic link"):
        open_tree(("r.zip", zipped({link: b"/etc/passwd"})))
    with pytest.raises(LoadError, match=r"r\.zip, a\.json: is packed with a method other than"):
        open_tree(("r.zip", zipped({"a.json": b"{}"}, zipfile.ZIP_LZMA)))
    data = bytearray(zipped({"a.json": b"{}"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    with pytest.raises(LoadError, match=r"r\.zip, a\.json: is encrypted"):
        open_tree(("r.zip", bytes(data)))


def test_two_members_of_one_name_are_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.json", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.json", "2")
    with pytest.raises(LoadError, match=r"a\.json: two members of the zip have this name"):
        open_tree(("r.zip", buffer.getvalue()))


def test_too_many_members_or_files_are_refused_before_they_cost_memory(tmp_path):
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", *[0] * 9, 1, *[0] * 6) + b"a"
    directory = entry * (MAX_FILES + 1)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 4, 0)
    data = b"PK\x03\x04" + directory + end
    tracemalloc.start()
    with pytest.raises(LoadError, match="holds more than 200,000 files"):
        open_tree(("r.zip", data))
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_a_folder_of_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("reports.files.on_disk.MAX_FILES", 3)
    for name in "abc":
        (tmp_path / name).write_text("x")
    assert len(open_tree(tmp_path).files) == 3
    (tmp_path / "d").write_text("x")
    with pytest.raises(LoadError, match="holds more than"):
        open_tree(tmp_path)


def test_a_thousandfold_compression_is_refused_without_inflating_it(monkeypatch):
    monkeypatch.setattr("reports.files.packed.inflating.ANY_RATIO", 4 << 20)
    data = zipped({"results/m/bomb.json": bytes(16 << 20)})
    tracemalloc.start()
    with pytest.raises(LoadError, match=r"bomb\.json: would inflate to 16 MiB, more than 200"):
        open_tree(("r.zip", data))
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_many_members_that_share_the_same_bytes_are_refused(monkeypatch):
    """An overlapping bomb: each member is small enough, their sum is not."""
    monkeypatch.setattr("reports.files.packed.inflating.ANY_RATIO", 8 << 20)
    names = [f"{i:02}.json" for i in range(9)]
    data = zipped({names[0]: bytes(6 << 20)})
    start = data.index(b"PK\x01\x02")
    entry = data[start : data.index(b"PK\x05\x06")]
    directory = b"".join(entry.replace(names[0].encode(), name.encode()) for name in names)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 9, 9, len(directory), start, 0)
    with pytest.raises(LoadError, match=r"r\.zip: would inflate to 54 MiB"):
        open_tree(("r.zip", data[:start] + directory + end))


def with_declared_size(data, size):
    data = bytearray(data)
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, size)
    return bytes(data)


@pytest.mark.parametrize("declared", [10, (12 << 20) - 1, (12 << 20) + 1])
def test_a_member_never_inflates_beyond_the_size_it_declares(declared):
    data = with_declared_size(zipped({"a.json": bytes(12 << 20)}), declared)
    tree = open_tree(("r.zip", data))
    tracemalloc.start()
    with pytest.raises(LoadError, match=r"r\.zip, a\.json: cannot be read"):
        tree.read("a.json")
    assert tracemalloc.get_traced_memory()[1] < declared + (4 << 20)
    tracemalloc.stop()


def test_a_stream_of_a_damaged_member_ends_in_a_load_error():
    data = bytearray(zipped({"a.json": os.urandom(1 << 16)}, zipfile.ZIP_STORED))
    data[1000] ^= 1
    with (
        open_tree(("r.zip", bytes(data))).open("a.json") as stream,
        pytest.raises(LoadError, match="Bad CRC-32"),
    ):
        stream.read()


def test_a_file_beyond_the_limit_is_not_read(monkeypatch):
    monkeypatch.setattr("reports.files.tree.MAX_READ", 1 << 20)
    tree = open_tree(("a.json", bytes(3 << 20)))
    with pytest.raises(LoadError, match="is 3 MiB; kofn takes files of up to 1 MiB"):
        tree.read("a.json")


def test_a_file_named_zip_that_is_none_and_a_truncated_zip_say_so():
    with pytest.raises(LoadError, match=r"r\.zip: is not a zip, though its name says so"):
        open_tree(("r.zip", b"hello"))
    whole = zipped(FILES)
    for cut in range(4, len(whole), 7):
        with pytest.raises(LoadError, match=r"r\.zip: (begins like a zip but is cut short|holds)"):
            open_tree(("r.zip", whole[:cut]))


@given(st.data())
def test_a_zip_with_changed_bytes_gives_files_or_a_load_error(data):
    whole = bytearray(zipped(FILES))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(LoadError):
        tree = open_tree(("r.zip", bytes(whole)))
        for name in tree.files:
            tree.read(name)
