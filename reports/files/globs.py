"""Paths with ``*``, ``?`` or ``[…]``: what they match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from glob import iglob
from pathlib import Path

MAGIC = re.compile(r"[*?[]")


def fixed(pattern: str) -> Path:
    """Return the folder that all matches lie in.

    Examples
    --------
    >>> fixed("/data/runs-*/a.csv").as_posix(), fixed("*.csv").as_posix()
    ('/data', '.')
    """
    path = Path(pattern)
    return next(folder for folder in path.parents if not MAGIC.search(str(folder)))


def matches(pattern: str) -> Iterator[Path]:
    """Find what a pattern matches, links followed; what they lead to elsewhere is no match."""
    root = fixed(pattern).resolve()
    for found in iglob(pattern, recursive=True):
        path = Path(found).resolve()
        if path.is_relative_to(root):
            yield path
