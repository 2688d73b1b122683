"""Which question each entry of a list of details belongs to.

The tool scores replica by replica and concatenates: all questions' first answers, all second
answers and so on. It then cuts this list into questions as if it ran question by question. So of
D questions with n answers each, what is stored as answer s of question i is at position
``j = i n + s`` and truly answer ``j // D`` of question ``j % D``. A corrected tool would store
answer s of question i there. The references tell which: all answers to one question share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from reports.run.report import Evidence

T = TypeVar("T", bound=np.generic)

TOLERATED = 0.1
"""Questions with differing references under the order found, over those under the other."""


@dataclass(frozen=True, eq=False, slots=True)
class Grouping:
    """Where the n answers to each of D questions stand in the details."""

    shape: tuple[int, int]  # (D, n).
    # Whether they stand elsewhere than one would expect, which is question by question.
    scrambled: bool = False
    known: Evidence = "proven"  # How; see `reports.run.report.Run`.
    # Questions whose answers have different references under either order.
    mixed_as_stored: int = 0
    mixed_by_replica: int = 0
    # The positions, where they are neither question by question nor replica by replica. Shape
    # (D, n).
    places: NDArray[np.intp] | None = None

    @property
    def mixed(self) -> int:
        """Questions whose answers have different references as they are grouped here."""
        return self.mixed_by_replica if self.scrambled else self.mixed_as_stored

    def of_questions(self, values: NDArray[T]) -> NDArray[T]:
        """Return the values of each question, shape (D, n), from those by position."""
        if self.places is not None:
            return values[self.places]
        return (by_replica if self.scrambled else as_stored)(values, *self.shape)

    def by_position(self, values: NDArray[T]) -> NDArray[T]:
        """Return values by position, shape (D n,), from those of each question."""
        if self.places is None:
            return (values.T if self.scrambled else values).ravel()
        flat = np.empty_like(values, shape=values.size)
        flat[self.places] = values
        return flat

    def positions(self, sample: int) -> NDArray[np.intp]:
        """Return where one sample of each question stands, shape (D,)."""
        if self.places is not None:
            return self.places[:, sample]
        questions, n = self.shape
        each = np.arange(questions)
        return each + sample * questions if self.scrambled else each * n + sample

    def of_question(self, question: int) -> NDArray[np.intp]:
        """Return where the samples of one question stand, shape (n,)."""
        if self.places is not None:
            return np.asarray(self.places[question])
        questions, n = self.shape
        each = np.arange(n)
        return question + each * questions if self.scrambled else question * n + each


def as_stored(values: NDArray[T], questions: int, n: int) -> NDArray[T]:
    """Return the values of each question when details run question by question.

    Examples
    --------
    >>> as_stored(np.arange(6), 2, 3).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    return values.reshape(questions, n)


def by_replica(values: NDArray[T], questions: int, n: int) -> NDArray[T]:
    """Return the values of each question when details run replica by replica.

    Examples
    --------
    >>> by_replica(np.arange(6), 2, 3).tolist()
    [[0, 2, 4], [1, 3, 5]]
    """
    return values.reshape(n, questions).T


def find_grouping(
    references: NDArray[Any] | None, questions: int, n: int, assume_scrambled: bool
) -> Grouping | None:
    """Decide over all questions under which order the references are constant within them.

    references: Equal values for equal references, by position. Shape (questions * n,).
    assume_scrambled: What to take where the references are missing or fit both orders.
    Returns: None where the references fit neither order.

    Examples
    --------
    >>> found = find_grouping(np.array([7, 9, 7, 9, 7, 9]), 2, 3, assume_scrambled=False)
    >>> found.of_questions(np.arange(6)).tolist(), found.scrambled, found.mixed_as_stored
    ([[0, 2, 4], [1, 3, 5]], True, 2)
    """
    shape = questions, n
    if questions == 1 or n == 1:
        return Grouping(shape)
    mixed = 0, 0
    if references is not None:
        mixed = (
            count_mixed(as_stored(references, *shape)),
            count_mixed(by_replica(references, *shape)),
        )
    if min(mixed) > TOLERATED * max(mixed):
        return None
    proven = mixed[0] != mixed[1]
    scrambled = mixed[1] < mixed[0] if proven else assume_scrambled
    return Grouping(shape, scrambled, "proven" if proven else "stated", *mixed)


def count_mixed(references: NDArray[Any]) -> int:
    """Count the rows that hold more than one value."""
    return int((references != references[:, :1]).any(axis=1).sum())
