"""The sentences that a page opens with."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.unfinished import with_unfinished
from kofn.writing.joining import sentences
from metrics.data.words import Text
from pages.shared.translating import _, run_on, say
from reports.run.report import Run


def show_answer(answer: Text, runs: Mapping[str, Run]) -> None:
    """Show what a page has found of some runs, its first sentence above the others."""
    first, *others = sentences(with_unfinished(answer, runs))
    st.header(say(first), anchor=False, width=900)
    if others:
        st.markdown(run_on(map(say, others)), width=900)


def link_to_wins(runs: Mapping[str, Run]) -> None:
    """Lead to who wins by other criteria than that of the page, where there are several models."""
    if len({run.model for run in runs.values()}) > 1:
        st.page_link(
            "pages/results/overview/page.py",
            label=f":small[{_('Who wins by what')}]",
            icon=":material/arrow_forward:",
        )
