"""What may have moved the numbers of models on the datasets that all of them ran on."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.card import cards_found
from kofn.leaderboard.lines import average_cards
from kofn.trust.causes import Cause, by_chance, sorted_causes
from kofn.trust.result import Trust, TrustCard
from metrics.estimating.pooling import pool

ALONE = ("chance", "settings")
"""Causes that are not averaged: one is of the average, of the other nobody knows the points."""


def mean_trust(cards: Sequence[TrustCard]) -> tuple[TrustCard, ...]:
    """Average what was found of every model over the datasets that all ran on; none without such.

    Datasets count equally, and what may have moved one number moves the average by its share.
    """
    if len({found.asked for _card, found in cards_found(cards)}) != 1:
        return ()
    return average_cards(cards, _mean)


def _mean(found: Sequence[Trust]) -> Trust:
    judged, every = pool([each.judged for each in found]), len(found)
    causes = [by_chance(judged)]
    those = [cause for each in found for cause in each.causes if cause.kind not in ALONE]
    for kind in dict.fromkeys(cause.kind for cause in those):
        causes.append(_shared([cause for cause in those if cause.kind == kind], every))
    verdicts = [each.verdicts for each in found if each.verdicts is not None]
    return Trust(
        found[0].asked,
        judged,
        None,
        None,
        sorted_causes(causes),
        None,
        None,
        verdicts=_shared(verdicts, every) if verdicts else None,
    )


def _shared(causes: Sequence[Cause], datasets: int) -> Cause:
    """Return what causes of one kind, on some of the datasets, do to the average."""
    return Cause(
        causes[0].kind,
        sum(cause.low for cause in causes) / datasets,
        sum(cause.high for cause in causes) / datasets,
        all(cause.is_sure for cause in causes),
        sum(cause.count for cause in causes),
        sum(cause.all for cause in causes),
    )
