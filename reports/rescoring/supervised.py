"""A separate process that compares formulas one by one, each within a limit of CPU time.

CPU time, because a right answer must not turn wrong where the machine is busy. The operating system
keeps the limit and ends the process, since nothing else interrupts a library in the middle of a
power and leaves it fit for the next formula. Another process takes up where it ended: that sample
once more, and if it fails again it is not judged, neither right nor wrong, and not remembered.

What crosses between the processes is JSON: pairs of texts there, and back the CPU time spent and a
`Mark`, which is built here. Nothing of an upload, and nothing of math-verify, is ever unpickled.
"""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.rescoring.rule import NOT_JUDGED, Mark

SECONDS = 2.0
"""CPU time for one sample: to read its reference and its answer, and to compare them."""
PATIENCE = 10
"""Seconds of the clock for each of CPU time, where the system has no timer of CPU time."""
IDLE = 60.0
"""Seconds without work after which the process ends, and forgets what it read."""
TRIES = 2

Pair = tuple[str, str]
"""What a model said, and the reference."""


class Supervised:
    """The process, which starts when there is something to compare; of use to a thread at a time.

    seconds: CPU time for one sample.
    idle: Seconds without work after which it ends.
    """

    def __init__(self, seconds: float = SECONDS, idle: float = IDLE) -> None:
        self._limits = seconds, idle
        self._spent = threading.local()
        self.forget()

    def forget(self) -> None:
        """Leave the process to whom it belongs: in a fork it is the parent's."""
        self._connection: Connection | None = None
        self._process: BaseProcess | None = None
        self._used = 0.0
        self._free = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Of the process, if it runs."""
        return None if self._process is None else self._process.pid

    @property
    def spent(self) -> float:
        """Seconds of CPU time that it has worked for the thread that asks."""
        return getattr(self._spent, "seconds", 0.0)

    def compare(self, pairs: Sequence[Pair]) -> list[Mark | None]:
        """Mark each pair as `reports.rescoring.formulas.compare` does.

        Returns: `NOT_JUDGED` where the process ended twice, for want of time or otherwise.
        Raises LoadError if the process cannot start.
        """
        marks: list[Mark | None] = []
        tries = 0
        while len(marks) < len(pairs):
            found = self._try(pairs[len(marks) :])
            marks += found
            tries = 1 if found else tries + 1
            if tries == TRIES:
                marks.append(NOT_JUDGED)
                tries = 0
        return marks

    def stop(self) -> None:
        """End the process if it runs."""
        with self._free:
            self._end()

    def _try(self, pairs: Sequence[Pair]) -> list[Mark | None]:
        """Return the marks up to the pair that the process did not survive."""
        marks: list[Mark | None] = []
        with self._free:
            connection = self._connection or self._start()
            try:
                connection.send_bytes(json.dumps(pairs).encode())
                for _ in pairs:
                    marks.append(self._receive(connection))
            except (EOFError, OSError):
                self._charge(self._used + self._limits[0])
                self._end()
            except BaseException:
                self._end()
                raise
        return marks

    def _receive(self, connection: Connection) -> Mark | None:
        used, found = json.loads(connection.recv_bytes())
        self._charge(used)
        return None if found is None else Mark(*found)

    def _charge(self, used: float) -> None:
        self._spent.seconds = self.spent + used - self._used
        self._used = used

    def _start(self) -> Connection:
        for _ in range(TRIES):
            try:
                return self._started()
            except (EOFError, OSError):
                self._end()
        raise LoadError(
            "math-verify",
            Text("the process that compares formulas does not start, perhaps for want of memory"),
            Text("Try again when the machine is less busy."),
        )

    def _started(self) -> Connection:
        spawning = multiprocessing.get_context("spawn")
        here, there = spawning.Pipe()
        self._connection, self._used = here, 0.0
        with there:
            self._process = spawning.Process(target=serve, args=(there, *self._limits), daemon=True)
            with _isolated():
                self._process.start()
        self._receive(here)
        return here

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None and self._process.pid is not None:
            self._process.kill()
            self._process.join()
        self._connection = self._process = None


@contextmanager
def _isolated() -> Iterator[None]:
    """Keep from a new process what would make it differ from any other.

    It would run the main module once more: a user's script, or the dashboard. Python orders sets of
    texts at random, and with them what a library tries first. And a daemonic process may start
    none, lest they be left behind; this one ends when nobody is at the other end.
    """
    main, blank = sys.modules["__main__"], ModuleType("__main__")
    seed = os.environ.get("PYTHONHASHSEED")
    starting = multiprocessing.current_process()
    daemonic = starting.daemon
    sys.modules["__main__"], os.environ["PYTHONHASHSEED"] = blank, "0"
    if daemonic:
        starting.daemon = False
    try:
        yield
    finally:
        if daemonic:
            starting.daemon = True
        if sys.modules["__main__"] is blank:
            sys.modules["__main__"] = main
        if seed is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = seed


def serve(connection: Connection, seconds: float, idle: float) -> None:
    """Compare what comes, a reply a pair, until nothing comes for `idle` seconds."""
    from reports.rescoring.formulas import compare

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for prediction, reference in _WARMING:
        compare(prediction, reference)

    def reply(mark: Mark | None) -> None:
        connection.send_bytes(json.dumps((time.process_time(), mark)).encode())

    reply(None)
    try:
        while connection.poll(idle):
            for pair in json.loads(connection.recv_bytes()):
                _limit(seconds)
                mark = compare(*pair)
                _limit(0)
                reply(mark)
    except (EOFError, OSError):
        return


_WARMING = [
    (r"\boxed{\frac{1}{2}}", "$0.5$"),
    (r"\boxed{x^2+2x+1}", "$(x+1)^2$"),
    (r"\boxed{\{1, 2\}}", r"$\{2, 1\}$"),
    (r"\boxed{x > 2}", r"$(2, \infty)$"),
    (r"\boxed{x = 2}", "$2x = 4$"),
]
"""Of each kind one: much of the library is loaded when it is first needed."""


def _limit(seconds: float) -> None:
    """Let this process end after so many seconds of CPU time; 0 lifts the limit."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    elif seconds:
        faulthandler.dump_traceback_later(PATIENCE * seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()
