"""What to do with a model, by AISBench's scenarios and decision matrix."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.guidance.analysis import Goals
from kofn.guidance.answer import answer
from kofn.guidance.choices import InDetail
from pages.widgets import (
    _,
    choose_dataset,
    choose_targets,
    choose_view,
    download_guidance,
    explain_guidance,
    go_on,
    guide_all,
    require_runs,
    show_advice,
    show_answer,
    show_one,
    show_places,
    show_targets,
)

st.title(_("Guidance"), anchor=False)
runs = require_runs(Focus, Goals, InDetail)
view = choose_view(runs, ("run", "k", "segment", "level", "missing"))
first = st.container()
shown = choose_dataset(runs, view, most=None)
picture = st.container()
targets = choose_targets()
cards = guide_all(shown, view, targets)
with first:
    show_answer(answer(cards), shown)
with picture:
    show_places(cards)
    show_targets(cards)
    show_advice(cards)
    go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
show_one(cards)
explain_guidance(cards, targets)
download_guidance(cards)
