"""Choose both axes, k and dataset, and get both numbers of each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from kofn.card import Finding, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.choose_n.pricing import Pricing
from kofn.leaderboard.lines import whole_lines
from kofn.leaderboard.pairs import match_so_far
from kofn.leaderboard.places_over_k import PlacesOverK, find_places
from kofn.trade_offs.analysis import (
    Trade,
    TradeCard,
    Weighing,
    usual_x,
    usual_y,
    weigh,
    weigh_means,
    weigh_run,
)
from kofn.trade_offs.choices import AXES, COSTS, TradeChoices
from kofn.trade_offs.figures import COST_NAMES
from kofn.trade_offs.numbers import is_cost
from kofn.trade_offs.words import answer
from kofn.workers.reading import tokens
from metrics.data.words import plain
from metrics.scoring.registry import metric_name
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.controls.datasets import choose_suite
from pages.shared.controls.metric import choose_one_k
from pages.shared.controls.prices import ask_costs
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.memory.chosen import tokens_once
from pages.shared.memory.known import find_texts
from pages.shared.showing.answers import show_leaders
from pages.shared.showing.parts import Part
from pages.shared.translating import _
from reports.files.errors import LoadError
from reports.run.report import Run

PRICED = {"tokens", "money"}
"""The axes that depend on how samples are counted and priced."""


@dataclass(frozen=True, eq=False)
class TradeSheet:
    """What the page shows: models over all datasets, or the runs of one."""

    view: View  # With the k.
    choices: TradeChoices
    pricing: Pricing
    runs: Mapping[str, Run]
    cards: Sequence[TradeCard]
    # Who leads at which k, by the metric of the vertical axis and that of the horizontal one.
    alongs: Sequence[PlacesOverK]


def choose_trade(runs: Mapping[str, Run], view: View) -> TradeSheet:
    """Let the visitor choose a dataset, both axes and k; find the numbers and show the answer."""
    container = st.container()
    choices, pricing = current_choices(TradeChoices), current_choices(Pricing)
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        shown = choose_suite(runs, view)
        choices = replace(choices, x=choices.x or usual_x(shown), y=choices.y or usual_y(shown))
        _choose_axes(choices)
        whole = whole_lines(shown)
        together = shown if whole is None else whole.runs(shown)
        shared = shared_k(together.values(), view)
        k = choose_one_k(_("k, samples drawn"), shown, view, shared)
    chosen = replace(view, runs=(), k=(k,))
    if pricing.basis == "lengths" and {choices.x, choices.y} & PRICED:
        for key, run in shown.items():
            with suppress(LoadError):
                find_texts(key, run)
    plain = chosen.plain
    alongs: list[PlacesOverK] = []
    with st.spinner(_("Estimating"), show_time=True):
        cards = weigh(shown, chosen, choices, pricing, _remembered)
        models = _means(shown, chosen, choices, pricing, tokens)
        if len(runs_by_dataset(shown)) == 1:
            last = shared_k(shown.values(), view)
            metrics = [axis for axis in dict.fromkeys((choices.y, choices.x)) if not is_cost(axis)]
            found = [
                _along(shown, metric_name(metric), last, plain, match_so_far) for metric in metrics
            ]
            alongs = [along for along in found if along is not None]
    with container:
        show_leaders(answer([*models, *cards]), shown)
    return TradeSheet(chosen, choices, pricing, shown, models or cards, alongs)


def costs_of(sheet: TradeSheet) -> dict[str, Part]:
    """Return what samples cost, to be asked, where an axis depends on it, as a part of a page."""
    if not {sheet.choices.x, sheet.choices.y} & PRICED:
        return {}
    return {"costs": (_("What samples cost"), lambda: ask_costs(sheet.runs))}


def _choose_axes(choices: TradeChoices) -> None:
    def called(axis: str) -> str:
        return plain(COST_NAMES[axis]) if is_cost(axis) else axis

    for field, label in (("x", _("Across")), ("y", _("Up"))):
        st.selectbox(
            label,
            AXES,
            format_func=called,
            width=145,
            **tie_widget(TradeChoices, field, getattr(choices, field)),
        )
    if {choices.x, choices.y} & set(COSTS):
        names = {"1": _("a question"), "1000": _("1,000 questions")}
        st.selectbox(
            _("Cost of"),
            **options(names),
            width=140,
            **tie_widget(TradeChoices, "per", choices.per),
        )


def _remembered(key: str, run: Run, view: View, weighing: Weighing) -> Finding[Trade]:
    return _weighed(session.identity(key, run), view, weighing, run)


@remember(5000)
def _weighed(identity: str, view: View, weighing: Weighing, _run: Run) -> Finding[Trade]:
    return attempt(
        weigh_run, _run, view, weighing, tokens_of=lambda run: tokens_once(identity, run)
    )


_along = remember(100)(find_places)


_means = remember(50)(weigh_means)
