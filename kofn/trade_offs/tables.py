"""Two numbers of each run as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, about, frame_of, of_datasets, say
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.numbers import Number
from kofn.writing.rendering import ENGLISH

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ABOUT | {
    "k": "Int64",
    "x": "string",
    "x_value": "Float64",
    "x_low": "Float64",
    "x_high": "Float64",
    "y": "string",
    "y_value": "Float64",
    "y_low": "Float64",
    "y_high": "Float64",
    "front": "boolean",
    "per": "Int64",
    "level": "Float64",
    "target": "string",
    "questions": "Int64",
    "remarks": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[TradeCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay both numbers of each run out flat.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: metrics as fractions and costs as amounts for ``per`` questions, both
        at full precision; ``front`` whether no other run of the dataset beats it on both;
        ``remarks`` a list of sentences. What does not exist is None.
    """
    best = {card.key for group in of_datasets(cards).values() for card in front(group)}

    def row(card: TradeCard) -> dict[str, Any]:
        found, settings = card.found, card.settings
        remarks = () if found is None else (*found.x.caveats, *found.y.caveats)
        return {
            **dict.fromkeys(COLUMNS),
            **about(card),
            "k": card.view.k[0],
            "x": settings.x,
            **_number("x", None if found is None else found.x),
            "y": settings.y,
            **_number("y", None if found is None else found.y),
            "front": None if found is None else card.key in best,
            "per": settings.questions,
            "level": card.view.level,
            "target": card.view.target,
            "questions": None if found is None else min(found.x.questions, found.y.questions),
            "remarks": [say(each, translations) for each in dict.fromkeys(remarks)],
            "reason": say(card.reason, translations),
        }

    return list(map(row, cards))


def _number(axis: str, found: Number | None) -> dict[str, float | None]:
    low, high = (found and found.interval) or (None, None)
    value = None if found is None else found.value
    return {f"{axis}_value": value, f"{axis}_low": low, f"{axis}_high": high}


def frame(
    cards: Sequence[TradeCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the remarks joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)
