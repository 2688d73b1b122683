"""The table of scores, and the figure of the metric it is sorted by."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from charts.forest import forest
from kofn.overview.choices import BoardChoices
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.columns import SCORES, score_columns
from kofn.scorecard.command import SCORECARD
from kofn.scorecard.figures import forest_rows
from kofn.scorecard.table import RunLine, ScoreTable
from kofn.scorecard.words import describe_forest, forest_words
from kofn.writing.columns import ShownColumn, shown_columns
from kofn.writing.estimates import undefined
from metrics.data.words import Text, printable, some_of
from pages.results.overview.scorecard.choosing import Sheet
from pages.shared.choices import choose
from pages.shared.internals import ColumnConfig
from pages.shared.memory import session
from pages.shared.memory.known import run_facts
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.showing.remarks import tell_remarks
from pages.shared.translating import _, run_on, say

HEIGHT = 390
"""Of a table of more than ten rows, in pixels."""
WIDTHS = {"n": 50, "verified": 80}
"""Of columns, in pixels."""
NAMED = 5
"""The most datasets elsewhere that are named."""
_TABLE = "kofn.scorecard.table"


def list_scores(sheet: Sheet, opened: str | None) -> None:
    """Show the table of scores, the opened run marked, and say what is not in it."""
    _show_table(sheet.table, opened)
    sentences = [_("Click a run to see all its metrics, or the name of a column to sort by it.")]
    sentences += map(say, (*_ks(sheet.table), *_elsewhere(sheet)))
    st.caption(run_on(sentences))


def show_forest(sheet: Sheet) -> None:
    """Draw the column that the table is sorted by, and say what must be known of the numbers."""
    table = sheet.table
    if table.sorted_by is not None:
        rows = forest_rows(table, session.numbers())
        figure = forest(rows, sheet.view.level, words=forest_words())
        draw(figure, describe_forest(rows, sheet.view.level), "scorecard")
    tell_remarks(_remarks(table), [line.card.key for line in table.lines])


def download_scores(sheet: Sheet) -> None:
    """Offer the chosen metrics of all runs in full precision, and what is shown for a paper."""
    view, choices, runs = sheet.view, sheet.choices, sheet.runs
    shown = [line.card for line in sheet.table.lines]
    download_table(
        lambda: SCORES.frame(score_runs(runs, view, choices)),
        "scorecard",
        lambda: SCORECARD.cited(shown, view),
    )


def _show_table(table: ScoreTable, opened: str | None) -> None:
    keys = [line.card.key for line in table.lines]
    key = f"{_TABLE}.{hash((*keys, *(column.key for column in table.columns)))}"
    marked = [keys.index(opened)] if opened in keys else []
    st.session_state[key] = {"selection": {"rows": marked, "columns": [], "cells": []}}
    samples = {line.card.key: _samples(line) for line in table.lines}
    found = {
        each.column.key: each
        for each in shown_columns(score_columns(table, samples), table.lines, "page")
    }
    st.dataframe(
        pd.DataFrame({name: each.cells for name, each in found.items()}),
        key=key,
        height=HEIGHT if len(keys) > 10 else "auto",
        hide_index=True,
        column_config={str(name): _configured(each) for name, each in found.items()},
        on_select=lambda: _select(key, table),
        selection_mode=["single-row", "single-column", "single-cell"],
        alt=_("Scores of the runs"),
    )


def _select(key: str, table: ScoreTable) -> None:
    """Sort by the column, or open the run, that was clicked."""
    selection = st.session_state[key].selection
    rows = [*(row for row, _column in selection.cells), *selection.rows]
    if selection.columns:
        if selection.columns[0] in (column.key for column in table.columns):
            choose(ScoreChoices, sort=selection.columns[0])
    else:
        choose(BoardChoices, detail=table.lines[rows[0]].card.key if rows else "")


def _samples(line: RunLine) -> str:
    facts = run_facts(line.card.key, line.card.run)
    if facts is None:
        return ""
    return str(facts.n_max) if facts.n_min == facts.n_max else f"{facts.n_min} … {facts.n_max}"


def _configured(column: ShownColumn) -> ColumnConfig:
    key, about = column.column.key, column.column.help
    return st.column_config.TextColumn(
        column.head,
        help=None if about is None else say(about),
        pinned=True if key == "run" else None,
        width=WIDTHS.get(str(key)),
    )


def _elsewhere(sheet: Sheet) -> Iterator[Text]:
    """Yield how many runs are not in the table."""
    if sheet.elsewhere:
        yield Text(
            "{count} more run is on another dataset ({datasets}); choose it above to see it.",
            "{count} more runs are on other datasets ({datasets}); choose one above to see them.",
            count=sum(sheet.elsewhere.values()),
            datasets=some_of(map(printable, sheet.elsewhere), NAMED),
        )


def _ks(table: ScoreTable) -> Iterator[Text]:
    """Yield what k is, where the headings do not say it."""
    scores = [
        line.scores[column.key]
        for column in table.columns
        for line in table.lines
        if column.key in line.scores and column.key.endswith(("@k", "^k"))
    ]
    ks = {score.k for score in scores}
    if len(ks) > 1:
        yield Text(
            "k is the most samples that the runs of a dataset share, here {least} to {most}.",
            least=min(ks),
            most=max(ks),
        )


def _remarks(table: ScoreTable) -> dict[Text, list[str]]:
    """Return what must be known of the numbers, and why some are missing, with the runs."""
    known: dict[Text, list[str]] = {}
    for line in table.lines:
        card = line.card
        sentences = [] if card.reason is None else [card.reason]
        for column in table.columns:
            score = line.scores.get(column.key)
            if score is not None:
                sentences += [undefined(score.reason, score.label)] if score.reason else []
                sentences += score.estimate.caveats if score.estimate else ()
        for text in dict.fromkeys(sentences):
            known.setdefault(text, []).append(card.key)
    return known
