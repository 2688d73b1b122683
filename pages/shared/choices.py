"""What the visitor chose on one subject, kept for the session and written in the URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from kofn.choices.codec import Choices
from metrics.data.words import Text
from pages.shared.internals import is_held, page_hash
from pages.shared.translating import say

Chosen = TypeVar("Chosen", bound=Choices)
DATA = "data"
"""The parameter of an address that names what is loaded; all others are settings."""
_VISIT = "kofn.visit"
_OWN = "kofn.Language.chosen"


def current_choices(kind: type[Chosen], *, of_page: bool = True) -> Chosen:
    """Return the choices of the URL if they are news, else those last made; the URL follows.

    Coming from another page, the URL has no settings: that is no news. Nor is what the URL was
    before: a browser may ask for more before it has heard what the URL is by now.

    kind: A frozen dataclass with a table of its settings, such as `kofn.choices.view.View`. Two
        kinds that meet on one page share no key.
    of_page: Whether a page asks for them; else it is the app, before it is known which page is
        shown: a URL without settings is no news to it.
    """
    keys = {setting.key for setting in kind.SETTINGS}
    query = {key: st.query_params.get_all(key) for key in st.query_params if key in keys}
    state, spellings, visit = (
        f"kofn.{kind.__name__}.{part}" for part in ("chosen", "spelled", "visit")
    )
    here = count_visit() if of_page else None
    came_from_elsewhere = not of_page or st.session_state.get(visit) != here
    before = st.session_state.get(spellings, [])[-1 if came_from_elsewhere else 0 :]
    if query in before:
        before = before[before.index(query) :]  # the browser has heard of this one
    else:
        before = [query]
        if query or not came_from_elsewhere:
            st.session_state[state], problems = kind.from_query(query)
            for problem in problems:
                st.warning(say(Text("A setting of this link is left out: {why}", why=problem)))
    choices: Chosen = st.session_state.setdefault(state, kind())
    st.session_state[visit] = here
    spelled = choices.to_query()
    st.session_state[spellings] = before if spelled == before[-1] else [*before, spelled]
    if [spelled] != before:
        others = {key: st.query_params.get_all(key) for key in st.query_params if key not in keys}
        st.query_params.from_dict(others | spelled)
    return choices


def tie_widget(
    kind: type[Choices],
    field: str,
    value: object,
    read: Callable[[Any], object] = lambda shown: shown,
    *limits: object,
) -> dict[str, Any]:
    """Tie a widget to a field of some choices, as arguments of the widget.

    What it shows is set only where that is something else than it holds: a browser that is told
    what it has told itself would take back what was pressed since. One that has not drawn the
    widget yet is told again, since the last page may never have been drawn: left alone, it would
    show the least number or the first option, and choose that with its next click.

    value: What the widget shows.
    read: From what the widget shows to the value of the field.
    *limits: Of a slider: with others it is another widget, which holds nothing yet.
    """
    key = ".".join(map(str, ("kofn", kind.__name__, field, *limits)))
    if not is_held(key) or st.session_state.get(key) != value:
        st.session_state[key] = value

    def change() -> None:
        choose(kind, **{field: read(st.session_state[key])})

    return {"key": key, "on_change": change}


def options(names: Mapping[Any, str]) -> dict[str, Any]:
    """Offer what has a name by it, as arguments of a widget."""
    return {"options": list(names), "format_func": names.__getitem__}


def choose(kind: type[Choices], /, **fields: object) -> None:
    """Change some fields, in the callback of a button or the like."""
    st.session_state[f"kofn.{kind.__name__}.chosen"] = chosen(kind).changed(**fields)


def chosen(kind: type[Chosen]) -> Chosen:
    """Return the choices as they are by now, in a callback."""
    choices: Chosen = st.session_state[f"kofn.{kind.__name__}.chosen"]
    return choices


def start_anew() -> None:
    """Forget all that was chosen, but the language, in a callback: it was for other data."""
    for key in [str(key) for key in st.session_state]:
        if key.startswith("kofn.") and key.endswith(".chosen") and key != _OWN:
            del st.session_state[key]


def count_visit() -> int:
    """Count the visits of this session to pages; a page without choices calls it too."""
    here = page_hash()
    page, visits = st.session_state.get(_VISIT, ("", 0))
    if page != here:
        visits += 1
        st.session_state[_VISIT] = here, visits
    return int(visits)
