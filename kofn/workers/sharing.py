"""Reports that several visitors view, read once and held once in memory.

A report is shared as long as somebody looks at it; those that every visitor finds are held. It is
found again by where its file lies, by what the file was, and by what was told of its columns. An
upload lies where nobody can guess, so only who was given the upload finds its report.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from weakref import WeakKeyDictionary, WeakValueDictionary

from kofn.workers.reading import read
from kofn.workers.turns import Turns
from kofn.workers.watching import state_of
from reports.column_mapping import ColumnMapping
from reports.files.addresses import Address
from reports.files.progress import Progress
from reports.files.stored_files import Upload
from reports.run.report import Report

Key = tuple[str, str, str]
"""Where a file lies, what it was, and what was told of its columns."""


@dataclass(frozen=True)
class SharedReading:
    """What was read, and when."""

    state: str  # What the source was, as `kofn.workers.watching.state_of` tells it.
    at: datetime


class SharedReadings:
    """Reads reports, each once for all who look at it."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._known: WeakValueDictionary[Key, Report] = WeakValueDictionary()
        self._held: dict[str, Report] = {}
        self._readings: WeakKeyDictionary[Report, SharedReading] = WeakKeyDictionary()

    def read(
        self,
        source: Address | Upload,
        columns: ColumnMapping,
        progress: Progress,
        *,
        hold: bool = False,
        state: str | None = None,
        anew: bool = False,
    ) -> Report:
        """Return a report, read by `kofn.workers.reading.read` unless somebody looks at it.

        columns: What is known of the columns of tables.
        progress: As for `read`; told too while another visitor reads the same.
        hold: Whether to hold it though nobody looks at it, until the file is another.
        state: What the source was when it was last looked at, if that was just now.
        anew: Whether to read it though somebody looks at it, as what an engine holds may be more
            now; whoever opens it from now on finds this one.
        Raises LoadError as for `read`.
        """
        where = str(source.place) if isinstance(source, Upload) else source.text
        state = _state(source) if state is None else state
        key = (where, state, repr(sorted(columns.items())))
        with self._turns.of(key, progress):
            report = self._known.get(key)
            if report is None or anew:
                reading = SharedReading(state, datetime.now())
                report = self._known[key] = read(source, columns, progress)
                self._readings[report] = reading
            if hold and not columns:
                self._held[key[0]] = report
        return report

    def reading(self, report: Report) -> SharedReading | None:
        """Return what the source was when a report was read, and when that was."""
        return self._readings.get(report)


def _state(source: Address | Upload) -> str:
    """Return what a source is now; what an engine holds is not looked at for that."""
    if isinstance(source, Address) and source.kind == "engine":
        return ""
    return state_of(source)
