"""Does the model know, or is it lucky: a vote compared with the average."""

from functools import partial

import streamlit as st

from kofn.card import full_name
from kofn.choices.focus import Focus
from kofn.consistency.analysis import VoteChoices
from kofn.consistency.command import CONSISTENCY
from pages.behaviour.consistency.voted_questions import show_questions_of_one, votes_by_run
from pages.behaviour.consistency.votes import (
    answer_votes,
    choose_votes,
    list_votes,
    remarks_on,
    set_against,
    show_votes,
)
from pages.shared.controls.datasets import choose_suite
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs
from pages.shared.showing.parts import Part, show_parts
from pages.shared.showing.tables import take_away
from pages.shared.translating import _

st.title(_("Consistency"), anchor=False)
runs = require_runs(Focus, VoteChoices)
view = choose_view(runs)
first = st.container()
shown = choose_suite(runs, view)
choices = choose_votes(shown, view)
cards = set_against(shown, view, choices)
with first:
    answer_votes(cards)
show_votes(cards, choices)

parts: dict[str, Part] = {}
if votes_by_run(cards):
    parts = {
        "table": (_("Each run"), partial(list_votes, cards)),
        "questions": (_("Questions of one run"), partial(show_questions_of_one, cards, choices)),
    }
show_parts(
    parts,
    partial(take_away, CONSISTENCY, cards, "consistency"),
    partial(tell_notes, view, runs, remarks_on(cards), list(map(full_name, cards))),
)
