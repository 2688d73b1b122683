"""The sufficient statistic of the count metrics: how many questions have each (n, c)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.frames import Rows
from metrics.data.inputs import outcome_matrix, require_range, whole_numbers
from metrics.data.shown import result, set_fields
from metrics.data.words import MetricError, Text

_DENSE = 1 << 11
_BLOCK = 1 << 18
_BYTE_MAX = 255
_PACKED = (8, 16, 32, 64)
_EACH_BYTE = np.uint64(0x0101010101010101)
_EACH_PAIR = np.uint64(0x0001000100010001)
_EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)


@result
class Tally(Rows):
    """How many questions have ``c`` correct of ``n`` samples.

    Every count metric, its intervals, curves and resamples need no more than this, so their cost
    does not grow with the number of questions.

    Parameters
    ----------
    n, c, questions : array_like of int, shape (U,)
        U distinct pairs with ``0 <= c <= n`` and ``n >= 1``, and how many questions have them.

    Raises
    ------
    MetricError
        If there is no question, or a count is out of range.

    Examples
    --------
    >>> tally = Tally.of_questions([3, 3, 3, 3], [2, 2, 1, 0])
    >>> tally.c.tolist(), tally.questions.tolist(), tally.n_questions
    ([0, 1, 2], [1, 1, 2], 4)
    """

    n: NDArray[np.int64]
    c: NDArray[np.int64]
    questions: NDArray[np.int64]

    def __init__(self, n: Any, c: Any, questions: Any) -> None:
        given = {"n": n, "c": c, "questions": questions}
        n, c, questions = (
            np.array(whole_numbers(each, name), np.int64, ndmin=1) for name, each in given.items()
        )
        if not (n.ndim == 1 and n.shape == c.shape == questions.shape):
            raise MetricError(Text("n, c and questions must be vectors of one length."))
        if questions.sum() == 0:
            raise MetricError(Text("There is no question with a gradable sample."))
        if np.any(c < 0) or np.any(c > n) or np.any(n < 1) or np.any(questions < 1):
            raise MetricError(Text("Counts must satisfy 0 <= c <= n, 1 <= n and 1 <= questions."))
        set_fields(self, n=n, c=c, questions=questions)

    @classmethod
    def of_questions(cls, n: Any, c: Any) -> Tally:
        """Tally questions given by their counts; a question without samples is left out."""
        n, c = np.broadcast_arrays(
            whole_numbers(n, "n").astype(np.int64), whole_numbers(c, "c").astype(np.int64)
        )
        if np.any(c < 0) or np.any(c > n):
            raise MetricError(Text("Counts must satisfy 0 <= c <= n."))
        width = int(n.max(initial=0)) + 1
        pairs = (n * width + c)[n > 0]
        if width <= _DENSE:
            histogram = np.bincount(pairs, minlength=1)
            pairs = np.flatnonzero(histogram)
            return cls(pairs // width, pairs % width, histogram[pairs])
        pairs, questions = np.unique(pairs, return_counts=True)
        return cls(pairs // width, pairs % width, questions)

    @classmethod
    def of(cls, R: Any, name: str = "R") -> Tally:
        """Tally a 0/1 matrix of M questions by n samples, or one question; pass on a Tally.

        Objects that hold only counts have a method ``__tally__``, as others have ``__array__``.

        Parameters
        ----------
        R : Tally, or array_like of 0/1, shape (M, n) or (n,)
            Booleans, integers, or floats that are whole numbers.
        name : str
            What to call it in errors.
        """
        if isinstance(R, Tally):
            return R
        if hasattr(type(R), "__tally__"):
            tallied: Tally = R.__tally__()
            return tallied
        matrix = outcome_matrix(R, name)
        n = matrix.shape[1]
        histogram = np.zeros(n + 1, dtype=np.int64)
        rows = max(1, _BLOCK // n)
        for start in range(0, len(matrix), rows):
            block = matrix[start : start + rows]
            require_range(block, 1, name)
            ones = block if block.dtype.itemsize == 1 else block == 1
            histogram += np.bincount(row_counts(ones), minlength=n + 1)
        (c,) = histogram.nonzero()
        tally = object.__new__(cls)
        set_fields(tally, n=np.full(len(c), n), c=c, questions=histogram[c])
        return tally

    @cached_property
    def n_questions(self) -> int:
        """Questions in all, M."""
        return int(self.questions.sum())

    @property
    def n_samples(self) -> int:
        """Samples in all."""
        return int(self.n @ self.questions)

    @cached_property
    def each_n(self) -> tuple[int, ...]:
        """The numbers of samples there are, ascending."""
        return tuple(sorted(set(self.n.tolist())))

    @property
    def n_min(self) -> int:
        """The fewest samples of any question: the largest k that every question supports."""
        return self.each_n[0]

    @property
    def n_max(self) -> int:
        """The most samples of any question."""
        return self.each_n[-1]

    def scores(self, score: Callable[[int, NDArray[np.int64]], Any]) -> Any:
        """Return the scores of all rows, shape (…, U), by a function of n and the rows' c."""
        if len(self.each_n) == 1:
            return score(self.n_min, self.c)
        parts = [score(n, self.c[self.n == n]) for n in self.each_n]
        rows = np.argsort(np.argsort(self.n, kind="stable"))
        return np.concatenate(parts, axis=-1)[..., rows]

    def mean(self, score: Callable[[int, NDArray[np.int64]], Any]) -> float:
        """Return the mean over questions of their scores."""
        return float(self.questions @ self.scores(score)) / self.n_questions


def distinct_rows(
    columns: Sequence[NDArray[np.int64]], questions: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Add up the questions of equal rows.

    columns: Shape (R,).
    questions: How many questions each row stands for. Shape (R,).
    Returns: The columns with distinct rows in ascending order, and their questions. Shape (U,).

    Examples
    --------
    >>> rows = np.array([3, 2, 3]), np.array([1, 0, 1])
    >>> [column.tolist() for column in distinct_rows(rows, np.array([5, 1, 2]))]
    [[2, 3], [0, 1], [1, 7]]
    """
    if not len(questions):
        return *columns, questions
    order = np.lexsort(columns[::-1])
    rows = [column[order] for column in columns]
    differs = np.any([row[1:] != row[:-1] for row in rows], axis=0)
    first = np.concatenate([[0], np.flatnonzero(differs) + 1])
    return *(row[first] for row in rows), np.add.reduceat(questions[order], first)


def equal_runs(ordered: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where equal neighbours of each row begin, and how many they are, of all rows in turn.

    ordered: With equal values of a row side by side.

    Examples
    --------
    >>> [each.tolist() for each in equal_runs(np.array([[1, 1, 2], [2, 3, 3]]))]
    [[0, 2, 3, 4], [2, 1, 1, 2]]
    """
    begins = np.ones(ordered.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=begins[:, 1:])
    starts = np.flatnonzero(begins)
    return starts, np.diff(starts, append=ordered.size)


def row_counts(mask: NDArray[np.bool_ | np.uint8]) -> NDArray[np.int64]:
    """Count the ones of each row, several times faster than ``mask.sum(axis=1)``.

    Rows that pack into one word have its bits counted. Of others, eight entries are added at a
    time as the bytes of a word where eight divides the width.

    mask: Shape (M, N).
    """
    width = mask.shape[1]
    if width in _PACKED and mask.flags.c_contiguous:
        packed = np.packbits(mask).view(f"u{width // 8}")
        return np.asarray(np.bitwise_count(packed), dtype=np.int64)
    if width % 8 or width > 8 * _BYTE_MAX or not mask.flags.c_contiguous:
        sums = np.uint8 if width <= _BYTE_MAX else np.uint32
        return np.asarray(np.einsum("ij->i", mask.view(np.uint8), dtype=sums), dtype=np.int64)
    folded: NDArray[np.uint64] = np.einsum("ij->i", mask.view(np.uint64))
    if width > _BYTE_MAX:
        folded = (folded & _EVEN_BYTES) + ((folded >> np.uint64(8)) & _EVEN_BYTES)
        return ((folded * _EACH_PAIR) >> np.uint64(48)).view(np.int64)
    return ((folded * _EACH_BYTE) >> np.uint64(56)).view(np.int64)
