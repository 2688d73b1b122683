"""Whether sources have changed on disk: looked at once for all who follow them, and cheaply.

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
from threading import Lock
from time import monotonic

from kofn.apart.reading import look
from reports.files.addresses import Address
from reports.files.globs import matches
from reports.files.keeping import Upload
from reports.files.tree import is_clutter

MOST = 1000
"""Sources that are remembered."""
TIMES = 20
"""A source is looked at again when this many times what the last look took have passed."""


def can_be_watched(address: Address) -> bool:
    """Whether a look tells what a source is now, at once."""
    return not address.is_remote


def state_of(source: Address | Upload) -> str:
    """Return what changes with the names, sizes and times of all files of a source.

    It is empty where there is no file. A place is looked at apart, as it is read; an engine tells
    nothing.

    Raises
    ------
    LoadError
        If a place cannot be looked at.
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
    state: str = ""
    at: float = float("-inf")
    took: float = 0.0


class Watches:
    """Looks at sources, each once for all who ask at about the same time.

    Parameters
    ----------
    look : callable, optional
        In place of `state_of`.
    now : callable, optional
        The clock, in seconds.
    """

    def __init__(
        self,
        look: Callable[[Address], str] = state_of,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._look, self._now = look, now
        self._known: OrderedDict[Address, _Watch] = OrderedDict()
        self._lock = Lock()

    def state(self, source: Address, seconds: float = 0.0) -> str:
        """Return what a source is, or was not longer ago than this.

        A source that takes long to look at is looked at more seldom.

        Examples
        --------
        >>> clock = iter((0.0, 0.0, 0.5, 5.0, 30.0, 30.0, 30.5))
        >>> looks = iter(("a", "b"))
        >>> watches = Watches(lambda source: next(looks), lambda: next(clock))
        >>> [watches.state(Address("path", "runs")) for _ in range(3)]
        ['a', 'a', 'b']
        """
        watch = self._watch(source)
        with watch.lock:
            begun = self._now()
            if begun - watch.at >= max(seconds, TIMES * watch.took):
                begun = self._now()
                watch.state = self._look(source)
                watch.at = self._now()
                watch.took = watch.at - begun
            return watch.state

    def _watch(self, source: Address) -> _Watch:
        with self._lock:
            watch = self._known.setdefault(source, _Watch(Lock()))
            self._known.move_to_end(source)
            if len(self._known) > MOST:
                self._known.popitem(last=False)
            return watch
