"""Texts of samples in records: lines of a file, entries of a list, members of an archive.

Where each record is, the first that looks at a question finds out; nothing is read before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files
from reports.json_files.located import Located, Places, Reading, Span, lines, locate
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import every_text, question_texts

DecodedTexts = tuple[Any, Any, Sequence[Any]]
"""Prompt, reference and what was said in a record, as `reports.run.turns.kept` takes them."""

_BROKEN = (
    *(msgspec.MsgspecError, AttributeError, IndexError, KeyError, RecursionError),
    *(TypeError, ValueError),
)


@dataclass(frozen=True, eq=False)
class RecordTexts(Store):
    """Texts of a run whose samples lie in records; see `Store`."""

    files: Files
    paths: Sequence[str]  # Of the files that hold the records.
    # What a record says, of its bytes: a function of a module, or a `functools.partial` of one.
    decode: Callable[[bytes], DecodedTexts]
    # The record of each sample, counted through all files in their order; -1 where it has none.
    numbers: NDArray[np.int32]
    slots: NDArray[np.int32]  # The place of each sample among what its record says.
    # Gives the records of a file in their order; by default its lines that are not empty.
    records: Callable[[Files, str], Iterable[Span]] = lines
    asks: bool = True  # Whether records hold prompts or references.
    # Gives the canonical prompt and the reference in a record, where what was sent has templates
    # about it that other files of the tool do not tell.
    poses: Callable[[bytes], DecodedTexts] | None = None
    index: Once[Located] = field(default_factory=Once, init=False)

    @property
    def tells_questions(self) -> bool:
        """Whether there may be prompts or references."""
        return self.asks

    def find(self, progress: Progress | None) -> None:
        """Find out where each record is."""
        self._located(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the records of one question."""
        return self._texts_of(row, self._located().read)

    def _texts_of(self, row: int, read: Reading) -> QuestionTexts:
        mine, slots = self.numbers[row], self.slots[row]
        needed = np.unique(mine[mine >= 0])
        found = dict(zip(needed.tolist(), map(self._decode, read(needed)), strict=True))
        predictions = [
            each[2][slot] if (each := found.get(number)) and slot < len(each[2]) else None
            for number, slot in zip(mine.tolist(), slots.tolist(), strict=True)
        ]
        prompt, reference = (
            next((each[i] for each in found.values() if each[i] is not None), None) for i in (0, 1)
        )
        return question_texts(prompt, reference, predictions)

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read what was asked; of one sample where that is enough."""
        with self._located().reading() as read:
            for row in rows:
                if self.poses is None:
                    yield row, self._texts_of(row, read)
                    continue
                mine = self.numbers[row]
                (data,) = read(mine[mine >= 0][:1])
                prompt, reference, _ = self._decode(data, self.poses)
                yield row, question_texts(prompt, reference, ())

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all records."""
        located = self._located()
        rows = np.full(located.size, -1, np.int32)
        row, sample = np.nonzero(self.numbers >= 0)
        rows[self.numbers[row, sample]] = row
        for of, data in zip(rows.tolist(), located.scan(progress), strict=True):
            if of >= 0:
                yield of, every_text(*self._decode(data))

    def _located(self, progress: Progress | None = None) -> Places:
        return self.index.get(
            lambda: locate(
                self.files,
                self.paths,
                lambda path: self.records(self.files, path),
                lambda *_: None,
                progress,
            )
        )

    def _decode(
        self, data: bytes, says: Callable[[bytes], DecodedTexts] | None = None
    ) -> DecodedTexts:
        try:
            return (says or self.decode)(data)
        except _BROKEN as error:
            raise LoadError(
                self.files.name,
                Text("the texts of this question cannot be read"),
                Text("Look at them in the file itself."),
                self.paths[0],
            ) from error


@dataclass(frozen=True, eq=False)
class TextsBeside(Store):
    """Texts that lie in two places, such as prompts apart from predictions; see `Store`."""

    # first, second: What the first does not have is taken from the second.
    first: Store
    second: Store
    index: Once[None] = field(default_factory=Once, init=False)

    @property
    def tells_questions(self) -> bool:
        """Whether one of them may hold prompts or references."""
        return self.first.tells_questions or self.second.tells_questions

    def find(self, progress: Progress | None) -> None:
        """Find out where the texts of both are."""
        self.first.find(progress)
        self.second.find(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the texts of one question from both."""
        a, b = self.first.read(row), self.second.read(row)
        said = zip(a.predictions, b.predictions, strict=True)
        return QuestionTexts(
            a.prompt or b.prompt,
            b.reference if a.reference is None else a.reference,
            tuple(other if one is None else one for one, other in said),
        )

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through both, one after the other."""
        yield from self.first.scan(progress)
        yield from self.second.scan(progress)
