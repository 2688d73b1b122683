"""Questions of the dataset whose reference is worth checking, by what all models say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from kofn.card import Finding, attempt
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.citing.methods import methods_of
from kofn.citing.papers import cited
from kofn.questions.filters import QuestionFilter
from kofn.questions.references import (
    NAMES,
    References,
    answer,
    beside,
    check,
    left_out,
    one_each,
    remarks,
    rows,
)
from kofn.questions.tables import to_paper
from kofn.standings.pairs import match_so_far
from kofn.writing.estimates import percent
from metrics.analyses.suspects.suspects import REASONS, Reason
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from pages.data.questions.data import Shown
from pages.shared.choices import choose
from pages.shared.memory import session
from pages.shared.memory.remembering import remember
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, plain, say, translations
from reports.run.report import Run

HEIGHT = 320
_TABLE = "kofn.questions.references"


def show_references(shown: Shown, runs: Mapping[str, Run], view: View) -> None:
    """Offer the questions that are worth checking, with reasons, and the metrics without them."""
    dataset = shown.a.run.dataset
    group = {key: run for key, run in shown_runs(runs, view.runs).items() if run.dataset == dataset}
    models = one_each(group)
    if len(models) < 2:
        return
    fold = st.expander(
        _("Check the reference: what models agree to get wrong, or better ones do worse"),
        key="kofn.questions.check",
        on_change="rerun",
    )
    if not fold.open:
        return
    with fold:
        identities = tuple(session.identity(key, run) for key, run in models.items())
        read = sum(run.digests.known is not None for run in models.values())
        settings = View(segment=view.segment, missing=view.missing, level=view.level)
        with st.spinner(_("Setting the models against one another"), show_time=True):
            found, reason = _check(identities, read, settings, models)
        if found is None:
            st.info(say(reason or Text("")))
            return
        st.markdown(say(answer(found)))
        if found.suspects.questions:
            _list(found, models, settings)
        for remark in remarks(found):
            st.caption(say(remark))


@remember(20)
def _check(
    identities: tuple[str, ...], read: int, view: View, _runs: Mapping[str, Run]
) -> Finding[References]:
    return attempt(check, _runs, view, match_so_far)


@st.fragment
def _list(found: References, models: Mapping[str, Run], view: View) -> None:
    counts = {reason: len(found.suspects.of({reason})) for reason in REASONS}
    there = [reason for reason in REASONS if counts[reason]]
    chosen = st.pills(
        _("Why"),
        there,
        default=[reason for reason in found.strong if counts[reason]],
        format_func=lambda reason: plain(
            Text("{why} ({count})", why=NAMES[reason], count=counts[reason])
        ),
        selection_mode="multi",
        key="kofn.questions.reasons",
    )
    table = [row for row in rows(found, translations()) if {*row["reasons"]} & {*chosen}]
    if not table:
        return
    key = f"{_TABLE}.{'.'.join(chosen)}"
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Question"): row["question"],
                    _("Right"): f"{row['right']}/{row['samples']}",
                    _("Why"): row["why"],
                }
                for row in table
            ]
        ),
        key=key,
        hide_index=True,
        height=HEIGHT if len(table) > 7 else "auto",
        on_select=lambda: _open(key, table),
        selection_mode="single-row",
        alt=_("Questions whose reference is worth checking"),
    )
    st.caption(_("Choose a question to read it below, in each model's words."))
    st.dataframe(
        pd.DataFrame(_beside(found, models, view, chosen)),
        hide_index=True,
        alt=_("Metrics with and without these questions"),
    )
    st.caption(say(left_out(chosen)))
    download_table(
        lambda: pd.DataFrame(table),
        "check-the-reference",
        lambda: cited(
            to_paper(found, models, view, chosen),
            methods_of([*models.values()], view, ()),
            plain(left_out(chosen)),
        ),
    )


def _open(key: str, table: list[dict[str, Any]]) -> None:
    selected = st.session_state[key].selection.rows
    if selected:
        choose(QuestionFilter, open=table[selected[0]]["question"], page=None)
        st.rerun()


def _beside(
    found: References, models: Mapping[str, Run], view: View, reasons: list[Reason]
) -> list[dict[str, str]]:
    lines: dict[str, dict[str, str]] = {}
    for row in beside(found, models, view, reasons):
        label = find_metric(row["metric"]).label(row["k"])
        line = lines.setdefault(row["run"], {_("Run"): found.names[row["run"]]})
        line[label] = plain(percent(row["value"]))
        line[plain(Text("{metric} without", metric=label))] = plain(percent(row["without"]))
    return list(lines.values())
