"""Which run is better, by how much, and whether it could be luck."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.compare.choices import CompareChoices
from kofn.plan.choices import PlanChoices
from kofn.series.choices import SeriesChoices
from pages.widgets import (
    _,
    check_questions,
    choose_comparison,
    choose_view,
    download_comparison,
    explain_intervals,
    go_on,
    list_comparison,
    require_runs,
    show_pair,
    show_picture,
    show_plan,
    show_series,
)

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
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
