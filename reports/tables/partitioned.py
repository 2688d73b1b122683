"""A table in several files, with the values that their folders' names give."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.tables.source import Source

SHOWN = 8
"""The most names that a note has."""

Values = Mapping[str, str | int | None]
"""What the folders of a part say, by column."""


@dataclass(frozen=True)
class Parts:
    """Files that are one table."""

    path: str  # Of the table, as if it were a file.
    # What the folders of each file say, by the column they name; None where it is null.
    values: dict[str, Mapping[str, str | None]] = field(default_factory=dict)
    pieces: bool = False  # Whether a file was cut into them anywhere.
    found_by_content: bool = False  # Whether only what they hold says that they are parts.

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that folders name."""
        return tuple(dict.fromkeys(name for of_file in self.values.values() for name in of_file))

    @property
    def uneven_columns(self) -> list[str]:
        """Those that not all folders name."""
        every = {*self.columns}
        return sorted({name for of_file in self.values.values() for name in every - of_file.keys()})

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
        if self.found_by_content:
            what = Text(
                "{files} are read as one table: they have the same columns, models and "
                "datasets, and no question in common. If they are separate runs, give them "
                "different names of models or datasets.",
                files=some_of(self.values, SHOWN),
            )
        return Note(what, self.path, severity="warning" if self.found_by_content else "info")


def _is_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < 18 and str(int(text)) == text


def types_of(all_values: Collection[Values]) -> dict[str, pa.DataType]:
    """Return the types of the columns that folders name."""
    return {
        name: pa.int64() if any(isinstance(of[name], int) for of in all_values) else pa.string()
        for name in next(iter(all_values))
    }


def folder_values(tree: Tree, parts: Parts) -> dict[str, Values]:
    """Return what folders say of each part that holds anything.

    Raises LoadError if none does, or a column is in the folders of some only.
    """
    if unlike := parts.uneven_columns:
        raise tree.error(
            Text(
                "{columns} is in the folders of some parts and not of others",
                "{columns} are in the folders of some parts and not of others",
                count=len(unlike),
                columns=some_of(unlike, SHOWN),
            ),
            Text("Put all parts in folders of the same names, or load them separately."),
            parts.path,
        )
    found = {path: of for path, of in parts.typed().items() if tree.files[path]}
    if not found:
        empty, fix = Text("its parts are empty"), Text("Check that they were written in full.")
        raise tree.error(empty, fix, parts.path)
    return found


def shared_columns(
    table: Source, names: Sequence[Sequence[str]], values: Values, notes: list[Note]
) -> list[str]:
    """Return the columns that all parts share, without those that folders name."""
    every = dict.fromkeys(name for each in names for name in each)
    shared = set(names[0]).intersection(*names[1:])
    if left := [name for name in every if name not in shared and name not in values]:
        what = Text(
            "{columns} is not in all parts, and is left out.",
            "{columns} are not in all parts, and are left out.",
            count=len(left),
            columns=some_of(left, SHOWN),
        )
        notes.append(Note(what, count=len(left), severity="warning"))
    notes += _twice_named(every, values)
    columns = [name for name in every if name in shared and name not in values]
    if not columns:
        raise table.error(
            Text("its parts have no column in common"), Text("Give each a folder of its own.")
        )
    return columns


def _twice_named(names: Iterable[str], values: Collection[str]) -> Iterator[Note]:
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
