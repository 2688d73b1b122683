"""Several runs in one decision matrix, each in its likeliest cell, larger if surer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, sqrt

import plotly.graph_objects as go

from charts.labels import label
from charts.matrix import HEADINGS, Cell, column, lay_out, outline
from charts.theme import colour, symbol
from metrics.data.words import Text, plain

_HEIGHT = 325
_NAMED = 24
"""The most runs that a key names: of more it would leave no room for the matrix."""
_LARGEST = 20.0
_SMALLEST = 5.0
_WIDTH = 0.76


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run in its likeliest cell."""

    name: str
    number: int
    cell: Cell  # Levels of the three metrics.
    chance: float  # That it is there; the area of its marker.
    detail: Text


@dataclass(frozen=True, eq=False)
class FilledBoard:
    """A matrix of three metrics with several runs in it."""

    runs: Sequence[PlacedRun]
    metrics: tuple[str, str, str]  # Their names: rows, columns within a block, and blocks.
    levels: Mapping[str, Text]  # The levels and what to call them, from the lowest.
    possible: frozenset[Cell]  # Those that some data can reach; the others are dotted.
    named: Mapping[Cell, Text]  # Cells that are outlined, and why.


def places(field: FilledBoard) -> go.Figure:
    """Draw a block for each level of the third metric, with a marker for each run."""
    figure = go.Figure()
    each = list(field.levels)
    together, before = Counter(place.cell for place in field.runs), Counter[Cell]()
    cells = list(product(each, repeat=3))
    figure.add_trace(
        go.Scatter(
            x=[column(each, cell) for cell in field.named],
            y=[each.index(cell[0]) for cell in field.named],
            mode="markers",
            marker={"size": 40, "opacity": 0},
            hovertext=[label(plain(text), 200) for text in field.named.values()],
            hoverinfo="text",
            showlegend=False,
        )
    )
    for place in field.runs:
        x, y = _spot(before[place.cell], together[place.cell])
        before[place.cell] += 1
        figure.add_trace(
            go.Scatter(
                name=label(place.name),
                x=[column(each, place.cell) + x],
                y=[each.index(place.cell[0]) + y],
                mode="markers",
                marker={
                    "color": colour(place.number),
                    "symbol": symbol(place.number),
                    "size": max(
                        _SMALLEST, _LARGEST * sqrt(place.chance) / _abreast(together[place.cell])
                    ),
                },
                hovertext=[label(plain(place.detail), 400)],
                hoverinfo="text",
            )
        )
    lay_out(figure, field.metrics, field.levels)
    return figure.update_layout(
        shapes=[
            outline(
                each,
                cell,
                fill="rgba(0,0,0,0)",
                named=cell in field.named,
                possible=cell in field.possible,
            )
            for cell in cells
        ],
        height=_HEIGHT,
        margin={"t": HEADINGS, "b": 90, "r": 10},
        hovermode="closest",
        legend={
            "orientation": "h",
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "itemsizing": "constant",
        },
        showlegend=len(field.runs) <= _NAMED,
    )


def _abreast(of: int) -> int:
    """Return how many of several markers stand beside one another, in a cell of a phone too."""
    return ceil(sqrt(of))


def _spot(nth: int, of: int) -> tuple[float, float]:
    """Return where the nth of several markers is, from the middle of its cell."""
    most = _abreast(of)
    lines = ceil(of / most)
    line, place = divmod(nth, most)
    abreast = min(most, of - most * line)
    x = _WIDTH * ((place + 0.5) / abreast - 0.5)
    return x, _WIDTH * (0.5 - (line + 0.5) / lines)
