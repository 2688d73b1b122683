"""What breaks while people look: the folder of files, the disk, who reads, the server itself.

Nothing that is shown is wrong, nothing is lost that was said to be kept, nothing is left behind.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.benchmarks.interactions import visit
from tests.browser.driving import running
from tests.load.reports import report
from tests.load.team import load, shown
from tests.pages.visitors import visiting

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux has them"),
]
SOON = ["--server.disconnectedSessionTTL=1"]
"""Lets go at once of what visitors had who left."""
PAGES = ("overview", "compare")
WAIT = 60
TEXTS = 1
"""The report whose answers are read from the file when they are asked for."""


@pytest.fixture(name="cache")
def _cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("KOFN_CACHE", str(folder))
    monkeypatch.setenv("KOFN_KEEP", "0")
    return folder


@pytest.fixture(name="given")
def _given(tmp_path):
    """Write reports; one of answers, and one like it that is far larger."""
    paths = []
    for name, megabytes in (("small", 1), ("large", 20)):
        file, data = report(TEXTS, megabytes)
        paths.append(tmp_path / name / file)
        paths[-1].parent.mkdir()
        paths[-1].write_bytes(data)
    return paths


def soon(condition):
    end = time.monotonic() + WAIT
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def children(process):
    try:
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    except (FileNotFoundError, ProcessLookupError):
        return []


def jobs(server):
    """Return the processes that read for a server."""
    return [job for template in children(server.pid) for job in children(template)]


def lives(process):
    return Path(f"/proc/{process}/exe").exists()


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def seen(visitor, pages=PAGES):
    """Return what pages show."""
    found = {}
    for page in pages:
        visit(visitor, page, {})
        found[page] = shown(visitor)
    return found


def said(visitor):
    """Return the sentences of a page that something is wrong."""
    assert not any(each.HasField("exception") for each in visitor.places.values()), visitor.shown
    return [each.alert.body for each in visitor.places.values() if each.HasField("alert")]


def texts(visitor, number):
    """Open a question; return whether its text is shown."""
    visit(visitor, "questions", {"open": f"q{number}"})
    return f"Question {number} of set" in visitor.shown


def test_the_folder_of_files_is_removed(cache, given):
    with running(flags=SOON) as (address, _server), visiting(address) as visitor:
        load(visitor, given[0])
        assert texts(visitor, 3)
        before = seen(visitor)
        shutil.rmtree(cache)
        assert seen(visitor) == before
        assert not texts(visitor, 4)
        expected = (
            r"report\.jsonl\: can no longer be opened\. Load the report again to see its texts\."
        )
        assert {*said(visitor)} == {expected}
        with visiting(address) as another:
            load(another, given[1])
            assert texts(another, 4)
            assert files(cache)
        assert soon(lambda: not files(cache))


def test_the_disk_is_full(cache, given, capfd):
    mount = 'mount -t tmpfs -o size=3m tmpfs "$KOFN_CACHE" && exec "$@"'
    within = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    if subprocess.run([*within, "true"], check=False, capture_output=True).returncode:
        pytest.skip("may not make a disk of its own")
    with running(flags=SOON, within=within) as (address, server), visiting(address) as visitor:
        disk = Path(f"/proc/{server.pid}/root{cache}")
        load(visitor, given[0])
        assert texts(visitor, 3)
        before, kept = seen(visitor), files(disk)
        with visiting(address) as another:
            another.upload(given[1].name, given[1].read_bytes())
            another.settle()
            (refused,) = said(another)
            assert "its texts cannot be kept" in refused
            assert "No space left on device" in refused
            assert str(cache) not in refused.replace("\\", "")
        told = capfd.readouterr().err
        assert f"kofn: {cache}" in told
        assert "cannot be written: No space left on device" in told
        assert seen(visitor) == before
        assert texts(visitor, 4)
        assert soon(lambda: files(disk) == kept), files(disk)
        visitor.leave()
        assert soon(lambda: not files(disk)), files(disk)


def test_who_reads_is_killed(cache, given):
    with running(flags=SOON) as (address, server), visiting(address) as visitor:
        load(visitor, given[0])
        before = seen(visitor)
        with visiting(address) as another:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(another.upload, given[1].name, given[1].read_bytes())
                (job,) = soon(lambda: jobs(server))
                os.kill(job, signal.SIGKILL)
            another.settle()
            assert any("the process that read it was ended" in each for each in said(another))
            load(another, given[1])
            os.kill(*children(server.pid), signal.SIGKILL)
            assert texts(another, 4)
            assert seen(visitor) == before
        assert soon(lambda: not jobs(server))
        assert len(children(server.pid)) == 1


def test_the_server_is_killed(cache, given):
    with running() as (address, server), visiting(address) as visitor, visiting(address) as other:
        load(visitor, given[0])
        other.upload(given[1].name, given[1].read_bytes())
        started = soon(lambda: jobs(server)) + children(server.pid)
        server.kill()
        server.wait()
        assert soon(lambda: not any(map(lives, started)))
        assert files(cache)
    with running(flags=SOON) as (address, server), visiting(address) as visitor:
        assert soon(lambda: not files(cache))
        load(visitor, given[0])
        assert texts(visitor, 3)
