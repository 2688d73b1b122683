"""Regular expressions that a file brings with it, in time that grows with the text alone.

They run in RE2, as DuckDB has it: a pattern of Python's engine may take forever on a short text.
What RE2 does not have, such as looking ahead, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

LONGEST = 1000
"""Letters of a pattern."""


class NotRegular(ValueError):
    """A pattern that RE2 does not have."""


@cache
def _groups(pattern: str) -> int:
    """Return how many groups a pattern has."""
    try:
        if len(pattern) > LONGEST:
            raise NotRegular(pattern)
        return re.compile(pattern).groups
    except (re.error, RecursionError, OverflowError) as error:
        raise NotRegular(pattern) from error


def found(pattern: str, texts: Sequence[str], which: int) -> list[str | None]:
    r"""Find a pattern in each text, as `re.findall` does.

    Parameters
    ----------
    pattern : str
    texts : sequence of str
    which : int
        Of all that is found, the first is 0 and the last -1.

    Returns
    -------
    list of str or None
        What its group holds, of several groups the first that holds anything; None where the
        pattern is not found so often.

    Raises
    ------
    NotRegular
        If RE2 does not have the pattern.

    Examples
    --------
    >>> found(r"is (\d+)", ["It is 7, it is 8.", "no"], -1)
    ['8', None]
    """
    groups = _groups(pattern)
    taken = range(1, groups + 1) if groups else (0,)
    place = which + 1 if which >= 0 else which
    columns = ", ".join(
        f"regexp_extract_all(text, $1, {group})[{place}] AS g{group}" for group in taken
    )
    rows = _rows(f"SELECT regexp_matches(text, $1), {columns} FROM texts", texts, pattern)
    return [
        next((held for held in row[1:] if held), "") if row[0] and row[1] is not None else None
        for row in rows
    ]


def without(pattern: str, texts: Sequence[str]) -> list[str]:
    """Return the texts without what a pattern finds.

    Raises
    ------
    NotRegular
        If RE2 does not have the pattern.

    Examples
    --------
    >>> without(r"[$,]", ["$1,200"])
    ['1200']
    """
    _groups(pattern)
    rows = _rows("SELECT regexp_replace(text, $1, '', 'g') FROM texts", texts, pattern)
    return [row[0] for row in rows]


def _rows(sql: str, texts: Sequence[str], pattern: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(":memory:", config=_CONFIG) as connection:
        connection.execute("SET enable_external_access = false")
        connection.register(
            "texts", pa.table({"text": pa.array(map(_storable, texts), pa.string())})
        )
        try:
            return connection.execute(sql, [pattern]).fetchall()
        except duckdb.Error as error:
            raise NotRegular(pattern) from error


def _storable(text: str) -> str:
    """Return a text without halves of surrogate pairs, which no other engine takes."""
    return text.encode(errors="replace").decode()


_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "1GB",
    "threads": 1,
    "temp_directory": "",
    "preserve_insertion_order": True,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "python_enable_replacements": False,
}
