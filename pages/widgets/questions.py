"""A list of questions, and the one that is open, as a part of the page that runs by itself."""

from __future__ import annotations

import streamlit as st

from kofn.questions import QuestionFilter
from metrics.words import MetricError
from pages.widgets.choices import current
from pages.widgets.question_data import Shown, select_questions
from pages.widgets.question_filters import filter_questions
from pages.widgets.question_reader import show_question
from pages.widgets.question_table import show_table
from pages.widgets.words import _, say
from reports.report import LoadError


@st.fragment
def browse_questions(shown: Shown) -> None:
    """Let the visitor filter the questions of a run and read one after the other."""
    chosen = current(QuestionFilter)
    filter_questions(shown, chosen)
    try:
        rows = select_questions(shown, chosen)
    except (LoadError, MetricError) as error:
        st.warning(say(error.text))
        return
    if len(rows):
        show_table(shown, chosen, rows)
    else:
        st.info(_("No question is like that."))
    show_question(shown, chosen, rows)
