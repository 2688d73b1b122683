"""Which run is better, by how much, and whether it could be luck."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.compare.choices import CompareChoices
from kofn.plan.choices import PlanChoices
from kofn.series.choices import SeriesChoices
from pages.results.compare.choosing import choose_comparison
from pages.results.compare.listing import download_comparison, list_comparison
from pages.results.compare.pictures import show_picture
from pages.results.compare.planning import show_plan
from pages.results.compare.questions import show_pair
from pages.results.compare.series import show_series
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.matching import check_questions
from pages.shared.translating import _

st.title(_("Compare"), anchor=False)
runs = require_runs(Focus, CompareChoices, PlanChoices, SeriesChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
compared = choose_comparison(runs, view)
checked = st.container()
picture, pair = st.columns([14, 5], gap="medium")
with picture:
    show_picture(compared)
with pair:
    show_pair(compared)
list_comparison(compared)
show_plan(compared)
show_series(compared)
explain_intervals(view, runs)
download_comparison(compared)
with checked:
    check_questions()
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
