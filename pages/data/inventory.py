"""What is loaded, and whether it can be trusted."""

import streamlit as st

from pages.widgets import (
    _,
    compare_stated,
    go_on,
    list_stated,
    load_reports,
    loaded_runs,
    offer_counting_again,
    offer_following,
    offer_joining,
    offer_repair,
    receive_reports,
    show_inventory,
    show_kept_files,
    show_notes,
    show_reconciliation,
    show_settings,
    tell_what_came,
)

st.title(_("Reports"), anchor=False)
receive_reports()
runs = loaded_runs()
stated = compare_stated(runs)
tell_what_came(runs, stated)
offer_following()
offer_counting_again()
if runs:
    go_on("pages/data/overview.py", _("Go on to the overview"))
load_reports()
if runs:
    show_reconciliation(stated)
    offer_repair()
    offer_joining()
    show_inventory(runs)
    show_settings(runs)
    list_stated(stated)
    show_notes(runs)
show_kept_files()
