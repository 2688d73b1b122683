"""Render a Text as a sentence in the reader's language, safe on a terminal."""

from __future__ import annotations

import re
import unicodedata

from metrics.data.words import Text

_ADDRESS = re.compile(r"https?:(?=//)|www(?=\.)|(?<=[\w.+-])@(?=[\w-]+\.[\w-])", re.IGNORECASE)


def render(text: Text | str) -> str:
    """Render a sentence, and every sentence within it, in the language of the reader.

    text: A plain string stays as it is.
    Returns: Names from files stand in it as they are; see `plain`.

    Examples
    --------
    >>> part = Text("{count} sample", "{count} samples", count=3)
    >>> render(Text("Left out: {part}.", part=part))
    'Left out: 3 samples.'
    """
    return str(text)


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


def plain(text: Text | str) -> str:
    r"""Render a sentence for a terminal, or another place that takes no Markdown.

    Examples
    --------
    >>> print(plain(Text("{run} has no texts.", run="model\x1b[2J")))
    model\x1b[2J has no texts.
    """
    return printable(render(text))


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
