"""Which of two runs is better by each reading of their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from kofn.card import of_datasets
from kofn.trust.doubts import DoubtCard
from metrics import Difference, compare
from metrics.data.outcomes import Outcomes
from reports.run.matching import match


class Claim(NamedTuple):
    """Which of two runs is better by each reading.

    Attributes
    ----------
    dataset : str
    models : tuple of str
    keys : tuple of str
        Of the runs.
    judged, read : Difference
        The second less the first.
    verdict : {"holds", "rests", "turns", "open"}
        Of a difference that is sure as judged: it ``holds`` under every reading, or ``rests`` on
        which answer is taken. Either way it ``turns`` if the other run is ahead as read. A
        difference that is not sure as judged stays ``open``.
    """

    dataset: str
    models: tuple[str, str]
    keys: tuple[str, str]
    judged: Difference
    read: Difference
    verdict: str


def claims(cards: Sequence[DoubtCard]) -> Iterator[Claim]:
    """Compare every two models of a dataset that answered mostly the same questions."""
    for group in of_datasets(cards).values():
        known = [card for card in group if card.found is not None]
        for one, other in combinations(known, 2):
            if one.run.model != other.run.model and _same_questions(one, other):
                yield _claim(one, other)


def _same_questions(one: DoubtCard, other: DoubtCard) -> bool:
    found = match(one.run, other.run, read=False)
    return bool(found) and found.shared >= found.dropped


def _claim(one: DoubtCard, other: DoubtCard) -> Claim:
    assert one.found is not None
    assert other.found is not None
    first, second = one.found.audit, other.found.audit
    asked = one.found.asked

    def between(a: Outcomes, b: Outcomes) -> Difference:
        return compare(a, b, asked.metric, asked.k, **one.view.asked)

    judged, read = between(first.outcomes, second.outcomes), between(first.as_read, second.as_read)
    extremes = between(first.least, second.most), between(first.most, second.least)
    sure = _sign(judged)
    verdict = "open"
    if judged.value * read.value < 0:
        verdict = "turns"
    elif sure:
        verdict = "holds" if {_sign(each) for each in (read, *extremes)} == {sure} else "rests"
    models = one.run.model, other.run.model
    return Claim(one.run.dataset, models, (one.key, other.key), judged, read, verdict)


def _sign(difference: Difference) -> int:
    """Return which run is surely better, 0 where that is open."""
    low, high = difference.interval or (0, 0)
    return (low > 0) - (high < 0)
