"""The folder of kept uploads and texts: where it is, how large, for how long, and clearing it."""

from __future__ import annotations

import streamlit as st

from metrics.data.words import Text, some_of
from pages.shared.loading import server_paths
from pages.shared.memory import session
from pages.shared.memory.server_cache import KEPT
from pages.shared.translating import _, say
from reports.files import upload_store

NAMED = 3
"""The most uploads that are named in a sentence."""


def show_kept_files() -> None:
    """Say what is kept on disk, if anything, and let the server's own user remove it."""
    if reason := unkept_in_words():
        st.info(say(reason))
    if not (size := upload_store.size()):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(_kept_in_words(size)), width="stretch")
        if server_paths.is_own_machine():
            st.button(
                _("Clear"),
                key="kofn.kept.clear",
                on_click=_clear,
                type="tertiary",
                help=_("Numbers stay; texts show again once the report is loaded again."),
            )


def unkept_in_words() -> Text | None:
    """Say which uploads a reload or a link will ask for, and why."""
    uploads = [file for file in session.files().values() if file.source.kind == "file"]
    lost = [file.source.name for file in uploads if file.use and not KEPT.knows(file.use)]
    if not lost:
        return None
    if not KEPT.minutes:
        return Text(
            "This server keeps no uploads; after a reload, or from a link, they must be "
            "uploaded again."
        )
    return Text(
        "{names}: no longer kept. All uploads of this server together may take {most:,.0f} MB, "
        "and the one unused for longest is removed first. After a reload, or from a link, it "
        "must be uploaded again.",
        names=some_of(lost, NAMED),
        most=KEPT.megabytes,
    )


def _kept_in_words(size: int) -> Text:
    folder, megabytes = str(upload_store.folder()), size / 1e6
    if not KEPT.minutes:
        return Text(
            "To show the texts of questions, kofn keeps uploads and unpacked files in {folder} "
            "until their reports are removed, their visitors have left or the server ends: "
            "{size:,.1f} MB now.",
            folder=folder,
            size=megabytes,
        )
    return Text(
        "kofn keeps uploads and unpacked files in {folder}: {size:,.1f} MB now. An upload stays "
        "until {minutes:g} minutes after its last use, so that a reload or a link finds it, unless "
        "it is removed, the server ends, or uploads take more than {most:,.0f} MB together: then "
        "the one not used for longest goes first.",
        folder=folder,
        size=megabytes,
        minutes=KEPT.minutes,
        most=KEPT.megabytes,
    )


def _clear() -> None:
    KEPT.clear()
    upload_store.clear()
