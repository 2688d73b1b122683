"""Results that are computed once, by whoever needs them first."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A place for what is found out; others who need it meanwhile wait.

    Examples
    --------
    >>> place = Once[int]()
    >>> place.get(lambda: 1), place.get(lambda: 2)
    (1, 1)
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._found: list[T] = []

    @classmethod
    def of(cls, found: T) -> Once[T]:
        """Return a place that holds what is known already."""
        place = cls()
        place._found.append(found)
        return place

    def get(self, find: Callable[[], T]) -> T:
        """Return what is known, found out first if need be.

        What finds it out may itself ask this place, as a job does where no process can fork.
        """
        with self._lock:
            if not self._found:
                found = find()
                self._found[:] = [found]
        return self._found[0]

    @property
    def known(self) -> T | None:
        """What is known already, if it is."""
        return self._found[0] if self._found else None

    def __getstate__(self) -> tuple[list[T]]:
        return (self._found,)

    def __setstate__(self, state: tuple[list[T]]) -> None:
        self._lock, (self._found,) = RLock(), state
