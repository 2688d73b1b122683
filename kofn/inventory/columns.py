"""What is told of what each run holds, and of the numbers that its file states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kofn.about import OF_RUN, REASON
from kofn.inventory.holdings import HoldingCard
from kofn.inventory.stated import StatedNumber, both_written, replicas_written
from kofn.writing.columns import Column, Columns, Table, at
from kofn.writing.joining import in_a_row
from kofn.writing.kinds import COUNT, FLAG, NAME, REMARKS, SHARE, WORD, WRITTEN
from kofn.writing.rendering import printable
from metrics.data.words import Text


class StatedLine(NamedTuple):
    """A number that the file of a run states; none of a run that states none."""

    card: HoldingCard
    stated: StatedNumber | None = None


def lines_of(card: HoldingCard) -> list[StatedLine]:
    """Return the numbers that are stated of a run or suite."""
    return [StatedLine(card, each) for each in card.found.stated] if card.found else []


def runs_among(cards: Sequence[HoldingCard]) -> list[HoldingCard]:
    """Leave out suites, which hold nothing themselves."""
    return [card for card in cards if not (card.found and card.found.suite)]


def _lines(cards: Sequence[HoldingCard]) -> list[StatedLine]:
    return [line for card in cards for line in lines_of(card) or [StatedLine(card)]]


def _stated(cards: Sequence[HoldingCard]) -> list[StatedLine]:
    return [line for card in cards for line in lines_of(card)]


def _metric(line: StatedLine) -> str | None:
    return printable(line.stated.line.metric) if line.stated else None


def _written(number: int) -> Callable[[StatedLine], str | None]:
    return lambda line: both_written(line.stated.line)[number] if line.stated else None


def _agrees(line: StatedLine) -> bool | None:
    if line.stated is None or line.stated.is_unchecked:
        return None
    return line.stated.line.agrees


def _replicas(line: StatedLine) -> list[float] | None:
    return list(line.stated.line.replicas) or None if line.stated else None


def _all_replicas(line: StatedLine) -> Text | None:
    return replicas_written(line.stated.line) if line.stated and _replicas(line) else None


def _reason(line: StatedLine) -> Text | None:
    return line.stated.line.reason if line.stated else line.card.reason


def _holds(card: HoldingCard) -> Text | None:
    facts = card.found.facts if card.found else None
    return in_a_row(facts.in_words()) if facts else card.reason


def _count(name: str, of: str, help: Text | None = None) -> Column[Any]:
    return Column(name, None, COUNT, at(f"{of}found.facts.{name}"), help=help)


def _counts(of: str) -> Columns[Any]:
    return (
        _count("questions", of),
        _count("n_min", of, Text("samples of a question")),
        _count("n_max", of),
        _count("failed", of),
        _count("ungradable", of, Text("questions")),
    )


STATED: Columns[StatedLine] = (
    Column("metric", Text("metric"), NAME, _metric),
    Column("reported", None, SHARE, at("stated.line.reported")),
    Column("", Text("reported"), WRITTEN, _written(0)),
    Column("recomputed", None, SHARE, at("stated.line.recomputed")),
    Column("", Text("recomputed"), WRITTEN, _written(1)),
    Column("agrees", None, FLAG, _agrees),
    Column("reason", None, WORD, _reason),
    Column(
        "replicas",
        None,
        REMARKS,
        _replicas,
        help=Text(
            "the numbers whose average it is: the first sample of every question, the second …"
        ),
    ),
    Column("", Text("replicas, in percent"), WORD, _all_replicas),
    Column("", Text("why they differ"), WORD, _reason, ("page", "paper")),
)
RUNS: Table[HoldingCard, HoldingCard] = Table(
    "runs",
    (*OF_RUN, *_counts(""), Column("", Text("holds"), WORD, _holds), REASON),
    runs_among,
)
REPORTED: Table[HoldingCard, StatedLine] = Table("reported", (*OF_RUN, *STATED), _stated)
EVERYTHING: Table[HoldingCard, StatedLine] = Table(
    "reported", (*OF_RUN, *_counts("card."), *STATED), _lines, _stated
)
"""What CSV holds: the reported numbers beside what each run holds."""
