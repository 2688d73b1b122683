"""Sentences in the reader's language, safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kofn.writing.layout import short_name, unlinked
from metrics.data.words import Text, printable, reader

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+.!|<>~$:&^=-])")


def _(message: str) -> str:
    """Translate a label."""
    catalogue = reader()
    return catalogue.gettext(message) if catalogue else message


def say(text: Text) -> str:
    """Render a sentence for a place that takes Markdown; the names within it stay as they are."""
    return escape(str(text))


def run_on(sentences: Iterable[str]) -> str:
    """Put sentences that are rendered one after the other, as the reader's language does.

    Examples
    --------
    >>> run_on(["One.", "Two."])
    'One. Two.'
    """
    return str(Text("{first} {rest}", first="", rest="")).join(sentences)


def escape(name: str) -> str:
    r"""Write untrusted text so that Markdown shows it letter for letter.

    Examples
    --------
    >>> escape("<b>*7B*</b>")
    '\\<b\\>\\*7B\\*\\</b\\>'
    """
    return _MARKUP.sub(r"\\\1", unlinked(printable(name)))


def escape_name(name: str) -> str:
    """Write the name of a run, model or dataset as `escape` does; of a very long one both ends."""
    return escape(short_name(name))
