"""Files of a report read again after it was loaded: from a folder, a file, a zip and an upload."""

import gc
import io
import os
import pickle
import sys
import zipfile
from pathlib import Path

import pytest

from reports import LoadError, load
from reports.files import upload_store
from reports.files.archive import open_tree
from reports.files.stored_files import Upload, keep_made

pytestmark = pytest.mark.usefixtures("own_garbage")

DATA = Path(__file__).parents[2] / "data"
FILES = {"a/one.txt": b"first file", "two.txt": b"second file, " * 1000}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def packed():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in FILES.items():
            archive.writestr(path, data)
    return buffer.getvalue()


def unpacked(root):
    for path, data in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


@pytest.fixture(params=["folder", "zip", "upload", "file object"])
def source(request, tmp_path):
    if request.param == "folder":
        return unpacked(tmp_path / "report")
    if request.param == "zip":
        (tmp_path / "report.zip").write_bytes(packed())
        return tmp_path / "report.zip"
    return ("report.zip", packed()) if request.param == "upload" else io.BytesIO(packed())


def test_any_part_of_any_file_is_read_again(source):
    tree = open_tree(source)
    files = tree.keep()
    del tree
    for _ in range(2):
        for path, data in FILES.items():
            with files.open(path) as file:
                file.seek(5)
                assert file.read(4) == data[5:9]
                file.seek(0)
                assert file.read() == data


@pytest.mark.parametrize("upload", [("one.txt", b"first file"), io.BytesIO(b"first file")])
def test_a_single_upload_outlives_its_bytes(upload):
    files = open_tree(upload).keep()
    assert upload_store.size() == 10
    (path,) = (name for name in ("one.txt", "upload") if name in files.states)
    with files.open(path) as file:
        assert file.read() == b"first file"


def test_an_upload_of_the_same_again_does_not_disturb():
    first = open_tree(("one.txt", b"data")).keep()
    second = open_tree(("one.txt", b"data")).keep()
    made = [keep_made(files, "lines", iter([b"made"])) for files in (first, second)]
    for files, path in ((first, "one.txt"), (second, "one.txt"), *((m, "lines") for m in made)):
        files.open(path).close()


def test_nothing_is_kept_before_it_is_asked_for(folder):
    open_tree(("report.zip", packed()))
    open_tree(("one.txt", b"data"))
    assert not folder.exists()


def test_uploads_go_with_their_last_reader():
    readers = [open_tree(("report.zip", packed())).keep() for _ in range(2)]
    for reader in readers:
        reader.open("two.txt").close()
    assert len([*upload_store.own().iterdir()]) == 2
    del reader
    readers.pop()
    gc.collect()
    assert len([*upload_store.own().iterdir()]) == 2
    readers.clear()
    gc.collect()
    assert not [*upload_store.own().iterdir()]


def test_what_was_unpacked_of_a_zip_on_disk_serves_its_readers_and_goes_with_them(tmp_path):
    (tmp_path / "report.zip").write_bytes(packed())
    readers = [open_tree(tmp_path / "report.zip").keep() for _ in range(2)]
    for reader in readers:
        reader.open("two.txt").close()
    (kept,) = upload_store.own().iterdir()
    del reader
    readers.clear()
    gc.collect()
    assert not kept.exists()


def test_a_zip_is_unpacked_again_after_clearing(source):
    files = open_tree(source).keep()
    files.open("two.txt").close()
    upload_store.clear()
    with files.open("two.txt") as file:
        assert file.read() == FILES["two.txt"]


def test_a_cleared_upload_must_be_loaded_again():
    files = open_tree(("one.txt", b"data")).keep()
    upload_store.clear()
    with pytest.raises(LoadError, match=r"one\.txt: can no longer be opened\. Load the report"):
        files.open("one.txt")


@pytest.mark.parametrize("single", [True, False])
def test_files_on_disk_must_be_what_they_were(tmp_path, single):
    root = unpacked(tmp_path / "report")
    files = open_tree(root / "two.txt" if single else root).keep()
    status = (root / "two.txt").stat()
    os.utime(root / "two.txt", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(LoadError, match="changed since it was loaded"):
        files.open("two.txt")
    (root / "two.txt").unlink()
    with pytest.raises(LoadError, match="can no longer be opened"):
        files.open("two.txt")


def test_a_folder_that_cannot_be_written_is_said_and_named_to_whoever_runs_it(
    monkeypatch, tmp_path, caplog
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "file"))
    with pytest.raises(LoadError, match=r"cannot be kept \(File exists\).* KOFN_CACHE") as found:
        open_tree(("one.txt", b"data")).keep()
    assert str(tmp_path) not in str(found.value)
    assert f"kofn: {tmp_path}" in caplog.messages[0]


@pytest.mark.parametrize("name", ["report.zip", "t.csv"])
def test_the_bytes_of_an_upload_are_not_held(name):
    report = (DATA / "aisbench" / "gsm8k_n1.zip").read_bytes()
    data = (
        report if name == "report.zip" else b"question_id,correct,text\nq,1,so %d\n" % len(report)
    )
    del report
    before = sys.getrefcount(data)
    run = load((name, data)).runs[0]
    assert run.has_texts
    gc.collect()
    assert sys.getrefcount(data) == before
    assert run.texts(run.outcomes.questions[0]).predictions[0]


@pytest.fixture(params=["folder", "zip", "file", "uploaded zip", "uploaded file"])
def lasting(request, tmp_path):
    """What another process can open as well."""
    if request.param == "folder":
        return unpacked(tmp_path / "report")
    if request.param == "file":
        return unpacked(tmp_path / "report") / "two.txt"
    if request.param == "uploaded file":
        return Upload.of("two.txt", [FILES["two.txt"]], len(FILES["two.txt"]))
    if request.param == "uploaded zip":
        return Upload.of("report.zip", [packed()], len(packed()))
    (tmp_path / "report.zip").write_bytes(packed())
    return tmp_path / "report.zip"


def elsewhere(files):
    """Return files as another process has them."""
    return pickle.loads(pickle.dumps(files))


@pytest.mark.parametrize("read_before", [False, True])
def test_files_are_the_same_in_another_process(lasting, read_before):
    tree = open_tree(lasting)
    files, sizes = tree.keep(), dict(tree.files)
    if read_before:
        files.open("two.txt").close()
    there = elsewhere(files)
    del files, tree
    gc.collect()
    assert (there.name, there.key) == (open_tree(lasting).name, open_tree(lasting).keep().key)
    for path in sizes:
        with there.open(path) as file:
            assert file.read() == FILES[path]


def test_an_upload_goes_with_the_last_that_reads_it():
    upload = Upload.of("report.zip", [packed()], len(packed()))
    reader = elsewhere(open_tree(upload).keep())
    reader.open("two.txt").close()
    copy = elsewhere(reader)
    del upload, reader
    gc.collect()
    assert len([*upload_store.own().iterdir()]) == 2
    del copy
    gc.collect()
    assert not [*upload_store.own().iterdir()]


@pytest.mark.parametrize("read_before", [False, True])
def test_another_process_notices_a_change_too(tmp_path, read_before):
    root = unpacked(tmp_path / "report")
    files = open_tree(root).keep()
    if read_before:
        files.open("two.txt").close()
    there = elsewhere(files)
    (root / "two.txt").write_text("something else")
    with pytest.raises(LoadError, match="was changed since it was loaded"):
        there.open("two.txt")


def test_an_upload_that_was_cleared_is_gone():
    upload = Upload.of("one.txt", [b"first file"], 10)
    upload_store.clear()
    with pytest.raises(LoadError, match=r"one\.txt: can no longer be opened\. Load the report"):
        open_tree(upload)


def test_an_upload_has_the_digest_of_its_bytes():
    upload = Upload.of("one.txt", [b"first ", b"file"], 10)
    assert open_tree(upload).digest == open_tree(("one.txt", b"first file")).digest
