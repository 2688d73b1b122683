"""Turn what tokens buy into the data of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from charts.theme import Stretch
from charts.tradeoff import PickedPoint, PricedRun, tradeoff
from kofn.budgets.analysis import BudgetCard, Budgeted, dearest
from kofn.budgets.frontier import best_of
from kofn.budgets.rivals import Rival, rivals_of
from kofn.budgets.words import AXIS_OF_TOKENS, cut_answers_name, tokens_per_question
from kofn.card import cards_by_dataset, names
from kofn.choose_n.prices import quantity
from kofn.choose_n.words import BEST_FOR_COST
from kofn.writing.estimates import in_percent, percent
from metrics import TokenBudgets
from metrics.data.arrays import Flags
from metrics.data.results import Estimate, Interval
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

DRAWN = 10
"""The most runs that are drawn: there are as many colours."""


def worth_drawing(cards: Sequence[BudgetCard]) -> list[BudgetCard]:
    """Return the runs to draw: that of the answer, those that are best somewhere, then others."""
    best, taken = {each.run for each in best_of(cards)}, dearest(cards)
    known = [place for place, card in enumerate(cards) if card.found is not None]
    kept = sorted(known, key=lambda place: (cards[place] is not taken, place not in best))[:DRAWN]
    return [cards[place] for place in sorted(kept)]


def frontiers(
    cards: Sequence[BudgetCard], numbers: Mapping[str, int], rivals: Sequence[Rival]
) -> tuple[PricedRun, ...]:
    """Turn the best k and cuts of each run of a dataset into solved questions against tokens.

    Marked are the short answers of each run; of the best rival the answers that are set against
    one of another run.
    """
    taken = dearest(cards)
    marked = {rival.key: _rival_point(rival) for rival in rivals[:1]}
    return tuple(
        PricedRun(
            name,
            numbers[card.key],
            _stretch(card.found.budgets, card.found.budgets.best, name),
            _first_of_each_k(card.found.budgets, card is taken),
            marked.get(card.key) or _pick(card.found, card is taken),
        )
        for name, card in zip(names(cards), cards, strict=True)
        if card.found is not None
    )


def best_of_all(cards: Sequence[BudgetCard]) -> list[tuple[float, float]]:
    """Return tokens and value of what nothing of any run beats; empty for a single run."""
    if sum(card.found is not None for card in cards) < 2:
        return []
    return [(best.spent, best.value) for best in best_of(cards)]


def lines_by_k(card: BudgetCard) -> tuple[PricedRun, ...]:
    """Turn the cuts of a run into a line for each k."""
    if card.found is None:
        return ()
    table = card.found.budgets
    return tuple(
        PricedRun(
            f"k = {k}",
            number,
            _stretch(table, table.k == k, f"k = {k}"),
            [""] * int((table.k == k).sum()),
            _pick(card.found, True) if k == card.found.k else None,
        )
        for number, k in enumerate(dict.fromkeys(table.k.tolist()))
    )


def axes(card: BudgetCard) -> tuple[Text, Text]:
    """Return the titles of both axes."""
    metric = METRICS[card.settings.metric].name
    return (
        AXIS_OF_TOKENS,
        in_percent(metric),
    )


def _stretch(table: TokenBudgets, held: Flags, name: str) -> Stretch:
    order = np.flatnonzero(held)
    order = order[np.argsort(table.spent[order], kind="stable")]
    return Stretch(
        table.spent[order],
        table.value[order],
        table.low[order],
        table.high[order],
        [_details(table, row, name) for row in order.tolist()],
    )


def _details(table: TokenBudgets, row: int, name: str) -> tuple[Text, ...]:
    k = int(table.k[row])
    return (
        Text("{name}", name=name),
        cut_answers_name(
            k=k, count=k, budget=quantity(float(table.budget[row])), cut=float(table.cut[row])
        ),
        percent(float(table.value[row]), float(table.low[row]), float(table.high[row])),
        tokens_per_question(spent=quantity(float(table.spent[row]))),
    )


def _first_of_each_k(table: TokenBudgets, labelled: bool) -> list[str]:
    """Label the best points where their k is another than before, of the run that is told of."""
    order = np.flatnonzero(table.best)
    ks = table.k[order[np.argsort(table.spent[order], kind="stable")]].tolist()
    first = {k: ks.index(k) for k in ks}
    return [str(k) if labelled and place == first[k] else "" for place, k in enumerate(ks)]


def _pick(found: Budgeted, taken: bool) -> PickedPoint | None:
    if found.split[0] is None:
        return None
    short = found.split[0].short
    spent, solved = short.spent, short.value
    cut = "" if short.budget is None else f" ≤ {quantity(short.budget)}"
    return PickedPoint(
        f"{short.k}{cut}", spent.value, solved.value, _ends(spent), _ends(solved), taken
    )


def _rival_point(rival: Rival) -> PickedPoint:
    spent = Interval(rival.spent, rival.spent)
    return PickedPoint(
        str(rival.k), rival.spent, rival.value.value, spent, _ends(rival.value), False
    )


def _ends(estimate: Estimate) -> Interval:
    return estimate.interval or Interval(estimate.value, estimate.value)


def picture(cards: Sequence[BudgetCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw solved questions against tokens, on the first dataset; None where there is nothing."""
    first = next(iter(cards_by_dataset(card for card in cards if card.found).values()), [])
    if not first:
        return None
    drawn = worth_drawing(first)
    offers = frontiers(drawn, numbers, rivals_of(dearest(first), first))
    return tradeoff(offers, best_of_all(first), axes(drawn[0]), best=BEST_FOR_COST)
