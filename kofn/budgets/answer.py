"""The sentence that budgets open with: several short answers, or a long one."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.budgets.analysis import NO_TOKENS, BudgetCard, Budgeted
from kofn.budgets.sentences import gained, solved
from kofn.card import limits, names, of_datasets
from kofn.choose_n.prices import quantity
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text


def answer(cards: Sequence[BudgetCard]) -> Text:
    """Say what is better for the same tokens; of several datasets the first is meant, and named."""
    groups = {
        dataset: group
        for dataset, group in of_datasets(cards).items()
        if any(card.found for card in group)
    } or of_datasets(cards)
    dataset, group = next(iter(groups.items()))
    said = answer_of(group)
    if len(of_datasets(cards)) == 1:
        return said
    return Text("{dataset}: {said}", dataset=named(printable(dataset)), said=said)


def answer_of(cards: Sequence[BudgetCard]) -> Text:
    """Return the answer for the runs of one dataset, told of the one with the clearest result."""
    found = [
        (name, card.found) for name, card in zip(names(cards), cards, strict=True) if card.found
    ]
    if not found:
        reasons = list(dict.fromkeys(card.reason for card in cards if card.reason is not None))
        return reasons[0] if len(reasons) == 1 else NO_TOKENS
    name, first = max(found, key=lambda each: _clear(each[1]))
    said = Text("{run}: {said}", run=named(name), said=_of_one(first))
    if len(found) == 1:
        return said
    more, fewer = (
        sum(side(each) > 0 for _, each in found) for side in (_surely_more, _surely_less)
    )
    return Text(
        "{said} Of {all} runs short answers are surely better for {more} and surely worse for "
        "{fewer}.",
        said=said,
        all=len(found),
        more=more,
        fewer=fewer,
    )


def clearest(cards: Sequence[BudgetCard]) -> BudgetCard | None:
    """Return the run that the answer tells of."""
    known = [(_clear(card.found), -place) for place, card in enumerate(cards) if card.found]
    found = [card for card in cards if card.found]
    return found[known.index(max(known))] if known else None


def _clear(found: Budgeted) -> float:
    """Return how far the gain surely is from none; below 0 where it may be none."""
    return max(_surely_more(found), _surely_less(found))


def _surely_more(found: Budgeted) -> float:
    low, _ = limits(found.split.gain)
    return -1.0 if low is None else low


def _surely_less(found: Budgeted) -> float:
    _, high = limits(found.split.gain)
    return -1.0 if high is None else -high


def _of_one(found: Budgeted) -> Text:
    short, long = found.split.short, found.split.long
    cut = "∞" if short.budget is None else quantity(short.budget)
    if short.k == 1:
        return Text(
            "Cut at {cut} tokens, for half of the {spent} that an answer takes, {short} are right "
            "where {long} are uncut: {gain}.",
            cut=cut,
            spent=quantity(long.spent.value),
            short=solved(short),
            long=solved(long),
            gain=gained(found),
        )
    return Text(
        "{who}. Cut at {cut} tokens {k} solve {short} for the {spent} that one uncut answer takes, "
        "which solves {long}: {gain}.",
        who=_better(found),
        cut=cut,
        k=short.k,
        short=solved(short),
        spent=quantity(long.spent.value),
        long=solved(long),
        gain=gained(found),
    )


def _better(found: Budgeted) -> Text:
    if _surely_more(found) > 0:
        return Text("{k} short answers are better than a long one", k=found.k)
    if _surely_less(found) > 0:
        return Text("One long answer is better than {k} short ones", k=found.k)
    return Text("{k} short answers and a long one cannot be told apart", k=found.k)
