"""Turn possible causes and readings of runs into the data of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.causes import CauseBar, causes
from charts.readings import ReadingRow
from kofn.card import cards_by_dataset, names
from kofn.trust.causes import Cause
from kofn.trust.checks import Check
from kofn.trust.doubts import DoubtCard
from kofn.trust.result import TrustCard
from kofn.trust.words import CAUSES, card_to_open, cause_detail, causes_words, reading_detail
from metrics.data.words import printable


def rows_of(cards: Sequence[DoubtCard]) -> tuple[ReadingRow, ...]:
    """Turn readings of runs into the rows of `charts.readings.readings`, dataset by dataset."""
    groups = cards_by_dataset(cards)
    return tuple(
        ReadingRow(
            printable(dataset) if len(groups) > 1 else "",
            name,
            card.found.judged.value,
            card.found.read.value,
            card.found.read.interval,
            (card.found.least.value, card.found.most.value),
            reading_detail(name, card.found),
        )
        for dataset, group in groups.items()
        for name, card in zip(names(group), group, strict=True)
        if card.found is not None
    )


def bars_of(found: Sequence[Cause]) -> tuple[CauseBar, ...]:
    """Turn causes into the bars of `charts.causes.causes`; what has no points has no bar."""
    return tuple(
        CauseBar(CAUSES[cause.kind], cause.low, cause.high, cause.is_sure, cause_detail(cause))
        for cause in found
        if cause.reach
    )


def drawn(card: TrustCard, check: Check | None = None) -> tuple[tuple[CauseBar, ...], float]:
    """Return the bars of a run, or of what is expected of it, and the number they are around."""
    assert card.found is not None
    if check is None or check.found is None:
        return bars_of(card.found.causes), card.found.judged.value
    return bars_of(check.causes), check.found.mine.value


def picture(cards: Sequence[TrustCard], _: Mapping[str, int]) -> go.Figure | None:
    """Draw what may have moved the number moved most, or the first expected one; None without."""
    card = next((card for card in cards if card.found and card.found.checks), card_to_open(cards))
    if card is None or card.found is None:
        return None
    check = next(iter(card.found.checks), None)
    bars, value = drawn(card, check)
    expected = check.found.stated.value if check and check.found else None
    return causes(bars, value, expected, words=causes_words())
