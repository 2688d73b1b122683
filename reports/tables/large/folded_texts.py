"""Texts of a table so large that it was folded: DuckDB looks them up in the file itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pyarrow as pa

from metrics.data.outcomes import QuestionIds
from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.keeping import Files
from reports.files.once import Once
from reports.files.progress import Progress, meter
from reports.run.texts import Kept, Store
from reports.run.turns import every_text, kept
from reports.tables.columns.columns import Columns
from reports.tables.large.engine import Engine, quoted

_FEW = 1_024


@dataclass(frozen=True, eq=False)
class FoldedTexts(Store):
    """Texts of one run of a folded table; see `Store`.

    Attributes
    ----------
    files : Files
        What tells whether the table is still what it was.
    path : str
        Of the table, within these.
    disk : str
        Where it is.
    columns : Columns
    model, dataset : str
        Of the run.
    questions : QuestionIds
    samples : int
        N of the outcomes.
    """

    files: Files
    path: str
    disk: str
    columns: Columns
    model: str
    dataset: str
    questions: QuestionIds
    samples: int
    index: Once[None] = field(default_factory=Once, init=False)

    @property
    def tells_questions(self) -> bool:
        """Whether a column holds prompts or references."""
        return bool(self.columns.prompt or self.columns.reference)

    def find(self, progress: Progress | None) -> None:
        """Do nothing: they are looked up in the file itself."""

    def read(self, row: int) -> Kept:
        """Find the rows of one question, in the order of their samples."""
        question, sample = (quoted(str(n)) for n in (self.columns.question, self.columns.sample))
        condition = f"{question}::VARCHAR = ? ORDER BY {sample}"
        batches = self._batches(condition, self.questions[row])
        found = [line for columns in batches for line in zip(*columns, strict=True)]
        prompt, reference = (
            next((line[i] for line in found if line[i] is not None), None) for i in (1, 2)
        )
        said = [text for *_, text in found]
        return kept(prompt, reference, (*said, *[None] * (self.samples - len(said))))

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all rows of the run."""
        at, count = meter(progress, len(self.questions) * self.samples), 0
        for names, *others in self._batches("true"):
            rows = self.questions.places(names).tolist()
            for row, prompt, reference, said in zip(rows, *others, strict=True):
                yield row, every_text(prompt, reference, [said])
                at(self.path, count)
                count += 1

    def _batches(self, condition: str, *values: str) -> Iterator[list[list[Any]]]:
        """Yield questions, prompts, references and predictions of some rows at a time."""
        columns = self.columns
        of_run = {columns.model: self.model, columns.dataset: self.dataset}
        known = {quoted(name): value for name, value in of_run.items() if name}
        texts = (columns.prompt, columns.reference, next(iter(columns.predictions), None))
        wanted = (quoted(name) if name else "NULL" for name in (columns.question, *texts))
        where = " AND ".join((*(f"{name}::VARCHAR = ?" for name in known), condition))
        self.files.open(self.path).close()
        try:
            found = Engine(self.disk).query(
                f"SELECT {', '.join(wanted)} FROM rows WHERE {where}",
                (*known.values(), *values),
                _FEW,
            )
            for batch in found:
                names, *others = batch.columns
                yield [column.to_pylist() for column in (names.cast(pa.string()), *others)]
        except (duckdb.Error, pa.ArrowException) as error:
            raise LoadError(
                self.files.name,
                Text("its texts cannot be read ({reason:.200})", reason=str(error)),
                Text("Copy or download it again in full."),
                self.path,
            ) from error
