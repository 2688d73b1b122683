"""Work that the server requests, started in a process of its own, watched, and ended if need be."""

from __future__ import annotations

import atexit
import math
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, Literal, NamedTuple, TypeVar

from kofn.workers import wire
from kofn.workers.wire import Tag, WireMessage
from reports.files import upload_store
from reports.files.progress import EVERY, Progress

T = TypeVar("T")

MOST = 8
"""Jobs at a time; who asks for more waits."""
_TEMPLATE_MODULE = "kofn.workers.template"
_ROOT = Path(__file__).parents[2]
_SETTINGS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Threads of a process are not in its forks, so the template has none."""


class Budget(NamedTuple):
    """What a job may take, where the system says what it takes."""

    # Bytes beyond those it has at first, those of the processes that it starts included.
    memory: int
    seconds: float = math.inf  # Of processor time.
    # Seconds of processor time of those that it starts, which compare formulas.
    judging: float = math.inf


class Died(Exception):
    """A job that ended without an answer.

    over: One of "memory", "seconds", "judging". Of what it took more than it may, if it was ended
        for that.
    """

    def __init__(self, over: Literal["memory", "seconds", "judging"] | None = None) -> None:
        super().__init__(over)
        self.over = over


class Fault(RuntimeError):
    """A mistake of kofn's own in a job, with its traceback."""


def call(
    function: Callable[..., T], *arguments: object, progress: Progress | None, budget: Budget
) -> T:
    """Return what a function returns, or raise what it raises, in a process of its own.

    Where processes cannot fork, and in a job, the function is called here.

    function: Of a module; takes the arguments and, last, whom to tell how far it has come.
    *arguments: What can be pickled.
    progress: Told also while nothing is new. If it raises, the job is ended.
    Raises Died if the job takes more, or is killed.
    """
    if _here:
        return function(*arguments, progress)
    tell = progress or (lambda done, total: None)
    while not _turns.acquire(timeout=EVERY):
        tell(0, 0)
    try:
        job = _Job()
        asked = [os.fsencode(upload_store.lend()), *wire.pack((function, arguments))]
        answer = job.ask(asked, tell, budget)
        if answer.tag == Tag.FULL:
            raise Died("memory")
        if answer.tag == Tag.FAULT:
            raise Fault(answer.parts[0].decode())
        unpacked = wire.unpack(answer.parts)
    finally:
        _turns.release()
    if answer.tag == Tag.REFUSED:
        raise unpacked
    result: T = unpacked
    return result


def start() -> None:
    """Start the process that jobs are forks of, so that the first need not wait for it."""
    if not _here:
        _template.start()


def stop() -> None:
    """End all jobs, and the process that they are forks of."""
    _template.stop()


def stay() -> None:
    """Call functions in this process from now on."""
    global _here
    _here = True


class _Template:
    """The process that jobs are forks of; another one is started when it is gone."""

    def __init__(self) -> None:
        self._lock, self._numbers = Lock(), count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def begin(self) -> tuple[int, socket.socket]:
        """Begin a job; return its number and the way to it."""
        ours, theirs = socket.socketpair()
        with theirs:
            number = next(self._numbers)
            self._send(number, theirs)
        return number, ours

    def end(self, number: int) -> None:
        """End a job, with all that it started."""
        self._send(-number)

    def start(self) -> None:
        """Start the process unless it runs."""
        with self._lock:
            self._started()

    def stop(self) -> None:
        """End the process and all jobs."""
        with self._lock:
            if self._process is not None and self._control is not None:
                self._control.close()
                self._process.wait()
                self._process = self._control = None

    def _send(self, number: int, *sockets: socket.socket) -> None:
        order = [wire.ORDER.pack(number)]
        handles = [each.fileno() for each in sockets]
        with self._lock:
            try:
                socket.send_fds(self._started(), order, handles)
            except ConnectionError:
                socket.send_fds(self._started(), order, handles)

    def _started(self) -> socket.socket:
        if self._control is None or self._process is None or self._process.poll() is not None:
            if self._control is not None:
                self._control.close()
            self._control, theirs = socket.socketpair()
            path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", _TEMPLATE_MODULE, str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    env=os.environ | _SETTINGS | {"PYTHONPATH": path},
                    pass_fds=[theirs.fileno()],
                )
        return self._control


class _Job:
    """A process that does one piece of work; what it keeps is kept as long as this is."""

    def __init__(self) -> None:
        self._number, self._server = _template.begin()
        self._pid = self._at_first = 0

    def ask(self, parts: Sequence[Any], tell: Progress, budget: Budget) -> WireMessage:
        """Return the answer to what is asked; the process ends if `tell` raises."""
        frames, done = wire.frames(self._server), (0, 0)
        try:
            with suppress(ConnectionError):
                wire.send(self._server, Tag.ASKED, parts)
            for frame in frames:
                if frame is not None and frame.tag == Tag.PROGRESS:
                    done = wire.PAIR.unpack(frame.parts[0])
                elif frame is not None and not self._note(frame):
                    return frame
                if self._memory() > self._at_first + budget.memory:
                    raise Died("memory")
                seconds, judging = self._seconds()
                if seconds > budget.seconds:
                    raise Died("seconds")
                if judging > budget.judging:
                    raise Died("judging")
                tell(*done)
            raise Died
        except BaseException:
            _template.end(self._number)
            for frame in filter(None, frames):
                self._note(frame)
            raise
        finally:
            self._server.close()

    def _note(self, frame: WireMessage) -> bool:
        """Note what a job says of itself; False of anything else."""
        if frame.tag == Tag.STARTED:
            (self._pid,) = wire.NUMBER.unpack(frame.parts[0])
            self._at_first = self._memory()
        elif frame.tag == Tag.KEEPS:
            upload_store.remove_with(self, upload_store.own() / Path(frame.parts[0].decode()).name)
            with suppress(OSError):  # a job that has ended waits for nothing
                wire.send(self._server, Tag.NOTED, ())
        else:
            return False
        return True

    def _memory(self) -> int:
        """Return the bytes of their own that all its processes take; 0 if the system is silent."""
        sizes = (found.split() for found in self._process_files("statm"))
        return sum((int(size[1]) - int(size[2])) * _PAGE for size in sizes)

    def _seconds(self) -> tuple[float, float]:
        """Return the processor time of the process, and of all that it started."""
        counts = (found.rpartition(b")")[2].split()[11:15] for found in self._process_files("stat"))
        ticks = [list(map(int, each)) for each in counts] or [[0] * 4]
        own = sum(ticks[0][:2])
        return own / _TICKS, (sum(map(sum, ticks)) - own) / _TICKS

    def _process_files(self, file: str) -> Iterator[bytes]:
        """Give what the system says of the process and of each that it started."""
        for pid in _family(self._pid):
            with suppress(OSError):
                yield Path(f"/proc/{pid}/{file}").read_bytes()


def _family(pid: int) -> Iterator[int]:
    """Give a process and those it started, as far as the system says."""
    yield pid
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from _family(int(child))


_here = not hasattr(os, "fork")
_turns = BoundedSemaphore(MOST)
_template = _Template()
_NAMES = ("SC_PAGE_SIZE", "SC_CLK_TCK")
_PAGE, _TICKS = map(os.sysconf, _NAMES) if hasattr(os, "sysconf") else (1, 1)
atexit.register(stop)
