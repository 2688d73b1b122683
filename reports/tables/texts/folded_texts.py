"""Texts of tables large enough to be folded, which DuckDB looks up in the file itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from metrics.data.outcomes import QuestionIds
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.once import Once
from reports.files.progress import Progress, meter
from reports.files.stored_files import Files
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import every_text, question_texts
from reports.tables.engine import Engine, Stored, quoted
from reports.tables.schema.columns import Columns

_FEW = 1_024


@dataclass(frozen=True, eq=False)
class FoldedTexts(Store):
    """Texts of one run of a folded table; see `Store`."""

    files: Files  # What tells whether the table is still what it was.
    paths: tuple[str, ...]  # Of the table or its parts, within these.
    stored: Stored  # Where they are.
    columns: Columns
    # model, dataset: Of the run.
    model: str
    dataset: str
    questions: QuestionIds
    samples: int  # N of the outcomes.
    index: Once[None] = field(default_factory=Once, init=False)

    @property
    def tells_questions(self) -> bool:
        """Whether a column holds prompts or references."""
        return bool(self.columns.prompt or self.columns.reference)

    def find(self, progress: Progress | None) -> None:
        """Do nothing: they are looked up in the file itself."""

    def read(self, row: int) -> QuestionTexts:
        """Find the rows of one question, in the order of their samples."""
        condition = f"{self._question} = ? ORDER BY {self._sample}"
        batches = self._batches(self._texts, condition, self.questions[row])
        found = [line for columns in batches for line in zip(*columns, strict=True)]
        prompt, reference = (
            next((line[i] for line in found if line[i] is not None), None) for i in (1, 2)
        )
        predictions = [text for *_, text in found]
        return question_texts(
            prompt, reference, (*predictions, *[None] * (self.samples - len(predictions)))
        )

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read the table once for all questions, of each what its first sample says."""
        some = len(rows) < len(self.questions)
        names = [self.questions[row] for row in rows] if some else []
        condition = f"{self._question} IN (SELECT unnest(?))" if some else "true"
        first = [f"min_by({text}, {self._sample})" for text in self._texts[:2]]
        values = [names] if some else []
        for ids, prompts, references in self._batches(first, f"{condition} GROUP BY 1", *values):
            found = self.questions.places(ids).tolist()
            for row, prompt, reference in zip(found, prompts, references, strict=True):
                yield row, question_texts(prompt, reference, ())

    def read_predictions(self, questions: int) -> Iterator[tuple[int, Sequence[str | None]]]:
        """Read the table once, in the order of questions and samples."""
        batches = self._batches(self._texts[2:], f"true ORDER BY {self._question}, {self._sample}")
        rows = (row for columns in batches for row in zip(*columns, strict=True))
        for name, group in groupby(rows, itemgetter(0)):
            (row,) = self.questions.places([name]).tolist()
            yield row, question_texts(None, None, [text for _, text in group]).predictions

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all rows of the run."""
        at, count = meter(progress, len(self.questions) * self.samples), 0
        for names, *others in self._batches(self._texts, "true"):
            rows = self.questions.places(names).tolist()
            for row, prompt, reference, prediction in zip(rows, *others, strict=True):
                yield row, every_text(prompt, reference, [prediction])
                at(self.paths[0], count)
                count += 1

    @property
    def _question(self) -> str:
        return f"{quoted(str(self.columns.question))}::VARCHAR"

    @property
    def _sample(self) -> str:
        return quoted(str(self.columns.sample))

    @property
    def _texts(self) -> tuple[str, ...]:
        columns = self.columns
        texts = (columns.prompt, columns.reference, next(iter(columns.predictions), None))
        return tuple(quoted(name) if name else "NULL" for name in texts)

    def _batches(
        self, wanted: Iterable[str], condition: str, *values: object
    ) -> Iterator[list[list[Any]]]:
        """Yield questions, and what is wanted of them, of some rows at a time."""
        import duckdb  # which takes long

        columns = self.columns
        of_run = {columns.model: self.model, columns.dataset: self.dataset}
        known = {quoted(name): value for name, value in of_run.items() if name}
        where = " AND ".join((*(f"{name}::VARCHAR = ?" for name in known), condition))
        for path in self.paths:
            self.files.open(path).close()
        try:
            found = Engine(self.stored).query(
                f"SELECT {', '.join((self._question, *wanted))} FROM rows WHERE {where}",
                (*known.values(), *values),
                _FEW,
            )
            for batch in found:
                yield [column.to_pylist() for column in batch.columns]
        except (duckdb.Error, pa.ArrowException) as error:
            raise LoadError(
                self.files.name,
                Text("its texts cannot be read ({reason:.200})", reason=str(error)),
                Text("Copy or download it again in full."),
                self.paths[0],
            ) from error
