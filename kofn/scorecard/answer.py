"""Who leads, and what else the scores say, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.choices.focus import by_dataset
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.scorecard.analysis import ScoreCard
from kofn.standings.datasets import leading, on_many_tries
from kofn.standings.field import Field, FindField, find_field
from kofn.standings.suite import FindSuite, Suite, find_suite
from kofn.writing.joining import joined
from metrics.data.words import Text


def answer(cards: Sequence[ScoreCard]) -> Text:
    """Say who leads the runs of some cards, dataset by dataset."""
    return answer_of(fields_of(cards), suite_of(cards))


def answer_of(fields: Sequence[Field], suite: Suite | None = None) -> Text:
    """Say who leads some datasets, together where that is known."""
    return joined([*leading(fields, suite), *on_many_tries(fields)])


def suite_of(cards: Sequence[ScoreCard], find: FindSuite = find_suite) -> Suite | None:
    """Find out who leads over the datasets of some cards; averages of suites do not count."""
    own = {card.key: card.run for card in cards if not (card.found and card.found.pooled)}
    return find(own, _plain(cards[0].view)) if own else None


def fields_of(cards: Sequence[ScoreCard], find: FindField = find_field) -> list[Field]:
    """Find out who leads the datasets of some cards; averages of suites do not count.

    Parameters
    ----------
    cards : sequence of ScoreCard
    find : callable
        In place of `kofn.standings.field.find_field`, such as one with a cache.
    """
    own = {card.key: card for card in cards if not (card.found and card.found.pooled)}
    fields = []
    for dataset, runs in by_dataset({key: card.run for key, card in own.items()}).items():
        view = own[next(iter(runs))].view
        k = max(view.k, default=0) or shared_k(runs.values(), view.missing, view.segment)
        fields.append(find(dataset, runs, k, _plain(view)))
    return fields


def _plain(view: View) -> View:
    return View(segment=view.segment, missing=view.missing, level=view.level, target=view.target)
