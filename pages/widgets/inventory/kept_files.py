"""The folder in which kofn keeps what texts are read from: where it is, how large, and away."""

from __future__ import annotations

import streamlit as st

from metrics.data.words import Text
from pages.widgets.inventory import server_paths
from pages.widgets.shared.translating import _, say
from reports.files import spool


def show_kept_files() -> None:
    """Say what is kept on disk, if anything, and let the server's own user remove it."""
    if not (size := spool.size()):
        return
    kept = Text(
        "To show the texts of questions, kofn keeps uploads and unpacked files in {folder} until "
        "their reports are removed, their visitors have left or the server ends: {size:,.1f} MB "
        "now.",
        folder=str(spool.folder()),
        size=size / 1e6,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(kept), width="stretch")
        if server_paths.is_own_machine():
            st.button(
                _("Clear"),
                key="kofn.kept.clear",
                on_click=spool.clear,
                type="tertiary",
                help=_("Numbers stay; texts show again once the report is loaded again."),
            )
