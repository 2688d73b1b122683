"""Tables that are too long to be seen whole."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.data.words import Text
from pages.widgets.shared.translating import say

ROWS = 10
"""The most runs of a table that are shown at once."""


def list_runs(lines: pd.DataFrame) -> None:
    """Show a row for each run, those beyond the first folded away."""
    st.table(lines[:ROWS], border="horizontal")
    if rest := len(lines[ROWS:]):
        with st.expander(say(Text("{count} more run", "{count} more runs", count=rest))):
            st.table(lines[ROWS:], border="horizontal")
