"""The sufficient statistic of two runs on the same questions, for the count metrics."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.frames import Rows
from metrics.data.inputs import whole_numbers
from metrics.data.shown import result, set_fields
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text

_DENSE = 1 << 20
_LARGEST = 1 << 62


@result
class JointTally(Rows):
    """How many questions have ``c_a`` of ``n_a`` right in one run, ``c_b`` of ``n_b`` in another.

    Parameters
    ----------
    n_a, c_a, n_b, c_b, questions : array_like of int, shape (U,)

    Raises
    ------
    MetricError
        If there is no question, or a count is out of range.

    Examples
    --------
    12 questions that only b solves, 3 that only a does, 85 that both do:

    >>> joint = JointTally([1, 1, 1], [0, 1, 1], [1, 1, 1], [1, 0, 1], [12, 3, 85])
    >>> joint.a.c.tolist(), joint.b.c.tolist(), joint.n_questions
    ([0, 1, 1], [1, 0, 1], 100)
    """

    n_a: NDArray[np.int64]
    c_a: NDArray[np.int64]
    n_b: NDArray[np.int64]
    c_b: NDArray[np.int64]
    questions: NDArray[np.int64]

    def __init__(self, n_a: Any, c_a: Any, n_b: Any, c_b: Any, questions: Any) -> None:
        a, b = Tally(n_a, c_a, questions), Tally(n_b, c_b, questions)
        if len(a.n) != len(b.n):
            raise MetricError(Text("Joint counts must be vectors of one length."))
        set_fields(self, n_a=a.n, c_a=a.c, n_b=b.n, c_b=b.c, questions=a.questions)

    @classmethod
    def of_questions(cls, n_a: Any, c_a: Any, n_b: Any, c_b: Any) -> JointTally:
        """Tally questions given by their counts; numbers of samples may be one for all.

        Examples
        --------
        >>> joint = JointTally.of_questions(2, [0, 1, 0], 1, [1, 1, 1])
        >>> joint.c_a.tolist(), joint.questions.tolist()
        ([0, 1], [2, 1])
        """
        given = {"n_a": n_a, "c_a": c_a, "n_b": n_b, "c_b": c_b}
        counts = [whole_numbers(each, name).astype(np.int64) for name, each in given.items()]
        try:
            rows = np.broadcast_arrays(*counts, np.zeros(1, dtype=np.int64))[:4]
        except ValueError as error:
            raise MetricError(Text("Joint counts must be vectors of one length.")) from error
        least = [int(each.min()) for each in rows]
        widths = [int(each.max()) - low + 1 for each, low in zip(rows, least, strict=True)]
        if prod(widths) >= _LARGEST:
            raise MetricError(Text("Joint counts are too large."))
        codes = np.ravel_multi_index(
            [each - low for each, low in zip(rows, least, strict=True)], widths
        )
        if prod(widths) <= _DENSE:
            histogram = np.bincount(codes)
            distinct = np.flatnonzero(histogram)
            questions = histogram[distinct]
        else:
            distinct, questions = np.unique(codes, return_counts=True)
        places = np.unravel_index(distinct, widths)
        n_a, c_a, n_b, c_b = (each + low for each, low in zip(places, least, strict=True))
        return cls(n_a, c_a, n_b, c_b, questions)

    @property
    def a(self) -> Tally:
        """The counts of the one, row by row."""
        return Tally(self.n_a, self.c_a, self.questions)

    @property
    def b(self) -> Tally:
        """The counts of the other, row by row."""
        return Tally(self.n_b, self.c_b, self.questions)

    @property
    def n_questions(self) -> int:
        """Questions in all, M."""
        return int(self.questions.sum())
