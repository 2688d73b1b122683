"""Turn how samples ended into the data of the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from charts.shares import ShareBar
from kofn.card import cards_by_dataset, names
from kofn.finish_reasons.analysis import EndedCard
from metrics.data.words import printable
from reports.run.finish_reasons import STATES

BARS = 40
"""The most runs that are drawn: those with the largest share of unsettled samples."""


class StateBars(NamedTuple):
    """The bars, and how many runs are left out."""

    wholes: tuple[ShareBar, ...]
    left_out: int


def bars(cards: Sequence[EndedCard]) -> StateBars:
    """Return a bar for each run of which it is known how its samples ended."""
    known = [card for card in cards if card.found is not None and card.found.samples]
    drawn = least_settled(known, BARS)
    datasets = list(dict.fromkeys(card.run.dataset for card in known))
    drawn.sort(key=lambda card: (datasets.index(card.run.dataset), known.index(card)))
    wholes = tuple(
        ShareBar(
            name,
            printable(card.run.dataset) if len(datasets) > 1 else "",
            tuple(card.found.counts[state] for state in STATES) if card.found else (),
        )
        for name, card in zip(_names(drawn), drawn, strict=True)
    )
    return StateBars(wholes, len(known) - len(drawn))


def _names(cards: Sequence[EndedCard]) -> list[str]:
    """Name runs by their model, or by their key where a model has several on a dataset."""
    called = {
        id(card): name
        for group in cards_by_dataset(cards).values()
        for card, name in zip(group, names(group), strict=True)
    }
    return [called[id(card)] for card in cards]


def least_settled(cards: Sequence[EndedCard], count: int) -> list[EndedCard]:
    """Return so many runs, those whose samples were cut, failed or have no answer most."""
    found = [(card.found.unsettled_share, card) for card in cards if card.found]
    return [card for _share, card in sorted(found, key=lambda each: -each[0])[:count]]
