"""Two runs without their matrices: how many questions have which counts in both."""

from __future__ import annotations

from typing import Any

import numpy as np

from metrics.data.arrays import Flags, Integers
from metrics.data.counts import counted_rows, counts_of_questions, require_counts, samples_and_right
from metrics.data.frames import Rows
from metrics.data.joint_tally import JointTally
from metrics.data.outcomes import Missing, Outcomes, Segment
from metrics.data.shown import result, set_fields
from metrics.data.tally import distinct_rows

_NOWHERE = -1


@result
class JointCounts(Rows):
    """How many questions have each combination of graded, right and failed samples in two runs.

    Parameters
    ----------
    graded_a, right_a, failed_a, graded_b, right_b, failed_b, questions : array_like of int, (U,)
        As in `Counts`. A question that only one of them has is counted with 0 samples of the other.

    Raises
    ------
    MetricError
        If there is no question, or a count is out of range.

    Examples
    --------
    12 questions that only b solves, 3 that only a does, 85 that both do; 5 that b was not asked:

    >>> ones, none = [1, 1, 1, 1], [0, 0, 0, 0]
    >>> joint = JointCounts(
    ...     ones, [0, 1, 1, 0], none, [1, 1, 1, 0], [1, 0, 1, 0], none, [12, 3, 85, 5]
    ... )
    >>> joint.tally("wrong").n_questions, joint.dropped("wrong")
    (100, 5)
    """

    graded_a: Integers
    right_a: Integers
    failed_a: Integers
    graded_b: Integers
    right_b: Integers
    failed_b: Integers
    questions: Integers

    def __init__(
        self,
        graded_a: Any,
        right_a: Any,
        failed_a: Any,
        graded_b: Any,
        right_b: Any,
        failed_b: Any,
        questions: Any,
    ) -> None:
        given = {
            "graded_a": graded_a,
            "right_a": right_a,
            "failed_a": failed_a,
            "graded_b": graded_b,
            "right_b": right_b,
            "failed_b": failed_b,
            "questions": questions,
        }
        rows = counted_rows(given)
        require_counts(*rows[:3])
        require_counts(*rows[3:6])
        set_fields(self, **dict(zip(given, distinct_rows(rows[:6], rows[6]), strict=True)))

    @classmethod
    def of(cls, a: Outcomes, b: Outcomes, segment: Segment | None = None) -> JointCounts:
        """Reduce two outcomes to their joint counts; questions are the same where their ids are.

        Examples
        --------
        >>> a, b = Outcomes([[1], [0]]), Outcomes([[1, 0], [1, 1], [0, 0]])
        >>> joint = JointCounts.of(a, b)
        >>> joint.tally("wrong").c_b.tolist(), joint.dropped("wrong")
        ([2, 1], 1)
        """
        in_a, in_b = (_marked(each, segment) for each in (a, b))
        places = b.questions.places(a.questions)
        both = in_a & (places >= 0) & in_b[places]
        only_a, only_b = np.flatnonzero(in_a & ~both), in_b.copy()
        only_b[places[both]] = False
        rows_a = np.flatnonzero(both), only_a, np.full(np.count_nonzero(only_b), _NOWHERE)
        rows_b = places[both], np.full(len(only_a), _NOWHERE), np.flatnonzero(only_b)
        columns = [
            np.append(column, 0)[np.concatenate(rows)]
            for each, rows in ((a, rows_a), (b, rows_b))
            for column in counts_of_questions(each)[:3]
        ]
        columns.append(np.ones_like(columns[0]))
        return cls(*columns)

    @property
    def swapped(self) -> JointCounts:
        """The same with the two runs exchanged."""
        a, b = (
            (self.graded_a, self.right_a, self.failed_a),
            (self.graded_b, self.right_b, self.failed_b),
        )
        return JointCounts(*b, *a, self.questions)

    def tally(self, missing: Missing = "wrong") -> JointTally:
        """Reduce the questions that have a sample in both to their joint counts of each (n, c)."""
        (n_a, c_a), (n_b, c_b) = self._treated(missing)
        both = (n_a > 0) & (n_b > 0)
        columns = tuple(column[both] for column in (n_a, c_a, n_b, c_b))
        return JointTally(*distinct_rows(columns, self.questions[both]))

    def shared(self, missing: Missing = "wrong") -> int:
        """Return how many questions have a sample in both."""
        (n_a, _), (n_b, _) = self._treated(missing)
        return int(self.questions[(n_a > 0) & (n_b > 0)].sum())

    def dropped(self, missing: Missing = "wrong") -> int:
        """Return how many questions have a sample in one of them only."""
        (n_a, _), (n_b, _) = self._treated(missing)
        return int(self.questions[(n_a > 0) != (n_b > 0)].sum())

    def _treated(self, missing: Missing) -> tuple[tuple[Integers, Integers], ...]:
        return (
            samples_and_right(self.graded_a, self.right_a, self.failed_a, missing),
            samples_and_right(self.graded_b, self.right_b, self.failed_b, missing),
        )


def _marked(outcomes: Outcomes, segment: Segment | None) -> Flags:
    marked = np.zeros(outcomes.shape[0], dtype=bool)
    marked[outcomes.members(segment)] = True
    return marked
