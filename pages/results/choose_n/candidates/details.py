"""What lies behind a pick: other signals, lists, and what should be seen to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pandas as pd
import streamlit as st

from kofn.candidates.analysis import CandidateCard
from kofn.candidates.checklist import STATES, checklist
from kofn.candidates.choices import Picking
from kofn.candidates.lists import Lists, Number, lists
from kofn.candidates.readings import of_lists
from kofn.candidates.rivals import rivals
from kofn.candidates.sentences import of_target
from kofn.candidates.trust import choose_nested, told, told_nested, trust
from kofn.card import Finding
from kofn.writing.estimates import percent
from metrics.data.words import Text
from pages.results.choose_n.candidates.cells import difference_cell, estimate_cell
from pages.results.choose_n.candidates.diversity import is_compared
from pages.shared.choices import tied
from pages.shared.memory import session
from pages.shared.memory.findings import remembered
from pages.shared.translating import _, plain, say

T = TypeVar("T")
_MARKS = {"done": ":material/check:", "missing": ":material/remove:", "doubtful": "?"}


def show_checklist(card: CandidateCard) -> None:
    """Show what is seen to of a run, and what is missing."""
    if card.found is None:
        return
    calibrated = bool(session.calibrations())
    items = checklist(
        card.run, card.found, card.settings, calibrated=calibrated, compared=is_compared(card)
    )
    done = sum(item.state == "done" for item in items)
    label = Text(
        "{done} of {all} points seen to before this is relied on", done=done, all=len(items)
    )
    with st.expander(say(label)):
        table = [
            {
                _("State"): f"{_MARKS[item.state]} {say(STATES[item.state])}",
                _("What"): say(item.name),
                _("How it stands"): say(item.said),
            }
            for item in items
        ]
        st.table(pd.DataFrame(table), border="horizontal")


def show_rivals(card: CandidateCard) -> None:
    """Set the other signals of the run against the one that picks, once asked for."""
    if card.found is None or card.found.signal is None or card.found.k == 1:
        return
    label = _("Other signals on the same candidates")
    fold = st.expander(label, key="kofn.candidates.rivals", on_change="rerun")
    if not fold.open:
        return
    with fold:
        found, reason = _found(rivals, card)
        if found is None:
            st.write(say(reason or Text("N/A")))
            return
        table = [
            {
                _("Picked by"): plain(each.name),
                _("Solves"): plain(percent(each.value)),
                _("More than the first"): difference_cell(each.difference),
                _("Ranks right above wrong"): estimate_cell(each.ranking),
            }
            for each in found.each
        ]
        st.dataframe(pd.DataFrame(table), hide_index=True, alt=label)
        paired = Text(
            "Differences are paired, question by question, each for a signal chosen beforehand."
        )
        said = [
            *(found.missing or [paired]),
            *of_target(card.view, [_("Ranks right above wrong")]),
        ]
        for text in said:
            st.caption(say(text))


def show_lists(card: CandidateCard) -> None:
    """Show what the candidates are worth as a list, once asked for."""
    if card.found is None:
        return
    label = _("As a list: nDCG, the first k, coverage")
    fold = st.expander(label, key="kofn.candidates.lists", on_change="rerun")
    if not fold.open:
        return
    with fold:
        _choose_list(card.settings)
        found, reason = _found(lists, card)
        if found is None:
            st.write(say(reason or Text("N/A")))
        else:
            _list(found, label)


def show_trust(card: CandidateCard) -> None:
    """Say whether the signal means what it says, once asked for."""
    if card.found is None or card.found.signal is None:
        return
    label = _("Whether the signal can be trusted")
    fold = st.expander(label, key="kofn.candidates.trust", on_change="rerun")
    if not fold.open:
        return
    with fold:
        found, reason = _found(trust, card)
        if found is None:
            st.write(say(reason or Text("N/A")))
            return
        reasons = (found.calibration[1], found.by_verdict[1])
        like_these = of_target(card.view, [label])
        for text in dict.fromkeys([*told(found), *filter(None, reasons), *like_these]):
            st.markdown(say(text))
        calibration, _why = found.calibration
        if calibration is not None:
            ends = zip(calibration.least, calibration.most, strict=True)
            table = [
                {
                    _("Signal"): f"{low:.2g} – {high:.2g}",
                    _("On average"): plain(percent(float(mean))),
                    _("Right"): plain(percent(*map(float, each))),
                    _("Samples"): int(count),
                }
                for (low, high), mean, count, *each in zip(
                    ends,
                    calibration.signal,
                    calibration.samples,
                    calibration.value,
                    calibration.low,
                    calibration.high,
                    strict=True,
                )
            ]
            st.dataframe(pd.DataFrame(table), hide_index=True, alt=label)


def show_nested(card: CandidateCard) -> None:
    """Say what a choice is worth on questions that had no part in it, where that is wanted."""
    if card.found is None or not card.settings.nested:
        return
    found, reason = _found(choose_nested, card)
    said = [reason or Text("N/A")]
    if found is not None:
        said = [*told_nested(found), *of_target(card.view, [_("this choice")])]
    st.markdown(" ".join(map(say, said)))


def _choose_list(picking: Picking) -> None:
    """Ask what a score is worth in a list, and for the weights of a mean."""
    gains = {"linear": _("s"), "exponential": _("2^s − 1")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if picking.soft:
            st.selectbox(
                _("A score s gains"),
                list(gains),
                format_func=lambda gain: gains[gain],
                width=160,
                **tied(Picking, "gain", picking.gain),
            )
        st.text_input(
            _("Weights of a mean"),
            placeholder=_("none"),
            help=_("Of the places of the list, such as 3,2,1, or the name of a column."),
            width=220,
            **tied(Picking, "weights", picking.weights, str.strip),
        )


def _list(found: Lists, label: str) -> None:
    if found.order is not None:
        st.markdown(say(Text("Candidates in the order of {order}.", order=found.order)))
    ks = sorted({k for number in found.numbers for k in number.at if k})
    by_k = [number for number in found.numbers if 0 not in number.at]
    table = [
        {
            _("Number"): number.name,
            _("What it says"): plain(number.meaning),
            **{f"k = {k}": _at(number, k) for k in ks},
        }
        for number in by_k
    ]
    st.dataframe(pd.DataFrame(table), hide_index=True, alt=label)
    whole = [
        {
            _("Of whole lists"): number.name,
            _("What it says"): plain(number.meaning),
            _("Value"): _at(number, 0),
        }
        for number in found.numbers
        if 0 in number.at
    ]
    st.dataframe(pd.DataFrame(whole), hide_index=True, alt=_("Numbers of whole lists"))
    said = [
        *of_lists(found),
        *(text for number in found.numbers for text in number.caveats),
        *found.missing,
    ]
    for text in dict.fromkeys(said):
        st.caption(say(text))


def _at(number: Number, k: int) -> str:
    if k not in number.at:
        return ""
    value, low, high = number.at[k]
    if number.share:
        return plain(percent(value, low, high))
    return plain(Text("{value:.2f} ({low:.2f} to {high:.2f})", value=value, low=low, high=high))


def _found(analyse: Callable[..., T], card: CandidateCard) -> Finding[T]:
    view = replace(card.view, runs=(), metric=None)
    with st.spinner(_("Estimating"), show_time=True):
        return remembered(analyse)(card.key, card.run, view, card.settings)
