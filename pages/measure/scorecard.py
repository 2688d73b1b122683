"""Every metric of every run, with its interval."""

import streamlit as st

from pages.widgets import (
    _,
    choose_view,
    download_scores,
    explain_intervals,
    explain_metrics,
    go_on,
    require_runs,
    score,
    show_scores,
)

st.title(_("Scorecard"), anchor=False)
runs = require_runs()
view = choose_view(runs)
cards = score(runs, view)
explain_intervals(view)
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
show_scores(cards)
explain_metrics(cards)
download_scores(cards)
