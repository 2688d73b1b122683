"""Models by datasets: one metric, as a table or as bars; a click opens a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from charts.grid import describe_grid, grid
from kofn.choices.view import View
from kofn.overview.analysis import GlanceCard, metric_of
from kofn.overview.board import Board, lay_out
from kofn.overview.choices import BoardChoices, Form
from kofn.overview.figures import cells_of, written
from kofn.overview.tables import frame
from kofn.writing.rendering import printable
from metrics.scoring.registry import METRICS
from pages.widgets.overview.details import explain_marks, open_run
from pages.widgets.shared import session
from pages.widgets.shared.charts import pick
from pages.widgets.shared.choices import current, tied
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.metric import choose_metric
from pages.widgets.shared.picking import Pick
from pages.widgets.shared.translating import _, plain, translations
from reports.run.report import Run

OFFERED = tuple(name for name, metric in METRICS.items() if not metric.needs or metric.sample)


def show_board(runs: Mapping[str, Run], cards: Sequence[GlanceCard], view: View) -> None:
    """Show one metric as table or bars, why cells are marked, and the run that is clicked."""
    board = lay_out(cards)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        form = _choose(runs, view)
    clicked = _bars(board) if form == "bars" else _table(board)
    explain_marks(cards)
    if clicked is not None:
        open_run(clicked)
    catalogue = translations()
    download_table(lambda: frame(cards, catalogue), "overview")


def _choose(runs: Mapping[str, Run], view: View) -> Form:
    """Let the visitor choose the metric, its k, and the form, which is returned."""
    choose_metric(metric_of(view), OFFERED, view, runs)
    form = current(BoardChoices).form
    names = {"table": _("Table"), "bars": _("Bars")}
    st.radio(
        _("Shown as"),
        list(names),
        format_func=lambda name: names[name],
        horizontal=True,
        **tied(BoardChoices, "form", form),
    )
    return form


def _bars(board: Board) -> GlanceCard | None:
    cells = cells_of(board, session.numbers())
    figure = grid(cells, board.lines, board.columns, board.averages, plain)
    described = describe_grid(cells, board.lines, board.columns)
    shown = tuple((cell.line, cell.column, cell.text) for cell in cells)
    cards = _cards(board)
    names, asked = _names(cards), _("Click a bar, or choose a run")
    place = pick(figure, described, "overview", names, asked, board.lines, board.columns, shown)
    return None if place is None else cards[place]


def _table(board: Board) -> GlanceCard | None:
    """Show numbers, by which columns are sorted, as estimates with their intervals."""
    lines, columns = pd.Index(board.lines, name=_("Model")), list(board.columns)
    values = [[_value(card) for card in cards] for cards in board.cells]
    shown = pd.DataFrame(values, lines, columns).style
    texts = [[written(card) for card in cards] for cards in board.cells]
    for line, cells in zip(lines, texts, strict=True):
        for column, text in zip(columns, cells, strict=True):
            shown.format(partial(_as_written, text), na_rep=text, subset=([line], [column]))
    places = [
        (line, columns[at])
        for line, cards in enumerate(board.cells)
        for at, card in enumerate(cards)
        if card is not None
    ]
    picked = Pick("overview", str((board.lines, board.columns, texts)))
    key = picked.key

    def click() -> None:
        cells = [tuple(cell) for cell in st.session_state[key].selection.cells]
        picked.click(next((places.index(cell) for cell in cells if cell in places), None))

    st.dataframe(
        shown,
        on_select=click,
        selection_mode="single-cell",
        placeholder="",
        width="content",
        key=key,
        alt=_("Models by datasets"),
    )
    cards = _cards(board)
    picked.offer(_names(cards), _("Click a cell, or choose a run"))
    return None if picked.place is None else cards[picked.place]


def _cards(board: Board) -> list[GlanceCard]:
    """Return what is in the cells, line by line."""
    return [card for cards in board.cells for card in cards if card is not None]


def _names(cards: Sequence[GlanceCard]) -> list[str]:
    return [printable(card.key) for card in cards]


def _as_written(text: str, value: float) -> str:
    return text


def _value(card: GlanceCard | None) -> float:
    score = card.found.score if card and card.found else None
    return score.estimate.value if score and score.estimate else np.nan
