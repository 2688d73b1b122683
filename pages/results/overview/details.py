"""Details behind a cell: why it is marked, and the run that was clicked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.overview.analysis import GlanceCard
from kofn.overview.choices import BoardChoices
from kofn.overview.figures import MARK, detail
from kofn.overview.next_steps import Goal
from kofn.questions.filters import QuestionFilter
from kofn.writing.joining import joined
from metrics.data.words import Text
from pages.results.overview.datasets import PAGES
from pages.results.overview.scorecard.details import show_metrics
from pages.shared.choices import choose
from pages.shared.memory.known import describe_run
from pages.shared.translating import _, escape_name, say


def marks(cards: Sequence[GlanceCard]) -> dict[Text, list[str]]:
    """Return why cells are marked, each reason once with the runs it is of."""
    marked: dict[Text, list[str]] = {}
    for card in cards:
        if (found := card.found) and found.dataset and found.doubts:
            why = joined([doubt.text for doubt in found.doubts])
            marked.setdefault(Text("{mark} {why}", mark=MARK, why=why), []).append(card.key)
    return marked


def open_run(card: GlanceCard, view: View) -> None:
    """Show what is known of a run, every metric of it, and where it is looked at closer."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_name(card.key)}**", width="stretch")
            st.button(_("Close"), key="kofn.overview.close", type="tertiary", on_click=_close)
        st.caption(describe_run(card.key, card.run))
        st.markdown(say(detail(card)))
        if card.found is None or card.found.dataset is None:
            return
        here = Focus(card.run.dataset).to_query()
        links: tuple[tuple[Goal, str, dict[str, list[str]]], ...] = (
            ("questions", _("Its questions"), QuestionFilter(a=card.key).to_query()),
            ("compare", _("Against others"), here | CompareChoices(other=card.key).to_query()),
            ("choose_n", _("Choose n"), here),
        )
        with st.container(horizontal=True):
            for goal, label, query in links:
                st.page_link(
                    PAGES[goal], label=label, icon=":material/arrow_forward:", query_params=query
                )
        show_metrics(card.key, card.run, view)


def _close() -> None:
    choose(BoardChoices, detail="")
