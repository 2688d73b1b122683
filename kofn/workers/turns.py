"""Decide who does a task that one should do for all who want it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakValueDictionary

from reports.files.progress import EVERY, Progress


class Turns:
    """Lets those who want the same do it one after the other."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()

    @contextmanager
    def of(self, key: Hashable, progress: Progress) -> Iterator[None]:
        """Wait for the turn; `progress` is told meanwhile, and ends that if it raises."""
        turn = self._locks.setdefault(key, Lock())
        while not turn.acquire(timeout=EVERY):
            progress(0, 0)
        try:
            yield
        finally:
            turn.release()
