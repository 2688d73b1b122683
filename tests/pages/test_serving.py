"""A real server, from its start to its end: what it asks of others and what it leaves behind."""

import asyncio
import os
import signal
import sys
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.session_manager import SessionInfo
from websockets.exceptions import InvalidStatus

from pages.shared.internals import MOST, Absent
from pages.shared.server.serving import _give_back
from tests.browser.driving import WITNESS, running, serving
from tests.pages.visitors import visiting

TABLE = b"question_id,correct,text\nq,1,so\n"
SECONDS = 2
"""That a visitor has to come back."""
GARBAGE = """
import gc

def see(phase, info):
    if phase == "start" and info["generation"] == 2:
        with open({told!r}, "a") as told:
            print(len(gc.get_objects()), file=told)

gc.callbacks.append(see)
"""
"""Tells of how many objects each full collection goes through."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that a process was killed before, and what tells of attempts to reach others."""
    root = tmp_path_factory.mktemp("server")
    told, gone_through = root / "told", root / "gone_through"
    told.touch()
    code = WITNESS.format(told=str(told)) + GARBAGE.format(told=str(gone_through))
    (root / "sitecustomize.py").write_text(code)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(root))
        patch.setenv("KOFN_CACHE", str(root / "kept"))
        patch.setenv("KOFN_KEEP", "0")
        left = root / "kept" / f"kofn-{'0' * 64}"
        left.mkdir(parents=True)
        left.with_suffix(".lock").touch()
        with serving(flags=[f"--server.disconnectedSessionTTL={SECONDS}"]) as address:
            yield SimpleNamespace(
                address=address, told=told, gone_through=gone_through, kept=root / "kept"
            )
        assert not [*(root / "kept").iterdir()], "what is terminated leaves nothing"


@pytest.mark.parametrize(("platform", "asked"), [("linux", [0]), ("darwin", [])])
def test_what_the_library_of_linux_keeps_for_later_is_given_back(platform, asked, monkeypatch):
    trimmed = []
    library = SimpleNamespace(malloc_trim=trimmed.append)
    monkeypatch.setattr("ctypes.CDLL", lambda name: library)
    monkeypatch.setattr("sys.platform", platform)
    _give_back()
    assert trimmed == asked


def kept(server):
    return [path for path in server.kept.glob("*/*") if path.is_file()]


def uploads(server):
    with urllib.request.urlopen(f"{server.address}/_stcore/metrics") as answer:
        return "UploadedFileManager" in answer.read().decode()


def eventually(true):
    """Whether it comes true, on a machine that may be busy."""
    for _ in range(600):
        if true():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.browser
def test_what_a_killed_server_left_is_gone_before_the_first_visitor(server):
    assert not [*server.kept.glob(f"kofn-{'0' * 64}*")]


@pytest.mark.browser
def test_nothing_is_asked_of_the_internet_for_a_page_of_another_site(server):
    page = visiting(server.address, "http://another.example")
    with pytest.raises(InvalidStatus, match="403"), page:
        pytest.fail("let in")
    assert server.told.read_text() == ""


@pytest.mark.browser
def test_a_click_goes_through_no_garbage_but_what_visitors_made(server):
    with visiting(server.address) as visitor:
        visitor.run(BackMsg())
    *before, after = map(int, server.gone_through.read_text().split())
    assert after < max(before) / 2


@pytest.mark.browser
def test_a_visitor_who_left_is_forgotten_though_nobody_else_comes(server):
    def until_forgotten():
        yield TABLE
        time.sleep(SECONDS)
        visitor.leave()
        assert eventually(lambda: not kept(server))
        yield TABLE

    with visiting(server.address) as visitor:
        visitor.upload("read.csv", TABLE)
        assert len(kept(server)) == 1
        visitor.send("unread.csv", [TABLE])
        assert uploads(server)
        visitor.send("late.csv", until_forgotten())
    assert eventually(lambda: not uploads(server))


@pytest.mark.browser
def test_a_visitor_who_comes_back_in_time_is_not_forgotten(server):
    with visiting(server.address) as visitor:
        visitor.upload("kept.csv", TABLE)
    with visiting(server.address, session=visitor.session) as back:
        assert "kofn reads what an evaluation wrote" not in back.shown
        time.sleep(2 * SECONDS)
        assert len(kept(server)) == 1


@pytest.mark.browser
def test_every_page_that_a_browser_opens_has_one_entry_in_its_history(server):
    for place, accept, is_page in (
        ("", "text/html,*/*", True),
        ("scorecard?k=2", "text/html", True),
        ("favicon.png", "text/html", False),
        ("scorecard", "*/*", False),
    ):
        headers = {"Accept": accept, "Accept-Encoding": "gzip", "Range": "bytes=0-9"}
        request = urllib.request.Request(f"{server.address}/{place}", headers=headers)
        with urllib.request.urlopen(request) as answer:
            assert answer.read().count(b"history.replaceState") == is_page


@pytest.mark.browser
def test_only_a_page_of_this_machine_may_name_any_path(server):
    """The rest of the rule: `test_server_paths`."""
    for origin, may in (("", True), (None, False)):
        with visiting(server.address, origin) as visitor:
            assert ("give a path on the server" in visitor.shown) is may


@pytest.mark.browser
def test_an_upload_outlives_its_visitor_for_its_time_and_only_a_server_that_is_killed(
    tmp_path, monkeypatch, capfd
):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    monkeypatch.setenv("KOFN_KEEP", "0.15")
    monkeypatch.setenv("KOFN_KEEP_MB", str(1.5 * len(TABLE) / 1e6))
    flags = ["--server.disconnectedSessionTTL=1"]

    def kept():
        return [*tmp_path.glob("*/*")]

    with running(flags=flags) as (address, process):
        with visiting(address) as visitor:
            visitor.upload("t.csv", TABLE)
        time.sleep(4)
        (first,) = kept()
        with visiting(address) as visitor:
            visitor.upload("t.csv", TABLE.replace(b"so", b"or"))
            assert eventually(lambda: len(kept()) == 1)
            assert kept() != [first]
            with visiting(address) as other:
                other.upload("u.csv", TABLE)
            again = BackMsg()
            again.rerun_script.page_name = "reports"
            visitor.run(again)
            assert "t\\\\.csv\\\\: no longer kept" in visitor.shown
        assert eventually(lambda: not kept())
        with visiting(address) as visitor:
            visitor.upload("t.csv", TABLE)
            process.kill()
            process.wait()
        assert len(kept()) == 1
    with ExitStack() as connected, running() as (address, process):
        assert not kept()
        connected.enter_context(visiting(address)).upload("t.csv", TABLE)
        assert len(kept()) == 1
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert not [*tmp_path.iterdir()]
    assert "leaked" not in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_600_megabytes_of_prompts_are_gone_from_memory_and_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    monkeypatch.setenv("KOFN_KEEP", "0")
    letters = "abcdefghijklmnop " * 120
    rows = (f"q{row // 4},{row % 4},{row % 2},{letters}{row},{letters}\n" for row in range(49_000))
    table = f"question_id,sample,correct,prompt,prediction\n{''.join(rows)}".encode()
    with running(flags=[f"--server.disconnectedSessionTTL={SECONDS}"]) as (address, process):
        with visiting(address) as visitor:
            visitor.upload("small.csv", table[:100_000].rpartition(b"\n")[0])
        assert eventually(lambda: not [*tmp_path.glob("*/*")])
        before = resident(process.pid)
        with ExitStack() as visitors:
            for number in range(3):
                visitor = visitors.enter_context(visiting(address))
                visitor.upload(f"{number}.csv", table[:-1] + b"%d\n" % number)
            assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) > 600e6
        assert eventually(lambda: not [*tmp_path.glob("*/*")])
        assert eventually(lambda: resident(process.pid) - before < 64e6)


def resident(process):
    """The bytes of memory that a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Session:
    """A visitor, as far as that matters here."""

    def __init__(self, name):
        self.id, self.ended = name, 0

    def shutdown(self):
        self.ended += 1


class Hurried(asyncio.SelectorEventLoop):
    """A loop whose clock goes on as soon as nothing is left to do."""

    def __init__(self):
        super().__init__()
        self._now, self._look = 0.0, self._selector.select
        self._selector.select = self._pass

    def _pass(self, seconds):
        self._now += seconds
        return self._look(0)

    def time(self):
        return self._now


def test_each_who_left_has_their_own_time_and_who_comes_back_has_it_anew():
    async def leave():
        early, late, back = map(Session, ("early", "late", "back"))
        absent = Absent(0.4, lambda: None)
        absent.save(SessionInfo(None, early))
        absent.save(SessionInfo(None, back))
        await asyncio.sleep(0.2)
        absent.delete("back")
        absent.save(SessionInfo(None, late))
        absent.save(SessionInfo(None, back))
        await asyncio.sleep(0.3)
        assert absent.get("early") is None
        assert [info.session for info in absent.list()] == [late, back]
        await asyncio.sleep(0.2)
        assert absent.list() == []
        return [each.ended for each in (early, late, back)]

    with asyncio.Runner(loop_factory=Hurried) as runner:
        assert runner.run(leave()) == [1, 1, 1]


def test_of_many_who_left_the_first_is_forgotten_for_one_more():
    async def leave():
        sessions = [Session(str(number)) for number in range(MOST + 1)]
        absent = Absent(60, lambda: None)
        for session in sessions:
            absent.save(SessionInfo(None, session))
        return [session.ended for session in sessions]

    assert asyncio.run(leave()) == [1] + [0] * MOST
