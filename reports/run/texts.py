"""The texts of one question, read from its file on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.data.shown import brief_repr
from reports.files.once import Once
from reports.files.progress import Progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a prompt that the report holds whole."""

    data: bytes  # As encoded, which its first bytes confirm; hostile like all of the file.
    media_type: str  # ``image/png``, ``image/jpeg``, ``image/gif`` or ``image/webp``.


@dataclass(frozen=True, slots=True)
class Turn:
    """One piece of a prompt; neighbours of the same role may be pieces of one message."""

    # Who speaks, as the harness names it, such as ``HUMAN`` or ``user``; empty where the prompt is
    # a plain string.
    role: str
    text: str  # Untrusted; of a picture that the report does not hold whole, where it lies.
    image: Image | None = None  # In place of a text, which is empty then.


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one question of a run. All of them are untrusted."""

    question: str
    # Few-shot examples come first, the question itself last; empty where the file has none.
    prompt: tuple[Turn, ...]
    reference: str | None
    # What the model said, in the order of the samples of the outcomes; None where nothing is kept,
    # as for a failed request.
    predictions: tuple[str | None, ...]
    # What was extracted from it, in the same order; of a long one the beginning.
    answers: tuple[str | None, ...]

    __repr__ = brief_repr


class QuestionTexts(NamedTuple):
    """What a file keeps of one question; see `Texts`."""

    prompt: tuple[Turn, ...]
    reference: str | None
    predictions: tuple[str | None, ...]


class Store(Protocol):
    """Where the texts of a run are: a file and what is known of it, not the texts themselves.

    Whatever reads raises LoadError if the file is gone or was changed since it was loaded.
    """

    index: Once[Any]  # What `find` finds out.

    def find(self, progress: Progress | None) -> None:
        """Find out where the texts are, unless that is known; `read` and `scan` do it too."""

    @property
    def tells_questions(self) -> bool:
        """Whether there may be prompts or references."""
        return True

    def read(self, row: int) -> QuestionTexts:
        """Read the texts of one question, by its row in the outcomes.

        Raises LoadError if the file is gone or was changed since it was loaded.
        """

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read prompt and reference of some questions, in any order; predictions may be missing."""
        for row in rows:
            yield row, self.read(row)

    def read_predictions(self, questions: int) -> Iterator[tuple[int, Sequence[str | None]]]:
        """Read the predictions of all questions, in any order."""
        for row in range(questions):
            yield row, self.read(row).predictions

    def search(self, wanted: str, progress: Progress | None) -> NDArray[np.intp]:
        """Find the rows that have a text; upper and lower case are the same."""
        wanted = wanted.casefold()
        found: set[int] = set()
        for row, texts in self.scan(progress):
            if row not in found and any(wanted in text.casefold() for text in texts):
                found.add(row)
        return np.array(sorted(found), dtype=np.intp)

    def apply(
        self, function: Callable[[Store, Progress | None], T], progress: Progress | None
    ) -> T:
        """Return what a function makes of these texts, which is done where they are read.

        function: Of a module, or a `functools.partial` of one; takes the texts, and whom to tell
            how far it has come.
        progress: Told also while the texts are found.
        """
        self.find(progress)
        return function(self, progress)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all texts in the order of the file, each with the row of its question.

        A row may come several times.
        """
