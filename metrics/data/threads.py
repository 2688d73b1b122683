"""One thread for linear algebra of tiny matrices, where more would wait longer than they work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

_lock = Lock()
_inside = 0
_limit = ExitStack()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra use one thread; the last to leave restores what the process had.

    Examples
    --------
    >>> with one_thread():
    ...     {library["num_threads"] for library in _controller().info()}
    {1}
    """
    global _inside
    with _lock:
        if not _inside:
            _limit.enter_context(_controller().limit(limits=1, user_api="blas"))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _limit.close()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")
