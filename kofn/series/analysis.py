"""The runs of a dataset in an order, and what changed along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kofn.card import Card, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import known_of, shown_runs
from kofn.choices.view import View
from kofn.compare.contest import metric_and_k, without_data
from kofn.leaderboard.field import names_of
from kofn.leaderboard.pairs import Matching, match_by_texts
from kofn.series.choices import Against, SeriesChoices
from metrics import Difference, Series, series
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.ordering import Order, find_orders, order_by
from reports.run.report import Run

NO_ORDER = Text(
    "Neither names, settings nor times put three of these runs in order; choose an order."
)


@dataclass(frozen=True, eq=False)
class Followed:
    """A metric along runs in an order."""

    dataset: str
    order: Order  # Of the runs that have verdicts.
    series: Series  # By the keys of the runs.
    names: Mapping[str, str]  # How they are called here.
    against: Against
    refused: tuple[Text, ...] = ()  # Why some of them are not paired.

    @property
    def label(self) -> str:
        """The metric with its k."""
        found = self.series
        return find_metric(found.metric).label(found.k)

    @property
    def steps(self) -> dict[str, Difference | None]:
        """By how much each run is better than what it is set against, by key."""
        found = {
            "first": self.series.from_first,
            "previous": self.series.from_previous,
            "best": self.series.from_best,
        }[self.against]
        return dict(zip(self.series.names, found, strict=True))

    @property
    def looked_at(self) -> int:
        """How many differences the intervals are adjusted for."""
        count = len(self.series.names)
        return count * (count - 1) // 2 if self.against == "best" else count - 1


SeriesCard = Card[Followed, SeriesChoices]


def orders_of(runs: Mapping[str, Run], along: str = "") -> tuple[Order, ...]:
    """Return the series of the runs of a dataset; raise MetricError where one asked for is none.

    Those that names, settings or times tell come first; else all runs are put in the order.
    """
    found = find_orders(runs)
    if not along:
        return found
    return tuple(order for order in found if order.along == along) or (order_by(runs, along),)


def follow(
    runs: Mapping[str, Run],
    order: Order,
    view: View,
    against: Against,
    same: Matching = match_by_texts,
) -> Followed:
    """Follow a metric along an order; raise MetricError where fewer than two runs have verdicts.

    view: Its metric counts, avg@n where it names none, and the largest k of it.
    same: Says which questions of two runs are the same.
    """
    kept = [place for place, key in enumerate(order.keys) if runs[key].known is not None]
    shown = {order.keys[place]: runs[order.keys[place]] for place in kept}
    metric, k = metric_and_k(shown, view)
    refused: dict[Text, None] = {}

    def matched(a: Run, b: Run) -> bool:
        why = same(a, b).refused
        refused.update({} if why is None else {why: None})
        return why is None

    found = series(shown, metric, k, same_questions=matched, **view.asked)
    held = partial(map, lambda step: None if step is None else without_data(step))
    dataset = next(iter(shown.values())).dataset
    return Followed(
        dataset,
        replace(
            order,
            keys=tuple(shown),
            labels=tuple(order.labels[place] for place in kept),
            values=tuple(order.values[place] for place in kept),
        ),
        replace(
            found,
            from_first=tuple(held(found.from_first)),
            from_previous=tuple(held(found.from_previous)),
            from_best=tuple(held(found.from_best)),
        ),
        names_of({key: run.model for key, run in shown.items()}, dataset),
        against,
        tuple(refused),
    )


def follow_runs(
    runs: Mapping[str, Run],
    view: View,
    choices: SeriesChoices | None = None,
) -> tuple[SeriesCard, ...]:
    """Make a card of every run that is in a series, in its order; of others with the reason.

    view: As for `follow`.
    """
    choices = choices or SeriesChoices()
    plain = replace(view, runs=())
    cards: list[SeriesCard] = []
    for group in runs_by_dataset(shown_runs(runs, view.runs)).values():
        orders, reason = attempt(orders_of, group, choices.along)
        reasons: dict[str, Text] = {}
        ordered: set[str] = set()
        for order in orders or ():
            if ordered.intersection(order.keys):
                continue
            ordered.update(order.keys)
            found, refused = attempt(follow, group, order, plain, choices.against)
            if refused is not None:
                reasons |= dict.fromkeys(order.keys, refused)
            if found is not None:
                cards += [Card(key, group[key], plain, choices, found) for key in found.order.keys]
        done = {card.key for card in cards}
        cards += [
            Card(
                key,
                run,
                plain,
                choices,
                None,
                reasons.get(key) or attempt(known_of, run)[1] or reason or NO_ORDER,
            )
            for key, run in group.items()
            if key not in done
        ]
    return tuple(cards)


def series_of(cards: Sequence[SeriesCard]) -> list[list[SeriesCard]]:
    """Group cards by their series; those of none come last, by themselves."""
    groups: dict[int, list[SeriesCard]] = {}
    for card in cards:
        groups.setdefault(id(card.found), []).append(card)
    return sorted(groups.values(), key=lambda group: group[0].found is None)
