"""The texts of a table: its text columns are written once, a line per row, for lookup.

That happens when someone looks at the first question. From then on a question is a few lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.data.duplicates import hash_of_text
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.stored_files import Files, keep_made
from reports.json_files.located import MAX_LINE, Located, lines, locate
from reports.run.finish_reasons import thoughts
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import every_text, question_texts
from reports.tables.schema.columns import Columns
from reports.tables.source import DAMAGE, Source

MOST = 8 << 30
"""Bytes of the texts of a table: a small file may unpack to any number."""
SMALL = 1 << 24
"""Bytes of a file whose texts are read when it is loaded, to tell copies."""


class TableRowTexts(NamedTuple):
    """What is kept of the texts of R rows of W samples."""

    hashes: NDArray[np.int64]  # See `metrics.data.outcomes.Outcomes`; 0 of a short text.
    thoughts: NDArray[np.int8]  # Whether its thoughts do not end.


@dataclass(frozen=True, eq=False)
class TextLines:
    """The columns of texts of a table, a line a row: prompt, reference and predictions."""

    source: Source  # To be read once what was loaded is gone.
    files: Files  # What it is read from.
    columns: Columns
    index: Once[Located] = field(default_factory=Once, init=False)

    @classmethod
    def of(cls, source: Source, columns: Columns) -> TextLines | None:
        """Keep what is needed to read the texts later; None if there are none.

        Raises LoadError if an upload cannot be kept.
        """
        if not columns.texts or source.values is None:
            return None
        return cls(source.later(), source.tree.keep(), columns)

    def row_texts(self, source: Source, shape: tuple[int, int]) -> TableRowTexts | None:
        """Return what is kept of what the samples say; None of a large file.

        source: While it is loaded, so that nothing is unpacked to be kept before someone looks.
        shape: (R, W): rows of the table, and samples of each.
        """
        columns = self.columns
        if not columns.predictions or source.given > SMALL or source.values is None:
            return None
        row_hashes = TableRowTexts(np.zeros(shape, np.int64), np.zeros(shape, np.int8))
        size = 0
        try:
            rows = source.rows(columns.predictions)
            for hashes, thinking, values in zip(*row_hashes, rows, strict=False):
                predictions = [*(values[0] or ())] if columns.shape == "list" else values
                size += sum(map(len, filter(None, predictions)))
                if size > 4 * SMALL:
                    return None
                hashes[: len(predictions)] = [*map(hash_of_text, predictions[: shape[1]])]
                thinking[: len(predictions)] = [*map(thoughts, predictions[: shape[1]])]
        except (LoadError, *DAMAGE):
            return None  # said when someone looks
        return row_hashes

    def located(self, progress: Progress | None = None) -> Located:
        """Write the lines, unless they are there, and find where each is."""
        return self.index.get(lambda: self._locate(progress))

    def _locate(self, progress: Progress | None) -> Located:
        path = "\0".join((self.source.path, *self.columns.texts))
        made = keep_made(self.files, path, self._lines(progress))
        return locate(made, [path], lambda _: lines(made, path), lambda *_: None, progress)

    def _lines(self, progress: Progress | None) -> Iterator[bytes]:
        source = self.source.watched(progress) if progress else self.source
        size = 0
        try:
            for row in self._rows(source):
                line = msgspec.json.encode(row, enc_hook=str) + b"\n"
                size += len(line)
                if len(line) > MAX_LINE or size > MOST:
                    problem = Text(
                        "has texts of more than {row} MiB in a row, or {all} GiB in all",
                        row=MAX_LINE >> 20,
                        all=MOST >> 30,
                    )
                    raise self.source.error(problem, Text("Load a part of it to read them."))
                yield line
        except DAMAGE as error:
            raise self.source.error(
                Text("its texts cannot be read ({reason:.200})", reason=str(error)),
                Text("Copy or download it again in full."),
            ) from error

    def _rows(self, source: Source) -> Iterator[tuple[Any, Any, list[Any]]]:
        columns, listed = self.columns, self.columns.shape == "list"
        for row in source.rows(columns.texts):
            held = dict(zip(columns.texts, row, strict=True))
            predictions = [held[name] for name in columns.predictions]
            yield (
                held.get(columns.prompt or ""),
                held.get(columns.reference or ""),
                [*(predictions[0] or ())] if predictions and listed else predictions,
            )


@dataclass(frozen=True, eq=False)
class TableTexts(Store):
    """Texts of one run of a table; see `Store`."""

    lines: TextLines  # Of the table.
    # Rows of the table that make up each question, in the order of its samples; -1 for none.
    rows: NDArray[np.int32]
    samples: int  # N of the outcomes: each row has N / B.
    index: Once[Located] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", self.lines.index)

    @property
    def tells_questions(self) -> bool:
        """Whether a column holds prompts or references."""
        return bool(self.lines.columns.prompt or self.lines.columns.reference)

    def find(self, progress: Progress | None) -> None:
        """Write the lines, unless they are there."""
        self.lines.located(progress)

    def read(self, row: int) -> QuestionTexts:
        """Read the lines of one question."""
        mine, width = self.rows[row], self.samples // self.rows.shape[1]
        found = [_decoded(data) for data in self.lines.located().read(mine[mine >= 0])]
        predictions: list[Any] = [None] * self.samples
        for block, (_, _, own_predictions) in zip(np.flatnonzero(mine >= 0), found, strict=True):
            for slot, text in enumerate(own_predictions[:width], start=int(block) * width):
                predictions[slot] = text
        prompts, references = (
            next((line[i] for line in found if line[i] is not None), None) for i in (0, 1)
        )
        return question_texts(prompts, references, predictions)

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read no more lines of each question than it takes to know what it asks."""
        columns = self.lines.columns
        with self.lines.located().reading() as read:
            for row in rows:
                prompt = reference = None
                for number in self.rows[row][self.rows[row] >= 0]:
                    asked, right, _ = _decoded(next(read(number[None])))
                    prompt = asked if prompt is None else prompt
                    reference = right if reference is None else reference
                    lacks_prompt = columns.prompt and prompt is None
                    if not lacks_prompt and not (columns.reference and reference is None):
                        break
                yield row, question_texts(prompt, reference, [])

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through the lines of all runs for those of this one."""
        located = self.lines.located()
        question = np.full(len(located.offsets), -1, dtype=np.int32)
        asked, block = np.nonzero(self.rows >= 0)
        question[self.rows[asked, block]] = asked
        for row, data in zip(question.tolist(), located.scan(progress), strict=True):
            if row >= 0:
                yield row, every_text(*_decoded(data))


def _decoded(line: bytes) -> tuple[Any, Any, list[Any]]:
    return msgspec.json.decode(line, type=tuple[Any, Any, list[Any]])
