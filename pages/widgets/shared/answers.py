"""The sentence that a page opens with."""

from __future__ import annotations

import streamlit as st

from metrics.data.words import Text
from pages.widgets.shared.translating import say


def show_answer(answer: Text) -> None:
    """Show what a page has found, under its title and above its controls."""
    st.header(say(answer), anchor=False, width=900)
