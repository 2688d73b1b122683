"""The language of one visitor: as chosen, else that of the server, browser or system."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ClassVar, ParamSpec, TypeVar

import streamlit as st

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of
from kofn.writing.languages import LANGUAGES, VARIABLE, catalogue, meant_by, of_system
from metrics.data.words import Text, read_in, reader, reading_in
from pages.shared.choices import current_choices, tie_widget
from pages.shared.translating import _

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Language(Choices):
    """In which language the pages are shown."""

    lang: str = ""  # Of `LANGUAGES`; empty for that of the server, the browser or the system.

    SETTINGS: ClassVar = (one_of("lang", tuple(LANGUAGES), Text("the language of the pages")),)


def speak() -> str:
    """Have all that this run of a page says said in the visitor's language, which is returned."""
    read_in(None)
    language = current_choices(Language, of_page=False).lang or _usual()
    read_in(catalogue(language))
    return language


def choose_language(language: str) -> None:
    """Let the visitor choose another language."""
    st.segmented_control(
        " / ".join(LANGUAGES.values()),
        [*LANGUAGES],
        format_func=LANGUAGES.__getitem__,
        label_visibility="collapsed",
        required=True,
        **tie_widget(Language, "lang", language),
    )


def name_uploaders(language: str) -> None:
    """Have the buttons of uploaders say what they do: Streamlit writes them in English only."""
    if language == "en":
        return
    files, folder = _("Choose files"), _("Choose a folder")
    button = "[data-testid=stFileUploaderDropzone]{} button p"
    of_folder = button.format(":has([webkitdirectory])")
    button = button.format("")
    st.html(
        f"<style>{button} {{ font-size: 0; }}"
        f"{button}::after {{ font-size: 0.875rem; content: '{files}'; }}"
        f"{of_folder}::after {{ content: '{folder}'; }}</style>"
    )


def spoken(show: Callable[P, T]) -> Callable[P, T]:
    """Have a fragment speak the visitor's language also where it is run without its page."""

    @wraps(show)
    def speaking(*args: P.args, **kwargs: P.kwargs) -> T:
        speak()
        return show(*args, **kwargs)

    return speaking


def in_language(make: Callable[[], T]) -> Callable[[], T]:
    """Have what is made later, for a download, say all in the language of now."""
    language = reader()

    def making() -> T:
        with reading_in(language):
            return make()

    return making


def _usual() -> str:
    """Return the language of the server where it is set, else of the browser or the system."""
    if os.environ.get(VARIABLE):
        return meant_by(os.environ[VARIABLE])
    locale = st.context.locale
    return meant_by(locale) if locale else of_system(os.environ)
