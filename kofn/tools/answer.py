"""How many tools' files are read, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.data.words import Text, some_of
from reports.known_tool import KnownTool


def answer(tools: Sequence[KnownTool]) -> Text:
    """Say whose files kofn reads.

    Examples
    --------
    >>> from reports.loading import TOOLS
    >>> str(answer(TOOLS[:2]))
    'kofn reads the files of 2 tools (Inspect, Every Eval Ever), and tables from any source.'
    """
    return Text(
        "kofn reads the files of {count} tool ({names}), and tables from any source.",
        "kofn reads the files of {count} tools ({names}), and tables from any source.",
        count=len(tools),
        names=some_of((tool.name for tool in tools), len(tools)),
    )
