"""Models by datasets, as bars or as a table, or all metrics; a click opens a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from charts.grid import grid
from kofn.card import name_of
from kofn.choices.view import View, coverage_in_words
from kofn.overview.analysis import GlanceCard, metric_of
from kofn.overview.board import Board, lay_out
from kofn.overview.choices import BoardChoices, Form
from kofn.overview.command import OVERVIEW
from kofn.overview.figures import cells_of, written
from kofn.overview.words import describe_grid, drawn_lines, grid_scale
from metrics.data.words import printable
from metrics.scoring.registry import METRICS
from pages.results.overview.details import marks, open_run
from pages.results.overview.scorecard.choosing import Sheet, choose_scores
from pages.results.overview.scorecard.details import explain_metrics
from pages.results.overview.scorecard.table import download_scores, list_scores, show_forest
from pages.shared.choices import choose, current_choices, options, tie_widget
from pages.shared.controls.metric import choose_metric
from pages.shared.internals import DeltaGenerator
from pages.shared.memory import session
from pages.shared.showing.charts import pick
from pages.shared.showing.folds import MANY, fold
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import take_away_later
from pages.shared.translating import _, run_on, say
from reports.run.report import Run

OFFERED = tuple(name for name, metric in METRICS.items() if not metric.needs or metric.sample)


def show_board(
    runs: Mapping[str, Run], cards: Sequence[GlanceCard], view: View, controls: DeltaGenerator
) -> Sheet | None:
    """Show one metric as bars or table, or all metrics, and the run that is opened.

    What is shown is chosen among the controls.

    Returns: All metrics, if those are shown.
    """
    board = lay_out(cards)
    found = {card.key: card for line in board.cells for card in line if card is not None}
    chosen = current_choices(BoardChoices).detail
    opened = chosen if chosen in found else None
    with controls:
        form = _choose_form()
        if form != "metrics":
            choose_metric(metric_of(cards[0].view if cards else view), OFFERED, view, runs)
    sheet = choose_scores(runs, view) if form == "metrics" else None
    if sheet is not None:
        list_scores(sheet, opened)
    elif form == "bars":
        careful = [_("†: what to be careful of is in the notes.")] if marks(cards) else []
        drawn = say(drawn_lines(MANY, len(board.lines)))
        _bars(board.top(MANY), opened, run_on([drawn, say(coverage_in_words(view)), *careful]))
    else:
        _table(board, opened)
    _choose_run(found, opened)
    if opened is not None:
        open_run(found[opened], view)
    if sheet is not None:
        show_forest(sheet)
    return sheet


def meaning_of(sheet: Sheet | None) -> dict[str, Part]:
    """Return what the metrics mean, where all are shown, as a part of the page."""
    if sheet is None:
        return {}
    return {"meaning": (_("What the metrics mean"), lambda: explain_metrics(sheet))}


def take_away_board(sheet: Sheet | None, cards: Sequence[GlanceCard], view: View) -> None:
    """Offer what is shown in full precision."""
    if sheet is None:
        take_away_later(OVERVIEW, lambda: cards, view, "overview")
    else:
        download_scores(sheet)


def _choose_form() -> Form:
    """Let the visitor choose what is shown."""
    form = current_choices(BoardChoices).form
    names = {"bars": _("Picture"), "table": _("Table"), "metrics": _("All metrics")}
    st.segmented_control(
        _("Show"),
        **options(names),
        required=True,
        **tie_widget(BoardChoices, "form", form),
    )
    return form


def _choose_run(found: Mapping[str, GlanceCard], opened: str | None) -> None:
    """Let the visitor open a run by its name, as who has no mouse must."""
    asked = _("Click a number, or choose a run")

    def show() -> None:
        st.selectbox(
            _("Run"),
            list(found),
            index=None,
            format_func=lambda key: printable(name_of(found[key])),
            placeholder=asked,
            label_visibility="collapsed",
            width=330,
            **tie_widget(BoardChoices, "detail", opened, lambda key: key or ""),
        )

    if len(found) > MANY:
        fold(st.popover, asked, "run", show)
    else:
        show()


def _bars(board: Board, opened: str | None, caption: str) -> None:
    cells = cells_of(board, session.numbers())
    figure = grid(cells, board.lines, board.columns, board.averages, scale_text=grid_scale)
    described = describe_grid(cells, board.lines, board.columns)
    shown = tuple((cell.line, cell.column, cell.text) for cell in cells)
    looks = (board.lines, board.columns, shown, opened)
    place = pick(figure, described, "overview", (), "", *looks, caption=caption)
    card = None if place is None else board.cells[cells[place].line][cells[place].column]
    if card is not None and card.key != opened:
        choose(BoardChoices, detail=card.key)
        st.rerun()


def _table(board: Board, opened: str | None) -> None:
    """Show numbers, by which columns are sorted, as estimates with their intervals."""
    lines, columns = pd.Index(board.lines, name=_("Model")), list(board.columns)
    values = [[_value(card) for card in cards] for cards in board.cells]
    shown = pd.DataFrame(values, lines, columns).style
    texts = [[written(card) for card in cards] for cards in board.cells]
    for line, cells in zip(lines, texts, strict=True):
        for column, text in zip(columns, cells, strict=True):
            shown.format(partial(_as_written, text), na_rep=text, subset=([line], [column]))
    key = f"kofn.overview.{hash(str((board.lines, board.columns, texts)))}"
    marked = [
        (line, columns[at])
        for line, cards in enumerate(board.cells)
        for at, card in enumerate(cards)
        if card is not None and card.key == opened
    ]
    st.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": marked}}

    def click() -> None:
        cells = st.session_state[key].selection.cells
        cards = [board.cells[line][columns.index(name)] for line, name in cells if name in columns]
        if None not in cards:  # a cell without a run, as Tab reaches some, changes nothing
            choose(BoardChoices, detail=cards[0].key if cards else "")

    st.dataframe(
        shown,
        on_select=click,
        selection_mode="single-cell",
        placeholder="",
        width="content",
        column_config={
            name: st.column_config.Column(width=_fitting([name, *cells]))
            for name, cells in zip(columns, zip(*texts, strict=True), strict=True)
        },
        key=key,
        alt=_("Models by datasets"),
    )


def _fitting(texts: list[str]) -> int:
    """Return a column's width in pixels; where most cells are empty, the browser takes too few."""
    return min(24 + 7 * max(map(len, texts)), 500)


def _as_written(text: str, value: float) -> str:
    return text


def _value(card: GlanceCard | None) -> float:
    score = card.found.score if card and card.found else None
    return score.estimate.value if score and score.estimate else np.nan
