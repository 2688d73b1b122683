"""How the loaded runs were made."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from kofn.inventory.settings import how_made
from pages.shared.translating import _, say
from reports.run.report import Run


def show_settings(runs: Mapping[str, Run]) -> None:
    """Offer the settings that the files state: what is shared in words, the rest as a table."""
    made = how_made(runs, _("Run"))
    if made is None:
        return
    with st.expander(_("How the runs were made")):
        for sentence in filter(None, (made.shared, made.silent)):
            st.markdown(say(sentence))
        if made.rows:
            table = pd.DataFrame(made.rows)
            st.dataframe(table, hide_index=True, alt=_("Settings in which runs differ"))
