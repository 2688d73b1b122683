"""Which run to take at which n, in sentences: for the page, the command and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kofn.card import names, of_datasets
from kofn.choices.runs import FEWEST
from kofn.choices.signals import called, column_of
from kofn.choose_n.analysis import ChoiceCard, PricedChoice
from kofn.choose_n.early.sentences import in_words, not_told
from kofn.choose_n.prices import SAMPLES
from kofn.writing.estimates import likely, percent, points
from kofn.writing.joining import joined
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import Choice, Selection
from metrics.analyses.choose_n.rules import Rule
from metrics.analyses.choose_n.simulated import NOT_SIMULATED, of_several_runs
from metrics.data.words import Text


@dataclass(frozen=True, eq=False)
class Told:
    """What the runs of one dataset say together.

    Attributes
    ----------
    cards : dict of str to ChoiceCard
        Of all its runs, by the name that figures give them.
    found : dict of str to PricedChoice
        Of those that n can be chosen for.
    selection : Selection or None
    """

    cards: dict[str, ChoiceCard]
    found: dict[str, PricedChoice]
    selection: Selection | None
    reason: Text | None

    @property
    def chosen(self) -> str | None:
        """The name of the run to take."""
        return None if self.selection is None else self.called(self.selection.run)

    def called(self, key: str | None) -> str | None:
        """Return the name of a run by its key."""
        return next((name for name, card in self.cards.items() if card.key == key), None)


def told_of(cards: Sequence[ChoiceCard]) -> Told:
    """Lay out the cards of one dataset."""
    by_name = dict(zip(names(cards), cards, strict=True))
    found = {name: card.found for name, card in by_name.items() if card.found is not None}
    selection, reason = next((each.together for each in found.values()), (None, None))
    if not found:
        reason = next((card.reason for card in cards), None)
    return Told(by_name, found, selection, reason)


def advice(card: ChoiceCard) -> Text:
    """Say which n the aim asks of one run, or why none."""
    if card.found is None:
        assert card.reason is not None
        return card.reason
    choice, (selection, _) = card.found.choice, card.found.together
    found = choice.advice[choice.rule]
    if selection is not None and selection.aim.run:
        run = named(selection.aim.run)
        found = replace(found, best=Text("{best} of {run}", best=selection.aim.best, run=run))
    return found.sentence(card.found.priced.amount)


def answer(chosen: Sequence[ChoiceCard]) -> Text:
    """Say which run to take at which n and what it buys, or why no choice can be made.

    Of several datasets the first is meant, and named.
    """
    (dataset, cards), *others = of_datasets(chosen).items()
    said = answer_of(cards)
    return (
        said
        if not others
        else Text("{dataset}: {said}", dataset=named(printable(dataset)), said=said)
    )


def answer_of(cards: Sequence[ChoiceCard]) -> Text:
    """Return the answer for the runs of one dataset."""
    told = told_of(cards)
    if told.selection is None:
        return Text("No n can be chosen: {why}", why=told.reason)
    if told.chosen is None:
        return _WITHOUT[told.selection.aim.rule](told, told.selection)
    found = told.found[told.chosen]
    buys = Text(
        "It solves {quality} for {cost} a question, {all}",
        quality=_solved(found.choice),
        cost=_cost(found),
        all=_all(found, cards[0]),
    )
    taken = Text("{run} at n = {n}", run=named(told.chosen), n=found.choice.safe_n)
    head = _head(told.cards[told.chosen], found.choice, taken)
    said = [Text("{head}. {buys}.", head=head, buys=buys)]
    if _early_is_meant(found):
        said += _early(found)
    return joined(said)


def _early_is_meant(found: PricedChoice) -> bool:
    """Return whether votes end early by what was asked for, or are those of the n to use."""
    early, _ = found.early
    return early is not None and (early.asked is not None or early.cap == found.choice.safe_n)


def _early(found: PricedChoice) -> Iterator[Text]:
    early, _ = found.early
    if early is not None and early.told is not None:
        counted = found.priced.unit == SAMPLES
        yield in_words(early.told, None if counted else found.priced.amount)


def _head(card: ChoiceCard, choice: Choice, taken: Text) -> Text:
    """Say how one of n answers becomes the answer, before what is taken."""
    if choice.stopping:
        return Text("If answers can be checked: {taken}", taken=taken)
    if choice.votes:
        return Text("Without a check, by a vote: {taken}", taken=taken)
    signal = card.settings.picked_by
    return Text(
        "Picked by {signal}: {taken}",
        signal=called(signal, column_of(card.run, signal)),
        taken=taken,
    )


def cards_key(told: Told, name: str) -> str:
    """Return the key of a run by its name."""
    return told.cards[name].key


def reasons(cards: Sequence[ChoiceCard]) -> tuple[Text, ...]:
    """Say what the answer rests on: the aim and how sure it is met, the last try, what is next."""
    told = told_of(cards)
    return () if told.selection is None else tuple(_reasons(told, told.selection, cards))


def _reasons(told: Told, selection: Selection, cards: Sequence[ChoiceCard]) -> Iterator[Text]:
    if told.chosen is not None:
        found = told.found[told.chosen]
        choice = found.choice
        yield advice(told.cards[told.chosen])
        yield _held(told, choice)
        yield from _last_step(found)
        yield from _likely(told, selection)
        yield from _next(told, selection)
    for found in told.found.values():
        if told.chosen is None or not _early_is_meant(found):
            yield from _early(found)
        if (why := not_told(found.early)) is not None:
            yield why
    for name, card in told.cards.items():
        if card.reason is not None:
            yield Text("{run} is left out: {why}", run=named(name), why=card.reason)
    yield from selection.remarks


def _held(told: Told, choice: Choice) -> Text:
    """Say how often the n to use was as good as it is said to be, with runs like these."""
    if len(told.found) == 1:
        return choice.held
    if not all(each.choice.simulated and each.choice.stopping for each in told.found.values()):
        return NOT_SIMULATED
    return of_several_runs(choice.rule, choice.n_questions, len(told.found))


def _solved(choice: Choice, n: int | None = None) -> Text:
    table, at = choice.table, choice.table.index(n or choice.safe_n or 1)
    return percent(table.quality[at], table.quality_low[at], table.quality_high[at])


def _cost(found: PricedChoice) -> Text:
    table = found.choice.table
    return found.priced.amount(float(table.cost[table.index(found.choice.safe_n or 1)]))


def questions_meant(card: ChoiceCard, choice: Choice) -> int:
    """Return how many questions all of them are: those of a month if typed, else those here."""
    return card.settings.questions or choice.n_questions


def _all(found: PricedChoice, card: ChoiceCard) -> Text:
    choice = found.choice
    count = questions_meant(card, choice)
    cost = float(choice.table.cost[choice.table.index(choice.safe_n or 1)])
    amount = found.priced.amount(cost * count)
    if card.settings.questions is not None:
        return Text("{amount} for {count:,} questions", amount=amount, count=count)
    return Text(
        "{amount} for this one question",
        "{amount} for these {count:,} questions",
        amount=amount,
        count=count,
    )


def _last_step(found: PricedChoice) -> Iterator[Text]:
    table = found.choice.table
    at = table.index(found.choice.safe_n or 1)
    if at == 0:
        return
    further = float(table.cost_per_further[at])
    if np.isnan(further):
        yield Text("The last tries solve no extra question.")
    else:
        yield Text(
            "The last tries cost {cost} for each extra question.",
            cost=found.priced.amount(further),
        )


def _likely(told: Told, selection: Selection) -> Iterator[Text]:
    """Yield with what chance the run to take is the best at its n, and what it costs if not."""
    assert selection.run is not None
    chance, loss = selection.chances[selection.run], selection.losses[selection.run]
    if len(selection.chances) < 2 or (chance < 1 and not loss):
        return
    rule = selection.aim.rule
    said = Text(
        "Of {count} runs at their n to use it {does} with a chance of {chance}",
        count=len(selection.chances),
        does=_BEST[rule],
        chance=likely(chance),
    )
    if chance == 1:
        yield Text("{said}.", said=said)
        return
    lost, amount = loss / (1 - chance), told.found[told.chosen or ""].priced.amount
    cost = points(lost) if rule == "budget" else Text("{cost} a question", cost=amount(lost))
    yield Text("{said}; if it does not, that costs {cost} on average.", said=said, cost=cost)


_BEST: dict[Rule, Text] = {
    "value": Text("gains most beyond its cost"),
    "budget": Text("solves most"),
    "quality": Text("costs least"),
    "reach": Text("costs least"),
}


def _next(told: Told, selection: Selection) -> Iterator[Text]:
    """Yield what the other run offers that is likeliest to be the best."""
    others = [name for name in told.found if name != told.chosen]
    sure = [name for name in others if told.found[name].choice.safe_n]
    if sure:
        name = max(sure, key=lambda name: selection.chances[cards_key(told, name)])
        found = told.found[name]
        yield Text(
            "Next: {run} at n = {n} solves {quality} for {cost} a question.",
            run=named(name),
            n=found.choice.safe_n,
            quality=_solved(found.choice),
            cost=_cost(found),
        )
    elif others:
        yield _NONE_ELSE[selection.aim.rule]


_NONE_ELSE: dict[Rule, Text] = {
    "value": Text("No other run is sure to be worth its price."),
    "budget": Text("No other run is sure to stay within it."),
    "quality": Text("No other run is sure to reach it with its samples."),
    "reach": Text("No other run is sure to reach it with its samples."),
}


def _alone(told: Told) -> Text | None:
    """Say that one question, or one cluster, allows no choice."""
    name, found = next(iter(told.found.items()))
    choice = found.choice
    if choice.n is None or choice.safe_n is not None:
        return None
    return Text(
        "No n can be chosen: one question, or group of questions, says nothing about others. By "
        "it alone {run} would need n = {n}.",
        run=named(name),
        n=choice.n,
    )


def _without_reach(told: Told, selection: Selection) -> Text:
    if selection.aim.target is None:
        return Text("No n can be chosen: only n = 1 was measured. Run it with n = {n}.", n=FEWEST)
    if selection.aim.target == 0:
        return Text("No n can be chosen: no question was solved.")
    return _alone(told) or Text("No n here is sure enough to reach the aim.")


def _without_quality(told: Told, selection: Selection) -> Text:
    def best(name: str) -> float:
        return float(told.found[name].choice.table.quality.max())

    name = max(told.found, key=best)
    choice = told.found[name].choice
    n = int(choice.table.n[choice.table.quality.argmax()])
    return _alone(told) or Text(
        "Nothing here is sure to solve {target:.4g}%. {run} at n = {n} comes nearest: {quality}.",
        target=100 * selection.aim.limit,
        run=named(name),
        n=n,
        quality=_solved(choice, n),
    )


def _without_budget(told: Told, selection: Selection) -> Text:
    name, found = min(told.found.items(), key=lambda each: float(each[1].choice.table.cost[0]))
    return _alone(told) or Text(
        "Nothing here is sure to cost at most {budget} a question. {run} at n = {n} comes nearest: "
        "{cost}.",
        budget=found.priced.amount(selection.aim.limit),
        run=named(name),
        n=int(found.choice.table.n[0]),
        cost=found.priced.amount(float(found.choice.table.cost[0])),
    )


def _without_value(told: Told, selection: Selection) -> Text:
    def each_solved(found: PricedChoice) -> float:
        return float(np.nan_to_num(found.choice.table.cost_per_solved[0], nan=np.inf))

    name, found = min(told.found.items(), key=lambda each: each_solved(each[1]))
    if not np.isfinite(each_solved(found)):
        return Text("No n can be chosen: no question was solved.")
    return _alone(told) or Text(
        "Nothing here is sure to be worth its price. {run} at n = {n} comes nearest: a solved "
        "question costs {cost}, and is worth {value}.",
        run=named(name),
        n=int(found.choice.table.n[0]),
        cost=found.priced.amount(each_solved(found)),
        value=found.priced.amount(selection.aim.limit),
    )


_WITHOUT = {
    "value": _without_value,
    "budget": _without_budget,
    "quality": _without_quality,
    "reach": _without_reach,
}
