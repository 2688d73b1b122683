"""What a user tells of the columns of a table: which is what, and what verdicts in words mean."""

from __future__ import annotations

from collections.abc import Mapping

Told = Mapping[str, str | tuple[str, ...]]
"""Columns by what they are, and texts by what they mean; of `SEVERAL` there may be several."""

RIGHT = "right"
"""A text that means right in the column of verdicts; every other means wrong."""
TABLE, CALIBRATION = "table", "calibration"
"""What is told of a table as a whole: that it is labels by a person, and no verdicts of its own."""
SEVERAL = ("setting", "other", RIGHT)
"""A setting keeps its rows apart as runs of their own; another column means nothing."""


def learn(columns: Told, role: str, name: str) -> Told:
    """Return what is known of the columns when one more is told.

    Examples
    --------
    >>> learn(learn({}, "setting", "temperature"), "setting", "top_p")
    {'setting': ('temperature', 'top_p')}
    >>> learn({"correct": "x"}, "correct", "y")
    {'correct': 'y'}
    """
    return {**columns, role: (*named(columns, role), name) if role in SEVERAL else name}


def named(columns: Told, role: str) -> tuple[str, ...]:
    """Return the columns that are told to be something."""
    names = columns.get(role, ())
    return (names,) if isinstance(names, str) else tuple(names)
