"""Several answers from other runs for the tokens of one answer from a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kofn.budgets.analysis import BudgetCard, taken
from kofn.card import attempt, names
from kofn.leaderboard.pairs import Matching, match_by_texts
from metrics import Difference, Estimate, compare, estimate
from metrics.data.evidence import Evidence


@dataclass(frozen=True, eq=False)
class Rival:
    """As many answers of a run as take no more tokens than one answer of another."""

    key: str
    name: str
    k: int  # As many as there are at most.
    spent: float  # Tokens that they take on average.
    value: Estimate
    # That, beyond the one answer, on the same questions where these are known. The intervals of all
    # rivals hold at once (Bonferroni), so that the best may be picked.
    more: Difference


def rivals_of(
    card: BudgetCard | None, cards: Sequence[BudgetCard], matching: Matching = match_by_texts
) -> tuple[Rival, ...]:
    """Set the answers of other runs of a dataset against one answer of a run, the best first.

    Runs of which one answer takes more tokens are left out. What it returns holds no run.
    """
    if card is None or card.found is None:
        return ()
    spent = taken(card.found.budgets)
    others = [
        (name, other)
        for name, other in zip(names(cards), cards, strict=True)
        if other.key != card.key and other.found is not None and taken(other.found.budgets) <= spent
    ]
    level = 1 - (1 - card.view.level) / max(len(others), 1)
    rivals = []
    for name, other in others:
        rival, _reason = attempt(_rival, name, card, other, level, matching)
        if rival is not None:
            rivals.append(rival)
    return tuple(sorted(rivals, key=lambda rival: -rival.value.value))


def _rival(
    name: str, card: BudgetCard, other: BudgetCard, level: float, matching: Matching
) -> Rival:
    assert card.found is not None
    assert other.found is not None
    view, metric, one = card.view, card.settings.metric, taken(other.found.budgets)
    most = Evidence(other.run, view.missing, view.segment).n_min
    k = min(int(taken(card.found.budgets) / one), most)
    more = compare(
        card.run,
        other.run,
        metric,
        (1, k),
        same_questions=bool(matching(card.run, other.run)),
        **replace(view, level=level).asked,
    )
    value = estimate(other.run, metric, k, **view.asked)
    return Rival(other.key, name, k, k * one, value, replace(more, ends=None))
