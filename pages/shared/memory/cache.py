"""Results computed from loaded reports, in memory: one cache for all who view the same ones.

Who opens a file by its path looks at the report that others opened, so they share its cache. An
upload is a report of its own, whatever its bytes, which nobody else has but who was given a link to
it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakSet, WeakValueDictionary

from reports.run.report import Report

T = TypeVar("T")


class ReportCache:
    """What was computed of some reports; it goes with the last who looks at them."""

    def __init__(self, reports: tuple[Report, ...]) -> None:
        self.reports = reports
        self.looks: WeakSet[Look] = WeakSet()
        self._lock = Lock()
        self._entries: dict[str, OrderedDict[Hashable, _Entry]] = {}

    def find(self, kind: str, most: int, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what was computed before, or compute it; others who want the same wait for it.

        kind: Of what is computed.
        most: The most of a kind that stay for each who looks; what was not asked for longest goes.
        key: What tells it from others of its kind.
        compute: What it raises is raised here, and computed again for the next.
        """
        with self._lock:
            entries = self._entries.setdefault(kind, OrderedDict())
            entry = entries.setdefault(key, _Entry())
            entries.move_to_end(key)
            if len(entries) > most * max(len(self.looks), 1):
                entries.popitem(last=False)
        return entry.read(compute)


class Look:
    """What somebody looks at, as long as they do."""

    def __init__(self, cache: ReportCache) -> None:
        self.cache = cache
        cache.looks.add(self)


class _Entry:
    """One thing that is computed, by whoever asks first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: list[Any] = []

    def read(self, compute: Callable[[], T]) -> T:
        with self._lock:
            if not self._found:
                self._found.append(compute())
            found: T = self._found[0]
            return found


class ReportCaches:
    """The caches of all who look at something."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: WeakValueDictionary[tuple[int, ...], ReportCache] = WeakValueDictionary()

    def of(self, reports: Sequence[Report]) -> ReportCache:
        """Return the cache of some reports, these and no others."""
        key = tuple(map(id, reports))  # which stay theirs as long as their cache holds them
        with self._lock:
            cache = self._known.get(key)
            if cache is None:
                cache = self._known[key] = ReportCache(tuple(reports))
            return cache
