"""What is loaded, and whether it can be trusted."""

from functools import partial

import streamlit as st

from pages.data.reports.joining import offer_joining
from pages.data.reports.notes import notes_of
from pages.data.reports.reconciliation import (
    compare_stated,
    show_reconciliation,
    stated_of_all,
    tell_what_came,
)
from pages.data.reports.repairing import offer_repair
from pages.data.reports.settings import settings_of
from pages.data.reports.table import show_inventory, take_away_inventory
from pages.shared.loading.following import offer_counting_again, offer_following
from pages.shared.loading.guards import go_on
from pages.shared.loading.kept_files import show_kept_files
from pages.shared.loading.loading import ask_open, load_more, receive_reports
from pages.shared.memory.session import loaded_runs, reports
from pages.shared.showing.parts import Part, show_parts
from pages.shared.translating import _

OVERVIEW = "pages/results/overview/page.py"

st.title(_("Reports"), anchor=False)
if receive_reports():
    st.switch_page(OVERVIEW)
runs = loaded_runs()
stated = compare_stated(runs)
tell_what_came(runs, stated)
with st.container(horizontal=True, vertical_alignment="bottom"):
    offer_following()
    offer_repair()
offer_counting_again()
ask_open()
parts: dict[str, Part] = {}
if runs:
    differ = show_reconciliation(stated)
    offer_joining()
    if differ:
        parts["runs"] = _("Each run"), partial(show_inventory, runs)
    else:
        show_inventory(runs)
    parts |= stated_of_all(stated) | settings_of(runs) | notes_of(runs)
if reports():
    parts["load"] = _("Load more, or remove"), load_more
    show_parts(parts, *([partial(take_away_inventory, runs)] if runs else []))
if runs:
    go_on(OVERVIEW, _("Go on to the overview"))
show_kept_files()
