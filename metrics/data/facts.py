"""Facts that an answer should hold, and how many candidates do."""

from __future__ import annotations

import numpy as np

from metrics.data.arrays import Integers
from metrics.data.shown import result, set_fields
from metrics.data.words import MetricError, Text


@result
class Facts:
    """The gold facts of questions, and how many candidates cover each.

    A fact may also be an id that is to be retrieved, or a facet that is required.

    Attributes
    ----------
    question : int array, shape (F,)
        The row of its question in the outcomes.
    n : int array, shape (F,)
        Candidates of its question.
    c : int array, shape (F,)
        Those that cover it.
    first : int array, shape (F,), or None
        The place, from 1, of the first candidate of the list that covers it, 0 where none does;
        None where nothing tells in which order candidates are listed.
    names : tuple of str
        What each is; untrusted text. Empty unless requested.

    Examples
    --------
    Two facts of the first question, found by 1 and by 3 of its 4 candidates:

    >>> Facts(np.array([0, 0]), np.array([4, 4]), np.array([1, 3])).c.tolist()
    [1, 3]
    """

    question: Integers
    n: Integers
    c: Integers
    first: Integers | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        counts = {"question": self.question, "n": self.n, "c": self.c, "first": self.first}
        given = {
            name: np.array(each, dtype=np.int64).reshape(-1)
            for name, each in counts.items()
            if each is not None
        }
        set_fields(self, **given)
        if len({len(array) for array in given.values()}) > 1:
            raise MetricError(Text("question, n, c and first must have one entry for each fact."))
        if np.any(self.question < 0) or np.any(self.c < 0) or np.any(self.c > self.n):
            raise MetricError(
                Text("Between 0 and n of a question's n candidates can cover a fact.")
            )
        if self.first is not None and (
            np.any(self.first > self.n) or np.any((self.first > 0) != (self.c > 0))
        ):
            raise MetricError(Text("A fact is first covered in a place from 1 to n, 0 if never."))
