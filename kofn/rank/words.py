"""Which runs may be the best, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.compare.analysis import CompareCard
from kofn.compare.words import answer_of_first, best_over_datasets, no_comparison, ranking_in_words
from kofn.writing.joining import joined
from metrics.data.words import Text


def answer(cards: Sequence[CompareCard]) -> Text:
    """Say which models may be the best over all datasets; else which runs of the first."""
    return best_over_datasets(cards) or answer_of_first(cards, answer_of)


def answer_of(cards: Sequence[CompareCard]) -> Text:
    """Return the answer for the runs of one dataset."""
    contest = next(card.found.contest for card in cards if card.found)
    return joined([*ranking_in_words(contest)]) if contest.ranking else no_comparison(contest)
