"""Every dataset at a glance: who leads, what is wrong, where to go on."""

import streamlit as st

from kofn.card import runs_of
from kofn.overview.analysis import ended
from kofn.overview.answer import answer, scope
from kofn.overview.choices import BoardChoices
from pages.results.overview.board import show_board
from pages.results.overview.datasets import link_to_wrong, show_datasets, show_scope, show_wins
from pages.results.overview.looking import look_at_all, look_for_wins
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs, tell_waiting
from pages.shared.showing.answers import show_answer
from pages.shared.showing.matching import check_questions
from pages.shared.showing.states import show_states
from pages.shared.translating import _

st.title(_("Overview"), anchor=False)
runs = require_runs(BoardChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"), warn=False)
cards = look_at_all(runs, view)
show_answer(answer(cards), runs_of(cards))
link_to_wrong(cards)
check_questions()
tell_waiting()
show_wins(look_for_wins(runs, view))
show_board(runs, cards, view)
show_datasets(cards, view)
show_states(list(ended(cards)))
explain_intervals(view, runs)
show_scope(scope(cards))
