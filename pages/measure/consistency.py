"""Does the model know, or is it lucky: a vote against the average."""

import streamlit as st

from pages.widgets import (
    _,
    answer_votes,
    choose_view,
    choose_votes,
    explain_intervals,
    require_runs,
    set_against,
    show_questions_of_one,
    show_votes,
)

st.title(_("Consistency"), anchor=False)
runs = require_runs()
view = choose_view(runs)
choices = choose_votes(runs, view)
cards = set_against(runs, view, choices)
answer_votes(cards)
show_votes(cards, choices)
explain_intervals(view, runs)
show_questions_of_one(cards, choices)
