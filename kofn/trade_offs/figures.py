"""Turn two numbers of each run into the data of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.order import Climb
from charts.plane import Axis, Dot, plane
from kofn.leaderboard.lines import first_group, numbers_of_cards
from kofn.leaderboard.places_over_k import PlacesOverK
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.numbers import is_cost, samples_paid
from kofn.trade_offs.words import (
    ALL_SAMPLES,
    BEATEN_BY_NONE,
    MONEY,
    SAMPLES,
    SECONDS,
    TOKENS,
    cost_axis,
    dot_detail,
    names_of,
    place_detail,
    sample_count,
)
from kofn.writing.estimates import in_percent
from metrics import Ranks
from metrics.data.words import Text


def dots(cards: Sequence[TradeCard], numbers: Mapping[str, int]) -> tuple[Dot, ...]:
    """Turn the runs of a dataset into points, those of the front marked."""
    best, called = {card.key for card in front(cards)}, names_of(cards)
    return tuple(
        Dot(
            called[card.key],
            numbers[card.key],
            (card.found.x.value, card.found.y.value),
            (card.found.x.interval, card.found.y.interval),
            _detail(card),
            card.key in best,
        )
        for card in cards
        if card.found is not None
    )


def axes(cards: Sequence[TradeCard]) -> tuple[Axis, Axis]:
    """Return both axes of the runs of a dataset; the numbers stand in the titles."""
    card = next(card for card in cards if card.found is not None)
    assert card.found is not None
    names = card.settings.axes
    x, y = (
        Axis(_title(cards, place, names[1 - place]), not is_cost(name), is_cost(name))
        for place, name in enumerate(names)
    )
    return x, y


def _title(cards: Sequence[TradeCard], place: int, other: str) -> Text:
    found = [(card.found.x, card.found.y)[place] for card in cards if card.found is not None]
    settings, view = cards[0].settings, cards[0].view
    name = settings.axes[place]
    if not is_cost(name):
        labels = {number.label for number in found}
        label = labels.pop() if len(labels) == 1 else name
        return in_percent(label)
    paid = samples_paid(other, view.k[0])
    drawn: Text = ALL_SAMPLES if paid is None else sample_count(count=paid)
    return cost_axis(kind=COST_NAMES[name], count=settings.questions, samples=drawn)


COST_NAMES = {
    "samples": SAMPLES,
    "tokens": TOKENS,
    "seconds": SECONDS,
    "money": MONEY,
}
"""How costs are called."""


def _detail(card: TradeCard) -> Text:
    assert card.found is not None
    return dot_detail(
        run=card.key,
        y_label=card.found.y.label,
        y=card.found.y.written,
        x_label=card.found.x.label,
        x=card.found.x.written,
    )


def climbs(
    along: PlacesOverK, names: Mapping[str, str], numbers: Mapping[str, int]
) -> tuple[Climb, ...]:
    """Turn the places of runs along k into what `charts.order.order` draws."""

    def detail(name: str, k: int, place: int, ranks: Ranks) -> Text:
        return place_detail(run=name, k=k, place=place, ranks=str(ranks))

    return tuple(
        Climb(
            names[key],
            numbers[key],
            places,
            ranks,
            [each == key for each in along.first],
            [detail(names[key], *each) for each in zip(along.k, places, ranks, strict=True)],
        )
        for key, places, ranks in zip(along.keys, along.places, along.ranks, strict=True)
    )


def picture(cards: Sequence[TradeCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw runs between both axes, over all datasets or of the first; None without any."""
    found = [card for card in cards if card.found]
    first = first_group(found) if found else []
    return (
        plane(
            dots(first, numbers_of_cards(first, numbers)), axes(first), None, front=BEATEN_BY_NONE
        )
        if first
        else None
    )
