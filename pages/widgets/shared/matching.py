"""Whether equal ids are the same questions: found out beside the page, from the texts of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from weakref import WeakSet

import streamlit as st

from kofn.apart.reading import digest_runs
from kofn.choices.focus import by_dataset
from metrics.data.words import Text
from pages.widgets.shared import session
from pages.widgets.shared.translating import say
from pages.widgets.shared.waiting import come_to, is_under_way
from reports.files.progress import Progress
from reports.run.digests import may_have
from reports.run.report import Run

EVERY = 0.7
"""Seconds after which it is looked again how far that has come."""
_WORK = "match"
_UNREADABLE: WeakSet[Run] = WeakSet()


def check_questions() -> None:
    """Read the texts of loaded runs that stand beside others; then the page runs once more.

    Meanwhile questions with equal ids are taken for the same, and the page says so.
    """
    unread = _unread(session.loaded_runs())
    if unread or is_under_way(_WORK):  # which may have ended since this page has begun
        _follow(unread)


def texts_known(runs: Iterable[Run]) -> int:
    """Return of how many runs it is known what their texts say; for caches."""
    return sum(run.digests.known is not None for run in runs)


def _unread(runs: Mapping[str, Run]) -> list[Run]:
    beside = (group.values() for group in by_dataset(runs).values() if len(group) > 1)
    return [
        run
        for group in beside
        for run in group
        if may_have(run) and run.digests.known is None and run not in _UNREADABLE
    ]


@st.fragment(run_every=EVERY)
def _follow(unread: Sequence[Run]) -> None:
    share = come_to(_WORK, tuple(session.reports()), partial(_read, unread))
    if share is None:
        st.rerun()
    told = Text("Looking whether equal ids are the same questions: {share:.0%}.", share=share)
    st.caption(say(told))


def _read(unread: Sequence[Run], progress: Progress) -> None:
    _UNREADABLE.update(digest_runs(unread, progress))
