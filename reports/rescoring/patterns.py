"""Regular expressions from a file, matched in time that grows with the text alone.

They run in RE2, as DuckDB has it: a pattern of Python's engine may take forever on a short text.
What RE2 does not have, such as looking ahead, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

LONGEST = 1000
"""Letters of a pattern."""
_OTHER_PUNCTUATION = r"\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\x{203F}\x{2040}\x{2054}\x{FE33}\x{FE34}"
_CLASSES = {
    r"\w": r"\p{L}\p{N}_",
    r"\W": r"\p{M}\p{S}\p{Z}\p{C}\x{FE4D}-\x{FE4F}\x{FF3F}" + _OTHER_PUNCTUATION,
    r"\d": r"\p{Nd}",
    r"\D": r"\p{L}\p{M}\p{Nl}\p{No}\p{P}\p{S}\p{Z}\p{C}",
    r"\s": r"\x{9}-\x{D}\x{1C}-\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}"
    r"\x{205F}\x{3000}",
    r"\S": r"\x{0}-\x{8}\x{E}-\x{1B}\x{21}-\x{84}\x{86}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}"
    r"\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{10FFFF}",
}
"""What Python's classes hold of all letters, where RE2's hold those of ASCII only."""
_ESCAPE = re.compile(r"\\[\s\S]")
_CLASS_OR_ESCAPE = re.compile(r"\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\\[\s\S]")


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


def has_one_group(pattern: str) -> bool:
    """Whether a pattern can be used, and has one group.

    Examples
    --------
    >>> has_one_group("is (.)"), has_one_group("is ."), has_one_group("(?=is)(.)")
    (True, False, False)
    """
    try:
        found(pattern, [""], 0)
    except NotRegular:
        return False
    return _groups(pattern) == 1


def _as_in_python(pattern: str) -> str:
    """Return a pattern whose classes hold in RE2 what they hold in Python."""

    def expand(part: re.Match[str]) -> str:
        if part[0].startswith("["):
            return _ESCAPE.sub(lambda escape: _CLASSES.get(escape[0], escape[0]), part[0])
        return f"[{_CLASSES[part[0]]}]" if part[0] in _CLASSES else part[0]

    return _CLASS_OR_ESCAPE.sub(expand, pattern)


def found(pattern: str, texts: Sequence[str], which: int) -> list[str | None]:
    r"""Find a pattern in each text, as `re.findall` does.

    which: Of all that is found, the first is 0 and the last -1.
    Returns: What its group holds, of several groups the first that holds anything; None where the
    pattern is not found so often.
    Raises NotRegular if RE2 does not have the pattern.

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

    Examples
    --------
    >>> without(r"[$,]", ["$1,200"])
    ['1200']
    """
    _groups(pattern)
    rows = _rows("SELECT regexp_replace(text, $1, '', 'g') FROM texts", texts, pattern)
    return [row[0] for row in rows]


def _rows(sql: str, texts: Sequence[str], pattern: str) -> list[tuple[Any, ...]]:
    import duckdb
    import pyarrow as pa

    with duckdb.connect(":memory:", config=_CONFIG) as connection:
        connection.execute("SET enable_external_access = false")
        connection.register(
            "texts", pa.table({"text": pa.array(map(_storable, texts), pa.string())})
        )
        try:
            return connection.execute(sql, [_as_in_python(pattern)]).fetchall()
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
