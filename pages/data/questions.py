"""Which questions are right, wrong or flaky, and what the model said."""

import streamlit as st

from kofn.questions.answer import answer
from kofn.questions.filters import QuestionFilter
from pages.widgets import (
    _,
    answer_elsewhere,
    browse_questions,
    choose_listed,
    choose_view,
    gather_questions,
    list_elsewhere,
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
key = choose_listed(runs, view)
if runs[key].counts is not None:
    with first:
        answer_elsewhere(key, runs[key], view)
    list_elsewhere(key, runs[key], view)
else:
    shown = gather_questions(runs, view, key)
    with first:
        asked = {each.key: each.run for each in shown.runs}
        show_answer(answer([shown.a]), asked)
    show_states(look_at_ends(asked, view))
    show_shape(shown)
    show_references(shown, runs, view)
    browse_questions(shown, view)
