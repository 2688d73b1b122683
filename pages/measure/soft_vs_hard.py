"""Why accuracy and avg@n differ where scores give partial credit."""

import streamlit as st

from kofn.soft_hard.answer import answer
from pages.widgets import (
    _,
    choose_cutoff,
    choose_view,
    compare_soft_hard,
    download_soft_hard,
    explain_intervals,
    explain_soft_hard,
    require_runs,
    show_answer,
    show_soft_hard,
)

st.title(_("Soft vs hard"), anchor=False)
runs = require_runs()
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
cutoff = choose_cutoff()
cards = compare_soft_hard(runs, view, cutoff)
show_answer(answer(cards))
show_soft_hard(cards)
explain_intervals(view, runs)
explain_soft_hard()
download_soft_hard(cards)
