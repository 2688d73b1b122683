"""Guidance laid out flat, for files and the command, and as what the chart draws."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from charts.matrix import Board
from charts.places import Field, Place
from kofn.card import ABOUT, VALUE, about, frame_of, say, value_of
from kofn.guidance.analysis import GuidanceCard, called, cards_found
from kofn.guidance.reach import shortfall, way_to
from kofn.guidance.sentences import LEVEL_NAMES, describe_cell, is_judged, profile_of
from kofn.writing.estimates import percent
from kofn.writing.layout import Row
from kofn.writing.rendering import ENGLISH, render
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import CELLS, DIMENSIONS, Cell
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

TARGET_COLUMNS = ABOUT | {
    "scenario": "string",
    "scenario_status": "string",
    "scenario_probability": "Float64",
    "metric": "string",
    "target": "Float64",
    "status": "string",
    "probability": "Float64",
    **VALUE,
    "level": "Float64",
    "questions": "Int64",
    "questions_to_settle": "Int64",
    "short": "Float64",
    "way": "string",
    "reason": "string",
}
_METRICS = ("pass@k", "avg@n", "cons@k")
CELL_COLUMNS = ABOUT | {
    "k": "Int64",
    "pass": "string",
    "avg": "string",
    "cons": "string",
    "probability": "Float64",
    "possible": "boolean",
    "here": "boolean",
    "aisbench": "string",
}


def target_rows(
    cards: Sequence[GuidanceCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay the scenarios out flat, a row for each run, scenario and target.

    Returns
    -------
    list of dict
        With the keys of `TARGET_COLUMNS`: fractions at full precision. A run without guidance has
        one row, with its reason. What does not exist is None.
    """
    empty = dict.fromkeys(TARGET_COLUMNS)
    rows = []
    for card in cards:
        known = empty | about(card) | {"level": card.view.level}
        if card.found is None:
            rows.append(known | {"reason": say(card.reason, translations)})
            continue
        for verdict in card.found.verdicts:
            for target in verdict.targets:
                estimate = card.found.estimates[target.dimension]
                rows.append(
                    known
                    | {
                        "scenario": verdict.scenario.key,
                        "scenario_status": verdict.status,
                        "scenario_probability": verdict.probability,
                        "metric": card.found.label(target.dimension),
                        "target": target.limit,
                        "status": target.status,
                        "probability": target.probability,
                        **value_of(estimate),
                        "questions": estimate.n_questions,
                        "questions_to_settle": target.questions,
                        "short": shortfall(card.found, target),
                        "way": say(way_to(card.found, target), translations),
                    }
                )
    return rows


def cell_rows(
    cards: Sequence[GuidanceCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay the matrices out flat, a row for each run and cell, with the keys of `CELL_COLUMNS`."""

    def row(card: GuidanceCard, found: Guidance, cell: Cell) -> dict[str, Any]:
        profile = profile_of(cell)
        return {
            **about(card),
            "k": found.k,
            **dict(zip(DIMENSIONS, cell, strict=True)),
            "probability": found.probability[cell],
            "possible": cell in found.possible,
            "here": cell == found.cell,
            "aisbench": None if profile is None else render(profile.status, translations),
        }

    return [row(card, found, cell) for card, found in cards_found(cards) for cell in CELLS]


def places_of(cards: Sequence[GuidanceCard]) -> list[Row]:
    """Return what is read of the cells that the data allow: how likely each is, run by run."""
    return [
        {
            "run": card.key,
            **{
                metric: render(LEVEL_NAMES[level])
                for metric, level in zip(_METRICS, cell, strict=True)
            },
            "probability": render(percent(found.probability[cell])),
            "row of AISBench": render(profile.status) if (profile := profile_of(cell)) else "",
        }
        for card, found in cards_found(cards)
        for cell in CELLS
        if cell in found.possible
    ]


def target_frame(
    cards: Sequence[GuidanceCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `target_rows` as a frame for CSV and Parquet."""
    return frame_of(target_rows(cards, translations), TARGET_COLUMNS)


def cell_frame(
    cards: Sequence[GuidanceCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `cell_rows` as a frame for CSV and Parquet."""
    return frame_of(cell_rows(cards, translations), CELL_COLUMNS)


def field(cards: Sequence[GuidanceCard], numbers: Mapping[str, int]) -> Field:
    """Turn the guidance of several runs into what `charts.places.places` draws."""
    possible = {cell for _card, found in cards_found(cards) for cell in found.possible}
    return Field(
        [
            _place(name, card.found, numbers[card.key])
            for name, card in zip(called(cards), cards, strict=True)
            if card.found is not None and is_judged(card.found)
        ],
        _METRICS,
        {level: name for level, name in LEVEL_NAMES.items()},
        frozenset(possible),
        {cell: row.status for cell in sorted(possible) if (row := profile_of(cell)) is not None},
    )


def _place(name: str, found: Guidance, number: int) -> Place:
    cell = found.likely()[0]
    chance = found.probability[cell]
    where = describe_cell(found, cell)
    detail = Text("{run}: {place}, {share:.0%}", run=name, place=where, share=chance)
    return Place(name, number, cell, chance, detail)


def board(found: Guidance, number: int) -> Board:
    """Turn guidance for the run of a number into what `charts.matrix.matrix` draws."""
    first, second, third = (found.label(dimension) for dimension in DIMENSIONS)
    return Board(
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
