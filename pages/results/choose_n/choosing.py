"""The n to pay for, chosen once for the same settings, and the answer in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from kofn.card import runs_of
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending
from kofn.choose_n.words import alternatives, choice_of, exceptions
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from pages.shared.choices import current_choices
from pages.shared.memory.chosen import choose_means_once, choose_once
from pages.shared.memory.known import find_texts
from pages.shared.showing.answers import link_to_wins, show_answer
from pages.shared.translating import _, run_on, say
from reports.files.errors import LoadError
from reports.run.report import Run


def choose_samples(runs: Mapping[str, Run], view: View, pricing: Pricing) -> tuple[ChoiceCard, ...]:
    """Choose among models over all datasets and among the runs of each, once for the settings."""
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    if pricing.basis == "lengths":
        for key, run in runs.items():
            with suppress(LoadError):
                find_texts(key, run)
    with st.spinner(_("Weighing gain against cost"), show_time=True):
        found = choose_once(runs, settings, pricing, current_choices(Ending))
        return (*found, *choose_means_once(runs, settings, pricing))


def answer_choices(shown: Sequence[ChoiceCard], chosen: Sequence[ChoiceCard]) -> None:
    """Say which model to take at which n, or why none, and what stands beside that.

    shown: Models over all datasets, or the runs of one.
    chosen: All there are.
    """
    runs = runs_of(cards_of_runs(chosen))
    show_answer(choice_of(shown), runs)
    sentences = [
        *alternatives(shown),
        *(exceptions(shown, cards_of_runs(chosen)) if cards_over_datasets(shown) else ()),
    ]
    if sentences:
        st.markdown(run_on(map(say, sentences)), width=900)
    link_to_wins(runs)
