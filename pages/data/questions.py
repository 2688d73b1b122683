"""Which questions are right, wrong or flaky, and what the model said."""

import streamlit as st

from pages.widgets import _, choose_view, require_runs

st.title(_("Questions"), anchor=False)
runs = require_runs()
view = choose_view(runs, ("run", "segment", "missing"))
