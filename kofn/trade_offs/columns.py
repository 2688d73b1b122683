"""Columns of both numbers of each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kofn.card import cards_by_dataset
from kofn.run_columns import ABOUT, LEVEL, TARGET, remark_columns
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.numbers import is_cost
from kofn.writing.columns import Columns, Table, for_people, in_files, member
from kofn.writing.kinds import COUNT, ESTIMATE, FLAG, WORD, WRITTEN
from metrics.data.words import Text

COST_NAMES = {
    "samples": Text("samples"),
    "tokens": Text("tokens"),
    "seconds": Text("seconds"),
    "money": Text("money"),
}
"""How costs are called."""


class TradeLine(NamedTuple):
    """A run, and whether no other of its dataset beats it on both numbers."""

    card: TradeCard
    best: bool


def lines(cards: Sequence[TradeCard]) -> list[TradeLine]:
    """Return a line for each card."""
    best = {card.key for group in cards_by_dataset(cards).values() for card in front(group)}
    return [TradeLine(card, card.key in best) for card in cards]


def remarks(line: TradeLine) -> Sequence[Text]:
    """Return what must be known of both numbers."""
    found = line.card.found
    return () if found is None else (*found.x.caveats, *found.y.caveats)


def _called(axis: str) -> Text:
    return COST_NAMES[axis] if is_cost(axis) else Text("{metric}", metric=axis)


def _questions(line: TradeLine) -> int | None:
    found = line.card.found
    return min(found.x.questions, found.y.questions) if found else None


COLUMNS: Columns[TradeLine] = (
    *ABOUT,
    in_files("k", COUNT, lambda line: line.card.view.k[0]),
    in_files("x", WORD, member("card.settings.x")),
    in_files(("x_value", "x_low", "x_high"), ESTIMATE, member("card.found.x")),
    for_people(lambda line: _called(line.card.settings.x), WRITTEN, member("card.found.x.written")),
    in_files("y", WORD, member("card.settings.y")),
    in_files(("y_value", "y_low", "y_high"), ESTIMATE, member("card.found.y")),
    for_people(lambda line: _called(line.card.settings.y), WRITTEN, member("card.found.y.written")),
    in_files(
        "front",
        FLAG,
        lambda line: line.best if line.card.found else None,
        Text("whether no other run of the dataset is better on one and as good on the other"),
    ),
    for_people(Text("best"), WORD, lambda line: Text("beaten by no other") if line.best else None),
    in_files("per", COUNT, member("card.settings.questions"), Text("questions")),
    LEVEL,
    TARGET,
    in_files("questions", COUNT, _questions),
    *remark_columns(remarks),
)
TRADES: Table[TradeCard, TradeLine] = Table("trade_offs", COLUMNS, lines)
