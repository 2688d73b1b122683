"""What to do with a model, by AISBench's scenarios and decision matrix."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.guidance.analysis import Goals
from pages.widgets import (
    _,
    choose_dataset,
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
runs = require_runs(Focus, Goals)
view = choose_view(runs, ("run", "k", "segment", "level", "missing"))
explain_guidance()
targets = choose_targets()
shown = choose_dataset(runs, view)
cards = guide_all(shown, view, targets)
show_scenarios(cards)
show_matrices(cards)
show_profiles(cards)
download_guidance(cards)
