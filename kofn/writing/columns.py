"""Tables described once, by their columns, for pages, the command and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from kofn.writing.kinds import Kind
from kofn.writing.layout import Grid
from kofn.writing.wrapping import is_wide, wrapped
from metrics.data.words import Text, plain

if TYPE_CHECKING:
    import pandas as pd

Line = TypeVar("Line")
Found = TypeVar("Found")
Medium = Literal["page", "terminal", "paper"]
"""Where people read a table; Markdown and LaTeX are paper."""
EVERYWHERE: tuple[Medium, ...] = ("page", "terminal", "paper")
Label = Text | Callable[[Any], Text | None] | None


@dataclass(frozen=True)
class Column(Generic[Line]):
    """One number, or whatever else is told of each line of a table."""

    # In files; several where the parts of its kind have names of their own. Empty for what is in
    # none.
    key: str | tuple[str, ...]
    label: Label  # Above it; from a line where lines differ; None for what only files hold.
    kind: Kind
    value: Callable[[Line], Any]  # From a line; None where there is none.
    shown_on: Sequence[Medium] = EVERYWHERE
    help: Text | None = None  # What it is, for ``--help``; where it goes without saying, nothing.

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys in files."""
        if isinstance(self.key, tuple):
            return self.key
        return tuple(f"{self.key}{suffix}" for suffix in self.kind.suffixes) if self.key else ()


Columns = Sequence[Column[Line]]


def in_files(
    key: str | tuple[str, ...], kind: Kind, value: Callable[[Line], Any], help: Text | None = None
) -> Column[Line]:
    """Return a column that only files hold."""
    return Column(key, None, kind, value, help=help)


def for_people(
    label: Label,
    kind: Kind,
    value: Callable[[Line], Any],
    shown_on: Sequence[Medium] = EVERYWHERE,
    help: Text | None = None,
) -> Column[Line]:
    """Return a column that no file holds."""
    return Column("", label, kind, value, shown_on, help)


def member(path: str) -> Callable[[Any], Any]:
    """Return what finds a part of a part of a line; None where one on the way is None.

    path: Numbers are places, such as 0 for what a `kofn.card.Finding` finds.

    Examples
    --------
    >>> member("real.imag")(1 + 2j), member("real.imag")(None), member("0.real")((1 + 2j, None))
    (0.0, None, 1.0)
    """
    names = path.split(".")

    def find(line: Any) -> Any:
        for name in names:
            if line is None:
                return None
            line = line[int(name)] if name.isdigit() else getattr(line, name)
        return line

    return find


@dataclass(frozen=True)
class Table(Generic[Found, Line]):
    """A table described once."""

    key: str  # Its name in JSON.
    columns: Columns[Line]
    # From what was found of runs to the lines of files.
    lines: Callable[[Sequence[Found]], Iterable[Line]]
    # To those that people read, where they are others.
    read: Callable[[Sequence[Found]], Iterable[Line]] | None = None
    # From a line to what JSON alone holds of it.
    nested: Callable[[Line], dict[str, Any]] | None = None

    @property
    def described(self) -> Described:
        """What ``--help`` says of its columns."""
        return Described(self.columns)

    def rows(self, found: Sequence[Found]) -> list[dict[str, Any]]:
        """Return what JSON holds; see `rows`."""
        lines = list(self.lines(found))
        flat = rows(self.columns, lines)
        if self.nested is None:
            return flat
        return [row | self.nested(line) for row, line in zip(flat, lines, strict=True)]

    def frame(self, found: Sequence[Found]) -> pd.DataFrame:
        """Return what CSV and Parquet hold; see `frame`."""
        return frame(self.columns, self.lines(found))

    def written(self, found: Sequence[Found], medium: Medium = "paper") -> list[dict[str, str]]:
        """Return what people read; see `written`."""
        return written(self.columns, list((self.read or self.lines)(found)), medium)


@dataclass(frozen=True)
class Block:
    """A part of what a terminal shows."""

    heading: str
    columns: Columns[Any] = ()
    lines: Sequence[Any] = ()
    below: Iterable[Text | str] = ()  # What must be known of it.
    upright: bool = False  # Whether the numbers of a line stand one below the other.
    head: bool = True  # Whether the names of columns stand above.

    def __iter__(self) -> Iterator[str | Grid]:
        """Yield what a terminal shows."""
        yield self.heading
        if self.upright:
            for line in self.lines:
                yield Grid(upright(self.columns, line), head=False)
        elif self.lines:
            yield Grid(written(self.columns, self.lines, "terminal"), head=self.head)
        yield from map(plain, self.below)


@dataclass(frozen=True)
class ShownColumn:
    """A column as it is read, and what its cells say."""

    head: str
    cells: list[str]
    column: Column[Any]
    values: list[Any]


def dtypes(columns: Columns[Any]) -> dict[str, str]:
    """Return the keys of columns in files, in their order, and their types."""
    return {key: column.kind.dtype for column in columns for key in column.keys}


def rows(columns: Columns[Line], lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Lay lines out flat: numbers at full precision, sentences rendered, what is not there None."""
    return [
        {
            key: _as_kept(cell)
            for column in columns
            for key, cell in zip(column.keys, _parts(column, line), strict=True)
        }
        for line in lines
    ]


def frame(columns: Columns[Line], lines: Iterable[Line]) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet: lists of sentences are one text each."""
    import pandas as pd

    types = dtypes(columns)
    joined = [
        {
            key: " ".join(map(str, cell)) or None if isinstance(cell, list) else cell
            for key, cell in row.items()
        }
        for row in rows(columns, lines)
    ]
    return pd.DataFrame(joined, columns=list(types)).astype(types)


def shown_columns(
    columns: Columns[Line], lines: Sequence[Line], medium: Medium
) -> list[ShownColumn]:
    """Write lines as people read them; an optional column without any value is left out.

    Examples
    --------
    >>> from kofn.writing.kinds import ESTIMATE, WORD
    >>> run = Column("run", Text("run"), WORD, lambda line: line[0])
    >>> value = Column(("value", "low", "high"), Text("avg@4"), ESTIMATE, lambda line: line[1])
    >>> lines = [("7B", (0.661, 0.61, 0.712)), ("4B", None)]
    >>> [(each.head, each.cells) for each in shown_columns((run, value), lines, "terminal")]
    [('run', ['7B', '4B']), ('avg@4', ['66.1% (61.0 to 71.2)', 'N/A'])]
    >>> rows((run, value), lines[:1])
    [{'run': '7B', 'value': 0.661, 'low': 0.61, 'high': 0.712}]
    """
    shown = []
    for column in columns:
        if column.label is None or medium not in column.shown_on:
            continue
        values = [column.value(line) for line in lines]
        if column.kind.absent is None and not any(map(_is_there, values)):
            continue
        cells = [
            plain(column.kind.write(*column.kind.parts(value)))
            if _is_there(value)
            else plain(column.kind.absent or "")
            for value in values
        ]
        label = _label(column, lines)
        head = plain(label)
        is_name = isinstance(label, Text) and label.template.startswith("{")
        capital = medium == "page" and not is_name
        shown.append(ShownColumn(first_capital(head) if capital else head, cells, column, values))
    return shown


def written(columns: Columns[Line], lines: Sequence[Line], medium: Medium) -> list[dict[str, str]]:
    """Return the cells of each line below their headings."""
    found = shown_columns(columns, lines, medium)
    return [{each.head: each.cells[at] for each in found} for at in range(len(lines))]


def upright(columns: Columns[Line], line: Line) -> list[dict[str, str]]:
    """Return the cells of one line, one below the other, for a terminal."""
    return [
        {"number": each.head, "value": each.cells[0]}
        for each in shown_columns(columns, [line], "terminal")
        if each.cells[0]
    ]


@dataclass(frozen=True)
class Described:
    """The columns of a file by name, and what is not plain from the name, for ``--help``."""

    columns: Columns[Any]

    def __str__(self) -> str:
        """Write them, in the language of the reader."""
        helps = {", ".join(each.keys): str(each.help) for each in self.columns if each.help}
        names = wrap(", ".join(dtypes(self.columns)), 96)
        explained = (line for keys, help in helps.items() for line in _explained(keys, help))
        return "\n".join(f"  {line}" for line in (*names, *explained))


def first_capital(words: str) -> str:
    """Write words as a heading of a page; k and n are symbols, and stay small.

    Examples
    --------
    >>> first_capital("marginal cost"), first_capital("k = 4")
    ('Marginal cost', 'k = 4')
    """
    return words if words.split(" ")[0] in ("k", "n") else words[:1].upper() + words[1:]


def _explained(keys: str, help: str) -> Iterator[str]:
    if not is_wide(help):
        yield from wrap(f"{keys}: {help}", 96, initial_indent="- ", subsequent_indent="  ")
        return
    first, *others = wrapped(str(Text("{keys}: {help}", keys=keys, help=help)), 94)
    yield f"- {first}"
    yield from (f"  {line}" for line in others)


def _label(column: Column[Line], lines: Sequence[Line]) -> Text | str:
    if isinstance(column.label, Text):
        return column.label
    assert column.label is not None
    return next(filter(None, map(column.label, lines)), "")


def _parts(column: Column[Line], line: Line) -> Sequence[Any]:
    value = column.value(line) if column.keys else None
    return [None] * len(column.keys) if value is None else column.kind.parts(value)


def _is_there(value: Any) -> bool:
    return value is not None and value != [] and value != ""


def _as_kept(cell: Any) -> Any:
    if isinstance(cell, Text):
        return plain(cell)
    if isinstance(cell, list):
        return [_as_kept(each) for each in cell]
    return None if cell != cell else cell
