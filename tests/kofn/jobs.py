"""What jobs are asked to do in tests: hold, take, die, start others, wait for a file."""

import ctypes
import hashlib
import os
import subprocess
import sys
import time

from metrics.data.words import MetricError, Text
from reports import load

LONG = 600
"""Seconds that a test does not last."""


def hold(seconds, progress):
    """Sleep within C without letting another thread of the process run."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))
    return "done"


def count(heard, progress):
    """Tell how far it is once, and wait for a file."""
    progress(3, 7)
    await_file(heard)


def take(size, progress):
    held = b"x" * size
    time.sleep(LONG)
    return held


def work(path, progress):
    """Write the id of this process, and keep the processor busy without telling anything."""
    path.write_text(str(os.getpid()))
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        hashlib.sha256(bytes(1 << 24))


def have_work_done(path, progress):
    """Write the id of this process, and have others keep the processor busy, one by one."""
    path.write_text(str(os.getpid()))
    busy = "import hashlib\nfor _ in range(3): hashlib.sha256(bytes(1 << 26))"
    for _ in range(LONG):
        subprocess.run([sys.executable, "-c", busy], check=True)


def have_one_work(path, progress):
    """Have another process keep the processor busy that does not end."""
    _start(path, "import hashlib\nwhile True: hashlib.sha256(bytes(1 << 26))").wait()


def have_memory_taken(path, progress):
    """Have another process take memory that does not end."""
    _start(path, f"import time\nheld = b'x' * {200 << 20}\ntime.sleep({LONG})").wait()


def _start(path, code):
    process = subprocess.Popen([sys.executable, "-c", code])
    path.write_text(f"{os.getpid()} {process.pid}")
    return process


def import_for(source, progress):
    """Return what is imported to read a report."""
    before = {*sys.modules}
    load(source)
    return sorted({*sys.modules} - before)


def run_out(progress):
    raise MemoryError


def die(progress):
    os.kill(os.getpid(), 9)


def start_another(path, progress):
    """Start a process, write the ids of both, and wait."""
    other = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({LONG})"])
    path.write_text(f"{os.getpid()} {other.pid}")
    time.sleep(LONG)


def keep(path, progress):
    """Begin to keep a file, and wait in the middle of it."""
    from reports.files import upload_store

    def chunks():
        yield b"begun"
        path.touch()
        time.sleep(LONG)

    place = upload_store.named("job")
    upload_store.remove_with(upload_store, place)
    upload_store.keep(place, chunks(), 5)


def name_kept(path, progress):
    """Say which file is to be kept, and return whether that is noted when this goes on."""
    from reports.files import upload_store

    upload_store.remove_with(upload_store, upload_store.named("job"))
    return path.exists()


def write_when(path, there, text, progress):
    """Begin a file, and add a text to it once there is another."""
    with path.open("a") as file:
        await_file(there)
        file.write(text)
    return "done"


def await_file(path):
    """Wait until there is a file."""
    for _ in range(LONG * 100):
        if path.exists():
            return
        time.sleep(0.01)
    raise TimeoutError(path)


def refuse(progress):
    raise MetricError(Text("There are {count} of them.", count=3))


def err(progress):
    return 1 / 0
