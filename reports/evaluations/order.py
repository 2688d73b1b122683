"""Which question and sample each record of the predictions belongs to.

Where an id has as many requests as a question has samples, the id is the question. Otherwise every
request has an id of its own, and which of them are of one question is told by what is the same
throughout a question: its reference and its prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.evaluations.files.codes import as_text
from reports.evaluations.files.predictions import Answered, is_older, records
from reports.files.tree import Tree
from reports.json_files.interned import LONGEST, Interned
from reports.run.report import Evidence

BATCH = 512
"""Records that are held at a time."""


@dataclass(frozen=True, eq=False, slots=True)
class RecordOrder:
    """Where the records of each id stand among the samples."""

    # (D, n); if nothing tells the questions apart, each request is a question of one sample.
    shape: tuple[int, int]
    per_id: int  # Requests of each id: n, or fewer where a question has several ids.
    grouping: Evidence = "proven"  # See `reports.run.report.Run`.
    # Which sample each id is, counted question by question; None if they are in this order. Shape
    # (D n,).
    places: NDArray[np.int64] | None = None

    def place(self, key: Any, nth: Any) -> tuple[Any, Any]:
        """Return question and sample of the nth record of an id, or those of arrays of both.

        Examples
        --------
        >>> RecordOrder((2, 3), 3).place(1, 2)
        (1, 2)
        """
        first = key * self.per_id if self.places is None else self.places[key]
        question, sample = divmod(first + nth, self.shape[1])
        return question, sample

    def records(
        self, keys: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the question of each record, and which of its samples it begins with.

        keys, sizes: In the order of the files, the id of each record and how many samples it holds.
            Shape (R,).

        Examples
        --------
        >>> asked, samples = RecordOrder((2, 2), 2).records(np.array([0, 1, 0, 0]), np.ones(4, int))
        >>> asked.tolist(), samples.tolist()
        ([0, 1, 0, 0], [0, 0, 1, 2])
        """
        order = np.argsort(keys, kind="stable")
        before = np.cumsum(sizes[order]) - sizes[order]
        first = np.searchsorted(keys[order], keys[order])
        nth = np.empty_like(before)
        nth[order] = before - before[first]
        rows, slots = self.place(keys, np.minimum(nth, self.per_id - 1))
        return rows, np.where(nth < self.per_id, slots, self.shape[1])

    def lacking(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which samples have no record.

        counts: Records of each id.
        Returns: Shape (D, n).

        Examples
        --------
        >>> RecordOrder((2, 3), 3).lacking(np.array([3, 1])).tolist()
        [[False, False, False], [False, True, True]]
        """
        questions, n = self.shape
        lacking = np.ones(questions * n, dtype=bool)
        if self.places is None:
            held = np.arange(self.per_id) < counts[: questions * n // self.per_id, None]
            lacking[: held.size] = ~held.ravel()
        else:
            lacking[self.places[np.flatnonzero(counts)]] = False
        return lacking.reshape(self.shape)

    def lost(self, answered: Answered) -> int:
        """Return how many questions had no other sample than one in a line that is cut."""
        return len(answered.torn) if self.shape[1] == 1 and not self.torn(answered).any() else 0

    def torn(self, answered: Answered) -> NDArray[np.bool_]:
        """Return which samples had the lines that are cut, shape (D, n); none if that is open."""
        lacking = self.lacking(answered.counts)
        is_known = int(lacking.sum()) == len(answered.torn)
        return lacking if is_known else np.zeros_like(lacking)


def find_order(
    tree: Tree, files: Sequence[str], answered: Answered, kept: int, n: int, per_id: int
) -> RecordOrder:
    """Find out which sample of which question each record is.

    kept: Questions that there are at least.
    n: Samples of each question.
    per_id: Requests of each id.
    """
    size, ids = len(answered.counts), n // per_id
    questions = max(kept, -(-size * per_id // n))
    in_order = RecordOrder((questions, n), per_id)
    if ids == 1:
        return in_order
    text_codes = _text_codes(tree, files, questions * ids)
    fits = {_fits(codes, questions, ids) for codes in text_codes}
    if fits & {(True, False), (False, True)} == {(True, False)}:
        return in_order
    if fits & {(True, False), (False, True)} == {(False, True)}:
        by_question = np.arange(questions * ids).reshape(questions, ids)
        return replace(in_order, places=by_question.T.ravel() * per_id)
    for codes in text_codes if (False, False) in fits else ():
        if (places := _by_likeness(codes, questions, ids)) is not None:
            return replace(in_order, places=places * per_id)
    if fits <= {(True, True)} and not is_older(files[0]):
        return replace(in_order, grouping="stated")
    return RecordOrder((size * per_id, 1), per_id, "unknown")


def _text_codes(tree: Tree, files: Sequence[str], size: int) -> tuple[NDArray[np.int64], ...]:
    """Return codes of prompt and reference of each id: equal for equal ones, -1 for none."""
    keys: list[int] = []
    columns = {name: Interned(longest=LONGEST) for name in ("origin_prompt", "gold")}
    each = records(tree, files)
    while batch := list(islice(each, BATCH)):
        keys += [key for key, _ in batch]
        for name, column in columns.items():
            values = [record.get(name) for _, record in batch]
            column.extend([as_text(value) if value else None for value in values])
    found = []
    for column in columns.values():
        number = np.array([-1 if value is None else i for i, value in enumerate(column.distinct)])
        codes = np.full(size, -1)
        codes[keys] = column.spread(number)
        found.append(codes)
    return tuple(found)


def _fits(codes: NDArray[np.int64], questions: int, ids: int) -> tuple[bool, bool]:
    """Return whether codes are constant within questions: as ordered, and replica by replica."""
    return (
        _is_constant(codes.reshape(questions, ids)),
        _is_constant(codes.reshape(ids, questions).T),
    )


def _is_constant(codes: NDArray[np.int64]) -> bool:
    """Return whether there is one code in each row, but for -1."""
    most = codes.max(axis=1)
    return bool(((codes == most[:, None]) | (codes < 0)).all())


def _by_likeness(codes: NDArray[np.int64], questions: int, ids: int) -> NDArray[np.int64] | None:
    """Return which place each id has if all of a code are of one question, in order of coming.

    None if there are not as many codes as questions, each of as many ids.
    """
    known, first, of, counts = np.unique(
        codes, return_index=True, return_inverse=True, return_counts=True
    )
    if len(known) != questions or (counts != ids).any() or known[0] < 0:
        return None
    rank = _inverse(np.argsort(first))
    return _inverse(np.argsort(rank[of], kind="stable"))


def _inverse(permutation: NDArray[np.int64]) -> NDArray[np.int64]:
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(len(permutation))
    return inverse
