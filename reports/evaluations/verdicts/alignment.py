r"""Which questions the details kept, where an evaluator dropped some without saying which.

The kept questions are in order, and a reference in the details is made from the raw one in the
predictions: "[8, '8']" from "... gives \boxed{8}." So the order-preserving match that finds most
references again is the right one, if there is only one such match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_COMPARISONS = 2_000_000
"""Of references; beyond it the question is left open."""

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_ESCAPED = re.compile(r"\\(.)")


def align(kept: Sequence[str], golds: Sequence[str | None]) -> NDArray[np.intp] | None:
    """Find the id of each kept question.

    kept: References in the details, in order.
    golds: Raw references by id; None where the predictions hold none, which is why a question is
        dropped; empty where there is no prediction to tell.
    Returns: Increasing ids; None where several answers are equally good. Shape (len(kept),).

    Examples
    --------
    >>> align(["7", "9"], ["it is 7", None, "so 9"]).tolist()
    [0, 2]
    >>> align(["7", "9"], ["it is 7", "unclear", "so 9"]).tolist()
    [0, 2]
    """
    ids = np.array([i for i, gold in enumerate(golds) if gold is not None], dtype=np.intp)
    if len(ids) < len(kept):
        ids = np.arange(len(golds))
    dropped = len(ids) - len(kept)
    if dropped < 0 or len(kept) * (dropped + 1) > MAX_COMPARISONS:
        return None
    found = np.array(
        [
            [_is_made_from(reference, golds[ids[i + skip]] or "") for skip in range(dropped + 1)]
            for i, reference in enumerate(kept)
        ]
    )
    skips = _only_best_path(found)
    return None if skips is None else ids[np.arange(len(kept)) + skips]


def _only_best_path(asked: NDArray[np.bool_]) -> NDArray[np.intp] | None:
    """Find how many ids are skipped before each question, if one non-decreasing path is best."""
    best = np.zeros(asked.shape, dtype=np.int64)
    reached = np.zeros(asked.shape[1], dtype=np.int64)
    for i, row in enumerate(asked):
        best[i] = np.maximum.accumulate(reached) + row
        reached = best[i]
    first, last = np.empty(len(asked), dtype=np.intp), np.empty(len(asked), dtype=np.intp)
    low = high = asked.shape[1]
    for i in reversed(range(len(asked))):
        low = first[i] = np.argmax(best[i, : low + 1])
        high = last[i] = len(best[i, : high + 1]) - 1 - np.argmax(best[i, : high + 1][::-1])
    return first if np.array_equal(first, last) else None


def _is_made_from(reference: str, gold: str) -> bool:
    quoted = [_ESCAPED.sub(r"\1", text[1:-1]) for text in _QUOTED.findall(reference)[:8]]
    return any(holds_word(gold, piece) for piece in (reference, *quoted) if piece)


def holds_word(text: str, word: str) -> bool:
    """Return whether a text holds a word, or several, that no letter or digit goes on from."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (text[max(start - 1, 0) : start].isalnum() or text[end : end + 1].isalnum()):
            return True
        start = text.find(word, start + 1)
    return False
