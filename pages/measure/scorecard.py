"""Every metric of every run, with its interval."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.scorecard.choices import ScoreChoices
from pages.widgets import (
    _,
    choose_scores,
    choose_view,
    download_scores,
    explain_intervals,
    explain_metrics,
    go_on,
    list_scores,
    look_at_ends,
    require_runs,
    show_forest,
    show_one_run,
    show_states,
)

st.title(_("Scorecard"), anchor=False)
runs = require_runs(Focus, ScoreChoices)
view = choose_view(runs, shared_k=True)
sheet = choose_scores(runs, view)
list_scores(sheet)
show_one_run(sheet)
show_forest(sheet)
show_states(look_at_ends(sheet.inside, view))
explain_intervals(view, runs)
explain_metrics(sheet)
download_scores(sheet)
if len(runs) > 1:
    go_on("pages/decide/compare.py", _("Compare the runs"))
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
