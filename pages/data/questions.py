"""Which questions are right, wrong or flaky, and what the model said."""

import streamlit as st

from kofn.questions.filters import QuestionFilter
from pages.widgets import (
    _,
    browse_questions,
    choose_questions,
    choose_view,
    require_runs,
    show_shape,
)

st.title(_("Questions"), anchor=False)
runs = require_runs(QuestionFilter)
view = choose_view(runs, ("run", "segment", "missing"))
shown = choose_questions(runs, view)
show_shape(shown)
browse_questions(shown)
