"""What jobs are asked to do in tests: hold, take, die, start others."""

import ctypes
import os
import subprocess
import sys
import time

from metrics.data.words import MetricError, Text


def hold(seconds, progress):
    """Sleep within C without letting another thread of the process run."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))
    return "done"


def sleep(progress):
    time.sleep(60)


def count(progress):
    progress(3, 7)
    time.sleep(0.3)


def take(size, progress):
    held = b"x" * size
    time.sleep(60)
    return held


def run_out(progress):
    raise MemoryError


def die(progress):
    os.kill(os.getpid(), 9)


def start_another(path, progress):
    """Start a process, write the ids of both, and wait."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    path.write_text(f"{os.getpid()} {other.pid}")
    time.sleep(60)


def keep(path, progress):
    """Begin to keep a file, and wait in the middle of it."""
    from reports.files import spool

    def chunks():
        yield b"begun"
        path.touch()
        time.sleep(60)

    place = spool.named("job")
    spool.remove_with(spool, place)
    spool.keep(place, chunks(), 5)


def refuse(progress):
    raise MetricError(Text("There are {count} of them.", count=3))


def err(progress):
    return 1 / 0
