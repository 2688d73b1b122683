"""A link to the current page, with its uploads or without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from metrics.data.words import Text
from pages.shared.choices import DATA
from pages.shared.loading.kept_files import unkept_in_words
from pages.shared.memory import session
from pages.shared.memory.server_cache import KEPT
from pages.shared.memory.session import Wanted
from pages.shared.showing.folds import fold
from pages.shared.translating import _, say


def offer_link() -> None:
    """Offer links to the page as it is shown now."""
    if files := list(session.files().values()):
        label, icon = _("Copy a link"), ":material/link:"
        with st.sidebar:
            fold(st.popover, label, "link", partial(_show_links, files), icon=icon, width="stretch")


def _show_links(files: Sequence[Wanted]) -> None:
    uploads = [file for file in files if file.source.kind == "file"]
    shared = [file for file in uploads if file.use and KEPT.knows(file.use)]
    if shared:
        st.markdown(_("**A link**"))
        given = Text(
            "Anyone with this link, or with the address of this page, can see {count} "
            "upload until {minutes:g} minutes after its last use.",
            "Anyone with this link, or with the address of this page, can see {count} "
            "uploads until {minutes:g} minutes after their last use.",
            count=len(shared),
            minutes=KEPT.minutes,
        )
        st.caption(say(given))
        _show([_shared(file) for file in files])
    if uploads:
        st.markdown(_("**A link without the data**"))
        st.caption(
            _("Carries the settings, and asks for each uploaded file by its name and fingerprint.")
        )
        if reason := unkept_in_words():
            st.caption(say(reason))
    else:
        st.caption(_("Shows what you see to whoever may open this server."))
    _show([file.source.without_key().spelled() for file in files])


def _shared(file: Wanted) -> str:
    use = file.use
    key = use.shared if use and KEPT.knows(use) else ""
    return replace(file.source, key=key).spelled()


def _show(sources: list[str]) -> None:
    settings = {key: st.query_params.get_all(key) for key in st.query_params if key != DATA}
    query = urlencode({DATA: sources} | settings, doseq=True)
    st.code(f"{st.context.url}?{query}", language=None, wrap_lines=True)
