"""What a page needs before it can show anything, and where to go from it."""

from __future__ import annotations

import streamlit as st

from kofn.choices.codec import Choices
from kofn.choices.parts import OpenParts
from kofn.choices.view import View
from kofn.writing.layout import short_name
from metrics.data.words import Enumerated, Text
from pages.shared.choices import current_choices
from pages.shared.loading import loading
from pages.shared.loading.following import keep_up
from pages.shared.loading.linked import ask_missing
from pages.shared.loading.wanted import came_first, read_wanted
from pages.shared.memory import session
from pages.shared.translating import _, say
from reports.run.report import Run

NAMED = 3
"""The most tables that are named."""


def require_runs(*kinds: type[Choices]) -> dict[str, Run]:
    """Return the loaded runs by name; where there are none, say what to do and stop the page.

    *kinds: The choices of the page beside View and Parts: a link's are kept until something is
        loaded.
    """
    read_wanted()
    came_first()
    keep_up()
    runs = session.loaded_runs()
    asked = ask_missing()
    if not runs:
        for kind in (View, OpenParts, *kinds):
            current_choices(kind)
        if asked:
            loading.tell_refused()
            if any(source.kind == "file" for source in session.missing_sources()):
                loading.upload_files()
            st.stop()
        if session.questions():
            tell_waiting()
            st.stop()
        st.write(_("Nothing is loaded yet. Load your own reports, or look around with the sample."))
        with st.container(horizontal=True, vertical_alignment="center"):
            loading.open_sample()
            go_on("pages/data/reports/page.py", _("Load reports"))
        st.stop()
    return runs


def open_first_page() -> None:
    """Go on to the overview where something is loaded, else to the reports."""
    read_wanted()
    here = "results/overview" if session.reports() else "data/reports"
    chosen = {key: st.query_params.get_all(key) for key in st.query_params}
    st.switch_page(f"pages/{here}/page.py", query_params=chosen)


def tell_waiting() -> None:
    """Say which files are not among the runs yet, and lead to what is asked of them."""
    tables = session.tables_asked_about()
    if not tables:
        return
    if len(tables) > NAMED:
        waiting = Text(
            "{count} files are not loaded yet: say on Reports what is meant.", count=len(tables)
        )
    else:
        waiting = Text(
            "{names} is not loaded yet: answer the question about it on Reports.",
            "{names} are not loaded yet: say on Reports what is meant.",
            count=len(tables),
            names=Enumerated(map(short_name, tables)),
        )
    st.info(say(waiting))
    go_on("pages/data/reports/page.py", _("Load reports"))


def go_on(page: str, label: str) -> None:
    """Link to the page that follows."""
    st.page_link(page, label=f"**{label}**", icon=":material/arrow_forward:")
