"""Show progress on the terminal when work takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from kofn.terminal import screen
from metrics.data.words import Text, plain

PATIENCE = 1
"""Seconds that nothing is said."""
Progress = Callable[[int, int], None]


@contextmanager
def show_progress(doing: Text) -> Iterator[Progress | None]:
    """Say what is done until it is; give a function that adds how many bytes of how many.

    Off a terminal there is none, and nothing is said.

    doing: Such as ``"Reading a.zip"``.
    """
    target = screen.console(sys.stderr)
    if not target.is_terminal:
        yield None
        return
    sentence = plain(doing)
    status = target.status(screen.plain(sentence))

    def show(done: int, total: int) -> None:
        share = done / max(total, 1)
        how_far = Text(
            "{doing}: {share:.0%} of {size:,.0f} MB", doing=sentence, share=share, size=total / 1e6
        )
        status.update(screen.plain(str(how_far)))

    later = Timer(PATIENCE, status.start)
    later.daemon = True
    later.start()
    try:
        yield show
    finally:
        later.cancel()
        later.join()
        status.stop()
