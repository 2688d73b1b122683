"""Which run is worth its cost, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from charts.order import Climb, OrderWords
from charts.plane import Axis, Dot
from kofn.card import cards_by_dataset, runs_of
from kofn.leaderboard import field
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from kofn.leaderboard.words import exclusions_among
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.numbers import AxisNumber, is_cost
from kofn.writing.estimates import K_AXIS
from kofn.writing.joining import joined, some, with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text


def answer(cards: Sequence[TradeCard]) -> Text:
    """Say which models no other beats over all datasets; else of the first, which is named."""
    if whole := cards_over_datasets(cards):
        return joined([answer_of(whole), *_otherwise(whole, cards_of_runs(cards))])
    groups = cards_by_dataset(cards)
    dataset, group = next(iter(groups.items()))
    sentence = answer_of(group)
    if len(groups) == 1:
        return sentence
    return with_name(short_name(dataset), sentence)


def answer_of(cards: Sequence[TradeCard]) -> Text:
    """Return the answer for the runs of one dataset, or for models over all."""
    known = [card for card in cards if card.found is not None]
    if not known:
        return _no_numbers(cards)
    called, best = names_of(cards), front(cards)
    if len(known) == 1:
        return Text(
            "{run} has {numbers}; there is no other run to weigh it against.",
            run=called[known[0].key],
            numbers=_numbers(known[0]),
        )
    if all(_is_one_number(card) for card in known):
        return Text(
            "{run} is the highest with {number}. Both axes show this number; choose another for "
            "one of them.",
            run=called[best[0].key],
            number=_each_number(best[0])[1],
        )
    if len(best) == 1:
        return _best_on_both(best[0], called)
    return joined([*_of_front(best, len(known), called)])


def _of_front(best: Sequence[TradeCard], count: int, called: Mapping[str, str]) -> Iterator[Text]:
    """Name the ends of a front, each with what it is best in, then with what that costs."""
    is_cheap_first = is_cost(best[0].settings.axes[0])
    upper, outer = (best[-1], best[0]) if is_cheap_first else (best[0], best[-1])
    (upper_x, upper_y), (outer_x, outer_y) = map(_each_number, (upper, outer))
    over = Text("")
    if best[0].over:
        over = Text(" on average over {count} datasets", count=len(best[0].over))
    yield Text(
        "{count} of {all} {runs} are worth considering{over}: {upper} with {y}, {outer} with {x}.",
        count=len(best),
        all=count,
        runs=Text("models") if best[0].over else Text("runs"),
        over=over,
        upper=called[upper.key],
        y=upper_y,
        outer=called[outer.key],
        x=outer_x,
    )
    yield Text(
        "In return, {upper} has {x}, and {outer} {y}.",
        upper=called[upper.key],
        x=upper_x,
        outer=called[outer.key],
        y=outer_y,
    )
    if between := best[1:-1]:
        yield Text(
            "{names} lies between them.",
            "{names} lie between them.",
            count=len(between),
            names=some(called[card.key] for card in between),
        )


def _best_on_both(card: TradeCard, called: Mapping[str, str]) -> Text:
    name, numbers = called[card.key], _numbers(card)
    if card.over:
        return Text(
            "On average over {count} datasets {run} is best on both: {numbers}.",
            count=len(card.over),
            run=name,
            numbers=numbers,
        )
    return Text("{run} is best on both: {numbers}.", run=name, numbers=numbers)


def _otherwise(whole: Sequence[TradeCard], cards: Sequence[TradeCard]) -> Iterator[Text]:
    """Say which models are worth considering on some datasets only, and what is left out."""
    best, within = {card.key for card in front(whole)}, {key for card in whole for key in card.over}
    fronts = {
        card.key
        for group in cards_by_dataset(card for card in cards if card.key in within).values()
        for card in front(group)
    }
    datasets = {card.key: card.run.dataset for card in cards}
    others = {
        card.run.model: [datasets[key] for key in card.over if key in fronts]
        for card in whole
        if card.found is not None and card.key not in best
    }
    somewhere = {name: places for name, places in others.items() if places}
    if len(somewhere) == 1:
        ((name, places),) = somewhere.items()
        yield Text(
            "{name} is worth considering on {datasets} alone.",
            name=short_name(name),
            datasets=some(short_name(place) for place in places),
        )
    elif somewhere:
        yield Text(
            "{count} more are worth considering on some datasets alone.", count=len(somewhere)
        )
    yield from exclusions_among(runs_of(cards))


def _is_one_number(card: TradeCard) -> bool:
    """Say whether both axes show the same of a run, as pass@1 and avg@n of one sample."""
    found = card.found
    return found is not None and (found.x.value, found.x.interval) == (
        found.y.value,
        found.y.interval,
    )


def names_of(cards: Sequence[TradeCard]) -> dict[str, str]:
    """Name the runs of a dataset by their keys, as `kofn.leaderboard.field.names_of` does."""
    dataset = cards[0].run.dataset if cards else ""
    return field.names_of({card.key: card.run.model for card in cards}, dataset)


def _no_numbers(cards: Sequence[TradeCard]) -> Text:
    reasons = dict.fromkeys(card.reason for card in cards if card.reason is not None)
    return joined([Text("No run has both numbers."), *reasons])


def _numbers(card: TradeCard) -> Text:
    """Write both numbers of a run, the metric first."""
    (x_axis, y_axis), (x, y) = card.settings.axes, _each_number(card)
    if is_cost(x_axis) and not is_cost(y_axis):
        return Text("{metric} for {cost}", metric=y, cost=x)
    if is_cost(y_axis) and not is_cost(x_axis):
        return Text("{metric} for {cost}", metric=x, cost=y)
    return Text("{y} and {x}", x=x, y=y)


def _each_number(card: TradeCard) -> tuple[Text, Text]:
    """Write the number across and the one upwards."""
    assert card.found is not None
    return _number(card.found.x, card), _number(card.found.y, card)


def _number(number: AxisNumber, card: TradeCard) -> Text:
    if not is_cost(number.label):
        return Text("{metric} {value}", metric=number.label, value=number.written)
    questions = card.settings.questions
    if questions == 1:
        return Text("{amount} a question", amount=number.amount)
    return Text("{amount} for {count} questions", amount=number.amount, count=questions)


# The figure --------------------------------------------------------------------------------------

BEATEN_BY_NONE = Text("Beaten by no other")
ALL_SAMPLES = Text("all samples")
SAMPLES = Text("Samples")
TOKENS = Text("Tokens")
SECONDS = Text("Seconds")
MONEY = Text("Money")


def sample_count(count: int) -> Text:
    """Say of how many samples."""
    return Text("{count} sample", "{count} samples", count=count)


def cost_axis(*, kind: object, count: int, samples: object) -> Text:
    """Name the axis of a cost."""
    return Text(
        "{kind} for a question, {samples}",
        "{kind} for {count} questions, {samples} each",
        kind=kind,
        count=count,
        samples=samples,
    )


def dot_detail(*, run: object, y_label: object, y: object, x_label: object, x: object) -> Text:
    """Say what a run has on both axes."""
    return Text(
        "{run}: {y_label} {y}; {x_label} {x}", run=run, y_label=y_label, y=y, x_label=x_label, x=x
    )


def place_detail(*, run: object, k: object, place: object, ranks: object) -> Text:
    """Say which place a run has at a k."""
    return Text("{run}, k = {k}: place {place} ({ranks})", run=run, k=k, place=place, ranks=ranks)


def describe_order(climbs: Sequence[Climb], ks: Sequence[int], metric: str) -> Text:
    """Say in words what `charts.order.order` shows, for those who do not see it."""
    first, last = ({climb.places[at]: climb.name for climb in climbs}[1] for at in (0, -1))
    return Text(
        "The places of {count} runs by {metric} over k: {first} is first at k = {low}, {last} at "
        "k = {high}.",
        count=len(climbs),
        metric=metric,
        first=first,
        low=ks[0],
        last=last,
        high=ks[-1],
    )


def describe_plane(dots: Sequence[Dot], axes: tuple[Axis, Axis]) -> Text:
    """Say in words what `charts.plane.plane` shows, for those who do not see it."""
    return Text(
        "{count} run between {x} and {y}, {best} of them beaten by no other. The table has the "
        "same numbers.",
        "{count} runs between {x} and {y}, {best} of them beaten by no other. The table has the "
        "same numbers.",
        count=len(dots),
        x=axes[0].title,
        y=axes[1].title,
        best=sum(dot.best for dot in dots),
    )


def order_words() -> OrderWords:
    """Return what the figure of places over k says."""
    return OrderWords(Text("Place"), K_AXIS)
