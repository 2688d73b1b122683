"""Several answers of other runs for the tokens of one answer of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kofn.budgets.analysis import BudgetCard, taken
from kofn.card import attempt, limits, names
from kofn.choose_n.prices import quantity
from kofn.standings.pairs import Matching, match_by_texts
from kofn.writing.estimates import percent, points
from kofn.writing.layout import named
from metrics import Difference, Estimate, compare, estimate
from metrics.data.evidence import Evidence
from metrics.data.words import Text


@dataclass(frozen=True, eq=False)
class Rival:
    """As many answers of a run as take no more tokens than one answer of another.

    Attributes
    ----------
    name : str
    k : int
        As many as there are at most.
    spent : float
        Tokens that they take on average.
    value : Estimate
        What they solve.
    more : Difference
        That, beyond the one answer, on the same questions where these are known.
    """

    name: str
    k: int
    spent: float
    value: Estimate
    more: Difference


def rivals_of(
    card: BudgetCard, cards: Sequence[BudgetCard], matching: Matching = match_by_texts
) -> tuple[Rival, ...]:
    """Set the answers of other runs of a dataset against one answer of a run, the best first.

    Runs of which one answer takes more tokens are left out. What it returns holds no run.
    """
    if card.found is None:
        return ()
    spent = taken(card.found)
    found = []
    for name, other in zip(names(cards), cards, strict=True):
        if other.key == card.key or other.found is None or taken(other.found) > spent:
            continue
        rival, _reason = attempt(_rival, name, card, other, matching)
        if rival is not None:
            found.append(rival)
    return tuple(sorted(found, key=lambda rival: -rival.value.value))


def _rival(name: str, card: BudgetCard, other: BudgetCard, matching: Matching) -> Rival:
    assert card.found is not None
    assert other.found is not None
    view, metric, one = card.view, card.settings.metric, taken(other.found)
    most = Evidence(other.run, view.missing, view.segment).n_min
    k = min(int(taken(card.found) / one), most)
    more = compare(
        card.run,
        other.run,
        metric,
        (1, k),
        same_questions=bool(matching(card.run, other.run)),
        **view.asked,
    )
    value = estimate(other.run, metric, k, **view.asked)
    return Rival(name, k, k * one, value, replace(more, ends=None))


def rivals_in_words(card: BudgetCard, rivals: Sequence[Rival]) -> Text | None:
    """Say which other run solves most for the tokens of one answer; None without any."""
    if not rivals or card.found is None:
        return None
    best = rivals[0]
    return Text(
        "For the {spent} tokens of one answer of {run}, {rival} gives {k} answer, which solves "
        "{value}: {more} against that one.",
        "For the {spent} tokens of one answer of {run}, {rival} gives {k} answers, which solve "
        "{value}: {more} against that one.",
        spent=quantity(taken(card.found)),
        run=named(card.run.model),
        rival=named(best.name),
        k=best.k,
        count=best.k,
        value=percent(best.value.value, *limits(best.value)),
        more=points(best.more.value, *(best.more.interval or ())),
    )
