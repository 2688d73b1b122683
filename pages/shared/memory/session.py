"""What one visitor has loaded, shared with no other session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import streamlit as st

from kofn.choices.joining import Joining
from kofn.choices.run_numbers import number_runs
from kofn.choices.runs import index_reports, index_runs, index_suites
from kofn.choices.sources import ReportSource
from metrics.data.words import Text
from pages.shared.choices import current_choices
from pages.shared.memory.cache import Look, ReportCache, ReportCaches
from pages.shared.memory.server_cache import KEPT
from pages.shared.translating import _
from pages.shared.waiting import wait_for
from reports.combining import join_repeated_runs
from reports.files.addresses import Address
from reports.files.errors import ColumnChoice, OpenChoice
from reports.files.stored_files import Upload
from reports.files.stored_uploads import Use
from reports.labelling import with_labels
from reports.run.calibration import Calibration
from reports.run.report import Report, Run, Suite

T = TypeVar("T")

Read = Callable[..., Report]
"""Reads a file, given what its columns are and whom to tell how far it has come; see `Readings`."""

_REPORTS = "kofn.reports"
_FILES = "kofn.files"
_ALONE = Text("{number} of {all}", number=1, all=1)
_MISSING = "kofn.missing"
_REFUSED = "kofn.refused"
_QUESTIONS = "kofn.questions"
_WANTED = "kofn.wanted"
_JOINED = "kofn.joined"
_LABELLED = "kofn.labelled"
_LABELS = "kofn.labels"
_LOOK = "kofn.look"
_CACHES = ReportCaches()
_STALE = "kofn.stale"


@dataclass(frozen=True, eq=False)
class Wanted:
    """A file that is to be read."""

    source: ReportSource
    read: Read
    held: Address | Upload  # Where it is.
    use: Use | None = None  # Of an upload.
    linked: bool = False  # Whether it is a link that wants it.
    place: Text = _ALONE  # Of it among those that were wanted together.
    instead: str = ""  # The digest of the loaded report that it is to replace, if any.

    def forget(self) -> None:
        """Keep its upload no longer, if that is the visitor's own."""
        if self.use:
            KEPT.forget(self.use)


@dataclass(frozen=True, eq=False)
class ColumnQuestion:
    """A table of which it must be asked which column is what."""

    file: Wanted  # It, or what it is in.
    choice: OpenChoice
    digest: str = ""  # Of the report of the other tables in the file; empty where there is none.

    @property
    def table(self) -> str:
        """The table that is meant: the file, or one within it."""
        return ", ".join(filter(None, (self.file.source.name, self.choice.place)))

    @property
    def asks(self) -> object:
        """What it asks: one answer answers all questions that ask the same."""
        choice = self.choice
        if not isinstance(choice, ColumnChoice):
            return self
        return self.file, choice.problem, frozenset(choice.options), *choice.gives.items()


def reports() -> dict[str, Report]:
    """Return the loaded reports by their digest, in the order they came."""
    loaded: dict[str, Report] = st.session_state.setdefault(_REPORTS, {})
    return loaded


def files() -> dict[str, Wanted]:
    """Return the files that the loaded reports were read from, by the digest of the report."""
    read: dict[str, Wanted] = st.session_state.setdefault(_FILES, {})
    return read


def take_in(file: Wanted, report: Report) -> None:
    """Take a report in, in the place of the one that it is read instead of, or as the last."""
    st.session_state.pop(_LOOK, None)
    new, old = report.digest, file.instead or report.digest
    stale_sources().pop(old, None)
    kept = [digest for digest in reports() if digest == old or digest != new]
    taken = replace(file, source=file.source.known_as(new), instead="")
    _put(reports(), kept, old, new, report)
    _put(files(), kept, old, new, taken)


def _put(held: dict[str, T], kept: Sequence[str], old: str, new: str, value: T) -> None:
    """Put a value under a new key where the old one is; where there is none, at the end."""
    values = {new if key == old else key: value if key == old else held[key] for key in kept}
    held.clear()
    held.update({**values, new: value})


def stale_sources() -> dict[str, Text]:
    """Return why reports that have changed cannot be read again, by the digests of the older."""
    problems: dict[str, Text] = st.session_state.setdefault(_STALE, {})
    return problems


def sources() -> list[ReportSource]:
    """Return where all came from that is loaded, asked about, wanted or missing, in this order."""
    read = [*files().values(), *(question.file for question in questions()), *wanted_files()]
    found: list[ReportSource] = []
    for source in (*(file.source for file in read), *missing_sources()):
        if source not in found:
            found.append(source)
    return found


def missing_sources() -> list[ReportSource]:
    """Return what a link shows that is not loaded: files to be uploaded, paths to be allowed."""
    asked: list[ReportSource] = st.session_state.setdefault(_MISSING, [])
    return asked


def named_reports() -> dict[str, Report]:
    """Return the loaded reports by the names that tell them apart, their runs as they are shown."""
    return index_reports(shown_reports()[0])


def loaded_runs() -> dict[str, Run]:
    """Return the runs of all loaded reports by their names; repeated ones joined, if wanted."""
    return index_runs(shown_reports()[0])


def loaded_suites() -> dict[str, Suite]:
    """Return the suites of all loaded reports by their names."""
    return index_suites(shown_reports()[0])


def shown_reports() -> tuple[list[Report], list[Text]]:
    """Return the loaded reports, with repeated runs as samples of one if the visitor wants that.

    The texts that prove that the questions are the same are read once; meanwhile the page waits.

    Returns: The reports, and why runs could not be joined.
    """
    loaded, _unfit = labelled_reports()
    if not current_choices(Joining).joined:
        return loaded, []
    key = tuple(map(id, loaded))
    if st.session_state.get(_JOINED, (None,))[0] != key:
        what = _("Checking whether repeated runs asked the same questions")
        found = wait_for(_JOINED, key, what, partial(join_repeated_runs, loaded))
        st.session_state[_JOINED] = key, found, loaded
    joined: tuple[list[Report], list[Text]] = st.session_state[_JOINED][1]
    return joined


def labelled_reports() -> tuple[list[Report], list[Text]]:
    """Return the loaded reports, labels of a filled list with the runs that it was drawn from.

    Returns: The reports, and why a list was given to none.
    """
    loaded = list(reports().values())
    known, found = st.session_state.get(_LABELLED, ([], ([], [])))
    if list(map(id, known)) != list(map(id, loaded)):
        found = with_labels(loaded)
        st.session_state[_LABELLED] = loaded, found
    labelled: tuple[list[Report], list[Text]] = found
    return labelled


def labels(run: Run) -> dict[tuple[str, int], str]:
    """Return the labels that the visitor made of a run, by question and sample, to be added to.

    They are kept with the upload that the run is of, as long as that is kept.
    """
    of = next((d for d, report in reports().items() if _is_of(run, report)), "")
    file = files().get(of)
    beside = file.use.beside if file and file.use else st.session_state.setdefault(_LABELS, {})
    key = "labels", run.model, run.dataset, run.known.digest if run.known else ""
    made: dict[tuple[str, int], str] = beside.setdefault(key, {})
    return made


def _is_of(run: Run, report: Report) -> bool:
    return any((each.model, each.dataset) == (run.model, run.dataset) for each in report.runs)


def calibrations() -> dict[str, Calibration]:
    """Return the loaded calibration sets by the names of their files."""
    found = (each for report in reports().values() for each in report.calibrations)
    return {each.name: each for each in found if not each.spot_check}


def numbers() -> dict[str, int]:
    """Return the numbers of all loaded runs and suites: choosing fewer changes none of them."""
    return number_runs(loaded_runs(), loaded_suites())


def identity(key: str, run: Run) -> str:
    """Identify a loaded run, for caches: a name alone may stand for another run tomorrow."""
    digest = run.known.digest if run.known else ""
    return "\0".join((key, digest, *reports()))


def report_cache() -> ReportCache:
    """Return the cache of the loaded reports: what was computed of them, and of nothing else."""
    found, look = _CACHES.of(list(reports().values())), st.session_state.get(_LOOK)
    if look is None or look.cache is not found:
        st.session_state[_LOOK] = Look(found)
    return found


def remove(digest: str) -> None:
    """Drop one report with its upload, what is asked of its tables, and what was computed of it."""
    st.session_state.pop(_LOOK, None)
    reports().pop(digest, None)
    stale_sources().pop(digest, None)
    if file := files().pop(digest, None):
        file.forget()
    questions()[:] = [question for question in questions() if question.digest != digest]


def clear() -> None:
    """Drop all reports, and what was said of files that could not be read."""
    for digest in [*reports()]:
        remove(digest)
    refusals().clear()
    questions().clear()


def refusals() -> list[Text]:
    """Return why files of the last loading could not be read."""
    reasons: list[Text] = st.session_state.setdefault(_REFUSED, [])
    return reasons


def wanted_files() -> list[Wanted]:
    """Return the files that are still to be read, in this order."""
    files: list[Wanted] = st.session_state.setdefault(_WANTED, [])
    return files


def answer(file: Wanted, asked: Sequence[ColumnQuestion]) -> None:
    """Ask no more of a file that was read again, but what it leaves open."""
    others = [question for question in questions() if question.file.read is not file.read]
    questions()[:] = [*others, *asked]


def tables_asked_about() -> list[str]:
    """Return the tables that wait for an answer, each once."""
    return [*dict.fromkeys(question.table for question in questions())]


def questions() -> list[ColumnQuestion]:
    """Return what must be asked of tables before they can be read."""
    asked: list[ColumnQuestion] = st.session_state.setdefault(_QUESTIONS, [])
    return asked
