"""Reports of AISBench with their wrong numbers put right, to take away."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePath

import streamlit as st

from kofn.apart.reading import repaired
from pages.widgets.shared import session
from pages.widgets.shared.translating import _
from reports.files.keeping import Upload
from reports.repairing import can_repair
from reports.run.report import Report

_CHOSEN = "kofn.repair"


def offer_repair() -> None:
    """Offer each report whose wrong numbers can be put right, repaired; made when asked for."""
    files = session.files()
    found = {
        digest: files[digest].held
        for digest, report in session.reports().items()
        if digest in files and _can_repair(digest, report)
    }
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        digest = next(iter(found))
        if len(found) > 1:
            digest = st.selectbox(
                _("Report"),
                found,
                format_func=lambda each: session.reports()[each].name,
                key=_CHOSEN,
            )
        name = PurePath(session.reports()[digest].name).name.removesuffix(".zip")
        st.download_button(
            _("Download repaired report"),
            partial(_made, found[digest]),
            f"{name}-repaired.zip",
            "application/zip",
            icon=":material/build:",
            on_click="ignore",
            help=_(
                "The same report with the right numbers and their intervals, a note of what was "
                "changed, and the original inside."
            ),
        )


def _made(held: Path | Upload) -> bytes:
    made = repaired(held)  # it goes with the last that holds it
    return made.place.read_bytes()


@st.cache_resource(scope="session", max_entries=1000, show_spinner=False)
def _can_repair(digest: str, _report: Report) -> bool:
    return can_repair(_report)
