"""The sentence that a page opens with."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.unfinished import with_unfinished
from metrics.data.words import Text
from pages.shared.translating import say
from reports.run.report import Run


def show_answer(answer: Text, runs: Mapping[str, Run]) -> None:
    """Show what a page has found of some runs, under its title and above its controls."""
    st.header(say(with_unfinished(answer, runs)), anchor=False, width=900)
