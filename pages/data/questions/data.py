"""The questions of the shown runs, and those a filter selects: computed once, then cached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kofn.choices.view import View
from kofn.questions.analysis import RunQuestions, comparable
from kofn.questions.filters import QuestionFilter
from kofn.questions.kinds import KINDS, OF_VERDICTS, search, select
from kofn.workers.reading import ended_by
from metrics.data.arrays import Flags
from metrics.data.words import MetricError
from pages.shared.choices import choose, current_choices
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.memory.known import find_texts, questions_of
from pages.shared.translating import _, say
from pages.shared.waiting import wait_for
from reports.files.errors import LoadError
from reports.files.progress import Progress
from reports.readings.audit import audit
from reports.run.report import Run
from reports.run.texts import Texts

T = TypeVar("T")

LIST, READER = "kofn.questions.list", "kofn.questions.reader"
"""The parts of the page that run by themselves."""
SEARCHES = 8
"""The most searches whose results are kept."""
TEXTS = 6
"""The most questions whose texts are kept."""
_SEARCHES, _TEXTS = "kofn.searches", "kofn.texts"
BESIDE = 3
"""The most runs that are shown beside the one that is listed."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The run whose questions are listed, and those of its dataset beside it."""

    a: RunQuestions
    others: tuple[RunQuestions, ...]  # B first.
    left_out: int  # Runs that could stand beside it too.
    identity: str  # Of all this, for caches.

    @property
    def runs(self) -> tuple[RunQuestions, ...]:
        """All of them, the listed one first."""
        return self.a, *self.others


def gather_questions(runs: Mapping[str, Run], view: View, key: str) -> Shown:
    """Compute the questions of a run and of those beside it, or stop and say why there are none."""
    settings = View(segment=view.segment, missing=view.missing)
    chosen = current_choices(QuestionFilter)
    names = comparable(runs, view, key, chosen.b)
    try:
        with st.spinner(_("Looking at every question"), show_time=True):
            a = replace(questions_of(key, runs[key], settings), signal=chosen.signal)
            others = tuple(questions_of(name, runs[name], settings) for name in names[:BESIDE])
    except MetricError as error:
        st.warning(say(error.text))
        st.stop()
    identities = [session.identity(each.key, each.run) for each in (a, *others)]
    if chosen.kind in OF_VERDICTS:
        _read_answers(key, runs[key])
    chosen_by = (chosen.signal, str(a.readings is not None), *map(str, settings.to_query().items()))
    identity = "\0".join([*identities, *chosen_by])
    return Shown(a, others, len(names) - len(others), identity)


def _read_answers(key: str, run: Run) -> None:
    """Read the final answers of the texts, unless that was done; why not is said by the list."""
    if run.has_texts and not run.audited.known:
        with suppress(LoadError):
            what = _("Reading the final answers")
            wait_for("audit", session.identity(key, run), what, partial(audit, run))


def select_questions(shown: Shown, chosen: QuestionFilter) -> NDArray[np.intp]:
    """Return which questions are listed, in their order; see `kofn.questions.kinds.select`.

    Raises LoadError if a search cannot read the texts. Raises MetricError if the filter does not
    fit the run.
    """
    found = None
    if chosen.search:
        found = search(shown.a, chosen.search, _search(shown, chosen.search))
    return _select(identify(shown, chosen), shown, chosen, found)


def open_question(name: str, page: int | None = None) -> None:
    """Open a question, or none, in a callback; the rest of the page need not run."""
    choose(QuestionFilter, open=name, page=page)
    st.rerun([LIST, READER])


def identify(shown: Shown, chosen: QuestionFilter) -> str:
    """Identify a list, whichever of its questions is open."""
    settings = replace(chosen, open="", maths=False, page=None).to_query()
    return hashlib.sha256(f"{shown.identity}\0{settings}".encode(errors="replace")).hexdigest()


@remember(8)
def _select(
    identity: str, _shown: Shown, _chosen: QuestionFilter, _found: Flags | None
) -> NDArray[np.intp]:
    return select(_shown.a, _shown.others, _chosen, _found)


def _search(shown: Shown, needle: str) -> Flags | None:
    """Search the texts of the listed run, showing how far that has come; known results stay."""
    run = shown.a.run
    if not run.has_texts:
        return None
    key = session.identity(shown.a.key, run), needle

    def find() -> Flags:
        find_texts(shown.a.key, run)
        return wait_for("search", key, _("Searching the texts"), partial(run.search, needle))

    return _remembered(_SEARCHES, key, SEARCHES, find)


def read_texts(questions: RunQuestions, name: str) -> Texts:
    """Read the texts of a question.

    Raises LoadError as `reports.run.report.Run.texts`.
    """
    run = questions.run
    key = session.identity(questions.key, run), name

    def find() -> Texts:
        find_texts(questions.key, run)
        do = partial(_texts, run, name)
        return wait_for(f"text.{key[0]}", key, _("Reading the texts"), do)

    return _remembered(_TEXTS, key, TEXTS, find)


def _remembered(place: str, key: tuple[str, str], most: int, find: Callable[[], T]) -> T:
    """Return what was found before, or find it; the last few stay."""
    known: dict[tuple[str, str], T] = st.session_state.setdefault(place, {})
    if key not in known:
        known[key] = find()
    for old in list(known)[:-most]:
        del known[old]
    return known[key]


def _texts(run: Run, name: str, progress: Progress) -> Texts:
    return ended_by(run, progress).texts(name)


def count_kinds(shown: Shown) -> Mapping[str, int]:
    """Return how many questions there are of each kind that the run can have."""
    return _counts(shown.identity, shown)


@remember(16)
def _counts(identity: str, _shown: Shown) -> dict[str, int]:
    b = _shown.others[0] if _shown.others else None
    flags = {name: kind.select(_shown.a, b) for name, kind in KINDS.items()}
    return {name: int(found.sum()) for name, found in flags.items() if found is not None}
