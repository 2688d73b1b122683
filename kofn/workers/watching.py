"""Check whether sources have changed, cheaply and once for all who follow them.

Nothing of a file is read but its size and time, so a look costs as much for large files as for
small ones; of very many files it is taken less often.
"""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

from kofn.workers.reading import look
from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.globs import matches
from reports.files.stored_files import Upload
from reports.files.tree import is_clutter

MOST = 1000
"""Sources that are remembered."""
TIMES = 20
"""A source is looked at again when this many times what the last look took have passed."""


def can_be_watched(address: Address) -> bool:
    """Whether a look tells what a source is now."""
    return address.kind != "engine"


def state_of(source: Address | Upload) -> str:
    """Return what changes with the names, sizes and times of all files of a source.

    It is empty where there is no file. A place is looked at apart, as it is read; an engine tells
    nothing.

    Raises LoadError if a place cannot be looked at.
    """
    if isinstance(source, Address) and source.kind == "place":
        return look(source)[0]
    if isinstance(source, Address) and source.kind == "engine":
        return secrets.token_hex()
    sha, found = sha256(), False
    for place in sorted(_places(source)):
        for path, status in sorted(_files(place), key=lambda each: each[0]):
            found = True
            sha.update(os.fsencode(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    return sha.hexdigest() if found else ""


def _places(source: Address | Upload) -> Iterable[Path]:
    if isinstance(source, Upload):
        return [source.place]
    return matches(source.text) if source.kind == "glob" else [Path(source.text)]


def _files(place: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Give the files of a folder, or the one file, without clutter."""
    with suppress(OSError):
        if not place.is_dir():
            yield str(place), place.stat()
            return
    folders = [str(place)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if is_clutter(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    with suppress(OSError):
                        yield entry.path, entry.stat()


@dataclass(eq=False)
class _Watch:
    """What a source was when it was looked at."""

    lock: Lock
    state: str | None = None
    problem: Text | None = None
    at: float = float("-inf")
    took: float = 0.0


class Watches:
    """Looks at sources, each once for all who ask at about the same time.

    look: In place of `state_of`; may raise LoadError.
    now: The clock, in seconds.
    """

    def __init__(
        self,
        look: Callable[[Address], str] = state_of,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._look, self._now = look, now
        self._known: OrderedDict[Address, _Watch] = OrderedDict()
        self._lock = Lock()

    def state(self, source: Address, seconds: float = 0.0) -> str | None:
        """Return what a source is, or was not longer ago than this; empty if it is not there.

        A source that takes long to look at is looked at more seldom. A place is looked at
        meanwhile: what is known of it by now is returned, at first None.

        Examples
        --------
        >>> clock = iter((0.0, 0.0, 0.5, 5.0, 30.0, 30.0, 30.5))
        >>> looks = iter(("a", "b"))
        >>> watches = Watches(lambda source: next(looks), lambda: next(clock))
        >>> [watches.state(Address("path", "runs")) for _ in range(3)]
        ['a', 'a', 'b']
        """
        watch = self._watch(source)
        if not source.is_remote:
            with watch.lock:
                self._look_at(watch, source, seconds)
        elif watch.lock.acquire(blocking=False):
            Thread(target=self._look_meanwhile, args=(watch, source, seconds), daemon=True).start()
        return watch.state

    def problem(self, source: Address) -> Text | None:
        """Return why a source could not be looked at last, if so."""
        return self._watch(source).problem

    def _look_at(self, watch: _Watch, source: Address, seconds: float) -> None:
        if self._now() - watch.at < max(seconds, TIMES * watch.took):
            return
        begun = self._now()
        try:
            watch.state, watch.problem = self._look(source), None
        except LoadError as error:
            watch.state, watch.problem = "", error.problem
        watch.at = self._now()
        watch.took = watch.at - begun

    def _look_meanwhile(self, watch: _Watch, source: Address, seconds: float) -> None:
        try:
            self._look_at(watch, source, seconds)
        finally:
            watch.lock.release()

    def _watch(self, source: Address) -> _Watch:
        with self._lock:
            watch = self._known.setdefault(source, _Watch(Lock()))
            self._known.move_to_end(source)
            if len(self._known) > MOST:
                self._known.popitem(last=False)
            return watch
