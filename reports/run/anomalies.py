"""Texts that are broken as a whole: they end in a loop, or are garbled."""

from __future__ import annotations

LABEL = "anomaly"
"""The label of such samples."""
ANOMALIES = ("repetition", "garbled")
"""Its values, in the order of their codes from 1 on; AISBench calls them so, too."""

_TIMES, _LETTERS = 8, 200
"""How often, and over how many letters at least, a text says the same before it ends."""
_LONGEST = 2_000
"""Letters of what is said again and again."""
_SEED = 24
_ODD = ("\ufffd", "\0")
_FEWEST, _SHARE = 20, 0.05
"""Of letters that stand for none, in a garbled text."""


def anomaly_of(text: str) -> int:
    """Return the code of what is wrong with a text, 0 for nothing.

    A loop says the very same at least eight times over at least 200 letters, up to the last letter;
    a garbled text has at least 20 letters, and 5 %, that stand for none: U+FFFD or NUL.

    Examples
    --------
    >>> loop = "Wait, let me check that again. "
    >>> [anomaly_of(text) for text in ("So 42. " + 8 * loop, 7 * loop, "So 42." + 30 * "\ufffd")]
    [1, 0, 2]
    """
    if len(text) < _FEWEST:
        return 0
    if _loops(text):
        return 1
    odd = sum(map(text.count, _ODD))
    return 2 if odd >= _FEWEST and odd >= _SHARE * len(text) else 0


def _loops(text: str) -> bool:
    """Whether a text ends in a loop: it is as it was one period before, over several periods."""
    if len(text) < _LETTERS:
        return False
    last = text[-_SEED:]
    before = text.rfind(last, max(0, len(text) - _SEED - _LONGEST), -1)
    if before < 0:
        return False
    period = len(text) - _SEED - before
    length = max(_TIMES * period, _LETTERS)
    return length <= len(text) and text[-length + period :] == text[-length:-period]
