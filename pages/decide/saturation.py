"""What more samples buy."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.saturation.analysis import Span
from pages.widgets import (
    _,
    choose_curve,
    choose_dataset,
    choose_view,
    explain_curves,
    explain_intervals,
    go_on,
    list_curves,
    require_runs,
    show_curves,
    trace,
)

st.title(_("Saturation"), anchor=False)
runs = require_runs(Focus, Span)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
with st.container(horizontal=True, vertical_alignment="bottom"):
    shown = choose_dataset(runs, view)
    view, span = choose_curve(shown, view)
curves = trace(shown, view, span)
show_curves(curves, span)
explain_curves(curves)
explain_intervals(view)
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
list_curves(curves)
