"""Why accuracy and avg@n differ where scores give partial credit."""

from functools import partial

import streamlit as st

from kofn.card import are_counted, runs_of
from kofn.choices.focus import Focus
from kofn.soft_vs_hard.command import SOFT_VS_HARD
from kofn.soft_vs_hard.words import answer
from pages.behaviour.soft_vs_hard.showing import (
    choose_cutoff,
    choose_scored,
    compare_soft_hard,
    details_of,
    explain_soft_hard,
    found_of,
    list_scored,
    show_scores,
)
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs
from pages.shared.showing.answers import show_leaders
from pages.shared.showing.leaderboard import remembered_winner
from pages.shared.showing.parts import Part, show_parts
from pages.shared.showing.tables import take_away_found
from pages.shared.translating import _

st.title(_("Soft vs hard"), anchor=False)
runs = require_runs(Focus)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
first = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    scored = choose_scored(runs, view)
    cutoff = choose_cutoff(scored)
cards = compare_soft_hard(scored, view, cutoff)
with first:
    show_leaders(answer(cards, remembered_winner), runs_of(cards))
if not are_counted(cards):
    show_scores(cards)
found = found_of(cards)

parts: dict[str, Part] = {}
if found and not are_counted(cards):
    parts = {"table": (_("Each run"), partial(list_scored, found))} | details_of(found)
parts["meaning"] = _("What soft and hard are"), explain_soft_hard
show_parts(
    parts,
    partial(take_away_found, SOFT_VS_HARD, cards, "soft-vs-hard"),
    *([partial(tell_notes, view, runs)] if found else []),
)
