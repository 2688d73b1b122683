"""By which signal is picked, and of which run: chosen, and examined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kofn.candidates.analysis import CandidateCard, default_signal, examine, signals_of
from kofn.candidates.answer import leading
from kofn.candidates.choices import Picking
from kofn.card import make_one_each
from kofn.choices.view import View
from kofn.writing.rendering import printable
from pages.widgets.shared.choices import current, tied
from pages.widgets.shared.findings import remembered
from pages.widgets.shared.translating import _
from reports.run.report import Run

WIDTH = 230


def choose_picking(runs: Mapping[str, Run]) -> Picking:
    """Let the visitor choose the signal that picks, and what counts."""
    picking = current(Picking)
    names = list(dict.fromkeys(name for run in runs.values() for name in signals_of(run)))
    if names:
        _choose_signal(runs, names, picking)
    scored = any(
        run.outcomes is not None and run.outcomes.scores is not None for run in runs.values()
    )
    if names or scored:
        with st.popover(_("More")):
            if names:
                st.toggle(
                    _("The lowest wins"),
                    help=_("As for a length, a rank or a perplexity."),
                    **tied(Picking, "lowest", picking.lowest),
                )
            if scored:
                st.toggle(
                    _("Count soft scores, not verdicts"),
                    **tied(Picking, "soft", picking.soft),
                )
    return picking


def _choose_signal(runs: Mapping[str, Run], names: Sequence[str], picking: Picking) -> None:
    """Offer the columns, and what each run has first where that is not the same."""
    usual = {name for run in runs.values() if (name := default_signal(run))}
    alike = len(usual) == 1
    first = next(iter(usual)) if alike else ""
    offered = [*([] if alike else [""]), *names, picking.signal or first]
    st.selectbox(
        _("Picked by"),
        list(dict.fromkeys(offered)),
        format_func=lambda name: printable(name) or _("What each run has"),
        width=WIDTH,
        help=_("A column of numbers, one for each sample. The sample with the highest wins."),
        **tied(
            Picking,
            "signal",
            picking.signal or first,
            lambda name: "" if name == first else name,
        ),
    )


def examine_candidates(
    runs: Mapping[str, Run], view: View, picking: Picking
) -> tuple[tuple[CandidateCard, ...], CandidateCard]:
    """Examine the runs, and let the visitor choose the one that is drawn."""
    settings = replace(view, runs=(), metric=None, k=())
    with st.spinner(_("Estimating"), show_time=True):
        found = make_one_each(remembered(examine), runs, settings, replace(picking, detail=""))
    keys = [card.key for card in found if card.found]
    first = leading(found, picking.detail) or found[0]
    if len(keys) > 1:
        st.selectbox(
            _("Run"),
            keys,
            format_func=printable,
            width=WIDTH + 100,
            **tied(Picking, "detail", first.key),
        )
    return found, first
