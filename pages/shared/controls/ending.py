"""Whether sampling of a question stops early."""

from __future__ import annotations

import streamlit as st

from kofn.choose_n.sequential_stopping import MOST, Ending
from kofn.choose_n.words import RULES
from pages.shared.choices import current, tied
from pages.shared.translating import _, plain


def choose_ending() -> None:
    """Ask when a vote ends before all of its samples are drawn."""
    ending = current(Ending)
    named = {"best": _("By the rule that pays most")} | {
        name: plain(called) for name, called in RULES.items()
    }
    st.selectbox(
        _("Votes may end early"),
        list(named),
        format_func=named.__getitem__,
        **tied(Ending, "rule", ending.rule),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            _("Leader likely, in percent"),
            min_value=50.0,
            max_value=99.99,
            format="%.4g",
            width=190,
            help=_("Adaptive-Consistency: how likely the leader must be to stay ahead."),
            **tied(
                Ending, "confidence", 100 * ending.confidence, lambda shown: round(shown / 100, 6)
            ),
        )
        st.number_input(
            _("Equal answers in a row"),
            min_value=2,
            max_value=MOST,
            width=190,
            help=_("Early-stopping self-consistency: the width of its windows."),
            **tied(Ending, "window", ending.window),
        )
        st.number_input(
            _("Most samples"),
            min_value=1,
            max_value=MOST,
            placeholder=_("the n to use"),
            width=190,
            **tied(Ending, "cap", ending.cap),
        )
