"""Reports that several visitors look at: read once, and held once in memory.

A report is shared as long as somebody looks at it; those that every visitor finds are held. It is
found again by where its file lies, by what the file was, and by what was told of its columns. An
upload lies where nobody can guess, so only who was given the upload finds its report.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from kofn.apart.reading import read
from reports.files.addresses import Address
from reports.files.globs import matches
from reports.files.keeping import Upload
from reports.files.progress import EVERY, Progress
from reports.run.report import Report
from reports.told import Told

Key = tuple[str, str, str]
"""Where a file lies, what it was, and what was told of its columns."""


class Readings:
    """Reads reports, each once for all who look at it."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[Key, Lock] = WeakValueDictionary()
        self._known: WeakValueDictionary[Key, Report] = WeakValueDictionary()
        self._held: dict[str, Report] = {}

    def read(
        self, source: Address | Upload, columns: Told, progress: Progress, *, hold: bool = False
    ) -> Report:
        """Return a report, read by `kofn.apart.reading.read` unless somebody looks at it.

        Parameters
        ----------
        source : Address or Upload
        columns : Told
            What is known of the columns of tables.
        progress : callable
            As for `read`; told too while another visitor reads the same.
        hold : bool, optional
            Whether to hold it though nobody looks at it, until the file is another.

        Raises
        ------
        LoadError
            As for `read`.
        """
        place = str(source.place) if isinstance(source, Upload) else source.text
        key = (place, _state(source), repr(sorted(columns.items())))
        with self._turn(key, progress):
            report = self._known.get(key)
            if report is None:
                report = self._known[key] = read(source, columns, progress)
            if hold and not columns:
                self._held[key[0]] = report
        return report

    @contextmanager
    def _turn(self, key: Key, progress: Progress) -> Iterator[None]:
        turn = self._turns.setdefault(key, Lock())
        while not turn.acquire(timeout=EVERY):
            progress(0, 0)
        try:
            yield
        finally:
            turn.release()


def _state(source: Address | Upload) -> str:
    """Return what changes with the names, sizes and times of all files of a source."""
    if isinstance(source, Address) and source.is_remote:
        return secrets.token_hex()
    sha = sha256()
    for place in sorted(_places(source)):
        for file in sorted(_files(place)):
            with suppress(OSError):
                status = file.stat()
                sha.update(os.fsencode(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    return sha.hexdigest()


def _places(source: Address | Upload) -> Iterable[Path]:
    if isinstance(source, Upload):
        return [source.place]
    return matches(source.text) if source.kind == "glob" else [Path(source.text)]


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
    for folder, _, names in os.walk(place):
        yield from (Path(folder, name) for name in names)
