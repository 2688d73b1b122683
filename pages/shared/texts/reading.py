"""Texts of prompts and models on a page, shown literally whatever markup or code they hold."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.data.words import Text, printable
from pages.shared.showing.folds import fold
from pages.shared.texts.maths import LONGEST, typeset
from pages.shared.translating import say

END = 3_000
"""Letters of a long text that are shown at once: its last ones."""
MOST = 200_000
"""Letters of one text that a page holds."""
_KEPT = {"\n", "\t", "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"}


def readable(text: str) -> str:
    r"""Escape what could reorder or hide letters, but keep lines, tabs and joined letters.

    Examples
    --------
    >>> print(readable("one\r\ntwo\x1b[31m\u202e"))
    one
    two\x1b[31m\u202e
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line if line.isprintable() else _escaped(line) for line in lines)


def _escaped(line: str) -> str:
    return "".join(letter if letter in _KEPT else printable(letter) for letter in line)


def show_text(text: str, key: str, maths: bool = False) -> None:
    """Show a text; of a long one the end, with what comes before folded away.

    text: Untrusted.
    key: Of the fold.
    maths: Whether to set its formulas.
    """
    start = _start(text)
    if start:
        before = Text("{count} letter before", "{count} letters before", count=start)
        show = partial(_show, _shortened(text[:start]), maths)
        fold(st.expander, say(before), key, show, type="compact")
    _show(text[start:], maths)


def _start(text: str) -> int:
    """Return where the end begins that is shown: at a line, if one begins nearby."""
    if len(text) <= END + END // 5:
        return 0
    line = text.find("\n", len(text) - END, len(text) - END // 2)
    return line + 1 if line >= 0 else len(text) - END


def _shortened(text: str) -> str:
    if len(text) <= MOST:
        return text
    left_out = Text(
        "[{count} characters are left out here; the download has them]", count=len(text) - MOST
    )
    return f"{text[: MOST // 2]}\n{say(left_out)}\n{text[-MOST // 2 :]}"


def _show(text: str, maths: bool) -> None:
    if maths and len(text) <= LONGEST:
        st.markdown(typeset(text))
    else:
        st.code(readable(text), language=None, wrap_lines=True)
