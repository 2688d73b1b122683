"""The decision matrix: how likely each combination of three levels is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import plotly.graph_objects as go

from charts.labels import label
from charts.rows import NEUTRAL
from charts.theme import colour, sheer
from metrics.data.words import Text, plain

Cell = tuple[str, ...]

_GAP = 0.5
_HEIGHT = 265
HEADINGS = 40
"""Pixels above the blocks, for the two lines of their headings."""
_SHOWN = 0.005
_SIDE = 0.46
_BAR = 0.1
_DARKEST = 0.3


class MatrixWords(NamedTuple):
    """What the figure says."""

    at: Callable[[Sequence[str], Sequence[Text]], Text]  # A cell, by its metrics and levels.
    impossible: Callable[[Text], Text]
    # How likely a cell is, and what it is called.
    probability: Callable[[Text, float, Text | None], Text]


@dataclass(frozen=True, eq=False)
class DecisionBoard:
    """A matrix of three metrics."""

    metrics: tuple[str, str, str]  # Their names: rows, columns within a block, and blocks.
    levels: Mapping[str, Text]  # The levels and what to call them, from the lowest.
    probability: Mapping[Cell, float]  # Of each cell, in the order of `metrics`.
    possible: frozenset[Cell]
    place: Cell  # Where the estimates lie.
    named: Mapping[Cell, Text]  # Cells that are outlined, and why.
    number: int


def matrix(board: DecisionBoard, *, words: MatrixWords) -> go.Figure:
    """Draw a block for each level of the third metric, with the others as rows and columns.

    A bar at the left of each cell rises with its probability. A cell that no data can reach has a
    dash, the one that holds the estimates a dot, and one of `Board.named` a thick outline.
    """
    figure = go.Figure()
    levels = list(board.levels)
    cells = list(product(levels, repeat=3))
    spots = [(column(levels, cell), levels.index(cell[0])) for cell in cells]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in spots],
            y=[y for _, y in spots],
            mode="text",
            text=[_text(board, cell) for cell in cells],
            hovertext=[label(plain(_detail(board, cell, words)), 400) for cell in cells],
            hoverinfo="text",
            showlegend=False,
        )
    )
    lay_out(figure, board.metrics, board.levels)
    return figure.update_layout(
        shapes=[
            shape
            for cell, spot in zip(cells, spots, strict=True)
            for shape in _shapes(board, cell, *spot)
        ],
        height=_HEIGHT,
        margin={"t": HEADINGS, "b": 50, "r": 10},
        hovermode="closest",
    )


def lay_out(
    figure: go.Figure,
    metrics: Sequence[str],
    levels: Mapping[str, Text],
) -> None:
    """Give a figure a block for each level of the third metric, the others as rows and columns."""
    names = [plain(name) for name in levels.values()]
    each = list(levels)
    for block, name in enumerate(names):
        figure.add_annotation(
            text=f"<b>{label(metrics[2])}<br>{label(name)}</b>",  # one line is too wide on a phone
            x=column(each, ("", each[1], each[block])),
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
        )
    columns = [(column(each, ("", b, c)), b) for c, b in product(each, repeat=2)]
    figure.update_xaxes(
        tickvals=[x for x, _ in columns],
        ticktext=[plain(levels[level]) for _, level in columns],
        title=label(metrics[1]),
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        autotickangles=[0, 90],
    )
    figure.update_yaxes(
        tickvals=list(range(len(each))),
        ticktext=names,
        range=[-0.6, len(each) - 0.4],
        title=label(metrics[0]),
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        automargin=True,
    )


def outline(
    levels: Sequence[str], cell: Cell, *, fill: str, named: bool, possible: bool
) -> dict[str, object]:
    """Return the rectangle of a cell: thick where it is named, dotted where no data can be so."""
    x, y = column(levels, cell), levels.index(cell[0])
    return {
        "type": "rect",
        "x0": x - _SIDE,
        "x1": x + _SIDE,
        "y0": y - _SIDE,
        "y1": y + _SIDE,
        "fillcolor": fill,
        "line": {
            "color": NEUTRAL,
            "width": 3 if named else 1,
            "dash": "solid" if possible else "dot",
        },
        "layer": "below",
    }


def _shapes(board: DecisionBoard, cell: Cell, x: float, y: int) -> Iterator[dict[str, object]]:
    """Yield a cell and its bar; plotly takes long to add one shape after the other."""
    share = board.probability[cell]
    yield outline(
        list(board.levels),
        cell,
        fill=sheer(colour(board.number), round(_DARKEST * share, 4)),
        named=cell in board.named,
        possible=cell in board.possible,
    )
    yield {
        "type": "rect",
        "x0": x - _SIDE,
        "x1": x - _SIDE + _BAR,
        "y0": y - _SIDE,
        "y1": y - _SIDE + 2 * _SIDE * share,
        "fillcolor": colour(board.number),
        "line": {"width": 0},
        "layer": "below",
    }


def column(levels: Sequence[str], cell: Cell) -> float:
    """Return where the column of a cell is drawn."""
    _, second, third = cell
    return levels.index(second) + (len(levels) + _GAP) * levels.index(third)


def _text(board: DecisionBoard, cell: Cell) -> str:
    if cell not in board.possible:
        return "–"
    share = board.probability[cell]
    text = "0" if share == 0 else "&lt;1%" if share < _SHOWN else f"{share:.0%}"
    return f"<b>{text}<br>●</b>" if cell == board.place else text


def _detail(board: DecisionBoard, cell: Cell, words: MatrixWords) -> Text:
    at = words.at(board.metrics, [board.levels[level] for level in cell])
    if cell not in board.possible:
        return words.impossible(at)
    return words.probability(at, board.probability[cell], board.named.get(cell))
