"""Which run is better, by how much, and whether it could be luck."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.compare.choices import CompareChoices
from kofn.plan.choices import PlanChoices
from kofn.series.choices import SeriesChoices
from pages.results.compare.showing import show_comparison
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.translating import _

st.title(_("Compare"), anchor=False)
runs = require_runs(Focus, CompareChoices, PlanChoices, SeriesChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
show_comparison(runs, view)
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
