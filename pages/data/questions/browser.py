"""A list of questions and the open one, each a part of the page that runs by itself."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kofn.choices.view import View
from kofn.questions.filters import QuestionFilter
from metrics.data.words import MetricError
from pages.data.questions.data import LIST, READER, Shown, select_questions
from pages.data.questions.filters import filter_questions
from pages.data.questions.reader import show_question
from pages.data.questions.table import show_table
from pages.shared.choices import current_choices
from pages.shared.memory.language import spoken
from pages.shared.translating import _, say
from reports.files.errors import LoadError


def browse_questions(shown: Shown, view: View) -> None:
    """Let the visitor filter the questions of a run and read one after the other."""
    filter_questions(shown, current_choices(QuestionFilter))
    try:
        rows = select_questions(shown, current_choices(QuestionFilter))
    except (LoadError, MetricError) as error:
        st.warning(say(error.text))
        return
    if len(rows):
        _list(shown, rows, view)
    else:
        st.info(_("No question is like that."))
    _read(shown, rows)


@st.fragment(key=LIST)
@spoken
def _list(shown: Shown, rows: NDArray[np.intp], view: View) -> None:
    show_table(shown, current_choices(QuestionFilter), rows, view)


@st.fragment(key=READER)
@spoken
def _read(shown: Shown, rows: NDArray[np.intp]) -> None:
    show_question(shown, current_choices(QuestionFilter), rows)
