"""The process that jobs are forked from: it has imported the readers, and has only one thread.

It is told by its server to begin a job, whose socket comes along, or to end one. It ends with its
server, however that ends, and all jobs with it.
"""

from __future__ import annotations

import ctypes
import gc
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module

import pyarrow as pa

from kofn.workers import job
from kofn.workers.wire import ORDER

_DIE_WITH_PARENT = 1


def main(control: socket.socket) -> None:
    """Begin and end jobs until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, to the server
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    gc.freeze()
    jobs: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            woken.recv(1 << 12)
            _bury(jobs)
        if control in ready:
            order, sockets, _, _ = socket.recv_fds(control, ORDER.size, 1)
            if not order:
                break
            (number,) = ORDER.unpack(order)
            if number > 0:
                with socket.socket(fileno=sockets[0]) as server:
                    jobs[_begin(server, (control, woken, waker))] = number
            else:
                _end(pid for pid, each in jobs.items() if each == -number)
    _end(jobs)
    os._exit(0)


def _begin(server: socket.socket, others: tuple[socket.socket, ...]) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        with suppress(OSError):
            os.setpgid(pid, pid)
        return pid
    try:
        os.setpgid(0, 0)
        _die_with(parent)
        signal.set_wakeup_fd(-1)
        for each in (signal.SIGINT, signal.SIGCHLD):
            signal.signal(each, signal.SIG_DFL)
        for other in others:
            other.close()
        job.work(server)
    except ConnectionError:
        pass  # nobody waits for it any more
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _die_with(parent: int) -> None:
    """Let the system end this process with its parent, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _end(pids: Iterable[int]) -> None:
    """Kill jobs, with what they started."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _bury(jobs: dict[int, int]) -> None:
    """Forget the jobs that have ended; what they started ends with them."""
    with suppress(ChildProcessError):  # there are none
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            _end([ended.si_pid])
            os.waitpid(ended.si_pid, 0)
            del jobs[ended.si_pid]


if __name__ == "__main__":
    import_module("kofn.workers.reading")  # with all that jobs need
    pa.array([0])  # imports pandas, as the first array of any process does
    main(socket.socket(fileno=int(sys.argv[1])))
