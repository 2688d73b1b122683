"""Details behind a pick: other signals, lists, and whether the signal can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from kofn.candidates.analysis import CandidateCard
from kofn.candidates.choices import Picking
from kofn.candidates.columns import BINS, RIVALS, OfRun, bins, list_columns
from kofn.candidates.ranking_metrics import Lists, examine_lists
from kofn.candidates.signals import check_signal, choose_nested, compare_signals
from kofn.candidates.words import (
    calibration_in_words,
    nested_in_words,
    order_remarks,
    target_remarks,
)
from kofn.writing.estimates import NA
from metrics.data.words import Text
from pages.shared.choices import options, tie_widget
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.folds import fold
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, run_on, say

T = TypeVar("T")


def show_rivals(card: CandidateCard) -> None:
    """Set the other signals of the run against the one that picks, once asked for."""
    if card.found is None or card.found.signal is None or card.found.k == 1:
        return
    label = _("Other signals on the same candidates")

    def show() -> None:
        if (found := _find_or_explain(compare_signals, card)) is None:
            return
        show_table(RIVALS, [OfRun(card, each) for each in found.each], label)
        paired = Text(
            "Differences are paired, question by question, each for a signal chosen beforehand."
        )
        sentences = found.missing or [paired]
        for text in (*sentences, *target_remarks(card.view, [_("Ranks right above wrong")])):
            st.caption(say(text))

    fold(st.expander, label, "candidates.rivals", show)


def show_lists(card: CandidateCard) -> None:
    """Show what the candidates are worth as a list, once asked for."""
    if card.found is None:
        return
    label = _("As a list: nDCG, the first k, coverage")

    def show() -> None:
        _choose_list(card.settings)
        if (found := _find_or_explain(examine_lists, card)) is not None:
            _list(found, label)

    fold(st.expander, label, "candidates.lists", show)


def show_trust(card: CandidateCard) -> None:
    """Say whether the signal means what it says, once asked for."""
    if card.found is None or card.found.signal is None:
        return
    label = _("Whether the signal can be trusted")

    def show() -> None:
        if (found := _find_or_explain(check_signal, card)) is None:
            return
        reasons = (found.calibration[1], found.by_verdict[1])
        like_these = target_remarks(card.view, [label])
        for text in dict.fromkeys(
            [*calibration_in_words(found), *filter(None, reasons), *like_these]
        ):
            st.markdown(say(text))
        calibration, _why = found.calibration
        if calibration is not None:
            show_table(BINS, bins(calibration), label)

    fold(st.expander, label, "candidates.trust", show)


def show_nested(card: CandidateCard) -> None:
    """Say what a choice is worth on questions that had no part in it, where that is wanted."""
    if card.found is None or not card.settings.nested:
        return
    if (found := _find_or_explain(choose_nested, card)) is not None:
        sentences = [*nested_in_words(found), *target_remarks(card.view, [_("this choice")])]
        st.markdown(run_on(map(say, sentences)))


def _choose_list(picking: Picking) -> None:
    """Ask what a score is worth in a list, and for the weights of a mean."""
    gains = {"linear": _("s"), "exponential": _("2^s − 1")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if picking.soft:
            st.selectbox(
                _("A score s gains"),
                **options(gains),
                width=160,
                **tie_widget(Picking, "gain", picking.gain),
            )
        st.text_input(
            _("Weights of a mean"),
            placeholder=_("none"),
            help=_("Of the places of the list, such as 3,2,1, or the name of a column."),
            width=220,
            **tie_widget(Picking, "weights", picking.weights, str.strip),
        )


def _list(found: Lists, label: str) -> None:
    if found.order is not None:
        st.markdown(say(Text("Candidates in the order of {order}.", order=found.order)))
    by_k = [number for number in found.numbers if 0 not in number.at]
    show_table(list_columns(by_k), by_k, label)
    whole = [number for number in found.numbers if 0 in number.at]
    show_table(list_columns(whole), whole, _("Numbers of whole lists"))
    sentences = [
        *order_remarks(found),
        *(text for number in found.numbers for text in number.caveats),
        *found.missing,
    ]
    for text in dict.fromkeys(sentences):
        st.caption(say(text))


def _find_or_explain(analyse: Callable[..., T], card: CandidateCard) -> T | None:
    """Return what is found of a run; say why where it is nothing."""
    view = replace(card.view, runs=(), metric=None)
    with st.spinner(_("Estimating"), show_time=True):
        found, reason = remember_findings(analyse)(card.key, card.run, view, card.settings)
    if found is None:
        st.write(say(reason or NA))
    return found
