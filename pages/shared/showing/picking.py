"""Pick one item of a figure or table, by a click or by its name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count

import streamlit as st

_NUMBERS = count(1)
"""Of choices by name."""


class Pick:
    """What the visitor picked, if anything.

    name: Of the figure or table among those of the page.
    *shown: What it shows; with something else what was picked is forgotten.

    Attributes
    ----------
    place : int or None
        Of what was picked, in a sequence.
    """

    def __init__(self, name: str, *shown: Hashable) -> None:
        self._key = f"kofn.{name}.{hash(shown)}"
        picked: tuple[int | None, int] = st.session_state.get(self._key, (None, 0))
        self.place, self._choice = picked

    @property
    def key(self) -> str:
        """Of what is clicked: another after a choice by name, or the click would still show."""
        return f"{self._key}.{self._choice}"

    def click(self, place: int | None) -> None:
        """Pick what was clicked, in a callback."""
        st.session_state[self._key] = place, self._choice

    def offer(self, names: Sequence[str], label: str) -> None:
        """Let the visitor choose by name, as who has no mouse must."""
        key = f"{self._key}.name"

        def choose() -> None:
            st.session_state[self._key] = st.session_state[key], next(_NUMBERS)

        st.session_state[key] = self.place
        st.selectbox(
            label,
            range(len(names)),
            index=None,
            format_func=names.__getitem__,
            key=key,
            on_change=choose,
            label_visibility="collapsed",
            placeholder=label,
            width=330,
        )
