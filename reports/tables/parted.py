"""A table whose rows lie in several files, and what the names of folders say of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.files.tree import Tree

SHOWN = 8
"""The most names that a note has."""

Values = Mapping[str, str | int | None]
"""What the folders of a part say, by column."""


@dataclass(frozen=True)
class Parts:
    """Files that are one table.

    Attributes
    ----------
    path : str
        Of the table, as if it were a file.
    values : mapping of str to mapping
        What the folders of each file say, by the column they name; None where it is null.
    pieces : bool
        Whether a file was cut into them anywhere.
    alike : bool
        Whether only what they hold says that they are parts.
    """

    path: str
    values: dict[str, Mapping[str, str | None]] = field(default_factory=dict)
    pieces: bool = False
    alike: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that folders name."""
        return tuple(dict.fromkeys(name for said in self.values.values() for name in said))

    @property
    def unlike(self) -> list[str]:
        """Those that not all folders name."""
        every = {*self.columns}
        return sorted({name for said in self.values.values() for name in every - said.keys()})

    def typed(self) -> dict[str, Values]:
        """Return what folders say, as integers in a column that has nothing else."""
        numbers = {
            name
            for name in self.columns
            if all(of[name] is None or _is_integer(str(of[name])) for of in self.values.values())
        }
        return {
            path: {
                name: int(value) if name in numbers and value is not None else value
                for name, value in of.items()
            }
            for path, of in self.values.items()
        }

    def note(self, count: int) -> Note:
        """Say that so many are read as one table."""
        what = Text(
            "{count} part is read as one table.",
            "{count} parts are read as one table.",
            count=count,
        )
        if self.columns:
            what = Text(
                "{count} part is read as one table, with {columns} from the names of folders.",
                "{count} parts are read as one table, with {columns} from the names of folders.",
                count=count,
                columns=some_of(self.columns, SHOWN),
            )
        if self.alike:
            what = Text(
                "{files} are read as one table: they have the same columns, models and "
                "datasets, and no question in common. If they are separate runs, give them "
                "different names of models or datasets.",
                files=some_of(self.values, SHOWN),
            )
        return Note(what, self.path, severity="warning" if self.alike else "info")


class PartsBeside(NamedTuple):
    """Parts where they are.

    Attributes
    ----------
    tree : Tree
    parts : Parts
    """

    tree: Tree
    parts: Parts


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < 18 and str(int(text)) == text


def types_of(all_values: Collection[Values]) -> dict[str, pa.DataType]:
    """Return the types of the columns that folders name."""
    return {
        name: pa.int64() if any(isinstance(of[name], int) for of in all_values) else pa.string()
        for name in next(iter(all_values))
    }


def both(names: Iterable[str], values: Collection[str]) -> Iterator[Note]:
    """Say which columns are in the parts and in the names of their folders."""
    if found := [name for name in names if name in values]:
        what = Text(
            "{columns} is in the parts and in the names of their folders; the folders' names "
            "count.",
            "{columns} are in the parts and in the names of their folders; the folders' names "
            "count.",
            count=len(found),
            columns=some_of(found, SHOWN),
        )
        yield Note(what, count=len(found), severity="warning")
