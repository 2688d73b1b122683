"""The columns that tables share: which run a line is of, and what must be known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kofn.writing.columns import Column, Columns
from kofn.writing.kinds import FLAG, NUMBER, REMARKS, WORD
from kofn.writing.rendering import printable
from metrics.data.words import Text


def segment_of(card: Any) -> str | None:
    """Name the segment that a card is about; None for all questions."""
    segment = card.view.segment
    return None if segment is None else printable("=".join(segment))


RUN: Column[Any] = Column("run", Text("run"), WORD, lambda card: card.key)
OF_RUN: Columns[Any] = (
    RUN,
    Column("model", None, WORD, lambda card: printable(card.run.model)),
    Column("dataset", None, WORD, lambda card: printable(card.run.dataset)),
    Column("verified", None, FLAG, lambda card: card.run.verified),
    Column(
        "grouping", None, WORD, lambda card: None if card.run.known is None else card.run.grouping
    ),
)
"""What tells of a run; the line is a card."""
ABOUT: Columns[Any] = (*OF_RUN, Column("segment", Text("segment"), WORD, segment_of))
"""The same, and the segment."""
LEVEL: Column[Any] = Column("level", None, NUMBER, lambda card: card.view.level)
TARGET: Column[Any] = Column("target", None, WORD, lambda card: card.view.target)
REASON: Column[Any] = Column("reason", None, WORD, lambda card: card.reason)


def told(remarks: Callable[[Any], Iterable[Text]], key: str = "remarks") -> Columns[Any]:
    """Return the last columns: remarks, and why a card has nothing; on paper they are one."""

    def listed(card: Any) -> list[Text]:
        return list(dict.fromkeys(remarks(card)))

    def either(card: Any) -> list[Text]:
        return listed(card) if card.reason is None else [card.reason]

    return (
        Column(key, None, REMARKS, listed),
        REASON,
        Column("", Text("remarks"), REMARKS, either, ("paper",)),
    )
