"""Which questions are right, wrong or flaky, and what the model said."""

import streamlit as st

from kofn.questions.answer import answer
from kofn.questions.filters import QuestionFilter
from pages.widgets import (
    _,
    browse_questions,
    choose_questions,
    choose_view,
    look_at_ends,
    require_runs,
    show_answer,
    show_references,
    show_shape,
    show_states,
)

st.title(_("Questions"), anchor=False)
runs = require_runs(QuestionFilter)
view = choose_view(runs, ("run", "segment", "missing"))
first = st.container()
shown = choose_questions(runs, view)
with first:
    asked = {each.key: each.run for each in shown.runs}
    show_answer(answer([shown.a]), asked)
show_states(look_at_ends(asked, view))
show_shape(shown)
show_references(shown, runs, view)
browse_questions(shown, view)
