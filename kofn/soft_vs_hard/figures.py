"""Turn comparisons of soft and hard accuracy into the data of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import plotly.graph_objects as go

from charts.levels import Spectrum
from charts.thresholds import Steps, thresholds
from kofn.card import names, of_datasets
from kofn.soft_vs_hard.analysis import SoftHardCard, mean_gaps
from kofn.writing.estimates import percent, points
from metrics.analyses.soft_vs_hard.comparison import Levels
from metrics.data.words import Text


def spectra(
    cards: Sequence[SoftHardCard], numbers: Mapping[str, int], most: int
) -> tuple[Spectrum, ...]:
    """Turn models over all datasets, or runs on one, into the series of `charts.levels.levels`."""
    if together := mean_gaps(cards):
        return tuple(
            Spectrum(
                line,
                numbers[found.over[0]],
                found.levels.score,
                found.levels.share,
                found.levels.right,
                _details(line, found.levels),
            )
            for line, found in islice(together.items(), most)
        )
    cards = cards[:most]
    return tuple(
        Spectrum(
            name,
            numbers[card.key],
            levels.score,
            levels.share,
            levels.right,
            _details(name, levels),
        )
        for name, card in zip(names(cards), cards, strict=True)
        if card.found is not None and (levels := card.found.accuracies.levels)
    )


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
    return {mark: Text("threshold {mark:g}", mark=mark) for mark in sorted(used - own)} | {
        mark: Text("evaluator's threshold {mark:g}", mark=mark) for mark in sorted(own)
    }


def _details(name: str, levels: Levels) -> list[Text]:
    found = zip(levels.score, levels.share, levels.right, levels.credit, strict=True)
    return [
        Text(
            "{run}: score {score:.4g}, {verdict}: {share} of the samples, {credit} of the gap",
            run=name,
            score=float(score),
            verdict=Text("right") if right else Text("wrong"),
            share=percent(float(share)),
            credit=points(float(credit)),
        )
        for score, share, right, credit in found
    ]


def picture(cards: Sequence[SoftHardCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw hard accuracy at every threshold, of the first dataset; None where there is nothing."""
    first = next(iter(of_datasets(card for card in cards if card.found).values()), [])
    if not first:
        return None
    return thresholds(steps(first, numbers), thresholds_of(first), first[0].view.level)
