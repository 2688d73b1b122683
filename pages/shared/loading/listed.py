"""The loaded reports, each with its actions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import PurePath

import streamlit as st

from kofn.choices.runs import index_reports
from metrics.data.words import Text
from pages.shared.loading.wanted import want
from pages.shared.memory import session
from pages.shared.translating import _, escape, say
from reports.column_mapping import CALIBRATION, TABLE
from reports.run.report import Report


def list_reports() -> None:
    """List the loaded reports, each with a button that removes it."""
    with st.container(gap=None):
        for name, report in index_reports(list(session.reports().values())).items():
            with st.container(horizontal=True, vertical_alignment="center"):
                path = escape(report.name) if PurePath(report.name).name != report.name else None
                st.markdown(_describe(name, report), width="stretch", help=path)
                _offer_calibration(report)
                key = f"kofn.remove.{report.digest}"
                remove = partial(session.remove, report.digest)
                st.button(_("Remove"), key=key, on_click=remove, type="tertiary")
        if len(session.reports()) > 1:
            with st.container(horizontal_alignment="right"):
                st.button(
                    _("Remove all"), key="kofn.clear", on_click=session.clear, type="tertiary"
                )


def _describe(name: str, report: Report) -> str:
    runs = Text("{count} run", "{count} runs", count=len(report.runs))
    if report.calibrations and not report.runs:
        count = sum(len(each.questions) for each in report.calibrations)
        runs = Text("{count} question", "{count} questions", count=count)
    return f"**{escape(PurePath(name).name or name)}** · {say(report.reader)} · {say(runs)}"


def _offer_calibration(report: Report) -> None:
    """Let the visitor say that a table with human labels is a calibration set."""
    marked = session.files()[report.digest].source.columns.get(TABLE) == CALIBRATION
    has_labels = any(
        "human" in run.columns or "human_group" in run.question_columns for run in report.runs
    )
    if marked or has_labels:
        st.toggle(
            _("Calibration set"),
            value=marked,
            key=f"kofn.calibration.{report.digest}",
            on_change=partial(_read_again, report.digest, not marked),
            help=_("Use its labels to correct a judge, and not its verdicts as those of a run."),
        )


def _read_again(digest: str, as_calibration: bool) -> None:
    file = session.files()[digest]
    mapping = {role: names for role, names in file.source.columns.items() if role != TABLE}
    if as_calibration:
        mapping[TABLE] = CALIBRATION
    session.reports().pop(digest)
    want([replace(file, source=replace(file.source, columns=mapping))])
