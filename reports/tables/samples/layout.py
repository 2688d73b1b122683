"""Columns of a table as arrays, with a row for each table row and a block of samples in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.notes import Note
from reports.run.remarks import uneven
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.data_types import is_text
from reports.tables.schema.lists import flat_values, lengths, parse_lists
from reports.tables.schema.names import LABELS, PROBABILITIES
from reports.tables.schema.spelled import verdicts
from reports.tables.source import Source

Floats = NDArray[np.float64]

_LABEL = Text("a label is 0 or 1, and empty where nobody looked")
_CHANCE = Text("a chance lies between 0 and 1")


@dataclass(frozen=True)
class Layout:
    """How the columns of a table become blocks."""

    source: Source
    data: pa.Table
    lengths: NDArray[np.int64] | None  # Of a table of lists: how many samples each question has.

    @classmethod
    def of(cls, source: Source, columns: Columns, data: pa.Table) -> Layout:
        """Read what is spelled; take the lengths of lists from the likeliest column of outcomes.

        Raises LoadError if a text is no list or verdict, or questions are very uneven in samples.
        """
        once = columns.once.values()
        for name in columns.numbers:
            if is_text(data[name].type):
                convert = parse_lists if columns.shape == "list" and name not in once else verdicts
                column = convert(source, data[name], name)
                data = data.set_column(data.schema.get_field_index(name), name, column)
        if columns.shape != "list":
            return cls(source, data, None)
        outcome = (*columns.correct, *columns.score)[0][0]
        sizes = lengths(data[outcome])
        require_even(source, outcome, sizes)
        return cls(source, data, sizes)

    def fits(self, group: Group) -> bool:
        """Whether the lists of a column are as long as those of the outcomes."""
        return self.lengths is None or np.array_equal(lengths(self.data[group[0]]), self.lengths)

    def values(self, group: Group) -> Floats:
        """Return columns of numbers (R, W), NaN where there is none.

        Raises LoadError if lists differ in length from those of the outcomes.
        """
        if not self.fits(group):
            raise self.source.error(
                Text("the lists of a question differ from the outcomes in length"),
                Text("Give both lists one entry for each sample."),
                group[0],
            )
        if self.lengths is not None:
            return self._padded(_floats(flat_values(self.data[group[0]])), np.nan)
        block = np.empty((len(self.data), len(group)), order="F")
        for position, name in enumerate(group):
            block[:, position] = _floats(self.data[name])
        return block

    def measured(
        self, groups: Mapping[str, Group], notes: list[Note]
    ) -> Iterator[tuple[str, Floats]]:
        """Return the columns of measurements; note those whose lists do not fit."""
        for role, group in groups.items():
            if self._is_usable(group, notes):
                yield role, self.values(group)

    def once(self, columns: Mapping[str, str]) -> Iterator[tuple[str, Floats]]:
        """Yield columns of numbers of a question (R,), NaN where there is none."""
        for role, name in columns.items():
            yield role, _floats(self.data[name]).copy()

    def words(self, group: Group, notes: list[Note]) -> CodedLabels | None:
        """Return columns of words, such as answers, their codes as (R, W)."""
        if not group or not self._is_usable(group, notes):
            return None
        if self.lengths is not None:
            found = labels(flat_values(self.data[group[0]]))
            return CodedLabels(self._padded(found.codes, -1), found.values)
        columns = [self.data[name].cast(pa.large_string()) for name in group]
        chunks = [chunk for column in columns for chunk in column.chunks]
        found = labels(pa.chunked_array(chunks, pa.large_string()))
        return CodedLabels(
            np.ascontiguousarray(found.codes.reshape(len(group), -1).T), found.values
        )

    def _is_usable(self, group: Group, notes: list[Note]) -> bool:
        if not (fits := self.fits(group)):
            what = Text("{column} is left out: its lists differ in length.", column=group[0])
            notes.append(Note(what, self.source.place, severity="warning"))
        return fits

    def _padded(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        assert self.lengths is not None
        block = np.full((len(self.lengths), int(self.lengths.max())), fill, dtype=values.dtype)
        block[np.arange(block.shape[1]) < self.lengths[:, None]] = values
        return block


def require_even(source: Source, column: str | None, counts: NDArray[np.integer[Any]]) -> None:
    """Refuse questions so uneven in samples that their matrix would be mostly empty."""
    if problem := uneven(counts, int(counts.max())):
        raise source.error(*problem, *filter(None, (column,)))


def _floats(column: pa.ChunkedArray) -> Floats:
    return np.asarray(pc.cast(column, pa.float64(), safe=False).to_numpy())


def checked_columns(
    source: Source, columns: Iterable[tuple[str, Floats]], notes: list[Note]
) -> Iterator[tuple[str, Floats]]:
    """Return columns of numbers, without those of a person that cannot be what they are called.

    columns: NaN where there is no number.
    """
    for name, values in columns:
        if name in LABELS:
            allowed, rule = np.isnan(values) | (values == 0) | (values == 1), _LABEL
        elif name in PROBABILITIES:
            allowed, rule = np.isnan(values) | ((values >= 0) & (values <= 1)), _CHANCE
        else:
            yield name, values
            continue
        if allowed.all():
            yield name, values
            continue
        at = np.unravel_index(np.argmin(allowed), allowed.shape)
        what = Text(
            "{column} is left out: row {row} holds {value:g}; {rule}.",
            column=name,
            row=int(at[0]) + 1,
            value=float(values[at]),
            rule=rule,
        )
        notes.append(Note(what, source.place, severity="warning"))
