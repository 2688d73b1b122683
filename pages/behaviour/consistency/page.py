"""Does the model know, or is it lucky: a vote against the average."""

from functools import partial

import streamlit as st

from kofn.card import full_name
from pages.behaviour.consistency.voted_questions import show_questions_of_one, voted
from pages.behaviour.consistency.votes import (
    answer_votes,
    choose_votes,
    list_votes,
    remarks_on,
    set_against,
    show_votes,
    take_away_votes,
)
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs
from pages.shared.showing.parts import Part, show_parts
from pages.shared.translating import _

st.title(_("Consistency"), anchor=False)
runs = require_runs()
view = choose_view(runs)
choices = choose_votes(runs, view)
cards = set_against(runs, view, choices)
answer_votes(cards)
show_votes(cards, choices)

parts: dict[str, Part] = {}
if voted(cards):
    parts = {
        "table": (_("Each run"), partial(list_votes, cards)),
        "questions": (_("Questions of one run"), partial(show_questions_of_one, cards, choices)),
    }
show_parts(
    parts,
    partial(take_away_votes, cards),
    partial(tell_notes, view, runs, remarks_on(cards), list(map(full_name, cards))),
)
