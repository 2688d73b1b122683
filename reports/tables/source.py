"""One file of a tree that may be an outcome table."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from metrics.words import Text
from reports.errors import ColumnChoice, LoadError
from reports.tree import Tree

Values = Callable[["Source", Sequence[str]], Iterator[tuple[Any, ...]]]
"""Reads some columns of a table row by row."""


class NoColumn(LoadError):
    """A table that has no column of the name which the user gave for a role."""

    def __init__(self, file: str, problem: Text, fix: Text, place: str, role: str) -> None:
        super().__init__(file, problem, fix, place)
        self.role = role


@dataclass(frozen=True)
class Source:
    """A file and its place for messages.

    Attributes
    ----------
    tree : Tree
    path : str
        The file within it.
    chosen : mapping of str to str
        Columns that the user named, by what they are.
    values : callable or None
        Reads columns row by row, where the format has columns.
    """

    tree: Tree
    path: str
    chosen: Mapping[str, str] = field(default_factory=dict)
    values: Values | None = None

    @cached_property
    def place(self) -> str:
        """The file within its tree, unless it is all there is."""
        return self.path if len(self.tree.files) > 1 else ""

    @cached_property
    def stem(self) -> str:
        """What stands in for the name of a model or dataset."""
        return PurePosixPath(self.path).stem

    def open(self) -> BinaryIO:
        """Open the file as a stream."""
        return self.tree.open(self.path)

    def seekable(self) -> BinaryIO:
        """Open the file so that it can be read in any order."""
        stream = self.open()
        return stream if stream.seekable() else io.BytesIO(self.tree.read(self.path))

    def error(self, problem: Text, fix: Text, *columns: str) -> LoadError:
        """Make the error of this table; the columns are part of the place."""
        return LoadError(self.tree.name, problem, fix, self._at(*columns))

    def ask(self, problem: Text, role: str, candidates: tuple[str, ...]) -> ColumnChoice:
        """Make the error that asks for a column."""
        return ColumnChoice(self.tree.name, problem, self.place, role, candidates)

    def lacks(self, problem: Text, fix: Text, role: str) -> NoColumn:
        """Make the error of a table that lacks a column which the user named."""
        return NoColumn(self.tree.name, problem, fix, self.place, role)

    def _at(self, *columns: str) -> str:
        named = f"column {', '.join(columns)}" if columns else ""
        return ", ".join(filter(None, (self.place, named)))
