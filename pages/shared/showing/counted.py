"""Messages in place of what needs the single samples of runs."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.writing.layout import named
from metrics.data.words import Text, some_of
from pages.shared.translating import say
from reports.run.report import Run

NAMED = 3
"""The most runs that are named."""


def tell_counted(what: Text, runs: Mapping[str, Run]) -> None:
    """Say what is not known of the runs whose samples stay elsewhere, if there is any."""
    counted = [key for key, run in runs.items() if run.counts is not None]
    if counted:
        told = Text(
            "{what} is unknown for {runs}, whose samples stay where they are.",
            what=what,
            runs=some_of(map(named, counted), NAMED),
        )
        st.caption(say(told))
