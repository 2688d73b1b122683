"""Does the model know, or is it lucky: a vote against the average."""

import streamlit as st

from pages.behaviour.consistency.voted_questions import show_questions_of_one
from pages.behaviour.consistency.votes import answer_votes, choose_votes, set_against, show_votes
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs
from pages.shared.translating import _

st.title(_("Consistency"), anchor=False)
runs = require_runs()
view = choose_view(runs)
choices = choose_votes(runs, view)
cards = set_against(runs, view, choices)
answer_votes(cards)
show_votes(cards, choices)
explain_intervals(view, runs)
show_questions_of_one(cards, choices)
