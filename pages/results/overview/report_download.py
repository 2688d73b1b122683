"""The contents of all pages, to download as one file."""

from __future__ import annotations

import shlex

import streamlit as st

from kofn.choices.view import View
from kofn.report.bound import bind
from kofn.report.chapters import chapters
from kofn.report.page import html_of
from pages.shared.memory.session import shown_reports, sources
from pages.shared.translating import _


def offer_report(view: View) -> None:
    """Offer the report of the loaded runs; it is made when asked for."""
    reports, _refused = shown_reports()
    flags = [
        word
        for key, values in view.to_query().items()
        for value in values
        for word in (f"--{key}", value)
    ]
    command = shlex.join(["kofn", "report", *(each.name for each in sources()), *flags])

    def html() -> bytes:
        return html_of(bind(reports, view, [*chapters(reports, view)], (), command)).encode()

    st.download_button(
        _("Download report"),
        html,
        "kofn-report.html",
        "text/html",
        icon=":material/download:",
        help=_("One file with what all pages say. It opens anywhere, without a network."),
        on_click="ignore",
        type="tertiary",
    )
