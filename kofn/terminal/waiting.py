"""A line on the terminal while something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kofn.writing.rendering import printable

_CLEAR = "\r\x1b[K"


@contextmanager
def shown(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function that shows how far the reading of a file has come; None off a terminal.

    Parameters
    ----------
    name : str
        Of the file.
    """
    if not sys.stderr.isatty():
        yield None
        return

    def show(done: int, total: int) -> None:
        share = done / max(total, 1)
        line = f"{_CLEAR}Reading {printable(name)}: {share:.0%} of {total / 1e6:,.0f} MB"
        print(line, end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print(_CLEAR, end="", file=sys.stderr, flush=True)
