"""Rows of finished cells for a terminal and as a Markdown table, and a frame as CSV."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from kofn.writing.estimates import NA, interval_of
from metrics.data.words import Text, printable, shortened

if TYPE_CHECKING:
    import pandas as pd

_NAMES = Text("run"), Text("segment"), Text("question")
_LETTERS = 160
_MARKUP = re.compile(r"([\\`*_\[\]<>|~&])")
_ESCAPED = r"\\\1"
_ADDRESS = re.compile(r"https?:(?=//)|www(?=\.)|(?<=[\w.+-])@(?=[\w-]+\.[\w-])", re.IGNORECASE)

Row = Mapping[str, str]
"""Cells by the name of their column."""


def short_name(name: str) -> str:
    """Return a name from a file as people read it: printable, and of a very long one both ends.

    Examples
    --------
    >>> len(short_name(5000 * "a" + " / gsm8k")), short_name(5000 * "a" + " / gsm8k")[-10:]
    (160, 'aa / gsm8k')
    """
    return shortened(printable(name), _LETTERS)


def unlinked(text: str) -> str:
    """Keep an address from becoming a link, by a character without width within it.

    Markdown makes links of addresses even where every mark of theirs is escaped.

    Examples
    --------
    >>> [len(unlinked(text)) - len(text) for text in ("www.a.example", "a@b.example", "pass@4")]
    [1, 1, 0]
    """
    return _ADDRESS.sub("\\g<0>\N{WORD JOINER}", text)


class Grid(NamedTuple):
    """Rows of finished cells, all with the same columns, for a terminal."""

    rows: Sequence[Row]  # Cells are `printable`. Names are shown as by `short_name`.
    head: bool = True  # Whether the names of the columns stand above.

    def columns(self) -> list[tuple[str, list[str], Literal["left", "right"]]]:
        """Return the name of each column, its cells, and on which side they stand.

        Digits of numbers stand below one another.

        Examples
        --------
        >>> rows = [{"run": "7B", "value": "4%"}, {"run": "72B", "value": "31% (24 to 39)"}]
        >>> Grid(rows).columns()
        [('run', ['7B', '72B'], 'left'), ('value', [' 4%', '31% (24 to 39)'], 'left')]
        """
        cells = zip(*map(cells_of, self.rows), strict=True)
        return [
            (name, *_lined_up(list(each))) for name, each in zip(self.rows[0], cells, strict=True)
        ]


Lines = Iterable[str | Grid]
"""What a terminal shows of something, its heading first."""


def markdown(rows: Sequence[Row]) -> str:
    r"""Write rows as a Markdown table, cells letter for letter and names as `short_name` has them.

    Examples
    --------
    >>> print(markdown([{"run": "a*b", "value": "4%"}]))
    | run | value |
    | --- | --- |
    | a\*b | 4% |
    """
    head = list(rows[0])
    return "\n".join(map(_piped, [head, ["---"] * len(head), *map(cells_of, rows)]))


def escaped(text: str) -> str:
    r"""Write text so that Markdown shows it letter for letter.

    Examples
    --------
    >>> print(escaped("a*b"))
    a\*b
    """
    return _MARKUP.sub(_ESCAPED, unlinked(text))


def csv_text(table: pd.DataFrame) -> str:
    """Write a frame as CSV in which no name is a formula, as `guarded` sees to it.

    Examples
    --------
    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"model": ["=1+1", "7B"], "value": [-0.5, 0.25]})), end="")
    model,value
    '=1+1,-0.5
    7B,0.25
    """
    import pandas as pd
    import pyarrow as pa

    from reports.tables.writing.formulas import guarded

    safe = table.copy()
    for name in safe.columns:
        if pd.api.types.is_string_dtype(safe[name]):
            texts = pa.array(safe[name], pa.string(), from_pandas=True)
            safe[name] = guarded(texts).to_pandas().array
    return safe.to_csv(index=False, lineterminator="\n")


def is_of_names(column: str) -> bool:
    """Say whether a column holds names from files; other texts are sentences, and shown whole."""
    return column in map(str, _NAMES)


def cells_of(row: Row) -> list[str]:
    """Return the cells of a row, with names as `short_name`."""
    return [short_name(cell) if is_of_names(column) else cell for column, cell in row.items()]


def _lined_up(cells: list[str]) -> tuple[list[str], Literal["left", "right"]]:
    """Put the digits of numbers below one another; leave cells as they are unless all are some."""
    points, end = re.escape(str(Text("{value} points", value=""))), r"−?[\d.]+"
    written = re.compile(
        rf"(?P<value>[+−-]?[\d.,]*(?:e[+-]\d+)?%?|{NA})"
        rf"(?P<rest>(?:{points})?(?:{interval_of(end, end)})?)"
    )
    numbers = [number for cell in cells if (number := written.fullmatch(cell))]
    if len(numbers) < len(cells):
        return cells, "left"
    width = max(len(number["value"]) for number in numbers)
    side: Literal["left", "right"] = (
        "left" if any(number["rest"] for number in numbers) else "right"
    )
    return [number["value"].rjust(width) + number["rest"] for number in numbers], side


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
