"""Runs along a series as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, VALUE, about, frame_of, say, value_of
from kofn.series.analysis import SeriesCard
from kofn.writing.rendering import ENGLISH, printable
from metrics import Difference
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("first", "previous", "best")
COLUMNS = ABOUT | {
    "along": "string",
    "place": "string",
    "metric": "string",
    "k": "Int64",
    **VALUE,
    **{f"from_{kind}{part}": "Float64" for kind in KINDS for part in ("", "_low", "_high")},
    "surely_better_than_first": "boolean",
    "questions": "Int64",
    "level": "Float64",
    "target": "string",
    "remarks": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[SeriesCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay each run out flat, in the order of its series.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: ``place`` is where it stands ``along`` the order, ``from_first`` how
        much better it is than the first run, with limits that hold for all runs of the series at
        once; ``from_previous`` and ``from_best`` likewise. What does not exist is None.
    """
    return [_row(card, translations) for card in cards]


def _row(card: SeriesCard, translations: gettext.NullTranslations) -> dict[str, Any]:
    row = dict.fromkeys(COLUMNS) | about(card) | {"level": card.view.level}
    row |= {"target": card.view.target, "reason": say(card.reason, translations), "remarks": []}
    if card.found is None:
        return row
    found = card.found.series
    place = found.names.index(card.key)
    for kind in KINDS:
        steps: Sequence[Difference | None] = getattr(found, f"from_{kind}")
        row |= _difference(f"from_{kind}", steps[place])
    step = found.from_first[place]
    return row | {
        "along": printable(card.found.order.along),
        "place": printable(card.found.order.labels[place]),
        "metric": found.metric,
        "k": found.k,
        **value_of(found.estimates[place]),
        "surely_better_than_first": None if step is None else step.sure and step.value > 0,
        "questions": found.estimates[place].n_questions,
        "remarks": [
            say(each, translations) for each in (*found.estimates[place].caveats, *_unpaired(step))
        ],
    }


def _unpaired(step: Difference | None) -> list[Text]:
    return [] if step is None or step.paired else [step.method]


def _difference(name: str, step: Difference | None) -> dict[str, float | None]:
    low, high = (None, None) if step is None else step.interval or (None, None)
    value = None if step is None else step.value
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def frame(
    cards: Sequence[SeriesCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the remarks joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)
