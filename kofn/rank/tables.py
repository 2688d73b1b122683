"""The places of runs as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Sequence
from typing import Any

import pandas as pd

from kofn.card import ABOUT, VALUE, about, frame_of, say, value_of
from kofn.compare.analysis import CompareCard
from kofn.compare.tables import SAID, asked
from kofn.writing.rendering import ENGLISH

COLUMNS = ABOUT | {
    "metric": "string",
    "k": "Int64",
    **VALUE,
    "rank_first": "Int64",
    "rank_last": "Int64",
    "chance_of_best": "Float64",
    "expected_loss": "Float64",
    "questions": "Int64",
    **SAID,
}


def rows(
    cards: Sequence[CompareCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay the places of each run out flat.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: ``rank_first`` and ``rank_last`` the best and the worst place that a
        run may have, ``chance_of_best``, and ``expected_loss`` what taking it loses on average
        against the best. What does not exist is None.
    """
    return [_row(card, translations) for card in cards]


def _row(card: CompareCard, translations: gettext.NullTranslations) -> dict[str, Any]:
    row = dict.fromkeys(COLUMNS) | about(card) | asked(card)
    row |= {"remarks": [], "reason": say(card.reason, translations)}
    if card.found is None:
        return row
    contest = card.found.contest
    row |= {"metric": contest.metric, "k": contest.k}
    estimate = contest.estimates.get(card.key)
    if estimate is None:
        return row
    row |= value_of(estimate) | {"questions": estimate.n_questions}
    row["remarks"] = [say(text, translations) for text in estimate.caveats]
    if contest.ranking is None:
        return row
    place = contest.ranking.names.index(card.key)
    ranks, chances = contest.ranking.ranks[place], contest.ranking.chances
    row |= {"rank_first": ranks.first, "rank_last": ranks.last}
    row["chance_of_best"] = None if chances is None else chances[place]
    losses = contest.ranking.losses
    row["expected_loss"] = None if losses is None else losses[place]
    return row


def frame(
    cards: Sequence[CompareCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the remarks joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)
