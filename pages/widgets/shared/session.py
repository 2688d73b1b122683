"""What one visitor has loaded: nothing here is shared between sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from kofn.choices.looks import number_runs
from kofn.choices.runs import index_reports, index_runs, index_suites
from metrics.data.words import Text
from reports.files.errors import Choice
from reports.files.progress import Progress
from reports.run.report import Report, Run, Suite
from reports.told import Told

Read = Callable[[Told, Progress], Report]
"""Reads a file, given what its columns are and whom to tell how far it has come."""

_REPORTS = "kofn.reports"
_REFUSED = "kofn.refused"
_QUESTIONS = "kofn.questions"
_WANTED = "kofn.wanted"


@dataclass(frozen=True, eq=False)
class Wanted:
    """A file that is to be read.

    Attributes
    ----------
    name : str
    read : callable
    columns : Told
        What is known of its columns.
    place : Text
        Of it among those that were wanted together.
    """

    name: str
    read: Read
    columns: Told
    place: Text


@dataclass(frozen=True)
class Question:
    """A table of which it must be asked which column is what.

    Attributes
    ----------
    file : Wanted
        It, or what it is in.
    choice : Choice
    digest : str
        Of the report of the other tables in the file; empty where there is none.
    """

    file: Wanted
    choice: Choice
    digest: str = ""

    @property
    def table(self) -> str:
        """The table that is meant: the file, or one within it."""
        return ", ".join(filter(None, (self.file.name, self.choice.place)))


def reports() -> dict[str, Report]:
    """Return the loaded reports by their digest, in the order they came."""
    loaded: dict[str, Report] = st.session_state.setdefault(_REPORTS, {})
    return loaded


def named_reports() -> dict[str, Report]:
    """Return the loaded reports by the names that tell them apart."""
    return index_reports(list(reports().values()))


def loaded_runs() -> dict[str, Run]:
    """Return the runs of all loaded reports by their names."""
    return index_runs(list(reports().values()))


def loaded_suites() -> dict[str, Suite]:
    """Return the suites of all loaded reports by their names."""
    return index_suites(list(reports().values()))


def numbers() -> dict[str, int]:
    """Return the numbers of all loaded runs and suites: choosing fewer changes none of them."""
    return number_runs(loaded_runs(), loaded_suites())


def identity(key: str, run: Run) -> str:
    """Identify a loaded run, for caches: a name alone may stand for another run tomorrow."""
    digest = run.outcomes.digest if run.outcomes else ""
    return "\0".join((key, digest, *reports()))


def remove(digest: str) -> None:
    """Drop one report, and what is asked of its tables."""
    reports().pop(digest, None)
    questions()[:] = [question for question in questions() if question.digest != digest]


def clear() -> None:
    """Drop all reports, and what was said of files that could not be read."""
    reports().clear()
    refused().clear()
    questions().clear()


def refused() -> list[Text]:
    """Return why files of the last loading could not be read."""
    reasons: list[Text] = st.session_state.setdefault(_REFUSED, [])
    return reasons


def wanted() -> list[Wanted]:
    """Return the files that are still to be read, in this order."""
    files: list[Wanted] = st.session_state.setdefault(_WANTED, [])
    return files


def answer(file: Wanted, asked: Sequence[Question]) -> None:
    """Ask no more of a file that was read again, but what it leaves open."""
    others = [question for question in questions() if question.file.read is not file.read]
    questions()[:] = [*others, *asked]


def questions() -> list[Question]:
    """Return what must be asked of tables before they can be read."""
    asked: list[Question] = st.session_state.setdefault(_QUESTIONS, [])
    return asked
