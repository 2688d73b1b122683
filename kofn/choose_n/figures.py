"""Turn choices of n into the data of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.margins import Margin
from charts.theme import Stretch
from charts.tradeoff import AimLine, PickedPoint, PricedRun, tradeoff
from kofn.card import names
from kofn.choose_n.analysis import ChoiceCard, PricedChoice, joint_choice
from kofn.choose_n.columns import lines
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.prices import Priced, quantity
from kofn.choose_n.sequential_stopping import SequentialVotes
from kofn.choose_n.words import (
    ALL_VOTE,
    BEST_FOR_COST,
    TAKEN,
    budget_line_name,
    cap_name,
    cost_axis,
    cost_per_further,
    cost_per_further_at,
    cost_per_question,
    early_vote_name,
    full_vote_name,
    gain_of_last_sample,
    quality_line_name,
    rule_name,
    samples_taken,
    short_rule_name,
)
from kofn.leaderboard.lines import first_group, numbers_of_cards
from kofn.writing.estimates import in_percent, percent
from metrics import AdaptiveCurve, Choice
from metrics.analyses.choose_n.weighing import QUALITIES
from metrics.data.arrays import Vector
from metrics.data.results import Interval
from metrics.data.words import Text, plain

_EVERY = 64
"""Up to here every n is drawn."""
_STEPS = 16
"""Above so many for each doubling, closer than the eye can tell apart."""
_LABELLED = 4
"""A point of the run to take is labelled where n is a power of this."""
DRAWN = 10
"""The most runs that are drawn: there are as many colours."""
_APART = 1.25
"""A label nearer to the bar of the choice, by cost, would lie over its own."""
FIXED = 0
"""The colour of votes of all samples; the rules that end them early follow it."""


def worth_drawing(chosen: Sequence[ChoiceCard]) -> list[ChoiceCard]:
    """Return the runs of a dataset to draw: the one to take, then those best for their cost."""
    best = {offer.key for offers in frontiers(chosen).values() for offer in offers if offer.best}
    ranked = sorted(lines(chosen), key=lambda line: (line.note != TAKEN, line.card.key not in best))
    kept = {line.card.key for line in ranked[:DRAWN]}
    return [one for one in chosen if one.key in kept]


def offers(chosen: Sequence[ChoiceCard], numbers: Mapping[str, int]) -> tuple[PricedRun, ...]:
    """Turn choices for the numbered runs of a dataset into quality against cost."""
    joint = joint_choice(chosen)
    picks = {name: _pick(found.choice, name == joint.chosen) for name, found in joint.found.items()}
    return tuple(
        PricedRun(
            name,
            numbers[joint.cards[name].key],
            _offered(name, found),
            _labels(found.choice, picks[name]),
            picks[name],
        )
        for name, found in joint.found.items()
    )


def sequential_votes(
    chosen: Sequence[ChoiceCard],
    numbers: Mapping[str, int],
) -> tuple[PricedRun, ...]:
    """Return what the run to take solves at what cost if its votes end by the rule that is told."""
    return tuple(
        _by_rule(
            early_vote_name(name=name),
            numbers[key],
            sequential.curves[sequential.rule],
            sequential.cap,
            found.priced,
            False,
        )
        for name, key, found in _with_choices(chosen)
        if (sequential := found.sequential[0]) is not None and sequential.rule is not None
    )


def votes(sequential: SequentialVotes, choice: Choice, priced: Priced) -> list[PricedRun]:
    """Return votes of all samples, and those that each rule ends early."""
    table = choice.table
    details = [
        (full_vote_name(n=n), percent(*ends), priced.amount(cost))
        for n, cost, *ends in zip(
            table.n.tolist(),
            table.cost.tolist(),
            table.quality.tolist(),
            table.quality_low.tolist(),
            table.quality_high.tolist(),
            strict=True,
        )
    ]
    fixed = Stretch(table.cost, table.quality, table.quality_low, table.quality_high, details)
    return [
        PricedRun(plain(ALL_VOTE), FIXED, fixed, [""] * len(table.n), None),
        *(
            _by_rule(
                short_rule_name(curve.rule),
                number,
                curve,
                sequential.cap,
                priced,
                name == sequential.rule,
            )
            for number, (name, curve) in enumerate(sequential.curves.items(), start=FIXED + 1)
        ),
    ]


def _by_rule(
    name: Text,
    number: int,
    curve: AdaptiveCurve,
    cap: int,
    priced: Priced,
    taken: bool,
) -> PricedRun:
    details = [
        (
            rule_name(curve.rule),
            samples_taken(cap=most, samples=quantity(samples)),
            percent(*ends),
            cost_per_question(cost=priced.amount(cost)),
        )
        for most, samples, cost, *ends in zip(
            curve.cap.tolist(),
            curve.samples.tolist(),
            curve.cost.tolist(),
            curve.value.tolist(),
            curve.low.tolist(),
            curve.high.tolist(),
            strict=True,
        )
    ]
    vote = curve.at(cap)
    assert vote.cost.interval is not None
    assert vote.value.interval is not None
    pick = PickedPoint(
        plain(cap_name(cap=cap)),
        vote.cost.value,
        vote.value.value,
        Interval(*vote.cost.interval),
        Interval(*vote.value.interval),
        taken,
    )
    points = Stretch(curve.cost, curve.value, curve.low, curve.high, details)
    return PricedRun(plain(name), number, points, [""] * len(curve.cap), pick, dashed=True)


def mark(chosen: Sequence[ChoiceCard]) -> AimLine | None:
    """Return the aim as a line across quality or cost; None for a worth, which is neither."""
    joint = joint_choice(chosen)
    if joint.selection is None:
        return None
    aim = joint.selection.aim
    if aim.target is not None:
        return AimLine(quality_line_name(target=percent(aim.target)), quality=aim.target)
    if aim.rule == "budget":
        found = next(iter(joint.found.values()))
        budget = found.priced.amount(aim.limit)
        return AimLine(budget_line_name(budget=budget), cost=aim.limit)
    return None


def frontier(chosen: Sequence[ChoiceCard]) -> list[tuple[float, float]]:
    """Return cost and quality of what no other run or n beats; empty for a single run."""
    (found,) = frontiers(chosen).values()
    if len({offer.key for offer in found}) == 1:
        return []
    return [(offer.cost, offer.quality) for offer in found if offer.best]


def cost_margins(chosen: Sequence[ChoiceCard], numbers: Mapping[str, int]) -> tuple[Margin, ...]:
    """Turn choices for numbered runs into the cost of each further solved question."""

    def detail(found: PricedChoice, n: int, amount: float) -> Text:
        return cost_per_further_at(n=n, cost=found.priced.amount(amount))

    return _margins(chosen, numbers, lambda choice: choice.table.cost_per_further, detail)


def gain_margins(chosen: Sequence[ChoiceCard], numbers: Mapping[str, int]) -> tuple[Margin, ...]:
    """Turn choices for numbered runs into gains in points, beside those of independent tries."""

    def detail(found: PricedChoice, n: int, points: float) -> Text:
        return gain_of_last_sample(n=n, points=points)

    return _margins(
        chosen,
        numbers,
        lambda choice: 100 * choice.table.gain,
        detail,
        lambda choice: 100 * choice.table.independent_gain,
    )


def _with_choices(chosen: Sequence[ChoiceCard]) -> list[tuple[str, str, PricedChoice]]:
    called = zip(names(chosen), chosen, strict=True)
    return [(name, one.key, one.found) for name, one in called if one.found is not None]


def _offered(name: str, found: PricedChoice) -> Stretch:
    table, label = found.choice.table, QUALITIES[found.choice.metric].label
    details, drawn = [], _drawn_rows(found.choice)
    for at in drawn.tolist():
        n = int(table.n[at])
        solved = percent(table.quality[at], table.quality_low[at], table.quality_high[at])
        lines = [
            Text("{name}", name=name),
            Text("{label} = {value}", label=label(n), value=solved),
            cost_per_question(cost=found.priced.amount(float(table.cost[at]))),
        ]
        if np.isfinite(table.cost_per_further[at]):
            further = found.priced.amount(float(table.cost_per_further[at]))
            lines.append(cost_per_further(cost=further))
        details.append(tuple(lines))
    return Stretch(
        table.cost[drawn],
        table.quality[drawn],
        table.quality_low[drawn],
        table.quality_high[drawn],
        details,
    )


def _drawn_rows(choice: Choice) -> NDArray[np.intp]:
    """Return the places in the table of the n that are drawn: those chosen are among them."""
    n = choice.table.n
    some = 2 ** (np.arange(_STEPS * np.log2(n[-1]) + 1) / _STEPS)
    wanted = {*some.round().tolist(), int(n[-1]), choice.safe_n, choice.n, *(choice.interval or ())}
    return np.flatnonzero((n <= _EVERY) | np.isin(n, [each for each in wanted if each]))


def _labels(choice: Choice, pick: PickedPoint | None) -> list[str]:
    """Name some n of the run to take, but those that the bar of its choice lies over."""
    drawn = _drawn_rows(choice)
    if pick is None or not pick.taken:
        return [""] * len(drawn)
    marked = {_LABELLED**power for power in range(10)}
    low, high = pick.x_range
    return [
        str(n) if n in marked and not low / _APART <= cost <= high * _APART else ""
        for n, cost in zip(choice.table.n[drawn], choice.table.cost[drawn], strict=True)
    ]


def _pick(choice: Choice, taken: bool) -> PickedPoint | None:
    table = choice.table
    if not choice.safe_n or choice.interval is None:
        return None
    at, *ends = np.searchsorted(table.n, [choice.safe_n, *choice.interval])
    costs = table.cost[np.clip([at, *ends], 0, len(table.n) - 1)]
    return PickedPoint(
        f"n = {choice.safe_n}",
        float(costs[0]),
        float(table.quality[at]),
        Interval(float(costs.min()), float(costs.max())),
        Interval(float(table.quality_low[at]), float(table.quality_high[at])),
        taken,
    )


def _margins(
    chosen: Sequence[ChoiceCard],
    numbers: Mapping[str, int],
    value: Callable[[Choice], Vector],
    detail: Callable[[PricedChoice, int, float], Text],
    compared: Callable[[Choice], Vector] | None = None,
) -> tuple[Margin, ...]:
    def stretch(choice: Choice, numbers: Vector) -> tuple[NDArray[Any], Vector, Vector, Vector]:
        drawn = _drawn_rows(choice)
        unknown = np.full(len(drawn), np.nan)
        shown = np.where(numbers > 0, numbers, np.nan)[drawn]
        return choice.table.n[drawn], shown, unknown, unknown

    def hints(name: str, found: PricedChoice) -> list[tuple[Text, ...]]:
        choice = found.choice
        drawn = _drawn_rows(choice)
        columns = choice.table.n[drawn], value(choice)[drawn]
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        return [
            (Text("{name}", name=name), detail(found, n, number)) if number > 0 else ()
            for n, number in numbers
        ]

    return tuple(
        Margin(
            name,
            numbers[key],
            Stretch(*stretch(choice, value(choice)), hints(name, found)),
            None if compared is None else Stretch(*stretch(choice, compared(choice))),
            choice.safe_n,
        )
        for name, key, found in _with_choices(chosen)
        for choice in (found.choice,)
    )


def axes_of(chosen: Sequence[ChoiceCard]) -> tuple[Text, Text]:
    """Name cost and quality of the first run that has a choice."""
    found = next(one.found for one in chosen if one.found)
    return (
        cost_axis(unit=found.priced.unit),
        in_percent(found.choice.metric.replace("k", "n")),
    )


def picture(cards: Sequence[ChoiceCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw quality against cost over all datasets, or on the first; None where there is nothing."""
    found = [card for card in cards if card.found]
    if not found:
        return None
    first = first_group(found)
    numbers = numbers_of_cards(first, numbers)
    kept = worth_drawing(first)
    drawn = (*offers(kept, numbers), *sequential_votes(kept, numbers))
    return tradeoff(drawn, frontier(first), axes_of(first), mark(kept), best=BEST_FOR_COST)
