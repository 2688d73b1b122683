"""Several runs on one dataset: what each n costs and solves, and which are worth considering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kofn.card import cards_by_dataset
from kofn.choose_n.analysis import ChoiceCard
from metrics.analyses.choose_n.pareto import pareto


class Offer(NamedTuple):
    """A run at one n."""

    key: str
    n: int
    cost: float  # Of a question, on average.
    # Share of questions answered right, with its interval.
    quality: float
    low: float
    high: float
    best: bool  # Whether nothing else here solves as many for less, or more for as little.
    chosen: bool  # Whether it is the n to use of the run.


def frontiers(chosen: Sequence[ChoiceCard]) -> dict[str, tuple[Offer, ...]]:
    """Set all n of the runs on each dataset side by side, in the order of cost.

    Returns: By dataset, as the file names it.
    """
    groups = cards_by_dataset(one for one in chosen if one.found is not None)
    return {dataset: _frontier(group) for dataset, group in groups.items()}


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
