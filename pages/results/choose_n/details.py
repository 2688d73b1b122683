"""Details below the first screen for readers who doubt it: a part for each question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from kofn.choices.focus import largest, runs_by_dataset
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.pricing import Pricing
from kofn.leaderboard.lines import cards_over_datasets
from kofn.writing.layout import short_name
from metrics.data.words import Text
from pages.results.choose_n.answer_ways import show_ways
from pages.results.choose_n.budgets.showing import show_short_answers, tell_same_tokens
from pages.results.choose_n.candidates.showing import show_best_of_n
from pages.results.choose_n.sequential_stopping import show_sequential
from pages.results.choose_n.showing import explain_choices, list_choices, list_lines
from pages.shared.showing.parts import Part
from pages.shared.translating import _, say
from reports.run.report import Run


def detail_parts(
    chosen: Sequence[ChoiceCard], runs: Mapping[str, Run], view: View, pricing: Pricing
) -> dict[str, Part]:
    """Return ways to choose an answer side by side, and what lies behind each, as parts."""
    if not any(one.found for one in chosen):
        return {}
    groups = runs_by_dataset(runs)
    dataset = largest(groups)
    own = groups[dataset]
    sentence = Text(
        "This is about {dataset}; choose another dataset above.",
        dataset=short_name(dataset),
    )

    def of_one(show: Callable[[Mapping[str, Run], View], None]) -> None:
        if len(own) < len(runs):
            st.caption(say(sentence))
        show(own, view)

    def short_answers() -> None:
        if len(own) < len(runs):
            tell_same_tokens(runs, view)
        of_one(show_short_answers)

    parts: dict[str, Part] = {
        "table": (_("Each model"), lambda: list_lines(chosen)),
        "ways": (_("Ways side by side"), lambda: show_ways(chosen, runs, view)),
        "every-n": (_("Every n"), lambda: list_choices(chosen, pricing)),
        "early": (_("Votes that end early"), lambda: show_sequential(chosen)),
        "best-of-n": (_("Best of n"), lambda: of_one(show_best_of_n)),
        "short-answers": (_("Short answers"), short_answers),
        "reliability": (_("How reliable is this rule?"), lambda: explain_choices(chosen)),
    }
    if cards_over_datasets(chosen) or not all(
        one.found.choice.votes for one in chosen if one.found
    ):
        del parts["early"]
    return parts
