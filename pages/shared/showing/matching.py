"""Match the questions of two runs in the background, by texts or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from weakref import WeakSet

import streamlit as st

from kofn.choices.focus import runs_by_dataset
from kofn.workers import asking
from kofn.workers.asking import WantedCounts
from kofn.workers.reading import digest_runs
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.language import spoken
from pages.shared.translating import _, say
from pages.shared.waiting import come_to, is_under_way
from reports.files.progress import Progress
from reports.run.digests import may_have
from reports.run.report import Run

EVERY = 0.7
"""Seconds after which it is looked again how far that has come."""
_WORK, _ASKING = "match", "joint"
_UNREADABLE: WeakSet[Run] = WeakSet()


def check_questions() -> None:
    """Find out what compared runs share that is not known yet; then the page runs once more.

    Meanwhile questions with equal ids are taken for the same, and the page says so; runs whose
    samples stay elsewhere are compared without pairs. Call it when all is compared.
    """
    runs = session.loaded_runs()
    unread = _unread(runs)
    if unread or is_under_way(_WORK):  # which may have ended since this page has begun
        _follow(unread)
    lacking = asking.counts_wanted(runs.values())
    if lacking or is_under_way(_ASKING):
        _wait(lacking)
    for error in asking.unanswered(runs.values()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(say(error.text))
            st.button(
                _("Ask again"),
                key=f"kofn.ask.{error}",
                on_click=asking.ask_again,
                args=(runs.values(),),
            )


def _unread(runs: Mapping[str, Run]) -> list[Run]:
    beside = (group.values() for group in runs_by_dataset(runs).values() if len(group) > 1)
    return [
        run
        for group in beside
        for run in group
        if may_have(run) and run.digests.known is None and run not in _UNREADABLE
    ]


@st.fragment(run_every=EVERY)
@spoken
def _follow(unread: Sequence[Run]) -> None:
    share = come_to(_WORK, tuple(session.reports()), partial(_digest, unread))
    if share is None:
        st.rerun()
    sentence = Text("Checking whether equal ids are the same questions: {share:.0%}.", share=share)
    st.caption(say(sentence))


@st.fragment(run_every=EVERY)
@spoken
def _wait(lacking: Sequence[WantedCounts]) -> None:
    share = come_to(_ASKING, tuple(session.reports()), partial(asking.ask, lacking))
    if share is None:
        st.rerun()
    sentence = Text("Asking which questions two runs share: {share:.0%}.", share=share)
    st.caption(say(sentence))


def _digest(unread: Sequence[Run], progress: Progress) -> None:
    _UNREADABLE.update(digest_runs(unread, progress))
