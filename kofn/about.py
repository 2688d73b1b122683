"""The columns that tables share: which run a line is of, and what must be known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kofn.writing.columns import Column, Columns
from kofn.writing.kinds import FLAG, NUMBER, REMARKS, WORD
from kofn.writing.rendering import printable
from metrics.data.words import Text


def card_of(line: Any) -> Any:
    """Return the card that a line is of, or is."""
    return getattr(line, "card", line)


def segment_of(card: Any) -> str | None:
    """Name the segment that a card is about; None for all questions."""
    segment = card.view.segment
    return None if segment is None else printable("=".join(segment))


def _grouping(run: Any) -> str | None:
    return None if run.known is None else run.grouping


RUN: Column[Any] = Column("run", Text("run"), WORD, lambda line: card_of(line).key)
OF_RUN: Columns[Any] = (
    RUN,
    Column("model", None, WORD, lambda line: printable(card_of(line).run.model)),
    Column("dataset", None, WORD, lambda line: printable(card_of(line).run.dataset)),
    Column("verified", None, FLAG, lambda line: card_of(line).run.verified),
    Column("grouping", None, WORD, lambda line: _grouping(card_of(line).run)),
)
"""What tells of a run; a line is a card, or has one."""
ABOUT: Columns[Any] = (
    *OF_RUN,
    Column("segment", Text("segment"), WORD, lambda line: segment_of(card_of(line))),
)
"""The same, and the segment."""


def called(names: Mapping[str, str]) -> Column[Any]:
    """Return the column of what runs are called among some others, by their keys."""
    return Column("", RUN.label, WORD, lambda line: names[card_of(line).key])


LEVEL: Column[Any] = Column("level", None, NUMBER, lambda line: card_of(line).view.level)
TARGET: Column[Any] = Column("target", None, WORD, lambda line: card_of(line).view.target)
REASON: Column[Any] = Column("reason", None, WORD, lambda line: card_of(line).reason)


def told(remarks: Callable[[Any], Iterable[Text]], key: str = "remarks") -> Columns[Any]:
    """Return the last columns: remarks, and why there is nothing; on paper they are one."""

    def listed(line: Any) -> list[Text]:
        return list(dict.fromkeys(remarks(line)))

    def either(line: Any) -> list[Text]:
        reason = card_of(line).reason
        return listed(line) if reason is None else [reason]

    return (
        Column(key, None, REMARKS, listed),
        REASON,
        Column("", Text("remarks"), REMARKS, either, ("paper",)),
    )
