"""How good a set of candidates is, and what a signal gains that picks one of them."""

import streamlit as st

from kofn.candidates.answer import answer
from kofn.candidates.choices import Picking
from kofn.card import are_counted
from kofn.choices.focus import Focus
from kofn.choices.signals import is_picked_from
from pages.results.choose_n.candidates.choosing import choose_picking, examine_candidates
from pages.results.choose_n.candidates.details import (
    show_checklist,
    show_lists,
    show_nested,
    show_rivals,
    show_trust,
)
from pages.results.choose_n.candidates.diversity import show_diversity
from pages.results.choose_n.candidates.judges import show_judges
from pages.results.choose_n.candidates.showing import (
    download_candidates,
    explain_candidates,
    list_candidates,
    list_pickers,
    show_candidates,
)
from pages.shared.controls.datasets import choose_dataset
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.answers import show_answer
from pages.shared.translating import _

st.title(_("Candidates"), anchor=False)
runs = require_runs(Focus, Picking)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
opening = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    shown = choose_dataset(runs, view, None, preferred=is_picked_from)
    picking = choose_picking(shown)
    cards, card = examine_candidates(shown, view, picking)
with opening:
    show_answer(answer(cards, card.key), shown)
if not are_counted(cards):
    show_candidates(card)
    list_candidates(card)
    show_nested(card)
    list_pickers(cards)
    show_rivals(card)
    show_trust(card)
    show_lists(card)
    show_diversity(card)
    show_judges(card)
    show_checklist(card)
    explain_candidates()
    explain_intervals(view, shown)
    download_candidates(card, shown)
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
