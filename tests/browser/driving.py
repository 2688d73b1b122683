"""A fresh kofn server, and a real Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

if TYPE_CHECKING:  # servers are started, too, where there is no Playwright
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, WebSocket

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
START = 60
"""Seconds the server has to start, and a page to come to what is waited for."""
DELAY = 0.5
"""Seconds in which a page asks its server to run after a click, if it does."""
DRAWN = """async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const finite = each =>
        each.playState === "running" && each.effect.getComputedTiming().endTime < Infinity;
    await Promise.allSettled(document.getAnimations().filter(finite).map(each => each.finished));
}"""
"""Waits until what moves on a page, and comes to its end, has come to it."""
PROBES = ("/_stcore/health", "/_stcore/host-config")
"""Where Streamlit looks for its server below the address of a page, before it finds it above."""
WITNESS = """
import socket, sys

def see(event, arguments):
    if event == "socket.connect" and arguments[0].type == socket.SOCK_STREAM:
        asked = arguments[1]
    elif event == "socket.getaddrinfo" and arguments[0] not in (None, "localhost", "127.0.0.1"):
        asked = arguments[0]
    else:
        return
    with open({told!r}, "a") as told:
        print(event, asked, file=told)

sys.addaudithook(see)
"""
"""Tells of each attempt to reach another machine. A datagram's `connect` only asks the system which
address it would be sent from."""


def free_port() -> int:
    """Return the number of a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(*arguments: str, flags: Sequence[str] = ()) -> Iterator[str]:
    """Start a server on a free port and yield its address; Streamlit takes the flags."""
    with running(*arguments, flags=flags) as (address, _):
        yield address


@contextmanager
def running(
    *arguments: str,
    flags: Sequence[str] = (),
    within: Sequence[str] = (),
    script: str = "app.py",
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a server as `serving` does, by what else is to start it, and yield its process too."""
    port = str(free_port())
    options = ["--server.headless=true", "--server.port", port, "--server.fileWatcherType=none"]
    command = ["streamlit", "run", script, *options, *flags, "--", *arguments]
    with _started(command, port, within) as started:
        yield started


@contextmanager
def kofn_serving(*arguments: str) -> Iterator[str]:
    """Start `kofn serve` on a free port and yield its address."""
    port = str(free_port())
    with _started(["kofn", "serve", "--port", port, *arguments], port) as (address, _):
        yield address


@contextmanager
def _started(
    command: Sequence[str], port: str, within: Sequence[str] = ()
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    address = f"http://localhost:{port}"
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "STREAMLIT_SERVER_HEADLESS": "true"}
    whole = [*within, sys.executable, "-m", *command]
    server = subprocess.Popen(whole, cwd=ROOT, env=environment)
    try:
        await_health(server, address)
        yield address, server
    finally:
        server.terminate()
        server.wait(START)


def await_health(server: subprocess.Popen[bytes], address: str) -> None:
    """Wait until a server answers at an address."""
    for _attempt in range(START * 5):
        if server.poll() is not None:
            raise RuntimeError(f"The server stopped with status {server.returncode}.")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health"):
                break
        except OSError:
            time.sleep(0.2)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the machine's Chromium, without the frame of a window where there is one like that."""
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise RuntimeError("There is no Chromium: apt-get install chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Runs:
    """What the server of a page was asked to run, and what of that it began.

    Attributes
    ----------
    asked, begun, ended : int
        Requests: all, those before the last run, those before the page was last at rest.
    """

    def __init__(self) -> None:
        self.asked = self.begun = self.ended = 0

    def follow(self, socket: WebSocket) -> None:
        """Count what goes through a connection of the page with its server."""
        socket.on("framesent", self._send)
        socket.on("framereceived", self._hear)

    def _send(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            sent = BackMsg.FromString(message)
            self.asked += sent.HasField("rerun_script") and not sent.rerun_script.is_auto_rerun

    def _hear(self, message: str | bytes) -> None:
        if isinstance(message, bytes) and ForwardMsg.FromString(message).HasField("new_session"):
            self.begun = self.asked


_RUNS: WeakKeyDictionary[Page, Runs] = WeakKeyDictionary()


def new_page(browser: Browser, **options: Any) -> Page:
    """Open the page of a visitor who wants nothing to move, and follow its runs."""
    page = browser.new_page(reduced_motion="reduce", **options)
    page.set_default_timeout(1000 * START)
    _RUNS[page] = Runs()
    page.on("websocket", _RUNS[page].follow)
    return page


@contextmanager
def visitor(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a fresh visitor; an error on the console, or a request to elsewhere, is a failure."""
    page = new_page(browser)
    errors: list[str] = []

    def listen(line: ConsoleMessage) -> None:
        if line.type == "error" and not line.location["url"].endswith(PROBES):
            errors.append(line.text)

    def watch(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            errors.append(f"asks {request.url}")

    page.on("console", listen)
    page.on("request", watch)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert not errors, errors


def settle(page: Page) -> None:
    """Wait until the page has run to its end, as often as it was asked to."""
    from playwright.sync_api import expect

    expect(page.locator("h1")).to_be_visible(timeout=60_000)
    runs, end = _RUNS.get(page, Runs()), time.monotonic() + START
    while runs.begun < runs.asked:
        assert time.monotonic() < end, "what was asked for never began"
        page.wait_for_timeout(10)
    finished = page.locator(".stApp[data-test-script-state=notRunning]")
    finished.wait_for(timeout=60_000)  # to expect it would describe all of the page each time
    runs.ended = runs.begun


def finish(page: Page) -> None:
    """Wait until what was done since the page was last at rest has made it run, if it does."""
    runs, end = _RUNS.get(page, Runs()), time.monotonic() + DELAY
    while runs.asked == runs.ended and time.monotonic() < end:
        page.wait_for_timeout(10)
    settle(page)


def rest(page: Page) -> None:
    """Wait until the page has run to its end, and all that comes later is drawn."""
    from playwright.sync_api import expect

    settle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
    page.evaluate(DRAWN)


def open_parts(page: Page) -> None:
    """Open every part behind the first screen of a page."""
    closed = page.locator(".st-key-kofn-parts button[data-variant=pills][aria-pressed=false]")
    while closed.count():
        closed.first.click()
    finish(page)


def expect_in_notes(page: Page, text: str) -> None:
    """Open the notes of a page, where a text is to be, and close them."""
    from playwright.sync_api import expect

    page.get_by_role("button", name="Notes").click()
    expect(page.get_by_test_id("stPopoverBody").get_by_text(text)).to_be_visible()
    page.keyboard.press("Escape")
