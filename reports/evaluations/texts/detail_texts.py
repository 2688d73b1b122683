"""The texts of questions from the details of a results file, if no predictions have them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from reports.evaluations.details.table import PROMPTS, REFERENCES, DetailTable
from reports.evaluations.verdicts.grouping import Grouping
from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files
from reports.json_files.located import Located, Reading, Span, entries, locate
from reports.json_files.strict import NOT_FINITE, parse
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import every_text, question_texts

_SAID = ("origin_prediction", "completion")
"""Keys of what the model said, the most telling first."""
_EXTRACTED = ("pred", "predictions", "prediction")
"""Keys of what was extracted from it, unless another one is."""


class TextLayout(NamedTuple):
    """Where entries hold texts."""

    # Their keys.
    prompt: str | None
    answer: str | None
    reference: str | None
    width: int | None  # Samples that an entry lists; None where it is one sample.

    @classmethod
    def of(cls, table: DetailTable) -> TextLayout | None:
        """Find what entries hold; None if that is no text of the model's, or another entry's."""
        if table.by_letter or table.moved:
            return None
        width = table.width()
        extracted = table.key(_EXTRACTED)
        is_said = extracted is not None and (extracted != table.answers or table.annotated)
        answer = table.key(_SAID) or (extracted if is_said else None)
        keys = cls(
            table.key(PROMPTS),
            answer,
            table.key(REFERENCES),
            None if table.named and width in (None, 1) else width or 1,
        )
        return keys if any(keys[:3]) else None


@dataclass(frozen=True, eq=False)
class DetailTexts(Store):
    """Texts of a run from its details; see `Store`."""

    files: Files
    path: str
    whole: bool  # Whether they could only be read as a whole.
    layout: TextLayout
    grouping: Grouping  # Where the samples of each question stand.
    rows: NDArray[np.int32]  # Which row of the outcomes each question is; increasing.
    samples: int  # N of the outcomes.
    index: Once[_Index] = field(default_factory=Once, init=False)

    def find(self, progress: Progress | None) -> None:
        """Find out where each entry is."""
        self._index(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the entries that hold samples of one question."""
        return self._texts_of(row, self._index().located.read)

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read the entries of some questions from a file that is opened once."""
        with self._index().located.reading() as read:
            for row in rows:
                yield row, self._texts_of(row, read)

    def _texts_of(self, row: int, read: Reading) -> QuestionTexts:
        question = int(np.searchsorted(self.rows, row))
        nothing = QuestionTexts((), None, (None,) * self.samples)
        if question == len(self.rows) or self.rows[question] != row:
            return nothing
        places = self.grouping.of_question(question)[: self.samples]
        wanted, slots = np.divmod(places, self.layout.width or 1)
        numbers, which = np.unique(wanted, return_inverse=True)
        held = [self._decoded(data) for data in read(self._index().order[numbers])]
        each = [self._sample(held[i], slot) for i, slot in zip(which, slots.tolist(), strict=True)]
        prompts, predictions, references = zip(*each, strict=True)
        return question_texts(prompts[0], references[0], predictions)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all entries."""
        rows = self.grouping.by_position(np.broadcast_to(self.rows[:, None], self.grouping.shape))
        width = self.layout.width or 1
        located, order = self._index()
        first = np.empty_like(order)
        first[order] = np.arange(len(order)) * width
        for start, data in zip(first.tolist(), located.scan(progress), strict=True):
            entry = self._decoded(data)
            for slot in range(width):
                prompt, prediction, reference = self._sample(entry, slot)
                yield int(rows[start + slot]), every_text(prompt, reference, [prediction])

    def _sample(self, entry: Any, slot: int) -> tuple[Any, ...]:
        """Return prompt, prediction and reference of one sample of an entry."""
        return tuple(
            None if key is None else self._value(getattr(entry, key), slot, key)
            for key in self.layout[:3]
        )

    def _value(self, value: Any, slot: int, key: str) -> Any:
        if self.layout.width is None:
            alone = isinstance(value, list) and len(value) == 1 and key not in PROMPTS
            return value[0] if alone else value
        return value[slot] if isinstance(value, list) and slot < len(value) else None

    def _decoded(self, data: bytes) -> Any:
        """Return the three fields of an entry."""
        try:
            return self._decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            entry = parse(data, self.files.name, self.path, absent=NOT_FINITE)
            return self._decoder.type(*map(entry.get, filter(None, self.layout[:3])))

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        return _decoder(tuple(filter(None, self.layout[:3])))

    def _index(self, progress: Progress | None = None) -> _Index:
        return self.index.get(lambda: self._locate(progress))

    def _locate(self, progress: Progress | None) -> _Index:
        names = array("q")

        def held(path: str) -> Iterator[Span]:
            for entry in entries(self.files, path, "details", self.whole):
                if entry.name is None or (entry.name.isascii() and entry.name.isdigit()):
                    yield entry

        def look(_: str, entry: Span) -> None:
            names.append(len(names) if entry.name is None else int(entry.name))

        located = locate(self.files, [self.path], held, look, progress)
        return _Index(located, np.argsort(np.array(names), kind="stable"))


@lru_cache(maxsize=64)
def _decoder(keys: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(msgspec.defstruct("Entry", [(key, Any, None) for key in keys]))


class _Index(NamedTuple):
    """The entries as the file has them, and which of them is the first, the second and so on."""

    located: Located
    order: NDArray[np.intp]
