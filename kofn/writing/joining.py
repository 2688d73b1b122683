"""Sentences one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.data.words import Text


def joined(sentences: Sequence[Text]) -> Text:
    """Put sentences one after the other; there is one at least.

    Examples
    --------
    >>> str(joined([Text("A leads."), Text("B is second.")]))
    'A leads. B is second.'
    """
    first, *rest = sentences
    return Text("{first} {rest}", first=first, rest=joined(rest)) if rest else first
