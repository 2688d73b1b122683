"""Where a Text becomes a sentence: in the reader's language, and safe on a terminal."""

from __future__ import annotations

import gettext
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any

from metrics.data.words import Text

LOCALE = Path(__file__).parents[1] / "locale"
_ADDRESS = re.compile(r"https?:(?=//)|www(?=\.)|(?<=[\w.+-])@(?=[\w-]+\.[\w-])", re.IGNORECASE)
ENGLISH = gettext.NullTranslations()


def render(text: Text | str, translations: gettext.NullTranslations = ENGLISH) -> str:
    """Render a sentence, and every sentence within it, in one language.

    Parameters
    ----------
    text : Text or str
        A plain string is a template without fields.
    translations : gettext.NullTranslations, optional
        From `translations_for`; English by default.

    Returns
    -------
    str
        Names from files stand in it as they are: pass it through `printable` for a terminal.

    Examples
    --------
    >>> part = Text("{count} sample", "{count} samples", count=3)
    >>> render(Text("Left out: {part}.", part=part))
    'Left out: 3 samples.'
    """
    if isinstance(text, str):
        return translations.gettext(text) if text else ""
    fields: dict[str, Any] = {
        name: render(value, translations) if isinstance(value, Text) else value
        for name, value in text.fields.items()
    }
    if text.plural is None:
        template = translations.gettext(text.template)
    else:
        template = translations.ngettext(text.template, text.plural, fields["count"])
    return template.format(**fields)


@lru_cache(maxsize=16)
def translations_for(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language tag such as ``"zh-CN"``; English where there is none."""
    if not re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*", language):
        return ENGLISH
    tag = language.replace("-", "_")
    return gettext.translation("kofn", str(LOCALE), languages=[tag], fallback=True)


def printable(text: str) -> str:
    r"""Escape what could steer a terminal or reorder a line.

    Control and format characters (escape sequences, line breaks, direction marks), lone
    surrogates and unassigned code points are written as Python writes them in a literal.

    Examples
    --------
    >>> print(printable("model\x1b[2J\n7B"))
    model\x1b[2J\n7B
    """
    return text if text.isprintable() else "".join(_escaped(character) for character in text)


def unlinked(text: str) -> str:
    """Keep an address from becoming a link, by a character without width within it.

    Markdown makes links of addresses even where every mark of theirs is escaped.

    Examples
    --------
    >>> [len(unlinked(text)) - len(text) for text in ("www.a.example", "a@b.example", "pass@4")]
    [1, 1, 0]
    """
    return _ADDRESS.sub("\\g<0>\N{WORD JOINER}", text)


def _escaped(character: str) -> str:
    category = unicodedata.category(character)
    if category.startswith("C") or category in ("Zl", "Zp"):
        return character.encode("unicode_escape").decode("ascii")
    return character
