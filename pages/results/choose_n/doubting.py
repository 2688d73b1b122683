"""What stands behind the first screen, for those who doubt it: a tab for each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from kofn.choices.focus import by_dataset, largest
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.pricing import Pricing
from kofn.standings.lines import means
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text
from pages.results.choose_n.budgets.showing import show_short_answers, tell_same_tokens
from pages.results.choose_n.candidates.showing import show_best_of_n
from pages.results.choose_n.early import show_early
from pages.results.choose_n.showing import explain_choices, list_choices
from pages.results.choose_n.ways import show_ways
from pages.shared.translating import _, say
from reports.run.report import Run

OPEN = "kofn.choose_n.more"
"""Keeps which tab is open."""
ASKED = "more"
"""In an address, the tab to open."""


def show_more(
    chosen: Sequence[ChoiceCard], runs: Mapping[str, Run], view: View, pricing: Pricing
) -> None:
    """Show ways to choose an answer side by side, and what lies behind each of them."""
    if not any(one.found for one in chosen):
        return
    groups = by_dataset(runs)
    dataset = largest(groups)
    own = groups[dataset]
    told = Text(
        "This is about {dataset}; choose another dataset above.", dataset=named(printable(dataset))
    )

    def of_one(show: Callable[[Mapping[str, Run], View], None]) -> None:
        if len(own) < len(runs):
            st.caption(say(told))
        show(own, view)

    def short_answers() -> None:
        if len(own) < len(runs):
            tell_same_tokens(runs, view)
        of_one(show_short_answers)

    parts: dict[str, tuple[str, Callable[[], None]]] = {
        "ways": (_("Ways side by side"), lambda: show_ways(chosen, runs, view)),
        "every-n": (_("Every n"), lambda: list_choices(chosen, pricing)),
        "early": (_("Votes that end early"), lambda: show_early(chosen)),
        "best-of-n": (_("Best of n"), lambda: of_one(show_best_of_n)),
        "short-answers": (_("Short answers"), short_answers),
    }
    if means(chosen) or not all(one.found.choice.votes for one in chosen if one.found):
        del parts["early"]
    if ASKED in st.query_params:
        asked = st.query_params.pop(ASKED)
        if asked in parts:
            st.session_state[OPEN] = parts[asked][0]
    labels = [label for label, _show in parts.values()]
    tabs = st.tabs(labels, key=OPEN, on_change="rerun")
    for tab, (_label, show) in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
    explain_choices(chosen)
