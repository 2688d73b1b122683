"""Turn the table of models and datasets into the data of the chart and the text of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import plotly.graph_objects as go

from charts.grid import GridCell, grid
from kofn.overview.analysis import GlanceCard
from kofn.overview.board import Board, lay_out
from kofn.overview.words import cell_detail, grid_scale, with_doubt
from kofn.writing.estimates import NA, percent_alone, percent_of
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text

MARK = "†"
"""On a number that may not be what it seems."""
_BLOCKS = "▁▂▃▄▅▆▇█"


def cells_of(board: Board, numbers: Mapping[str, int]) -> tuple[GridCell, ...]:
    """Turn a table into the cells of `charts.grid.grid`.

    numbers: Of all loaded runs and suites; a mean has that of its model's first run.
    """
    return tuple(_cells(board, numbers))


def _cells(board: Board, numbers: Mapping[str, int]) -> Iterator[GridCell]:
    for line, cards in enumerate(board.cells):
        own = next((numbers[card.key] for card in cards if card and card.key in numbers), 0)
        for column, card in enumerate(cards):
            if card is None:
                continue
            estimate = card.found.estimate if card.found else None
            yield GridCell(
                line,
                column,
                None if estimate is None else estimate.value,
                None if estimate is None else estimate.interval,
                str(NA) if estimate is None else f"{percent_alone(estimate)}{_mark(card)}",
                detail(card),
                numbers.get(card.key, own),
            )


def written(card: GlanceCard | None) -> str:
    """Write a cell: the estimate, a bar as high as it is, and a mark where there is a doubt."""
    if card is None:
        return ""
    estimate = card.found.estimate if card.found else None
    if estimate is None:
        return str(NA)
    value = str(percent_of(estimate))
    bar = _BLOCKS[min(len(_BLOCKS) - 1, max(0, int(len(_BLOCKS) * estimate.value)))]
    return f"{value} {bar}{_mark(card)}"


def detail(card: GlanceCard) -> Text:
    """Say what a cell rests on."""
    estimate = card.found.estimate if card.found else None
    if card.found is None or card.found.score is None or estimate is None:
        return with_name(short_name(card.key), card.reason or NA)
    sentence = cell_detail(
        run=short_name(card.key),
        metric=card.found.score.label,
        value=percent_of(estimate),
        count=estimate.n_questions,
    )
    for doubt in dict.fromkeys(each.text for each in card.found.doubts):
        sentence = with_doubt(sentence=sentence, doubt=doubt)
    return sentence


def _mark(card: GlanceCard) -> str:
    return MARK if card.found and card.found.doubts else ""


def picture(cards: Sequence[GlanceCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw models by datasets; None where there is nothing."""
    board = lay_out(cards)
    if not board.lines:
        return None
    return grid(
        cells_of(board, numbers), board.lines, board.columns, board.averages, scale_text=grid_scale
    )
