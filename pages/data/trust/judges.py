"""How often a judge errs, the rate corrected for its errors, and what needs attention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from kofn.candidates.analysis import CandidateCard, examine_briefly
from kofn.candidates.choices import Picking
from kofn.candidates.columns import CHECKLIST, CORRECTIONS, corrections
from kofn.candidates.judging import Judged, judge_run, list_to_check
from kofn.candidates.words import (
    checklist,
    correction_remarks,
    judge_errors_in_words,
    target_remarks,
)
from kofn.card import Card, attempt
from kofn.choices.signals import signals_of
from kofn.choices.view import View
from kofn.writing.layout import csv_text
from metrics.analyses.judges.spot_check import Each
from metrics.data.words import Text, printable
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.memory import session
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.tables import show_table
from pages.shared.texts.comparing import are_compared
from pages.shared.translating import _, say
from reports.run.calibration import Calibration
from reports.run.report import Run

WIDTH = 220


def show_judges(runs: Mapping[str, Run], view: View) -> None:
    """Correct a judge of a run for its errors, and say what should be seen to.

    runs: To choose from. The page keeps `kofn.candidates.choices.Picking` for links.
    """
    card = _choose_run(runs, view)
    if card.found is None:
        st.write(say(card.reason or Text("")))
        return
    _choose_judge(card)
    calibration = _choose_calibration(session.calibrations())
    _show_corrected(card, calibration)
    _offer_list(card)
    _show_checklist(card)


def _choose_run(runs: Mapping[str, Run], view: View) -> CandidateCard:
    """Let the visitor choose a run; first the one of which most is known, by what it has."""
    picking, asked = current_choices(Picking), view.plain
    named = list(runs)
    best = max(named, key=lambda key: len(runs[key].columns))
    key = picking.detail if picking.detail in runs else best
    if len(named) > 1:
        st.selectbox(
            _("Run"),
            named,
            format_func=printable,
            width=WIDTH + 110,
            **tie_widget(Picking, "detail", key),
        )
    matters = Picking(picking.signal, soft=picking.soft)
    with st.spinner(_("Estimating"), show_time=True):
        found = remember_findings(examine_briefly)(key, runs[key], asked, matters)
    return Card(key, runs[key], asked, replace(picking, detail=""), *found)


def _choose_judge(card: CandidateCard) -> None:
    picking = card.settings
    names = ["", *signals_of(card.run)]
    if picking.judge and picking.judge not in names:
        names.append(picking.judge)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            _("Judge"),
            names,
            format_func=lambda name: printable(name) or _("The verdicts"),
            width=WIDTH,
            **tie_widget(Picking, "judge", picking.judge),
        )
        if picking.judge:
            st.number_input(
                _("Calls right from"),
                format="%.6g",
                step=0.05,
                width=140,
                **tie_widget(Picking, "threshold", picking.threshold),
            )
            st.toggle(_("It must exceed that"), **tie_widget(Picking, "strict", picking.strict))


def _choose_calibration(known: Mapping[str, Calibration]) -> Calibration | None:
    """Let the visitor choose whose labels tell how often the judge errs, where sets are loaded."""
    if not known:
        return None
    chosen = st.selectbox(
        _("Labels"),
        [*known, ""],
        format_func=lambda name: printable(name) or _("Those in the run"),
        width=WIDTH,
        key="kofn.candidates.calibration",
    )
    return known.get(chosen)


def _show_corrected(card: CandidateCard, calibration: Calibration | None) -> None:
    view = replace(card.view, runs=(), metric=None)
    with st.spinner(_("Estimating"), show_time=True):
        if calibration is None:
            found, reason = remember_findings(judge_run)(card.key, card.run, view, card.settings)
        else:
            found, reason = attempt(judge_run, card.run, view, card.settings, calibration)
    if found is not None:
        _show(found)
        for text in target_remarks(card.view, found.known):
            st.caption(say(text))
    elif reason is not None:
        st.write(say(reason))


def _show(found: Judged) -> None:
    if (errors := judge_errors_in_words(found)) is not None:
        st.markdown(say(errors))
    if lines := corrections(found):
        show_table(CORRECTIONS, lines, _("Numbers corrected for the judge's errors"))
    for text in correction_remarks(found):
        st.caption(say(text))


def _offer_list(card: CandidateCard) -> None:
    """Offer a list of samples for a person to look at."""
    kinds: dict[Each, str] = {
        "one": _("One sample of each question"),
        "all": _("All samples of each question"),
        "question": _("The question: is any right?"),
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        each = st.selectbox(
            _("To be looked at"),
            **options(kinds),
            width=WIDTH + 40,
            key="kofn.candidates.each",
        )
        st.download_button(
            _("Download the list to fill in"),
            data=lambda: csv_text(list_to_check(card.run, card.view, card.settings, each)).encode(),
            file_name="look at these.csv",
            mime="text/csv",
            on_click="ignore",
            help=_(
                "A random share, which keeps labels unbiased, and apart from it picks on which two "
                "signals disagree most. Fill in human (1 right, 0 wrong) and load it beside the "
                "report."
            ),
        )


def _show_checklist(card: CandidateCard) -> None:
    """Show what is seen to of the run, and what is missing."""
    assert card.found is not None
    items = checklist(
        card.run,
        card.found,
        card.settings,
        calibrated=bool(session.calibrations()),
        compared=are_compared(card.key, card.run),
    )
    done = sum(item.state == "done" for item in items)
    label = Text("{done} of {all} points done before you rely on this", done=done, all=len(items))
    st.markdown(f"**{say(label)}**")
    show_table(CHECKLIST, items, _("What should be seen to"))
