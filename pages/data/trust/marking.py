"""Mark the places in a text that a reading took its answer from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import streamlit as st

from metrics.data.words import Text, plain
from pages.shared.texts.reading import readable
from pages.shared.translating import _
from reports.readings.statements import SEVERAL, Statement

WHOLE = 4_000
"""Letters of a text that is shown whole; of a longer one what is around its marks, and its end."""
AROUND = 700
"""Letters before and after a mark."""
MOST = 30
"""Marks of a long text, the last ones."""
_STYLE = (
    "white-space:pre-wrap;overflow-wrap:anywhere;max-height:32rem;overflow:auto;"
    "padding:.75rem;border:1px solid rgba(128,128,128,.3);border-radius:.5rem;font-size:.875rem"
)
_MARK = "background:rgba(255,190,0,.4);color:inherit;border-radius:.2rem"


def show_marked(text: str, stated: Sequence[Statement]) -> None:
    """Show a text with what it states marked, and what that is taken for.

    text: Untrusted.
    stated: In order; none overlap.
    """
    st.html(f'<pre style="{_STYLE}">{"".join(_pieces(text, stated[-MOST:]))}</pre>')
    if not stated:
        st.caption(_("No reading found a final answer here."))


def _pieces(text: str, stated: Sequence[Statement]) -> Iterator[str]:
    """Yield the text as HTML, in which nothing of it is markup."""
    at = 0
    for start, end in _windows(text, stated):
        yield from _left_out(start - at)
        at = start
        for each in (one for one in stated if start <= one.start < end):
            yield _letters(text[at : each.start])
            taken = _("several") if each.value == SEVERAL else each.value
            title = escape(readable(f"{each.rule}: {taken}"), quote=True)
            marked = _letters(text[each.start : each.end])
            yield f'<mark style="{_MARK}" title="{title}">{marked}</mark>'
            at = each.end
        yield _letters(text[at:end])
        at = max(at, end)
    yield from _left_out(len(text) - at)


def _windows(text: str, stated: Sequence[Statement]) -> list[tuple[int, int]]:
    """Return which parts of a text are shown: those around its marks, and its end."""
    if len(text) <= WHOLE:
        return [(0, len(text))]
    around = [(each.start - AROUND, each.end + AROUND) for each in stated]
    merged: list[tuple[int, int]] = []
    for start, end in (*around, (len(text) - AROUND, len(text))):
        start, end = max(0, start), min(len(text), end)
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _left_out(count: int) -> Iterator[str]:
    if count > 0:
        sentence = Text("[{count} letter]", "[{count} letters]", count=count)
        yield f"\n<em>{escape(plain(sentence))}</em>\n"


def _letters(text: str) -> str:
    return escape(readable(text))
