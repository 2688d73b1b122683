"""Which questions are right, wrong or flaky, and what the model said."""

from functools import partial

import streamlit as st

from kofn.leaderboard.field import assumed_in
from kofn.questions.filters import QuestionFilter
from kofn.questions.words import answer
from pages.data.questions.browser import browse_questions
from pages.data.questions.data import gather_questions
from pages.data.questions.filters import choose_listed, link_to_lost
from pages.data.questions.remote_questions import answer_elsewhere, list_elsewhere
from pages.data.questions.shape import show_shape
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs
from pages.shared.showing.answers import show_answer
from pages.shared.showing.finish_reasons import look_at_ends, states_of
from pages.shared.showing.parts import show_parts
from pages.shared.translating import _

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
        show_answer(answer([shown.a], assumed_in([shown.a.run])), asked)
        link_to_lost(shown, view)
    browse_questions(shown, view)
    shape = _("The shape of the run"), partial(show_shape, shown)
    show_parts(states_of(look_at_ends(asked, view)) | {"shape": shape})
