"""Ids of questions, checked once however many runs share them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Self

from metrics.words import MetricError, Text


class QuestionIds(tuple[str, ...]):
    """Unique ids of questions, in order.

    Parameters
    ----------
    ids : iterable
        Texts, or what `str` makes one of; a `QuestionIds` is returned as it is.

    Raises
    ------
    MetricError
        If an id occurs twice.

    Examples
    --------
    >>> ids = QuestionIds(["a", 2])
    >>> ids, QuestionIds(ids) is ids
    (('a', '2'), True)
    """

    __slots__ = ()

    def __new__(cls, ids: Iterable[object]) -> Self:
        """Check the ids."""
        if isinstance(ids, cls):
            return ids
        found = super().__new__(cls, map(str, ids))
        if len(set(found)) != len(found):
            repeated = next(q for q, times in Counter(found).items() if times > 1)
            raise MetricError(Text("Question ids must be unique; {id} occurs twice.", id=repeated))
        return found
