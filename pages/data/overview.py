"""Every dataset at a glance: who leads, what is wrong, where to go on."""

import streamlit as st

from kofn.card import runs_of
from kofn.overview.analysis import ended
from kofn.overview.answer import answer, scope
from kofn.overview.choices import BoardChoices
from pages.widgets import (
    _,
    check_questions,
    choose_view,
    explain_intervals,
    link_to_wrong,
    look_at_all,
    look_for_wins,
    require_runs,
    show_answer,
    show_board,
    show_datasets,
    show_scope,
    show_states,
    show_wins,
    tell_waiting,
)

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
