"""What to do with a model, by AISBench's scenarios and decision matrix."""

import streamlit as st

from pages.widgets import (
    _,
    choose_targets,
    choose_view,
    download_guidance,
    explain_guidance,
    guide_all,
    require_runs,
    show_matrices,
    show_profiles,
    show_scenarios,
)

st.title(_("Guidance"), anchor=False)
runs = require_runs()
view = choose_view(runs, ("run", "k", "segment", "level", "missing"))
explain_guidance()
targets = choose_targets()
cards = guide_all(runs, view, targets)
show_scenarios(cards)
show_matrices(cards)
show_profiles(cards)
download_guidance(cards)
