"""Folds: what a popover or an expander holds is sent once it is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

MANY = 40
"""A list of more lies in a fold: a browser makes each entry of a list before it is opened."""


def fold(
    box: Callable[..., Any],
    label: str,
    name: str,
    show: Callable[[], object],
    *,
    opened: bool = False,
    **looks: Any,
) -> None:
    """Offer by its label what is drawn once it is opened.

    box: `st.popover` or `st.expander`.
    label: May change while it is open.
    name: Of this fold among those of the page.
    show: Draws the content. A widget there loses its value when the fold is closed, so that what
        the page needs of it must be among the visitor's choices.
    opened: Whether it is open before anybody has opened or closed it.
    **looks: Of the box, such as its icon.
    """
    key = f"kofn.fold.{name}"
    st.session_state[key] = st.session_state.get(key, opened)  # else a new label would close it
    place = box(label, key=key, on_change="rerun", **looks)
    if place.open:
        with place:
            show()
