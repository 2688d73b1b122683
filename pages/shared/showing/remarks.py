"""Caveats on the numbers of several runs, and what is not known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text, some_of
from pages.shared.translating import say
from reports.run.report import Run

NAMED = 5
"""The most runs that a remark names."""
COUNTED_NAMED = 3
"""The most runs that are named whose samples stay elsewhere."""


def tell_remarks(remarks: Mapping[Text, Sequence[str]], names: Sequence[str]) -> None:
    """Say every remark once, and of which runs unless it is of all.

    remarks: With the names of their runs.
    names: Of all runs that are shown.
    """
    for text, of_runs in remarks.items():
        whose = some_of(map(short_name, of_runs), NAMED)
        st.caption(say(with_name(whose, text) if len(of_runs) < len(names) else text))


def tell_counted(what: Text, runs: Mapping[str, Run]) -> None:
    """Say what is not known of the runs whose samples stay elsewhere, if there is any."""
    counted = [key for key, run in runs.items() if run.counts is not None]
    if counted:
        sentence = Text(
            "{what} is unknown for {runs}, whose samples stay where they are.",
            what=what,
            runs=some_of(map(short_name, counted), COUNTED_NAMED),
        )
        st.caption(say(sentence))
