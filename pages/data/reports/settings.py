"""How the loaded runs were made."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.inventory.columns import settings_apart
from kofn.inventory.words import settings_in_words
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, say
from reports.run.report import Run


def settings_of(runs: Mapping[str, Run]) -> dict[str, Part]:
    """Return the settings that the files state, if they state any, as a part of a page."""
    if not any(run.settings for run in runs.values()):
        return {}
    return {"made": (_("How the runs were made"), lambda: _show(runs))}


def _show(runs: Mapping[str, Run]) -> None:
    """Say what is shared in words, and list the rest."""
    for sentence in settings_in_words(runs):
        st.markdown(say(sentence))
    apart = settings_apart(runs)
    if len(apart) > 1:
        made = [(key, run) for key, run in runs.items() if run.settings]
        show_table(apart, made, _("Settings in which runs differ"))
