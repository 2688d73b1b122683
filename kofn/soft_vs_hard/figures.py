"""Turn comparisons of soft and hard accuracy into the data of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import islice

import numpy as np
import plotly.graph_objects as go

from charts.levels import Spectrum
from charts.thresholds import Steps, thresholds
from kofn.card import cards_by_dataset, names
from kofn.soft_vs_hard.analysis import SoftHardCard, mean_gaps
from kofn.soft_vs_hard.words import (
    RIGHT,
    WRONG,
    bin_detail,
    evaluator_threshold_name,
    score_detail,
    threshold_name,
    thresholds_words,
)
from kofn.writing.estimates import percent, points
from metrics.analyses.soft_vs_hard.comparison import Levels
from metrics.data.arrays import Vector
from metrics.data.words import Text

BINS, FEW = 20, 25
"""Bins of scores between 0 and 1, where more than so few scores would be drawn."""


def spectra(
    cards: Sequence[SoftHardCard], numbers: Mapping[str, int], most: int
) -> tuple[Spectrum, ...]:
    """Turn models over all datasets, or runs on one, into the series of `charts.levels.levels`.

    Many scores are put together in bins, of which the threshold is an edge.
    """
    if together := mean_gaps(cards):
        scored = [
            (line, numbers[mean.over[0]], mean.levels)
            for line, mean in islice(together.items(), most)
        ]
    else:
        scored = [
            (name, numbers[card.key], levels)
            for name, card in zip(names(cards[:most]), cards[:most], strict=True)
            if card.found is not None and (levels := card.found.accuracies.levels)
        ]
    used = {card.found.accuracies.threshold for card in cards if card.found is not None}
    edge = _edge([levels for _name, _number, levels in scored], used)
    return tuple(
        _as_they_are(name, number, levels) if edge is None else _binned(name, number, levels, edge)
        for name, number, levels in scored
    )


def _edge(found: Sequence[Levels], thresholds: Set[float]) -> float | None:
    """Return where bins meet, a threshold that parts right from wrong; None to draw each score."""
    every = {float(score) for levels in found for score in levels.score}
    if len(every) <= FEW or len(thresholds) != 1:
        return None
    (edge,) = thresholds
    parted = all(
        (levels.score[levels.right] >= edge).all() and (levels.score[~levels.right] <= edge).all()
        for levels in found
    )
    return edge if parted else None


def _as_they_are(name: str, number: int, levels: Levels) -> Spectrum:
    bars = zip(levels.score, levels.share, levels.right, levels.credit, strict=True)
    details = [
        score_detail(
            run=name,
            score=float(score),
            verdict=_verdict(right),
            share=percent(float(share)),
            credit=points(float(credit)),
        )
        for score, share, right, credit in bars
    ]
    return Spectrum(name, number, levels.score, levels.share, levels.right, details)


def _binned(name: str, number: int, levels: Levels, edge: float) -> Spectrum:
    """Put scores together that lie in one bin, right ones from the edge upwards."""
    away = BINS * (levels.score - edge)
    places = np.where(levels.right, np.floor(away + _NONE), np.ceil(away - _NONE) - 1)
    bins, those = np.unique(places, return_inverse=True)
    share: Vector = np.bincount(those, levels.share).astype(np.float64)
    credit = np.bincount(those, levels.credit)
    right = bins >= 0
    details = [
        bin_detail(
            run=name,
            low=levels.score[those == place].min(),
            high=levels.score[those == place].max(),
            verdict=_verdict(right[place]),
            share=percent(float(share[place])),
            credit=points(float(credit[place])),
        )
        for place in range(len(bins))
    ]
    return Spectrum(name, number, edge + (bins + 0.5) / BINS, share, right, details)


_NONE = 1e-9


def _verdict(right: bool) -> Text:
    return RIGHT if right else WRONG


def steps(cards: Sequence[SoftHardCard], numbers: Mapping[str, int]) -> tuple[Steps, ...]:
    """Turn sweeps of runs on one dataset into the series of `charts.thresholds.thresholds`."""
    return tuple(
        Steps(
            name,
            numbers[card.key],
            sweep.threshold,
            sweep.above.value,
            sweep.above.low,
            sweep.above.high,
            sweep.reached.value,
            (float(reached.value[0]), float(reached.low[0]), float(reached.high[0])),
            card.found.accuracies.accuracy.value,
        )
        for name, card in zip(names(cards), cards, strict=True)
        if card.found is not None and (sweep := card.found.sweep) and (reached := sweep.reached)
    )


def thresholds_of(cards: Sequence[SoftHardCard]) -> dict[float, Text]:
    """Return the thresholds to mark: those of the evaluators, and those chosen or assumed."""
    used = {card.found.accuracies.threshold for card in cards if card.found is not None}
    stated = [card.run for card in cards if not card.run.assumed]
    own = {run.threshold for run in stated if run.threshold is not None}
    return {mark: threshold_name(mark=mark) for mark in sorted(used - own)} | {
        mark: evaluator_threshold_name(mark=mark) for mark in sorted(own)
    }


def picture(cards: Sequence[SoftHardCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw hard accuracy at every threshold, of the first dataset; None where there is nothing."""
    first = next(iter(cards_by_dataset(card for card in cards if card.found).values()), [])
    if not first:
        return None
    return thresholds(
        steps(first, numbers), thresholds_of(first), first[0].view.level, words=thresholds_words()
    )
