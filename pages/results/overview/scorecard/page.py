"""Every metric of every run, with its interval."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.scorecard.choices import ScoreChoices
from pages.results.overview.scorecard.choosing import choose_scores
from pages.results.overview.scorecard.details import explain_metrics, show_one_run
from pages.results.overview.scorecard.table import download_scores, list_scores, show_forest
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.states import look_at_ends, show_states
from pages.shared.translating import _

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
    go_on("pages/results/compare/page.py", _("Compare the runs"))
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
