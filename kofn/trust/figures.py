"""From readings of runs to what the chart draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.readings import ReadingRow, readings
from kofn.card import limits, names, of_datasets
from kofn.trust.analysis import TrustCard
from kofn.writing.estimates import percent, span
from kofn.writing.rendering import printable
from metrics.data.words import Text


def rows_of(cards: Sequence[TrustCard]) -> tuple[ReadingRow, ...]:
    """Turn readings of runs into the rows of `charts.readings.readings`, dataset by dataset."""
    groups = of_datasets(cards)
    return tuple(
        ReadingRow(
            printable(dataset) if len(groups) > 1 else "",
            name,
            card.found.judged.value,
            card.found.read.value,
            card.found.read.interval,
            (card.found.least.value, card.found.most.value),
            _detail(name, card),
        )
        for dataset, group in groups.items()
        for name, card in zip(names(group), group, strict=True)
        if card.found is not None
    )


def _detail(name: str, card: TrustCard) -> Text:
    assert card.found is not None
    found = card.found
    return Text(
        "{run}: {judged} as judged, {read} as read, {between} by what divided answers are worth",
        run=name,
        judged=percent(found.judged.value, *limits(found.judged)),
        read=percent(found.read.value, *limits(found.read)),
        between=span(found.least.value, found.most.value),
    )


def picture(cards: Sequence[TrustCard], _: Mapping[str, int]) -> go.Figure | None:
    """Draw all runs; None where there is nothing."""
    found = [card for card in cards if card.found]
    return readings(rows_of(found), found[0].view.level) if found else None
