"""Turn guidance into figures for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.matrix import DecisionBoard
from charts.places import FilledBoard, PlacedRun, places
from kofn.card import cards_found
from kofn.guidance.analysis import GuidanceCard, best_first, run_names
from kofn.guidance.columns import METRICS
from kofn.guidance.words import LEVEL_NAMES, describe_cell, is_judged, place_detail, profile_of
from kofn.leaderboard.lines import cards_over_datasets, numbers_of_cards
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import DIMENSIONS


def picture(cards: Sequence[GuidanceCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw models over all datasets in one matrix, or numbered runs; None without any."""
    shown = cards_over_datasets(cards) or cards
    drawn = field(best_first(shown), numbers_of_cards(shown, numbers))
    return places(drawn) if drawn.runs else None


def field(cards: Sequence[GuidanceCard], numbers: Mapping[str, int]) -> FilledBoard:
    """Turn the guidance of several runs into what `charts.places.places` draws."""
    possible = {cell for _card, found in cards_found(cards) for cell in found.possible}
    return FilledBoard(
        [
            _place(name, card.found, numbers[card.key])
            for name, card in zip(run_names(cards), cards, strict=True)
            if card.found is not None and is_judged(card.found)
        ],
        METRICS,
        {level: name for level, name in LEVEL_NAMES.items()},
        frozenset(possible),
        {cell: row.status for cell in sorted(possible) if (row := profile_of(cell)) is not None},
    )


def _place(name: str, found: Guidance, number: int) -> PlacedRun:
    cell = found.likely()[0]
    chance = found.probability[cell]
    where = describe_cell(found, cell)
    detail = place_detail(run=name, place=where, share=chance)
    return PlacedRun(name, number, cell, chance, detail)


def board(found: Guidance, number: int) -> DecisionBoard:
    """Turn guidance for the run of a number into what `charts.matrix.matrix` draws."""
    first, second, third = (found.label(dimension) for dimension in DIMENSIONS)
    return DecisionBoard(
        (first, second, third),
        {level: name for level, name in LEVEL_NAMES.items()},
        {cell: share for cell, share in found.probability.items()},
        frozenset(found.possible),
        found.cell,
        {
            cell: profile.status
            for cell in sorted(found.possible)
            if (profile := profile_of(cell)) is not None
        },
        number,
    )
