"""Runs and datasets at a glance as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, OF_ESTIMATE, about, frame_of, of_estimate, say
from kofn.choices.view import View
from kofn.overview.analysis import Dataset, GlanceCard, metric_of
from kofn.overview.next_steps import next_step
from kofn.overview.sentences import careful, stated_in, wrong
from kofn.standings.datasets import told_beside
from kofn.writing.rendering import ENGLISH, printable
from metrics import Standing

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ABOUT | {
    "average": "boolean",
    "metric": "string",
    "k": "Int64",
    **OF_ESTIMATE,
    "doubts": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[GlanceCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay runs and averages out flat, a row for each.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: fractions at full precision, ``average`` whether it is one of
        several runs, ``doubts`` a list of sentences. What does not exist is None.
    """

    def row(card: GlanceCard) -> dict[str, Any]:
        score = card.found.score if card.found else None
        estimate = score.estimate if score else None
        doubts = card.found.doubts if card.found else ()
        return {
            **about(card),
            "average": not (card.found and card.found.dataset),
            "metric": metric_of(card.view),
            "k": score.k if score and score.metric.takes_k else None,
            **of_estimate(estimate, card.view),
            "doubts": [say(text, translations) for text in dict.fromkeys(d.text for d in doubts)],
            "reason": say(card.reason, translations),
        }

    return list(map(row, cards))


def frame(
    cards: Sequence[GlanceCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the doubts joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)


def in_words(dataset: Dataset, datasets: Sequence[Dataset], view: View) -> dict[str, Any]:
    """Return what there is to say of one of some datasets, and the numbers under it, for JSON."""
    field, fields = dataset.field, [each.field for each in datasets]
    return {
        "dataset": printable(dataset.name),
        "leads": [say(text) for text in told_beside(field, fields)],
        "wrong": [say(text) for text in wrong(stated_in(dataset), worst=len(fields) == 1)],
        "careful": [say(text) for text in careful(dataset, view)],
        "next": say(next_step(dataset).label),
        "one_try": _standing(field.one_try),
        "many": _standing(field.many),
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {
        "metric": standing.metric,
        "k": standing.k,
        "order": list(standing.estimates),
        "leaders": list(standing.leaders),
        "ahead": [
            {
                "run": key,
                "difference": found.value,
                "low": None if found.interval is None else found.interval.low,
                "high": None if found.interval is None else found.interval.high,
                "paired": found.paired,
                "questions": found.n_questions,
                "left_out": found.n_dropped,
            }
            for key, found in standing.ahead.items()
        ],
    }
