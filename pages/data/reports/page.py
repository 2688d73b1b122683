"""What is loaded, and whether it can be trusted."""

import streamlit as st

from pages.data.reports.joining import offer_joining
from pages.data.reports.notes import show_notes
from pages.data.reports.reconciliation import (
    compare_stated,
    list_stated,
    show_reconciliation,
    tell_what_came,
)
from pages.data.reports.repairing import offer_repair
from pages.data.reports.settings import show_settings
from pages.data.reports.table import show_inventory
from pages.shared.loading.following import offer_counting_again, offer_following
from pages.shared.loading.guards import go_on
from pages.shared.loading.kept_files import show_kept_files
from pages.shared.loading.loading import load_reports, receive_reports
from pages.shared.memory.session import loaded_runs
from pages.shared.translating import _

st.title(_("Reports"), anchor=False)
receive_reports()
runs = loaded_runs()
stated = compare_stated(runs)
tell_what_came(runs, stated)
offer_following()
offer_counting_again()
if runs:
    go_on("pages/results/overview/page.py", _("Go on to the overview"))
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
