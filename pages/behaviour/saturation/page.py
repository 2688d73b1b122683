"""What more samples buy."""

from functools import partial

import streamlit as st

from kofn.choices.focus import Focus
from kofn.saturation.analysis import CurveSpan
from pages.behaviour.saturation.curves import (
    answer_curves,
    choose_bands,
    choose_curve,
    list_curves,
    show_curves,
    take_away_curves,
    trace_all,
    trust_of,
)
from pages.shared.controls.datasets import choose_suite
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.parts import show_parts
from pages.shared.translating import _

st.title(_("Saturation"), anchor=False)
runs = require_runs(Focus, CurveSpan)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
opening = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    shown = choose_suite(runs, view)
    view, span = choose_curve(shown, view)
curves = trace_all(shown, view, span)
with opening:
    answer_curves(curves, shown)
with controls:
    choose_bands(curves, span)
show_curves(curves, span)
show_parts(
    list_curves(curves) | trust_of(curves),
    partial(take_away_curves, curves),
    partial(tell_notes, view, runs),
)
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
