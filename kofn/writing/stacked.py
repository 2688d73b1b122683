"""Very long tables, computed a whole column at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kofn.writing.columns import Column, Columns, Described, Found, Line, Medium, Table, written
from metrics.data.words import Text, plain

if TYPE_CHECKING:
    import pandas as pd


def _no_columns(lines: Sequence[Any]) -> Columns[Any]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Stacked(Table[Found, Line]):
    """A table whose lines are parts of as many lines each, such as the questions of a run.

    The value of a column is the cells of all lines of a part, in a sequence, or the cell that they
    share; a column has one key.

    Examples
    --------
    >>> from kofn.writing.kinds import COUNT, WORD
    >>> name = Column("run", Text("run"), WORD, lambda part: part[0])
    >>> number = Column("n", Text("n"), COUNT, lambda part: part[1])
    >>> table = Stacked("runs", (name, number), list, count=lambda part: len(part[1]))
    >>> table.rows([("7B", [4, 2]), ("4B", [1])])
    [{'run': '7B', 'n': 4}, {'run': '7B', 'n': 2}, {'run': '4B', 'n': 1}]
    >>> table.written([("7B", [4, 2])], "terminal")
    [{'run': '7B', 'n': '4'}, {'run': '7B', 'n': '2'}]
    """

    count: Callable[[Line], int]  # From a part to how many lines it has.
    optional: Columns[Line] = ()  # Left out of files where no part has anything of it.
    # From all parts to further columns, called as files call them.
    more: Callable[[Sequence[Line]], Columns[Line]] = _no_columns

    @property
    def described(self) -> Described:
        """What ``--help`` says of its columns."""
        return Described((*self.columns, *self.optional))

    def frame(self, found: Sequence[Found]) -> pd.DataFrame:
        """Return what CSV and Parquet hold, column by column."""
        import pandas as pd

        parts = list(self.lines(found))
        held: dict[str, list[Any]] = {}
        types: dict[str, str] = {}
        for column in (*self.columns, *self.optional, *self.more(parts)):
            for key in column.keys:
                cells = [_as_kept(column.value(part)) for part in parts]
                if column not in self.optional or any(each is not None for each in cells):
                    held[key], types[key] = cells, column.kind.dtype
        frames = [
            pd.DataFrame(
                {key: cells[place] for key, cells in held.items()}, index=range(self.count(part))
            ).astype(types)
            for place, part in enumerate(parts)
        ]
        return pd.concat(frames, ignore_index=True)

    def rows(self, found: Sequence[Found]) -> list[dict[str, Any]]:
        """Return what JSON holds."""
        table = self.frame(found)
        cells = table.astype(object).where(table.notna(), None)
        return [dict(zip(map(str, cells), row, strict=True)) for row in cells.to_numpy().tolist()]

    def written(self, found: Sequence[Found], medium: Medium = "paper") -> list[dict[str, str]]:
        """Return what people read."""
        parts = list((self.read or self.lines)(found))
        lines = [
            (number, at) for number, part in enumerate(parts) for at in range(self.count(part))
        ]
        flat = [
            _flat(column, parts)
            for column in (*self.columns, *self.optional)
            if column.label is not None and medium in column.shown_on
        ]
        return written(flat, lines, medium)


def _flat(column: Column[Any], parts: Sequence[Any]) -> Column[tuple[int, int]]:
    """Return the column of single lines: of a part, by its number, the one at a place."""
    cells = [column.value(part) for part in parts]

    def value(line: tuple[int, int]) -> Any:
        number, at = line
        found = cells[number]
        return found if found is None or isinstance(found, str | bool | Text) else found[at]

    return replace(column, value=value)


def _as_kept(cell: Any) -> Any:
    return plain(cell) if isinstance(cell, Text) else cell
