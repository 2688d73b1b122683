"""Several runs on one dataset: what each n costs and solves, and which are worth considering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kofn.choice import RunChoice
from metrics.frontier import pareto


@dataclass(frozen=True, slots=True)
class Offer:
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
        Whether it is the safe n of the run's recommended rule.
    """

    key: str
    n: int
    cost: float
    quality: float
    low: float
    high: float
    best: bool
    chosen: bool


def frontiers(chosen: Sequence[RunChoice]) -> dict[str, tuple[Offer, ...]]:
    """Set all n of the runs on each dataset side by side, in the order of cost.

    Returns
    -------
    dict of str to tuple of Offer
        By dataset, as the file names it.
    """
    datasets: dict[str, list[RunChoice]] = {}
    for one in chosen:
        if one.choice is not None:
            datasets.setdefault(one.run.dataset, []).append(one)
    return {dataset: _frontier(group) for dataset, group in datasets.items()}


def _frontier(group: Sequence[RunChoice]) -> tuple[Offer, ...]:
    found = []
    for one in group:
        assert one.choice is not None
        table = one.choice.table
        columns = table.n, table.cost, table.quality, table.quality_low, table.quality_high
        found += [(one, *numbers) for numbers in zip(*map(list, columns), strict=True)]
    best = pareto([each[2] for each in found], [each[3] for each in found])
    offers = [
        Offer(
            one.key,
            int(n),
            float(cost),
            float(quality),
            float(low),
            float(high),
            bool(kept),
            one.choice is not None and n == one.choice.safe_n,
        )
        for (one, n, cost, quality, low, high), kept in zip(found, best, strict=True)
    ]
    return tuple(sorted(offers, key=lambda offer: (offer.cost, offer.quality)))
