"""Repeated runs on the same questions, as samples of one run."""

from __future__ import annotations

import streamlit as st

from kofn.choices.joining import Joining
from metrics.data.words import Text
from pages.shared.choices import current_choices, tie_widget
from pages.shared.memory import session
from pages.shared.translating import _, say
from reports.combining import repeated_runs


def offer_joining() -> None:
    """Offer to take repeated runs as samples of one; say which cannot be."""
    groups = repeated_runs(session.reports().values())
    if not groups:
        return
    joined = current_choices(Joining).joined
    about = Text(
        "{count} model has several runs on the same dataset. Runs that asked the same questions "
        "in the same way can be joined as samples of one run, which then has n > 1.",
        "{count} models have several runs on the same dataset. Runs that asked the same "
        "questions in the same way can be joined as samples of one run, which then has n > 1.",
        count=len({group[0].model for group in groups}),
    )
    st.toggle(
        _("Take repeated runs as samples of one"),
        help=say(about),
        **tie_widget(Joining, "joined", joined),
    )
    for reason in session.shown_reports()[1]:
        st.warning(say(reason))
