"""Whether the ranking of runs depends on the threshold between wrong and right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kofn.soft_vs_hard.analysis import SoftHardCard


@dataclass(frozen=True, slots=True)
class ThresholdRanking:
    """The order of runs by hard accuracy on a stretch of thresholds."""

    # A score must exceed a threshold of at least `low` and below `high`.
    low: float
    high: float
    # Runs from best to worst; those that are equal stand together.
    order: tuple[tuple[str, ...], ...]


def rankings(cards: Sequence[SoftHardCard]) -> tuple[ThresholdRanking, ...]:
    """Order runs of one dataset by their hard accuracy at every threshold from 0 to 1.

    Where no run has a right sample any more there is nothing to order.

    Returns: Without gaps, the order changing from each to the next; empty for fewer than two runs.
    """
    sweeps = {card.key: card.found.sweep for card in cards if card.found}
    if len(sweeps) < 2:
        return ()
    marks = sorted({0.0, 1.0}.union(*(sweep.threshold.tolist() for sweep in sweeps.values())))
    ranked: list[ThresholdRanking] = []
    for low, high in pairwise(marks):
        order = _order({key: sweep.at(low) for key, sweep in sweeps.items()})
        if ranked and ranked[-1].order == order:
            ranked[-1] = ThresholdRanking(ranked[-1].low, high, order)
        elif any(sweep.at(low) for sweep in sweeps.values()):
            ranked.append(ThresholdRanking(low, high, order))
    return tuple(ranked)


def soft_order(cards: Sequence[SoftHardCard]) -> tuple[tuple[str, ...], ...]:
    """Order runs of one dataset by their soft accuracy, as `rankings` does."""
    return _order({card.key: card.found.accuracies.accuracy.value for card in cards if card.found})


def is_kept(cards: Sequence[SoftHardCard]) -> bool:
    """Say whether runs of one dataset have the order by soft accuracy at every threshold."""
    orders = rankings(cards)
    return len(orders) == 1 and orders[0].order == soft_order(cards)


def _order(values: Mapping[str, float]) -> tuple[tuple[str, ...], ...]:
    groups: dict[float, list[str]] = {}
    for key, value in values.items():
        groups.setdefault(round(value, 12), []).append(key)
    return tuple(tuple(groups[value]) for value in sorted(groups, reverse=True))
