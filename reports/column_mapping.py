"""What a user says about the columns of a table: their meaning, and which words are verdicts."""

from __future__ import annotations

from collections.abc import Mapping

ColumnMapping = Mapping[str, str | tuple[str, ...]]
"""Columns by what they are, and texts by what they mean; of `SEVERAL` there may be several."""

RIGHT, MISSING = "right", "missing"
"""A text that means right in the column of verdicts, where every other means wrong, or nothing."""
WORDS = (RIGHT, MISSING)
TABLE, CALIBRATION = "table", "calibration"
"""What is told of a table as a whole: that it is human labels, and no verdicts of its own."""
JUDGE = "judge"
"""By which rule kofn judges a table that states no verdicts."""
WHOLE = (TABLE, JUDGE)
"""What is told of a table and of none of its columns."""
SEVERAL = ("setting", "other", *WORDS)
"""A setting keeps its rows apart as runs of their own; another column means nothing."""
VERDICTS = ("correct", "filter")
"""Of several, each file of a tool takes the first that it has, and a table the last."""


def with_column(columns: ColumnMapping, role: str, name: str) -> ColumnMapping:
    """Return what is known of the columns when one more is told.

    Examples
    --------
    >>> with_column(with_column({}, "setting", "temperature"), "setting", "top_p")
    {'setting': ('temperature', 'top_p')}
    >>> with_column({"model": "x"}, "model", "y")
    {'model': 'y'}
    """
    known = tuple(each for each in columns_in_role(columns, role) if each != name)
    several = role in SEVERAL or (role in VERDICTS and known)
    return {**columns, role: (*known, name) if several else name}


def columns_in_role(columns: ColumnMapping, role: str) -> tuple[str, ...]:
    """Return the columns that are told to be something."""
    names = columns.get(role, ())
    return (names,) if isinstance(names, str) else tuple(names)
