"""Which model to use, over all datasets or on one: who wins by what, and what is wrong."""

import streamlit as st

from kofn.card import runs_of
from kofn.choices.focus import Focus
from kofn.overview.analysis import ended
from kofn.overview.answer import answer, scope
from kofn.overview.choices import BoardChoices
from kofn.scorecard.choices import ScoreChoices
from pages.results.overview.board import show_board
from pages.results.overview.datasets import link_to_wrong, show_datasets, show_scope, show_wins
from pages.results.overview.looking import look_at_all, look_at_checked, look_for_wins
from pages.results.overview.taking import offer_report
from pages.shared.controls.datasets import choose_datasets
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs, tell_waiting
from pages.shared.showing.answers import show_answer
from pages.shared.showing.matching import check_questions
from pages.shared.showing.states import show_states
from pages.shared.translating import _

st.title(_("Overview"), anchor=False)
runs = require_runs(Focus, BoardChoices, ScoreChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"), warn=False)
first = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    shown = choose_datasets(runs, view)
cards = look_at_all(shown, view)
with first:
    show_answer(answer(cards, look_at_checked(shown, view)), runs_of(cards))
    link_to_wrong(cards)
    check_questions()
    tell_waiting()
    show_wins(look_for_wins(shown, view))
show_board(shown, cards, view, controls)
show_datasets(cards, view)
show_states(list(ended(cards)))
explain_intervals(view, shown)
show_scope(scope(cards))
offer_report(view)
