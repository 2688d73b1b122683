"""What threads take is in few heaps, so that it can be given back."""

import subprocess
import sys

import pytest

HEAPS = """
import ctypes, threading
{before}
together = threading.Barrier(8)

def take():
    taken = [bytes(1000) for _ in range(1000)]
    together.wait()

threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, stream)
libc.fflush(stream)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of the C library of Linux")
@pytest.mark.parametrize(("before", "few"), [("import kofn.malloc", True), ("", False)])
def test_threads_of_a_server_share_two_heaps(before, few):
    command = [sys.executable, "-c", HEAPS.format(before=before)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (told.count("<heap nr=") <= 2) is few
