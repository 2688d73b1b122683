"""Distances between the embeddings of a question's samples; no vector is kept.

Of each question that is being read there is the sum of its vectors with length 1, from its first
row to its last: rows that stand together take the room of one vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.diversity.embeddings import directions, distance_of_sum
from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.bounds import require_measure
from reports.tables.samples.layout import Floats
from reports.tables.samples.lists.covering import values_by_sample
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.lists import as_list
from reports.tables.source import Source

ROOM = 1 << 29
"""Bytes that the sums of questions may take."""
_VALUES = 1 << 20
"""Numbers that are added at once."""


class TooScattered(Exception):
    """Rows of a question lie so far apart that too many questions are open at once."""


def distances(
    source: Source,
    columns: Columns,
    asked: NDArray[np.integer[Any]],
    width: int,
    notes: list[Note],
) -> Iterator[tuple[str, Floats]]:
    """Yield the mean cosine distance of each question in its rows (R,), by the name of a column.

    asked: Which question of which run each row is about. Shape (R,).
    width: Samples of each row.
    """
    for name, group in columns.embeddings.items():
        sums = _Sums(asked)
        try:
            sums.read(source, columns, group, width)
        except TooScattered:
            what = Text(
                "{column} is left out: too many questions have rows far apart. Sort the table by "
                "question.",
                column=name,
            )
            notes.append(Note(what, source.place, severity="warning"))
            continue
        if sums.unread:
            what = Text(
                "{count} value of {column} is not a list of numbers, or has another length than "
                "the others of its question.",
                "{count} values of {column} are not lists of numbers, or differ in length from "
                "others of their questions.",
                count=sums.unread,
                column=name,
            )
            notes.append(Note(what, source.place, sums.unread, "warning"))
        yield f"{name}_distance", sums.found[asked]


class _Sums:
    """Sums of the directions of vectors, question by question."""

    def __init__(self, asked: NDArray[np.integer[Any]]) -> None:
        self.asked = asked
        self.found = np.full(int(asked.max()) + 1, np.nan)
        self.unread = 0
        self._odd: set[int] = set()
        self._open: dict[int, tuple[Floats, int]] = {}
        self._size = 0
        self._waiting: list[tuple[int, Floats]] = []
        self._ended: list[int] = []
        self._held = 0

    def read(self, source: Source, columns: Columns, group: Group, width: int) -> None:
        last = np.zeros(len(self.found), np.int64)
        last[self.asked] = np.arange(len(self.asked))
        ends = (last[self.asked] == np.arange(len(self.asked))).tolist()
        size = 0
        rows = source.rows(group)
        for question, is_last, values in zip(self.asked.tolist(), ends, rows, strict=True):
            for value in values_by_sample(columns, values, width) or ():
                vector = _vector(value)
                if vector is None:
                    self.unread += value is not None and value != ""
                    continue
                size += vector.nbytes
                self._take(question, vector)
            require_measure(source, 0, size)
            if is_last:
                self._ended.append(question)
        self._add()

    def _take(self, question: int, vector: Floats) -> None:
        if self._waiting and len(vector) != len(self._waiting[0][1]):
            self._add_waiting()
        self._waiting.append((question, vector))
        self._held += len(vector)
        if self._held > _VALUES:
            self._add()

    def _add(self) -> None:
        """Add what waits to the sums, and make distances of those that are whole."""
        if self._waiting:
            self._add_waiting()
        for question in self._ended:
            together, n = self._open.pop(question, (np.zeros(0), 0))
            self._size -= together.nbytes
            if question not in self._odd:
                self.found[question] = distance_of_sum(together, n)
        self._ended = []
        if self._size > ROOM:
            raise TooScattered

    def _add_waiting(self) -> None:
        questions = np.array([question for question, _ in self._waiting])
        units, directed = directions(np.stack([vector for _, vector in self._waiting]))
        self._waiting, self._held = [], 0
        order = np.argsort(questions, kind="stable")
        starts = np.flatnonzero(np.diff(questions[order], prepend=-1))
        sums = np.add.reduceat(units[order], starts)
        counts = np.add.reduceat(directed[order].astype(np.int64), starts)
        for question, together, n in zip(
            questions[order][starts].tolist(), sums, counts.tolist(), strict=True
        ):
            if question not in self._open:
                self._open[question] = together.copy(), n
                self._size += together.nbytes
            elif len(self._open[question][0]) == len(together):
                before, count = self._open[question]
                self._open[question] = before + together, count + n
            else:
                self._odd.add(question)
                self.unread += n


def _vector(value: Any) -> Floats | None:
    listed = value if isinstance(value, np.ndarray) else as_list(value)
    if listed is None or not len(listed):
        return None
    try:
        vector = np.asarray(listed, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return vector if vector.ndim == 1 else None
