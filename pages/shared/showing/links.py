"""Links from a number to the questions behind it."""

from __future__ import annotations

import streamlit as st

from kofn.choices.view import View
from kofn.questions.filters import QuestionFilter, link


def link_to_questions(label: str, chosen: QuestionFilter, view: View | None = None) -> None:
    """Link to the list of questions that some choices describe.

    Parameters
    ----------
    label : str
        Markdown.
    chosen : QuestionFilter
    view : View, optional
        The settings of this page, to be kept there.
    """
    st.page_link(
        "pages/data/questions/page.py",
        label=label,
        icon=":material/list:",
        query_params=link(chosen, view),
    )
