"""The texts of questions from prediction files, whose records are indexed once.

The first that looks at a question waits for that; all others find theirs at once.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from reports.evaluations.files.predictions import is_older, number_of
from reports.evaluations.order import RecordOrder
from reports.files.errors import LoadError
from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files
from reports.json_files.located import Located, Reading, Span, entries, lines, locate
from reports.json_files.strict import parse
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import every_text, question_texts

T = TypeVar("T", bound="_Head")


class _Head(msgspec.Struct):
    id: Any = None
    prediction: Any = None


class _Whole(_Head):
    gold: Any = None
    origin_prompt: Any = None


_HEAD = msgspec.json.Decoder(_Head)
_WHOLE = msgspec.json.Decoder(_Whole)


@dataclass(frozen=True, eq=False)
class PredictionTexts(Store):
    """Texts of a run whose predictions have the ids of its questions; see `Store`."""

    files: Files
    paths: Sequence[str]  # Of the prediction files: several are parts of one.
    shape: tuple[int, int]  # (M, N) of the outcomes.
    order: RecordOrder
    # Of which questions all predictions are there; of the others they may be of any sample.
    whole: NDArray[np.bool_]
    index: Once[_Index] = field(default_factory=Once, init=False)

    def find(self, progress: Progress | None) -> None:
        """Find out where each record is."""
        self._index(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the records of one question."""
        return self._texts_of(row, self._index().located.read)

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read no more records of each question than it takes to know what was asked."""
        with self._index().located.reading() as read:
            for row in rows:
                prompt: Any = None
                reference: Any = None
                for _slot, record in self._records_of(row, read):
                    prompt, reference = prompt or record.origin_prompt, reference or record.gold
                    if prompt and reference:
                        break
                yield row, question_texts(prompt, reference, ())

    def _texts_of(self, row: int, read: Reading) -> QuestionTexts:
        predictions: list[Any] = [None] * self.shape[1]
        prompt: Any = None
        reference: Any = None
        for slot, record in self._records_of(row, read):
            own_predictions = _predictions(record) if self.whole[row] else []
            predictions[slot : slot + len(own_predictions)] = own_predictions[
                : self.shape[1] - slot
            ]
            prompt, reference = prompt or record.origin_prompt, reference or record.gold
        return question_texts(prompt, reference, predictions)

    def _records_of(self, row: int, read: Reading) -> Iterator[tuple[int, _Whole]]:
        """Read the records of a question, each with its first sample."""
        index = self._index()
        mine = slice(*index.starts[row : row + 2])
        found = read(index.numbers[mine])
        for slot, data in zip(index.slots[mine].tolist(), found, strict=True):
            yield slot, self._decoded(_WHOLE, data)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all records."""
        index = self._index()
        rows = np.full(len(index.located.offsets), -1, dtype=np.int32)
        rows[index.numbers] = np.repeat(np.arange(self.shape[0]), np.diff(index.starts))
        for row, data in zip(rows.tolist(), index.located.scan(progress), strict=True):
            if row >= 0:
                record = self._decoded(_WHOLE, data)
                predictions = _predictions(record) if self.whole[row] else []
                yield row, every_text(record.origin_prompt, record.gold, predictions)

    def _decoded(self, decoder: msgspec.json.Decoder[T], data: bytes) -> T | _Whole:
        try:
            return decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            record = parse(data, self.files.name, self.paths[0])
            return _Whole(*map(record.get, _Whole.__struct_fields__))

    def _index(self, progress: Progress | None = None) -> _Index:
        return self.index.get(lambda: self._locate(progress))

    def _locate(self, progress: Progress | None) -> _Index:
        keys, sizes = array("q"), array("i")
        base: defaultdict[str, int] = defaultdict(lambda: 1 + max(keys, default=-1))

        def look(path: str, span: Span) -> None:
            head = self._decoded(_HEAD, span.data)
            alone = len(self.paths) == 1
            given = head.id if span.name is None else number_of(span.name, head.id, alone)
            keys.append(base[path] + int(given))
            sizes.append(len(_predictions(head)))

        located = locate(self.files, self.paths, self._records, look, progress)
        rows, slots = self.order.records(np.array(keys, np.int64), np.array(sizes, np.int64))
        kept = np.flatnonzero((rows < self.shape[0]) & (slots < self.shape[1]))
        numbers = kept[np.lexsort((slots[kept], rows[kept]))]
        starts = np.searchsorted(rows[numbers], np.arange(self.shape[0] + 1))
        return _Index(located, starts, numbers.astype(np.int32), slots[numbers].astype(np.int32))

    def _records(self, path: str) -> Iterator[Span]:
        if is_older(path):
            yield from entries(self.files, path, "")
            return
        for line in lines(self.files, path):
            if line.data.endswith(b"\n") or _is_whole(line.data):
                yield line


class _Index(NamedTuple):
    """The records in order of row and sample."""

    located: Located
    starts: NDArray[np.intp]  # Where the records of each row begin among those in order.
    # Of each record in order, its number and its first sample.
    numbers: NDArray[np.int32]
    slots: NDArray[np.int32]


def _is_whole(line: bytes) -> bool:
    """Whether a last line is the record that it begins as; what is left of one may be a number."""
    try:
        return isinstance(parse(line, ""), dict)
    except LoadError:
        return False


def _predictions(record: _Head) -> list[Any]:
    return record.prediction if isinstance(record.prediction, list) else [record.prediction]
