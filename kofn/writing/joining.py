"""Sentences one after the other, and phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def listed(phrases: Iterable[Text]) -> Text:
    """Put phrases of a sentence one after the other; there is one at least.

    Examples
    --------
    >>> str(listed([Text("one"), Text("two")]))
    'one; two'
    """
    first, *rest = phrases
    return Text("{first}; {rest}", first=first, rest=listed(rest)) if rest else first
