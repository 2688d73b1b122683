"""How many tries of a question are drawn."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.view import View
from pages.shared.choices import tied
from pages.shared.memory.facts import run_facts
from reports.run.report import Run


def choose_one_k(label: str, runs: Mapping[str, Run], view: View, usual: int) -> int:
    """Ask for k by a slider up to the most samples of any run; without a choice it is the usual."""
    facts = [fact for key, run in runs.items() if (fact := run_facts(key, run)) is not None]
    most = max((fact.n_min for fact in facts), default=1)
    k = min(view.k[0] if view.k else usual, max(most, 1))
    if most > 1:
        st.slider(label, 1, most, width=200, **tied(View, "k", k, lambda k: (k,), most))
    return k
