"""Choose and examine the signal that picks, and its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kofn.candidates.analysis import (
    CandidateCard,
    examine,
    examine_briefly,
    examine_weighted_vote,
    with_weighted_vote,
)
from kofn.candidates.choices import Picking
from kofn.candidates.words import leading_card
from kofn.card import Card, make_one_each
from kofn.choices.runs import has_scores
from kofn.choices.signals import LOWEST, column_of, default_signal, signals_of
from kofn.choices.view import View
from metrics.data.words import printable
from pages.shared.choices import choose, current_choices, options, tie_widget
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.folds import fold
from pages.shared.translating import _
from reports.run.report import Run

WIDTH = 230


def choose_picking(runs: Mapping[str, Run]) -> Picking:
    """Let the visitor choose the signal that picks, and what counts."""
    picking = current_choices(Picking)
    names = list(dict.fromkeys(name for run in runs.values() for name in signals_of(run)))
    if names:
        _choose_signal(runs, names, picking)
    scored = any(map(has_scores, runs.values()))

    def show() -> None:
        if names:
            _choose_end(runs, picking)
        if any(run.answers is not None for run in runs.values()):
            _choose_vote(picking)
        if names:
            st.toggle(
                _("Choose on one half of the questions, judge on the other"),
                help=_("Signal, weights, threshold, k: what looks best owes a part to luck."),
                **tie_widget(Picking, "nested", picking.nested),
            )
        if scored:
            st.toggle(
                _("Count soft scores, not verdicts"),
                **tie_widget(Picking, "soft", picking.soft),
            )

    if names or scored:
        fold(st.popover, _("More"), "picking", show)
    return picking


def _choose_signal(runs: Mapping[str, Run], names: Sequence[str], picking: Picking) -> None:
    """Offer the columns, and what each run has first where that is not the same."""
    first = _shared_default(runs)
    shown = _column(runs, picking.signal) or first
    lowest = picking.signal.startswith(LOWEST)
    st.selectbox(
        _("Picked by"),
        list(dict.fromkeys([*([] if first else [""]), *names, shown])),
        format_func=lambda name: printable(name) or _("What each run has"),
        width=WIDTH,
        help=_("A column of numbers, one for each sample. The sample with the highest wins."),
        **tie_widget(
            Picking, "signal", shown, lambda name: f"{LOWEST if lowest and name else ''}{name}"
        ),
    )


def _choose_end(runs: Mapping[str, Run], picking: Picking) -> None:
    column = _column(runs, picking.signal) or _shared_default(runs)
    key = "kofn.Picking.lowest"
    st.session_state[key] = picking.signal.startswith(LOWEST)

    def turn() -> None:
        choose(Picking, signal=f"{LOWEST if st.session_state[key] else ''}{column}")

    st.toggle(
        _("The lowest wins"),
        help=_("As for a length, a rank or a perplexity."),
        key=key,
        on_change=turn,
        disabled=not column,
    )


def _choose_vote(picking: Picking) -> None:
    rules = {
        "": _("Their sum, or their mean where some are below 0"),
        "sum": _("Their sum"),
        "mean": _("Their mean"),
        "max": _("The highest"),
    }
    st.selectbox(
        _("An answer weighs, of its signals"),
        **options(rules),
        **tie_widget(Picking, "vote", picking.vote or "", lambda rule: rule or None),
    )


def _shared_default(runs: Mapping[str, Run]) -> str:
    """Return the column that picks where none is chosen, if all runs have the same; else empty."""
    names = {default_signal(run) for run in runs.values()} - {""}
    return names.pop() if len(names) == 1 else ""


def _column(runs: Mapping[str, Run], signal: str) -> str:
    return next(
        (name for run in runs.values() if (name := column_of(run, signal)) != signal), signal
    )


def examine_candidates(
    runs: Mapping[str, Run], view: View, picking: Picking
) -> tuple[tuple[CandidateCard, ...], CandidateCard]:
    """Examine the runs, and let the visitor choose the one that is drawn."""
    settings = view.plain
    matters = Picking(picking.signal, soft=picking.soft)
    with st.spinner(_("Estimating"), show_time=True):
        found = make_one_each(remember_findings(examine_briefly), runs, settings, matters)
    keys = [card.key for card in found if card.found]
    first = leading_card(found, picking.detail) or found[0]
    if len(keys) > 1:
        st.selectbox(
            _("Run"),
            keys,
            format_func=printable,
            width=WIDTH + 100,
            **tie_widget(Picking, "detail", first.key),
        )
    with st.spinner(_("Estimating"), show_time=True):
        whole = remember_findings(examine)(first.key, first.run, settings, matters)
        weighed = remember_findings(examine_weighted_vote)(
            first.key, first.run, settings, replace(matters, vote=picking.vote)
        )
    drawn = Card(first.key, first.run, settings, replace(picking, detail=""), *whole)
    return found, with_weighted_vote(drawn, weighed)
