"""Return freed memory to the system; a server imports this before it has threads.

The C library of Linux gives threads up to eight heaps for each processor, and keeps the top of
each, which may be 64 MiB, for good. With two of them all goes back that visitors had who left.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

MOST = 2
_ARENA_MAX = -8

if sys.platform == "linux":
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_ARENA_MAX, MOST)
