"""Facts about the rows of a table, wherever these are, on which decisions are based."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.meaning.splitting import RowCodes, ranks
from reports.tables.schema.columns import Columns
from reports.tables.schema.design import Codes, joint_codes


@dataclass(frozen=True)
class Seen:
    """Rows by their facts: of those of each run, or of all."""

    # ``runs`` and ``rows``: how many there are. Of a column x ``held x``: rows that have anything
    # in it; ``least x``, ``most x``: two of its values as texts, unlike if there are several.
    facts: Sequence[Mapping[str, Any]]
    # From the columns to rows that show which columns split the table; None where none may.
    part: Callable[[Columns], SeenRows] | None

    @property
    def rows(self) -> int:
        """How many there are."""
        return int(self.total("rows"))

    def total(self, fact: str) -> float:
        """Add a fact up."""
        return sum(each[fact] or 0 for each in self.facts)

    def least(self, fact: str) -> Any:
        """Return the least value; None where nothing has any."""
        return min((each[fact] for each in self.facts if each[fact] is not None), default=None)

    def most(self, fact: str) -> Any:
        """Return the largest value; None where nothing has any."""
        return max((each[fact] for each in self.facts if each[fact] is not None), default=None)

    def empty(self, column: str) -> int:
        """Return how many rows have nothing in a column."""
        return self.rows - int(self.total(f"held {column}"))

    def runs(self, columns: Columns) -> int:
        """Count the runs."""
        return int(self.total("runs"))

    def only_value(self, column: str) -> str | None:
        """Return what all rows have that have anything in a column; None if they differ."""
        least: str | None = self.least(f"least {column}")
        return least if least == self.most(f"most {column}") else None


class SeenRows:
    """Rows in memory, of which the same can be asked as of `Seen`."""

    def __init__(self, data: pa.Table) -> None:
        self.data, self.rows = data, len(data)
        self._labels: dict[str, CodedLabels] = {}
        self._about: dict[tuple[str | None, ...], RowCodes] = {}

    def labels(self, column: str) -> CodedLabels:
        """Return a column as codes, which are made once."""
        if column not in self._labels:
            self._labels[column] = labels(self.data[column])
        return self._labels[column]

    def empty(self, column: str) -> int:
        """Return how many rows have nothing in a column."""
        return int(np.count_nonzero(self.labels(column).codes < 0))

    def only_value(self, column: str) -> str | None:
        """Return what all rows have that have anything in a column; None if they differ."""
        values = self.labels(column).values
        return values[0] if len(values) == 1 else None

    def runs(self, columns: Columns) -> int:
        """Count the runs."""
        return len(np.unique(self.run(columns)))

    def part(self, columns: Columns) -> SeenRows:
        """Return all rows."""
        return self

    def run(self, columns: Columns) -> Codes:
        """Return what tells the runs apart: models, datasets and settings."""
        run: Codes = np.zeros(self.rows, np.int32)
        for name in (columns.model, columns.dataset):
            if name is not None:
                found = self.labels(name)
                run = run * np.int32(len(found.values)) + found.codes
        settings = [self.labels(name) for name in columns.settings]
        return joint_codes(run, *(each.codes + 1 for each in settings)) if settings else run

    def about(self, columns: Columns) -> RowCodes:
        """Return what each row is about."""
        question = columns.question
        names = columns.model, columns.dataset, question, columns.sample, *columns.settings
        if names not in self._about:
            codes = None if question is None else self.labels(question).codes
            if codes is not None and codes.min() < 0:
                codes = None
            order = None if columns.sample is None else ranks(self.labels(columns.sample))
            self._about[names] = RowCodes(self.run(columns), codes, order)
        return self._about[names]
