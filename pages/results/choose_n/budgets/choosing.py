"""Choose dataset, use of answers and number of short ones, to see what tokens and time buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from kofn.budgets.analysis import (
    AskedBudget,
    BudgetCard,
    dearest,
    usual_k,
    weigh_budgets,
    weigh_run,
)
from kofn.budgets.choices import BudgetChoices
from kofn.budgets.rivals import Rival, rivals_of
from kofn.budgets.words import answer_of
from kofn.choices.runs import has_tokens
from kofn.choices.view import View
from kofn.leaderboard.pairs import match_so_far
from metrics.data.words import printable
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.controls.metric import choose_one_k
from pages.shared.memory.cached import remember, remember_findings
from pages.shared.translating import _, say
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class BudgetSheet:
    """What the page shows: the runs of one dataset."""

    cards: tuple[BudgetCard, ...]
    rivals: tuple[Rival, ...]  # Against one answer of the run whose answers are longest.
    choices: BudgetChoices
    runs: Mapping[str, Run]


def choose_budgets(shown: Mapping[str, Run], view: View) -> BudgetSheet:
    """Let the visitor choose k and how answers are used; find what tokens buy, and say it."""
    container = st.container()
    choices = current_choices(BudgetChoices)
    uses = {"checked": _("checked"), "voted": _("put to a vote")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            _("Answers are"),
            **options(uses),
            width=160,
            **tie_widget(BudgetChoices, "answers", choices.answers),
        )
        known = {key: run for key, run in shown.items() if has_tokens(run)}
        k = choose_one_k(_("k, short answers"), known, view, usual_k(shown, view))
    chosen = replace(view, runs=(), metric=None, k=(k,))
    with st.spinner(_("Estimating"), show_time=True):
        cards = weigh_budgets(shown, chosen, choices, remember_findings(weigh_run))
        rivals = _rivals_of_dearest(dearest(cards), cards)
    container.markdown(f"**{say(answer_of(cards, rivals))}**", width=900)
    return BudgetSheet(cards, rivals, choices, shown)


def _rivals_of_dearest(card: BudgetCard | None, cards: Sequence[BudgetCard]) -> tuple[Rival, ...]:
    if card is None:
        return ()
    return _rivals(card, cards, card.view, card.settings)


@remember(200)
def _rivals(
    card: BudgetCard, cards: Sequence[BudgetCard], view: View, settings: AskedBudget
) -> tuple[Rival, ...]:
    return rivals_of(card, cards, match_so_far)


def choose_run(sheet: BudgetSheet) -> BudgetCard | None:
    """Let the visitor choose the run that is shown in detail; first the one of the answer."""
    found = {card.key: card for card in sheet.cards if card.found is not None}
    first = found.get(sheet.choices.detail) or dearest(sheet.cards)
    if first is not None and len(found) > 1:
        st.selectbox(
            _("Run"),
            list(found),
            format_func=printable,
            width=330,
            **tie_widget(BudgetChoices, "detail", first.key),
        )
    return first
