"""One thread for linear algebra of tiny matrices, where more would wait longer than they work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import LibController, ThreadpoolController

_lock = Lock()
_inside = 0
_before: list[tuple[LibController, int]] = []


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra use one thread; the last to leave restores what the process had.

    Examples
    --------
    >>> with one_thread():
    ...     {library.num_threads for library in _libraries()}
    {1}
    """
    global _inside, _before
    with _lock:
        if not _inside:
            threads = [(library, library.num_threads) for library in _libraries()]
            _before = [(library, number) for library, number in threads if number != 1]
            for library, _ in _before:
                library.set_num_threads(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                for library, number in _before:
                    library.set_num_threads(number)


@cache
def _libraries() -> list[LibController]:
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)
