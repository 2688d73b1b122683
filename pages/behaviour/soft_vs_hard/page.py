"""Why accuracy and avg@n differ where scores give partial credit."""

import streamlit as st

from kofn.card import are_counted, runs_of
from kofn.choices.focus import Focus
from kofn.soft_vs_hard.answer import answer
from pages.behaviour.soft_vs_hard.showing import (
    choose_cutoff,
    choose_scored,
    compare_soft_hard,
    download_soft_hard,
    explain_soft_hard,
    show_soft_hard,
)
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs
from pages.shared.showing.answers import show_answer
from pages.shared.showing.standings import remembered_winner
from pages.shared.translating import _

st.title(_("Soft vs hard"), anchor=False)
runs = require_runs(Focus)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
first = st.container()
scored = choose_scored(runs, view)
cutoff = choose_cutoff(scored)
cards = compare_soft_hard(scored, view, cutoff)
with first:
    show_answer(answer(cards, remembered_winner), runs_of(cards))
if not are_counted(cards):
    show_soft_hard(cards)
if any(card.found for card in cards):
    explain_intervals(view, runs)
explain_soft_hard()
download_soft_hard(cards)
