"""Columns that tables share: the run that a row is about, and caveats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kofn.writing.columns import Column, Columns, Medium, for_people, in_files
from kofn.writing.kinds import FLAG, NUMBER, REMARKS, WORD
from metrics.data.words import Text, printable


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
    in_files("model", WORD, lambda line: printable(card_of(line).run.model)),
    in_files("dataset", WORD, lambda line: printable(card_of(line).run.dataset)),
    in_files("verified", FLAG, lambda line: card_of(line).run.verified),
    in_files("grouping", WORD, lambda line: _grouping(card_of(line).run)),
)
"""What tells of a run; a line is a card, or has one."""
ABOUT: Columns[Any] = (
    *OF_RUN,
    Column("segment", Text("segment"), WORD, lambda line: segment_of(card_of(line))),
)
"""The same, and the segment."""


def name_of_run(names: Mapping[str, str]) -> Column[Any]:
    """Return the column of what runs are called among some others, by their keys."""
    return for_people(RUN.label, WORD, lambda line: names[card_of(line).key])


LEVEL: Column[Any] = in_files("level", NUMBER, lambda line: card_of(line).view.level)
TARGET: Column[Any] = in_files("target", WORD, lambda line: card_of(line).view.target)
REASON: Column[Any] = in_files("reason", WORD, lambda line: card_of(line).reason)


def estimate_target(estimate: Callable[[Any], Any]) -> Column[Any]:
    """Return the column of what an estimate is about; where there is none, of what was asked."""

    def target(line: Any) -> str:
        found = estimate(line)
        asked: str = card_of(line).view.target if found is None else found.target
        return asked

    return in_files("target", WORD, target)


def without_names(columns: Columns[Any]) -> Columns[Any]:
    """Return columns without those of the run, for a block whose heading names it."""
    return [column for column in columns if column not in ABOUT]


def remark_columns(
    remarks: Callable[[Any], Iterable[Text]],
    key: str = "remarks",
    reason: Callable[[Any], Text | None] = lambda line: card_of(line).reason,
    shown_on: Sequence[Medium] = ("paper",),
) -> Columns[Any]:
    """Return the last columns: remarks, and why there is nothing; to people they are one."""

    def listed(line: Any) -> list[Text]:
        return list(dict.fromkeys(remarks(line)))

    def either(line: Any) -> list[Text]:
        why = reason(line)
        return listed(line) if why is None else [why]

    return (
        in_files(key, REMARKS, listed),
        in_files("reason", WORD, reason),
        for_people(Text("remarks"), REMARKS, either, shown_on),
    )
