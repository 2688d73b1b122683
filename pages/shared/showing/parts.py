"""The parts of a page below its first screen, drawn on request from one row of buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from kofn.choices.parts import OpenParts
from pages.shared.choices import current_choices, tie_widget
from pages.shared.translating import _

Part = tuple[str, Callable[[], None]]
"""The heading of a part, and what draws it."""


def show_parts(parts: Mapping[str, Part], *beside: Callable[[], None]) -> None:
    """Offer parts of a page by their headings, and draw those that are open.

    parts: By their names in an address.
    *beside: Each draws quiet buttons in the same row.
    """
    opened = [name for name in current_choices(OpenParts).more if name in parts]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="kofn.parts"):
        if parts:
            st.container(width="stretch").pills(
                _("Look closer"),
                list(parts),
                selection_mode="multi",
                format_func=lambda name: parts[name][0],
                label_visibility="collapsed",
                **tie_widget(OpenParts, "more", opened, tuple),
            )
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            for draw in beside:
                draw()
    for name in parts:
        if name in opened:
            heading, show = parts[name]
            st.header(heading, anchor=False)
            show()
