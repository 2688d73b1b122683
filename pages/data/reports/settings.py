"""How the loaded runs were made."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from kofn.inventory.settings import Made, how_made
from pages.shared.showing.parts import Part
from pages.shared.translating import _, say
from reports.run.report import Run


def settings_of(runs: Mapping[str, Run]) -> dict[str, Part]:
    """Return the settings that the files state, if they state any, as a part of a page."""
    made = how_made(runs, _("Run"))
    return {} if made is None else {"made": (_("How the runs were made"), lambda: _show(made))}


def _show(made: Made) -> None:
    """Say what is shared in words, and list the rest."""
    for sentence in filter(None, (made.shared, made.silent)):
        st.markdown(say(sentence))
    if made.rows:
        table = pd.DataFrame(made.rows)
        st.dataframe(table, hide_index=True, alt=_("Settings in which runs differ"))
