"""One file of a tree that may be an outcome table."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Protocol, Self, cast

import pyarrow as pa

from metrics.data.words import Text
from reports.column_mapping import (
    JUDGE,
    MISSING,
    RIGHT,
    SEVERAL,
    WHOLE,
    WORDS,
    ColumnMapping,
    columns_in_role,
)
from reports.files.errors import (
    ColumnChoice,
    LoadError,
    RoleChoice,
    RuleChoice,
    Rules,
    WordChoice,
)
from reports.files.progress import Progress
from reports.files.ranged import Exact
from reports.files.tree import Tree, watched
from reports.tables.encoding import as_utf8, encoding, stream_of

HEAD = 1 << 18
"""Bytes that tell the encoding and the layout of a text."""
DAMAGE = (pa.ArrowException, OSError, UnicodeError, MemoryError, struct.error)
"""What reading a damaged file raises."""

Values = Callable[["Source", Sequence[str]], Iterator[tuple[Any, ...]]]
"""Reads some columns of a table row by row."""


class NoColumn(LoadError):
    """A table that has no column of the name which the user gave for a role."""

    def __init__(
        self, file: str, problem: Text, fix: Text, place: str, role: str, name: str
    ) -> None:
        super().__init__(file, problem, fix, place)
        self.role, self.name = role, name


class RowsElsewhere(Protocol):
    """Where the rows of a table are, if not all of one file."""

    def later(self) -> Self:
        """Return it as it can be read once what was loaded is gone."""

    def watched(self, progress: Progress) -> Self:
        """Return it so that reading it tells how far it has come."""


@dataclass(frozen=True)
class Source:
    """A file and its place for messages."""

    tree: Tree
    path: str  # The file within it.
    column_mapping: ColumnMapping = field(
        default_factory=dict
    )  # Columns that the user named, by what they are.
    values: Values | None = None  # Reads columns row by row, where the format has columns.
    # Where its rows are, of a table of Parquet in parts, or of which not all rows count.
    rows_elsewhere: RowsElsewhere | None = None
    labels: bool = False  # Whether its verdicts are human labels, whose samples keep their numbers.
    # Up to which byte it is read as text, where what follows is a row that is cut.
    end: int | None = None

    @cached_property
    def chosen(self) -> dict[str, str]:
        """The columns that are told to be what only one can be."""
        single = (role for role in self.column_mapping if role not in (*SEVERAL, *WHOLE))
        return {
            role: name for role in single for name in columns_in_role(self.column_mapping, role)
        }

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """The columns that keep their rows apart as runs of their own."""
        return columns_in_role(self.column_mapping, "setting")

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The columns that mean nothing."""
        return columns_in_role(self.column_mapping, "other")

    @cached_property
    def right(self) -> tuple[str, ...]:
        """The texts that mean right; without any, words such as yes and no tell themselves."""
        return columns_in_role(self.column_mapping, RIGHT)

    @property
    def judge(self) -> str | None:
        """The rule by which kofn is to judge it; None where the user chose none."""
        return next(iter(columns_in_role(self.column_mapping, JUDGE)), None)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The texts that mean that there is no verdict."""
        return columns_in_role(self.column_mapping, MISSING)

    @property
    def apart(self) -> frozenset[str]:
        """The columns that are settings, or nothing."""
        return frozenset((*self.settings, *self.others))

    def without(self, role: str, name: str) -> Source:
        """Forget what is told of a column, and of the words in one of verdicts."""
        mapping = {
            **self.column_mapping,
            role: tuple(n for n in columns_in_role(self.column_mapping, role) if n != name),
        }
        if role == "correct":
            mapping = {role: names for role, names in mapping.items() if role not in WORDS}
        return replace(
            self, column_mapping={role: names for role, names in mapping.items() if names}
        )

    @cached_property
    def place(self) -> str:
        """The file within its tree, unless it is all there is."""
        return self.path if len(self.tree.files) > 1 else ""

    @cached_property
    def stem(self) -> str:
        """What stands in for the name of a model or dataset."""
        return PurePosixPath(self.path).stem

    @property
    def given(self) -> int:
        """Bytes of the file as it was given, packed as it may be."""
        return self.tree.given(self.path)

    def later(self) -> Source:
        """Return it as it can be read once what was loaded is gone."""
        return replace(
            self,
            tree=self.tree.later(),
            rows_elsewhere=self.rows_elsewhere and self.rows_elsewhere.later(),
        )

    def watched(self, progress: Progress) -> Source:
        """Return it so that reading it tells how far it has come."""
        if self.rows_elsewhere is not None:
            return replace(self, rows_elsewhere=self.rows_elsewhere.watched(progress))
        return replace(self, tree=watched(self.tree, progress, [self.path]))

    def open(self) -> BinaryIO:
        """Open the file as a stream."""
        return self.tree.open(self.path)

    def rows(self, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns row by row."""
        assert self.values is not None
        return self.values(self, names)

    def first(self, names: Sequence[str], most: int) -> list[tuple[Any, ...]]:
        """Return what some columns hold in the first rows."""
        rows = [*islice(self.rows(names), most)] if names else []
        return [*zip(*rows, strict=True)] if rows else [()] * len(names)

    @cached_property
    def encoding(self) -> str:
        """How the file is written, if it is text."""
        with self.open() as stream:
            return encoding(stream.read(HEAD))

    def text(self) -> BinaryIO:
        """Open the file as a stream of UTF-8."""
        text = as_utf8(self.open(), self.encoding)
        return text if self.end is None else stream_of(_until(text, self.end))

    def seekable(self) -> BinaryIO:
        """Open the file so that it can be read in any order."""
        if placed := self.tree.placed.get(self.path):
            size = placed.state.size
            tell = partial(self.tree.tell, self.path)
            return cast(BinaryIO, Exact(placed, lambda fetched: tell(min(1, fetched / size))))
        stream = self.open()
        return stream if stream.seekable() else io.BytesIO(self.tree.read(self.path))

    @contextmanager
    def reading(self, kind: Text) -> Iterator[None]:
        """Make damage the error of a table of a format."""
        try:
            yield
        except DAMAGE as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            problem = Text("cannot be read as {kind} ({reason:.200})", kind=kind, reason=reason)
            fix = Text(
                "Copy or download it again in full, or write it again with pyarrow or pandas."
            )
            raise self.error(problem, fix) from error

    def error(self, problem: Text, fix: Text, *columns: str) -> LoadError:
        """Make the error of this table; the columns are part of the place."""
        return self.tree.error(problem, fix, self._place_of(*columns))

    def ask(
        self,
        problem: Text,
        role: str,
        candidates: tuple[str, ...],
        gives: Mapping[str, Text] | None = None,
    ) -> ColumnChoice:
        """Make the error that asks for a column."""
        return ColumnChoice(self.tree.name, problem, self.place, role, candidates, gives)

    def ask_rule(self, problem: Text, asked: LoadError, rules: Rules) -> RuleChoice:
        """Make the error that asks for a rule to judge by, or else for the column of verdicts."""
        candidates = asked.options if isinstance(asked, ColumnChoice) else ()
        return RuleChoice(self.tree.name, problem, self.place, candidates, rules)

    def ask_what(
        self,
        problem: Text,
        column: str,
        roles: tuple[str, ...],
        gives: Mapping[str, Text] | None = None,
    ) -> RoleChoice:
        """Make the error that asks what a column is."""
        return RoleChoice(self.tree.name, problem, self._place_of(column), column, roles, gives)

    def ask_words(self, problem: Text, column: str, counts: Mapping[str, int]) -> WordChoice:
        """Make the error that asks what the texts of a column mean, of which there are so many."""
        return WordChoice(self.tree.name, problem, self._place_of(column), column, counts)

    def lacks(self, problem: Text, fix: Text, role: str, name: str) -> NoColumn:
        """Make the error of a table that lacks a column which the user named."""
        return NoColumn(self.tree.name, problem, fix, self.place, role, name)

    def _place_of(self, *columns: str) -> str:
        named = f"column {', '.join(columns)}" if columns else ""
        return ", ".join(filter(None, (self.place, named)))


def _until(stream: BinaryIO, end: int) -> Iterator[bytes]:
    with stream:
        while end and (chunk := stream.read(min(end, HEAD))):
            end -= len(chunk)
            yield chunk
