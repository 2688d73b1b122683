"""What is loaded, and whether it can be trusted."""

import streamlit as st

from pages.widgets import (
    _,
    go_on,
    list_reports,
    load_reports,
    loaded_runs,
    show_inventory,
    show_kept_files,
    show_notes,
    show_reconciliation,
)

st.title(_("Reports"), anchor=False)
load_reports()
runs = loaded_runs()
if runs:
    list_reports()
    go_on("pages/measure/scorecard.py", _("Go on to the scorecard"))
    show_inventory(runs)
    show_reconciliation(runs)
    show_notes(runs)
show_kept_files()
