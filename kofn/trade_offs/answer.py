"""Which runs are worth considering, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kofn.card import names, of_datasets
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.numbers import Number, is_cost
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text

NAMED = 4
"""The most runs that a sentence names."""


def answer(cards: Sequence[TradeCard]) -> Text:
    """Say which runs no other beats; of several datasets the first is meant, and named."""
    groups = of_datasets(cards)
    dataset, group = next(iter(groups.items()))
    said = answer_of(group)
    if len(groups) == 1:
        return said
    return Text("{dataset}: {said}", dataset=named(printable(dataset)), said=said)


def answer_of(cards: Sequence[TradeCard]) -> Text:
    """Return the answer for the runs of one dataset."""
    known = [card for card in cards if card.found is not None]
    if not known:
        return _none(cards)
    if known[0].settings.x == known[0].settings.y:
        return Text("Both axes show the same number; choose another for one of them.")
    if all(_is_one_number(card) for card in known):
        return Text(
            "{x} and {y} are the same number for each run; choose another for one of the axes.",
            x=known[0].found.x.label if known[0].found else "",
            y=known[0].found.y.label if known[0].found else "",
        )
    called, best = called_by(cards), front(cards)
    if len(known) == 1:
        return Text(
            "{run} has {numbers}; there is no other run to weigh it against.",
            run=called[known[0].key],
            numbers=_numbers(known[0]),
        )
    if len(best) == 1:
        return Text(
            "{run} is best on both: {numbers}.", run=called[best[0].key], numbers=_numbers(best[0])
        )
    listed = _listed([_with_numbers(card, called) for card in _some(best)])
    if len(best) == len(known):
        return Text(
            "None of the {all} runs beats another on both: {runs}.", all=len(known), runs=listed
        )
    return Text(
        "{count} of {all} runs are worth considering: {runs}. Each other run is beaten on both.",
        count=len(best),
        all=len(known),
        runs=listed,
    )


def _is_one_number(card: TradeCard) -> bool:
    """Say whether both axes show the same of a run, as pass@1 and avg@n of one sample."""
    found = card.found
    return found is not None and (found.x.value, found.x.interval) == (
        found.y.value,
        found.y.interval,
    )


def called_by(cards: Sequence[TradeCard]) -> dict[str, str]:
    """Name the runs of a dataset by their keys."""
    return {card.key: named(name) for card, name in zip(cards, names(cards), strict=True)}


def _none(cards: Sequence[TradeCard]) -> Text:
    reasons = list(dict.fromkeys(card.reason for card in cards if card.reason is not None))
    if len(reasons) == 1:
        return Text("No run has both numbers. {reason}", reason=reasons[0])
    return Text("No run has both numbers; the reasons are below.")


def _some(best: Sequence[TradeCard]) -> Sequence[TradeCard]:
    """Return the runs of a front, of a long one some from end to end."""
    if len(best) <= NAMED:
        return best
    return [best[round(place * (len(best) - 1) / (NAMED - 1))] for place in range(NAMED)]


def _with_numbers(card: TradeCard, called: Mapping[str, str]) -> Text:
    return Text("{run} with {numbers}", run=called[card.key], numbers=_numbers(card))


def _numbers(card: TradeCard) -> Text:
    """Write both numbers of a run, the metric first."""
    found, (x_axis, y_axis) = card.found, card.settings.axes
    assert found is not None
    x, y = (_number(each, card) for each in (found.x, found.y))
    if is_cost(x_axis) and not is_cost(y_axis):
        return Text("{metric} for {cost}", metric=y, cost=x)
    if is_cost(y_axis) and not is_cost(x_axis):
        return Text("{metric} for {cost}", metric=x, cost=y)
    return Text("{y} and {x}", x=x, y=y)


def _number(found: Number, card: TradeCard) -> Text:
    if not is_cost(found.label):
        return Text("{metric} {value}", metric=found.label, value=found.written)
    questions = card.settings.questions
    if questions == 1:
        return Text("{amount} a question", amount=found.amount)
    return Text("{amount} for {count:,} questions", amount=found.amount, count=questions)


def _listed(parts: Sequence[Text]) -> Text:
    first, *rest = parts
    if not rest:
        return first
    if len(rest) == 1:
        return Text("{first}, and {last}", first=first, last=rest[0])
    return Text("{first}; {rest}", first=first, rest=_listed(rest))
