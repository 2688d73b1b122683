"""Which runs may be the best, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.compare.analysis import CompareCard
from kofn.compare.words import nothing, of_first, over_all, ranked
from kofn.writing.joining import joined
from metrics.data.words import Text


def answer(cards: Sequence[CompareCard]) -> Text:
    """Say which models may be the best over all datasets; else which runs of the first."""
    return over_all(cards) or of_first(cards, answer_of)


def answer_of(cards: Sequence[CompareCard]) -> Text:
    """Return the answer for the runs of one dataset."""
    contest = next(card.found.contest for card in cards if card.found)
    return joined([*ranked(contest)]) if contest.ranking else nothing(contest)
