"""What more samples buy."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.saturation.analysis import Span
from kofn.saturation.answer import answer
from kofn.standings.pairs import match_so_far
from pages.widgets import (
    CURVES,
    _,
    check_questions,
    choose_bands,
    choose_curve,
    choose_dataset,
    choose_view,
    explain_curves,
    explain_intervals,
    go_on,
    list_curves,
    require_runs,
    show_answer,
    show_curves,
    trace,
)

st.title(_("Saturation"), anchor=False)
runs = require_runs(Focus, Span)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
opening = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    shown = choose_dataset(runs, view, CURVES)
    view, span = choose_curve(shown, view)
curves = trace(shown, view, span)
with opening:
    show_answer(answer(curves, match_so_far), shown)
    check_questions()
with controls:
    choose_bands(curves, span)
show_curves(curves, span)
list_curves(curves)
explain_curves(curves, span)
explain_intervals(view, runs)
go_on("pages/measure/candidates.py", _("Who picks one of them, and what that is worth"))
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
