"""The questions of a run whose samples stay elsewhere, listed there a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from kofn.card import Card, attempt
from kofn.choices.view import View
from kofn.questions.columns import LISTED
from kofn.questions.filters import QuestionFilter
from kofn.questions.kinds import KINDS
from kofn.questions.paging import ORDERS, Contents, Page, contents_of, kinds_counted, orders_counted
from kofn.questions.words import KINDS as CALLED
from kofn.questions.words import answer
from kofn.workers.asking import watched
from metrics.data.counts import NEEDS_SAMPLES, Counts
from metrics.data.words import Text, plain
from pages.data.questions.data import LIST
from pages.data.questions.filters import (
    choose_direction,
    choose_kind,
    choose_order,
    column_label,
    show_spans,
)
from pages.data.questions.list_pages import count_pages, page_of
from pages.data.questions.table import HEIGHT
from pages.shared.choices import current_choices, tie_widget
from pages.shared.internals import ColumnConfig
from pages.shared.memory import session
from pages.shared.memory.language import spoken
from pages.shared.showing.answers import show_answer
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, say
from pages.shared.waiting import wait_for
from reports.files.errors import LoadError
from reports.files.progress import Progress
from reports.run.remote import ListOrder, Which
from reports.run.report import Run

PAGES = 8
"""The most pages of lists that are kept."""
_KEPT, _STOPPED = "kofn.questions.elsewhere", "kofn.questions.stopped"


class _Asked(NamedTuple):
    """A page of a list: of which run, which questions in which order, and its number."""

    identity: str
    which: Which
    order: ListOrder
    number: int


def answer_elsewhere(key: str, run: Run, view: View) -> None:
    """Say what questions of a run are lost, as its counts tell."""
    found, reason = attempt(contents_of, key, run, view, QuestionFilter())
    show_answer(answer([found]) if found else reason or NEEDS_SAMPLES, {key: run})


def list_elsewhere(key: str, run: Run, view: View) -> None:
    """Let the visitor choose which questions of a run are listed, and list them."""
    chosen = current_choices(QuestionFilter)
    contents, untold = attempt(contents_of, key, run, view, chosen)
    if contents is None:
        chosen = _countable(chosen)
        contents, _reason = attempt(contents_of, key, run, view, chosen)
    if contents is None or run.counts is None:
        return
    st.caption(
        _(
            "The samples of this run stay where they are: how many of each question are right is "
            "known here, but no single sample, text or answer."
        )
    )
    _choose(run.counts, view, chosen)
    if untold is not None:
        st.info(say(Text("{why} That part of the link is left out.", why=untold)))
    if contents.found:
        _list(contents, view)
    else:
        st.info(_("No question is like that."))


def _countable(chosen: QuestionFilter) -> QuestionFilter:
    """Return what counts tell of a filter."""
    return replace(
        chosen,
        kind=chosen.kind if KINDS[chosen.kind].counted else "all",
        sort=chosen.sort if chosen.sort in ORDERS else "",
        search="",
        agreed=None,
    )


def _choose(counts: Counts, view: View, chosen: QuestionFilter) -> None:
    """Let the visitor choose which questions are listed, and in which order."""
    kind, order, direction = st.columns([4, 3, 3], vertical_alignment="bottom")
    with kind:
        choose_kind(kinds_counted(counts, view), chosen.kind)
    with order:
        choose_order(orders_counted(counts, view)[1:], chosen, _("Their ids"))
    with direction:
        choose_direction(chosen)
    st.caption(say(CALLED[chosen.kind].meaning))
    show_spans(chosen)


@st.fragment(key=LIST)
@spoken
def _list(contents: Contents, view: View) -> None:
    chosen = current_choices(QuestionFilter)
    count = Text("{count} question", "{count} questions", count=contents.found)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{say(count)}**", width="stretch")
        taking = st.container(horizontal=True, width="content")
    container = st.container()
    number, pages = page_of(chosen, -1, contents.found), count_pages(contents.found)
    if pages > 1:
        st.pagination(pages, **tie_widget(QuestionFilter, "page", number))
    with container:
        page = _page(contents, number)
        if page is None:
            return
        shown = _question_rows(page.rows)
        st.dataframe(
            shown,
            height=HEIGHT if len(shown) > 7 else "auto",
            hide_index=True,
            column_config=dict(_columns(shown, chosen)),
            placeholder="",
            alt=plain(Text("Questions of {run}", run=contents.key)),
        )
    with taking:
        if pages > 1:
            st.caption(_("The questions of this page of the list."))
        card = Card(contents.key, contents.run, view, chosen, page)
        download_table(lambda: LISTED.frame([card]), "questions")


def _page(contents: Contents, number: int) -> Page | None:
    """Return a page of the list, asked for once; say why there is none."""
    identity = session.identity(contents.key, contents.run)
    asked = _Asked(identity, contents.which, contents.order, number)
    kept: dict[_Asked, Page] = st.session_state.setdefault(_KEPT, {})
    if asked in kept:
        return kept[asked]
    if st.session_state.get(_STOPPED) == asked:
        st.info(_("Stopped before these questions came."))
        _offer_again()
        return None

    def stop() -> None:
        st.session_state[_STOPPED] = asked

    do = partial(_ask, contents, number)
    try:
        found = wait_for("questions", asked, _("Asking for these questions"), do, stop)
    except LoadError as error:
        st.warning(say(error.text))
        _offer_again()
        return None
    for old in list(kept)[: 1 - PAGES]:
        del kept[old]
    kept[asked] = found
    return found


def _ask(contents: Contents, number: int, progress: Progress) -> Page:
    assert contents.run.remote is not None
    return contents.page(number, watched(contents.run.remote, progress))


def _offer_again() -> None:
    def forget() -> None:
        st.session_state.pop(_STOPPED, None)

    st.button(_("Ask again"), key=f"{_KEPT}.again", on_click=forget)


def _question_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what is read of questions: how many samples are right, and of which part they are."""
    right = rows["c"].astype(str) + "/" + rows["n"].astype(str)
    failed = ["failed"] if rows["failed"].any() else []
    segments = [name for name in map(str, rows) if name.startswith("segment.")]
    found = pd.DataFrame({"question": rows["question"], "right": right})
    return found.join(rows[[*failed, *segments]])


def _columns(shown: pd.DataFrame, chosen: QuestionFilter) -> Iterator[tuple[str, ColumnConfig]]:
    arrow = " ↓" if chosen.down else " ↑"
    for name in map(str, shown):
        label = column_label(name) + (arrow if name == (chosen.sort or "question") else "")
        if name == "question":
            yield name, st.column_config.TextColumn(label, pinned=True, width=210)
        elif name == "failed":
            yield name, st.column_config.NumberColumn(label, width=70)
        else:
            yield name, st.column_config.TextColumn(label)
