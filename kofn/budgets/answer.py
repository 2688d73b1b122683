"""The sentence that budgets open with: several answers or one, for the same tokens."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.budgets.analysis import NO_TOKENS, BudgetCard, Budgeted, dearest, taken
from kofn.budgets.rivals import Rival, rivals_in_words, rivals_of
from kofn.budgets.sentences import cut_of, gained, solved
from kofn.card import limits, names, of_datasets
from kofn.choose_n.prices import quantity
from kofn.writing.estimates import NA
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import ShortOrLong
from metrics.data.words import Text


def answer(cards: Sequence[BudgetCard]) -> Text:
    """Say what is better for the same tokens; of several datasets the first is meant, and named."""
    groups = {
        dataset: group
        for dataset, group in of_datasets(cards).items()
        if any(card.found for card in group)
    } or of_datasets(cards)
    dataset, group = next(iter(groups.items()))
    said = answer_of(group, rivals_of(dearest(group), group))
    if len(of_datasets(cards)) == 1:
        return said
    return Text("{dataset}: {said}", dataset=named(printable(dataset)), said=said)


def answer_of(cards: Sequence[BudgetCard], rivals: Sequence[Rival]) -> Text:
    """Return the answer for the runs of one dataset, told of the one whose answers are longest.

    It is set against several answers of the other runs, and without any against its own, cut short.
    """
    return rivals_in_words(dearest(cards), rivals) or split_in_words(cards)


def split_in_words(cards: Sequence[BudgetCard]) -> Text:
    """Say of the run whose answers are longest whether several short ones are better."""
    found = [
        (name, card.found) for name, card in zip(names(cards), cards, strict=True) if card.found
    ]
    if not found:
        reasons = list(dict.fromkeys(card.reason for card in cards if card.reason is not None))
        return reasons[0] if len(reasons) == 1 else NO_TOKENS
    name, first = max(found, key=lambda each: taken(each[1].budgets))
    said = Text("{run}: {said}", run=named(name), said=_of_one(first))
    if len(found) == 1:
        return said
    more, fewer = (
        sum(side(each.split[0]) > 0 for _, each in found) for side in (_surely_more, _surely_less)
    )
    return Text(
        "{said} Of {all} runs short answers are surely better for {more} and surely worse for "
        "{fewer}.",
        said=said,
        all=len(found),
        more=more,
        fewer=fewer,
    )


def _surely_more(split: ShortOrLong | None) -> float:
    low, _ = limits(None if split is None else split.gain)
    return -1.0 if low is None else low


def _surely_less(split: ShortOrLong | None) -> float:
    _, high = limits(None if split is None else split.gain)
    return -1.0 if high is None else -high


def _of_one(found: Budgeted) -> Text:
    split, reason = found.split
    if split is None:
        return reason or NA
    if found.k == 1:
        return Text(
            "Cut at {cut} tokens, for half of the {spent} that an answer takes, {short} are right "
            "where {long} are uncut: {gain}.",
            cut=cut_of(split.short),
            spent=quantity(split.long.spent.value),
            short=solved(split.short),
            long=solved(split.long),
            gain=gained(split),
        )
    return Text(
        "{who}. Cut at {cut} tokens {k} solve {short} for the {spent} that one uncut answer takes, "
        "which solves {long}: {gain}.",
        who=_better(split),
        cut=cut_of(split.short),
        k=found.k,
        short=solved(split.short),
        spent=quantity(split.long.spent.value),
        long=solved(split.long),
        gain=gained(split),
    )


def _better(split: ShortOrLong) -> Text:
    k = split.short.k
    if _surely_more(split) > 0:
        return Text("{k} short answers are better than a long one", k=k)
    if _surely_less(split) > 0:
        return Text("One long answer is better than {k} short ones", k=k)
    return Text("{k} short answers and a long one cannot be told apart", k=k)
