"""How often a judge errs, what is right without its errors, and which samples to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from kofn.candidates.analysis import CandidateCard
from kofn.candidates.choices import Picking
from kofn.candidates.judging import Judged, judge_run, to_look_at, told
from kofn.candidates.sentences import of_target
from kofn.card import attempt
from kofn.choices.signals import signals_of
from kofn.writing.estimates import percent, span
from kofn.writing.layout import csv_text
from kofn.writing.rendering import printable
from metrics.analyses.judges.corrected import COUNTED, Corrected
from metrics.analyses.judges.powered import Powered
from metrics.analyses.judges.spot_check import Each
from metrics.data.results import Estimate
from metrics.data.words import Text
from pages.shared.choices import tied
from pages.shared.memory import session
from pages.shared.memory.findings import remembered
from pages.shared.translating import _, plain, say
from reports.run.calibration import Calibration

WIDTH = 220


def show_judges(card: CandidateCard) -> None:
    """Correct a judge of the run for its errors, once asked for."""
    if card.found is None:
        return
    label = _("Judges: what is right without their errors")
    fold = st.expander(label, key="kofn.candidates.judges", on_change="rerun")
    if not fold.open:
        return
    with fold:
        _choose_judge(card)
        calibration = _choose_calibration(session.calibrations())
        view = replace(card.view, runs=(), metric=None)
        with st.spinner(_("Estimating"), show_time=True):
            if calibration is None:
                found, reason = remembered(judge_run)(card.key, card.run, view, card.settings)
            else:
                found, reason = attempt(judge_run, card.run, view, card.settings, calibration)
        if found is not None:
            _show(found)
            for text in of_target(card.view, found.known):
                st.caption(say(text))
        elif reason is not None:
            st.write(say(reason))
        _offer_list(card)


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
            **tied(Picking, "judge", picking.judge),
        )
        if picking.judge:
            st.number_input(
                _("Calls right from"),
                format="%.6g",
                step=0.05,
                width=140,
                **tied(Picking, "threshold", picking.threshold, lambda shown: shown or 0.0),
            )
            st.toggle(_("It must exceed that"), **tied(Picking, "strict", picking.strict))


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


def _show(found: Judged) -> None:
    if found.errors is not None:
        errors = found.errors
        sentence = Text(
            "Judge: {judge}. It calls right {s} of what people call right, and wrong {t} of what "
            "they call wrong.",
            judge=found.judge,
            s=_written(errors.sensitivity),
            t=_written(errors.specificity),
        )
        st.markdown(say(sentence))
    table = [
        {
            _("Number"): name,
            _("As judged"): plain(_written(number.observed)),
            _("Without its errors"): plain(_written(number.estimate)),
            _("If it errs anew each time"): plain(_anew(number)),
            _("By labels alone"): plain(_alone(number)),
        }
        for name, (number, _reason) in found.numbers.items()
        if number is not None
    ]
    if table:
        shown = pd.DataFrame(table)
        shown = shown.loc[:, (shown != "").any()]
        st.dataframe(shown, hide_index=True, alt=_("Numbers corrected for the judge's errors"))
    for text in told(found):
        st.caption(say(text))


def _anew(number: Corrected | Powered) -> Text:
    if not isinstance(number, Corrected) or number.check is None:
        return Text("")
    return span(*number.check) if number.metric in COUNTED else Text("")


def _alone(number: Corrected | Powered) -> Text:
    return _written(number.labels_only) if isinstance(number, Powered) else Text("")


def _written(estimate: Estimate) -> Text:
    return percent(estimate.value, *(estimate.interval or ()))


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
            list(kinds),
            format_func=lambda kind: kinds[kind],
            width=WIDTH + 40,
            key="kofn.candidates.each",
        )
        st.download_button(
            _("Download the list to fill in"),
            data=lambda: csv_text(to_look_at(card.run, card.view, card.settings, each)).encode(),
            file_name="look at these.csv",
            mime="text/csv",
            on_click="ignore",
            help=_(
                "A random share, which keeps labels unbiased, and apart from it picks on which two "
                "signals disagree most. Fill in human (1 right, 0 wrong) and load it beside the "
                "report."
            ),
        )
