"""The sentences that a page opens with, and links from a number to what is behind it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.view import View
from kofn.leaderboard.words import exclusions_among
from kofn.questions.filters import QuestionFilter, link
from kofn.unfinished_runs import with_unfinished
from kofn.writing.joining import sentences
from metrics.data.words import Text
from pages.shared.internals import DeltaGenerator
from pages.shared.showing.matching import check_questions
from pages.shared.translating import _, run_on, say
from reports.run.report import Run

BESIDE = 2
"""The most sentences beside the first one in letters of the usual size."""


def show_answer(answer: Text, runs: Mapping[str, Run]) -> None:
    """Show what a page has found: the first sentence large, two more, the rest small.

    What an average leaves out is always small.
    """
    first, *others = sentences(with_unfinished(answer, runs))
    st.header(say(first), anchor=False, width=900)
    aside = {*exclusions_among(runs)}
    beside = [sentence for sentence in others if sentence not in aside][:BESIDE]
    if beside:
        st.markdown(run_on(map(say, beside)), width=900)
    if small := [sentence for sentence in others if sentence not in beside]:
        st.caption(run_on(map(say, small)), width=900)


def place_beside_title() -> DeltaGenerator:
    """Return a place in the line of the page's title; in a narrow window it is here."""
    return st.container(key="kofn.beside.title")


def link_to_wins(runs: Mapping[str, Run]) -> None:
    """Lead to who wins by other criteria than that of the page, where there are several models."""
    if len({run.model for run in runs.values()}) > 1:
        with place_beside_title():
            st.page_link(
                "pages/results/overview/page.py",
                label=f":small[{_('Who wins by what')}]",
                icon=":material/arrow_forward:",
            )


def show_leaders(answer: Text, runs: Mapping[str, Run]) -> None:
    """Open a page whose answer names who leads, and check what its runs share.

    Call it when all is compared; see `check_questions`.
    """
    show_answer(answer, runs)
    link_to_wins(runs)
    check_questions()


def link_to_questions(label: str, chosen: QuestionFilter, view: View) -> None:
    """Link to the list of questions that some choices describe.

    label: Markdown.
    view: The settings of this page, to be kept there.
    """
    st.page_link(
        "pages/data/questions/page.py",
        label=label,
        icon=":material/list:",
        query_params=link(chosen, view),
    )
