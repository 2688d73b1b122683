"""Rows of finished cells as a table on a terminal, and in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

_NUMBER = re.compile(r"[+−-]?[\d.,]*(e[+-]\d+)?%?|N/A")
_MARKUP = re.compile(r"([\\`*_\[\]<>|~&])")
_ESCAPED = r"\\\1"

Row = Mapping[str, str]
"""Cells by the name of their column."""


def aligned(rows: Sequence[Row]) -> str:
    """Align the columns of rows for a terminal.

    Parameters
    ----------
    rows : sequence of mapping
        All with the same columns; cells are `printable`.

    Examples
    --------
    >>> print(aligned([{"run": "7B", "value": "4%"}, {"run": "72B", "value": "31%"}]))
    run  value
    7B      4%
    72B    31%
    """
    lines = list(_lines(rows))
    columns = [_padded(column) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def markdown(rows: Sequence[Row]) -> str:
    r"""Write rows as a Markdown table that shows every cell letter for letter.

    Examples
    --------
    >>> print(markdown([{"run": "a*b", "value": "4%"}]))
    | run | value |
    | --- | --- |
    | a\*b | 4% |
    """
    head, *body = _lines(rows)
    return "\n".join(map(_piped, [head, ["---"] * len(head), *body]))


def _lines(rows: Sequence[Row]) -> Iterator[list[str]]:
    yield list(rows[0])
    yield from (list(row.values()) for row in rows)


def _padded(column: Sequence[str]) -> list[str]:
    width = max(map(len, column))
    if all(_NUMBER.fullmatch(cell) for cell in column[1:]):
        return [cell.rjust(width) for cell in column]
    return [cell.ljust(width) for cell in column]


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_MARKUP.sub(_ESCAPED, cell) for cell in cells)} |"
