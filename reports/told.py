"""What a user tells of the columns of a table: which is what."""

from __future__ import annotations

from collections.abc import Mapping

Told = Mapping[str, str | tuple[str, ...]]
"""Columns by what they are; of `SEVERAL` there may be more than one."""

SEVERAL = ("setting", "other")
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
