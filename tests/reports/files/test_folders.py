"""An uploaded folder is the zip of its files: the same files are the same report."""

import time

import pytest

from reports import LoadError, load
from reports.files.folders import packed

FILES = [("tables/a.csv", b"id,correct\na,1\n"), ("tables/b.csv", b"id,correct\na,0\n")]


def test_the_same_files_are_the_same_report_at_any_time_and_in_any_order(monkeypatch):
    first = load(packed("tables", FILES))
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(2e9))
    assert load(packed("tables", reversed(FILES))).digest == first.digest
    assert first.name == "tables"
    assert len(first.runs) == 2


@pytest.mark.parametrize(
    "hostile",
    [
        "../../a.csv",
        "/etc/a.csv",
        "",
        ".",
        "C:/a.csv",
        "tables\\..\\..\\a.csv",
        "\udcff/a.csv",
        "a" * 70_000,
    ],
)
def test_paths_that_no_folder_has_are_refused(hostile):
    with pytest.raises(LoadError):
        load(packed("tables", [(hostile, FILES[0][1])]))
