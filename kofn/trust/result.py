"""What may have moved the number of a run, and its expected number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kofn.card import Card
from kofn.finish_reasons.analysis import FinishReasons
from kofn.references.analysis import References
from kofn.trust.causes import Cause
from kofn.trust.checks import Check
from kofn.trust.doubts import AskedMetric, DoubtCard, Doubts
from metrics import Estimate, Replicas
from metrics.data.words import Text


@dataclass(frozen=True, eq=False)
class Trust:
    """A run, and what may have moved its number."""

    asked: AskedMetric
    judged: Estimate  # By the verdicts of the tool.
    doubts: Doubts | None  # What its texts say of its verdicts; None where ``unread`` says why.
    unread: Text | None
    causes: tuple[Cause, ...]  # What may have moved the number, the largest first.
    ended: FinishReasons | None
    # Whether they differ by more than chance; None with one sample a question.
    replicas: Replicas | None
    # Those of its dataset that are worth checking, where several models tell.
    references: References | None = None
    checks: tuple[Check, ...] = ()  # What is expected of it.
    # What all doubtful verdicts together may have moved; None without any.
    verdicts: Cause | None = None

    @property
    def reach(self) -> float:
        """By how much its number may be moved by more than chance."""
        return max((cause.reach for cause in self.causes if cause.kind != "chance"), default=0.0)


TrustCard = Card[Trust, AskedMetric]


def doubtful(cards: Sequence[TrustCard]) -> tuple[DoubtCard, ...]:
    """Return of cards what texts say of verdicts, or why nothing."""
    return tuple(
        card.about(card.found.doubts, card.found.unread)
        if card.found
        else card.about(None, card.reason)
        for card in cards
    )
