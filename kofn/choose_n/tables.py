"""The n to use of each run with what it solves and costs, as a table to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.answer import questions_meant, told_of
from metrics.analyses.choose_n.rules import Rule
from metrics.data.words import Text


@dataclass(frozen=True, slots=True)
class Line:
    """A run at the n to use, or at the one that comes nearest to the aim.

    Attributes
    ----------
    key, name : str
        The run, and how figures call it.
    n : int or None
    quality : tuple of float, or None
        Share of questions solved, with its interval.
    cost, all, further : float
        Of a question, of all that are meant, of each further solved one; NaN where there is none.
    note : Text or None
        That it is the run to take, that it misses the aim, or why there is nothing.
    """

    key: str
    name: str
    n: int | None
    quality: tuple[float, float, float] | None
    cost: float
    all: float
    further: float
    note: Text | None


TAKEN = Text("take this")
MISSES: dict[Rule, Text] = {
    "value": Text("not worth its price"),
    "budget": Text("too dear"),
    "quality": Text("not sure to reach it"),
    "reach": Text("not sure to reach it"),
}


def lines(cards: Sequence[ChoiceCard]) -> list[Line]:
    """Lay out the runs of one dataset: the one to take, others by cost, then those that miss."""
    told = told_of(cards)
    found = [_line(name, card, name == told.chosen) for name, card in told.cards.items()]
    order = {TAKEN: 0, None: 1}
    return sorted(found, key=lambda line: (order.get(line.note, 2), line.n is None, line.cost))


def _line(name: str, card: ChoiceCard, taken: bool) -> Line:
    if card.found is None:
        nothing = float("nan")
        return Line(card.key, name, None, None, nothing, nothing, nothing, card.reason)
    choice = card.found.choice
    table, n = choice.table, choice.n if choice.safe_n is None else choice.safe_n
    note = TAKEN if taken else None
    if not n:
        nearest = table.quality.argmax() if choice.rule in ("quality", "reach") else 0
        n, note = int(table.n[nearest]), MISSES[choice.rule] if choice.safe_n == 0 else None
    at = table.index(n)
    cost = float(table.cost[at])
    return Line(
        card.key,
        name,
        n,
        (float(table.quality[at]), float(table.quality_low[at]), float(table.quality_high[at])),
        cost,
        cost * questions_meant(card, choice),
        float(table.cost_per_further[at]) if at else np.nan,
        note,
    )
