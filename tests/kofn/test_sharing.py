"""A report that several look at is read once; an upload's is for those who have the upload."""

import gc
from pathlib import Path
from threading import Barrier, Thread

import pytest

from kofn.workers import sharing
from kofn.workers.sharing import SharedReadings
from reports import load
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.stored_files import Upload

pytestmark = pytest.mark.usefixtures("own_garbage")


@pytest.fixture
def read(monkeypatch):
    """The names of what was read, in their order."""
    names = []

    def read(source, columns, progress):
        names.append(Path(source.text).name)
        return load(source.text, columns=columns)

    monkeypatch.setattr(sharing, "read", read)
    return names


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question_id,correct\na,1\n")
    return path


def nothing(done, total):
    pass


def at(path):
    return Address("path", str(path))


def test_what_somebody_looks_at_is_not_read_again(read, file):
    shared = SharedReadings()
    report = shared.read(at(file), {}, nothing)
    assert shared.read(at(file), {}, nothing) is report
    assert read == ["a.csv"]


def test_what_nobody_looks_at_is_let_go_unless_it_is_held(read, file):
    shared = SharedReadings()
    for hold in (False, False, True, True):
        shared.read(at(file), {}, nothing, hold=hold)
        gc.collect()
    assert len(read) == 3


def test_a_changed_file_is_read_again_and_takes_the_place_of_what_was_held(read, file):
    shared = SharedReadings()
    old = shared.read(at(file), {}, nothing, hold=True).digest
    file.write_text("question_id,correct\na,1\nb,0\n")
    report = shared.read(at(file), {}, nothing, hold=True)
    assert report.digest != old
    assert list(shared._held.values()) == [report]


def test_a_file_of_a_folder_that_changes_has_the_folder_read_again(read, file):
    shared = SharedReadings()
    shared.read(at(file.parent), {}, nothing, hold=True)
    (file.parent / "b.csv").write_text("question_id,correct\na,1\n")
    assert len(shared.read(at(file.parent), {}, nothing).runs) == 2


def test_other_columns_are_another_report(read, file):
    file.write_text("question_id,judge,rule\na,1,0\n")
    shared = SharedReadings()
    one, other = (shared.read(at(file), {"correct": name}, nothing) for name in ("judge", "rule"))
    assert one is not other


def test_equal_uploads_are_apart(read, tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    data = b"question_id,correct\na,1\n"
    uploads = [Upload.of("a.csv", [data], len(data)) for _ in range(2)]
    shared = SharedReadings()
    monkeypatch.setattr(sharing, "read", lambda upload, *_: load((upload.name, data)))
    one, other = (shared.read(upload, {}, nothing) for upload in uploads)
    assert one is not other
    assert shared.read(uploads[0], {}, nothing) is one


def test_two_who_come_together_wait_for_one_reading(read, file):
    shared, together, found = SharedReadings(), Barrier(2), []

    def come():
        together.wait()
        found.append(shared.read(at(file), {}, nothing))

    threads = [Thread(target=come) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is found[1]
    assert read == ["a.csv"]


def test_what_cannot_be_read_is_said_to_each(read, file):
    shared = SharedReadings()
    for _each in range(2):
        with pytest.raises(LoadError):
            shared.read(at(file.with_name("missing.csv")), {}, nothing)
