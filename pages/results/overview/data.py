"""What the overview shows, computed once for a View and kept until the reports change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from kofn.card import Card
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending
from kofn.leaderboard.pairs import match_so_far
from kofn.overview.analysis import (
    Glance,
    GlanceCard,
    averages,
    summarize_runs,
    with_usual_metric,
)
from kofn.overview.wins import Win, find_wins
from kofn.overview.words import best_with_checks
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.memory.chosen import choose_means_once, choose_once
from pages.shared.showing.leaderboard import remembered_field, remembered_suite
from pages.shared.translating import _
from reports.run.report import Run

Glances = dict[str, tuple[Glance | None, Text | None]]
"""By run: what is kept must not hold the run, so that it can be removed."""


def summarize_all(runs: Mapping[str, Run], view: View) -> tuple[GlanceCard, ...]:
    """Look at the runs of a View, and at the averages of their suites and models."""
    with st.spinner(_("Estimating"), show_time=True):
        shown = shown_runs(runs, view.runs)
        read = tuple(key for key, run in shown.items() if run.audited.known)
        glances, edge = _look(runs, view, read)
    used = with_usual_metric(shown, view)
    return (*(Card(key, run, used, None, *glances[key]) for key, run in shown.items()), *edge)


@remember(50)
def _look(
    runs: Mapping[str, Run], view: View, read: tuple[str, ...]
) -> tuple[Glances, tuple[GlanceCard, ...]]:
    cards = summarize_runs(runs, view, find=remembered_field, find_together=remembered_suite)
    edge = averages(session.shown_reports()[0], cards)
    return {card.key: (card.found, card.reason) for card in cards}, tuple(edge)


def find_wins_once(runs: Mapping[str, Run], view: View) -> tuple[Win, ...]:
    """Find out who wins by what, once for the same runs and View."""
    with st.spinner(_("Estimating"), show_time=True):
        return _wins(runs, replace(view, metric=None, k=()), match_so_far)


def find_best_with_checks(runs: Mapping[str, Run], view: View) -> Text | None:
    """Say what answers that can be checked solve, with what Choose n has found."""

    def choose(group: Mapping[str, Run], settings: View, pricing: Pricing) -> list[ChoiceCard]:
        return choose_once(group, settings, pricing, Ending())

    with st.spinner(_("Weighing gain against cost"), show_time=True):
        return best_with_checks(runs, view, choose, choose_means_once)


_wins = remember(50)(find_wins)
