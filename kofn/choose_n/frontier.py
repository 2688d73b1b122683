"""Several runs on one dataset: what each n costs and solves, and which are worth considering."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.answer import told_of
from kofn.writing.layout import named
from metrics.analyses.choose_n.pareto import pareto
from metrics.data.words import Text

STEPS = 4
"""The most steps of a frontier that are put in words."""


class Offer(NamedTuple):
    """A run at one n.

    Attributes
    ----------
    key : str
        The run.
    n : int
    cost : float
        Of a question, on average.
    quality, low, high : float
        Share of questions answered right, with its interval.
    best : bool
        Whether nothing else here solves as many for less, or more for as little.
    chosen : bool
        Whether it is the n to use of the run.
    """

    key: str
    n: int
    cost: float
    quality: float
    low: float
    high: float
    best: bool
    chosen: bool


def frontiers(chosen: Sequence[ChoiceCard]) -> dict[str, tuple[Offer, ...]]:
    """Set all n of the runs on each dataset side by side, in the order of cost.

    Returns
    -------
    dict of str to tuple of Offer
        By dataset, as the file names it.
    """
    datasets: dict[str, list[ChoiceCard]] = {}
    for one in chosen:
        if one.found is not None:
            datasets.setdefault(one.run.dataset, []).append(one)
    return {dataset: _frontier(group) for dataset, group in datasets.items()}


def _frontier(group: Sequence[ChoiceCard]) -> tuple[Offer, ...]:
    tables = [
        (one, one.found.choice, one.found.choice.table) for one in group if one.found is not None
    ]
    best = iter(
        pareto(
            np.concatenate([table.cost for _, _, table in tables]),
            np.concatenate([table.quality for _, _, table in tables]),
        ).tolist()
    )
    offers = [
        Offer(one.key, n, cost, quality, low, high, next(best), n == choice.safe_n)
        for one, choice, table in tables
        for n, cost, quality, low, high in zip(
            table.n.tolist(),
            table.cost.tolist(),
            table.quality.tolist(),
            table.quality_low.tolist(),
            table.quality_high.tolist(),
            strict=True,
        )
    ]
    return tuple(sorted(offers, key=lambda offer: (offer.cost, offer.quality)))


def best_in_words(cards: Sequence[ChoiceCard]) -> Text | None:
    """Say which of the runs of a dataset is best for its cost from where on; None for one run.

    Of equal offers the first is named.
    """
    told = told_of(cards)
    if len(told.found) < 2:
        return None
    (offers,) = frontiers(cards).values()
    amount = next(iter(told.found.values())).priced.amount
    first: dict[tuple[float, float], Offer] = {}
    for offer in offers:
        if offer.best:
            first.setdefault((offer.cost, offer.quality), offer)
    best = first.values()
    spans = [list(span) for _, span in groupby(best, key=lambda offer: offer.key)]
    said: Text | None = None
    for span in spans[:STEPS]:
        step = Text(
            "{run} at {n} from {cost}",
            run=named(told.called(span[0].key) or ""),
            n=_ns(span[0].n, span[-1].n),
            cost=amount(span[0].cost),
        )
        said = step if said is None else Text("{before}, then {step}", before=said, step=step)
    if len(spans) > STEPS:
        said = Text("{said}, and {count} more", said=said, count=len(spans) - STEPS)
    return Text("Best for its cost: {said} a question.", said=said)


def _ns(first: int, last: int) -> Text:
    if first == last:
        return Text("n = {n}", n=first)
    return Text("n = {first} to {last}", first=first, last=last)
