"""The table of listed questions, each with a strip of its samples and what is known about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray

from kofn.card import Card
from kofn.choices.view import View
from kofn.questions.analysis import RunQuestions
from kofn.questions.columns import LISTED, ListCard, ListedQuestions, shorten
from kofn.questions.command import QUESTIONS
from kofn.questions.filters import QuestionFilter
from metrics.data.words import Text, plain, printable
from pages.data.questions.data import Shown, identify, open_question
from pages.data.questions.filters import column_label
from pages.data.questions.list_pages import count_pages, find_open, first_of, page_of
from pages.shared.choices import choose, tie_widget
from pages.shared.internals import ColumnConfig
from pages.shared.memory.cached import remember
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, run_on, say

HEIGHT = 320
_BAR = 4
"""Pixels of a sample in a strip: thinner ones fade."""
_STRIP = "samples"
_TABLE = "kofn.questions.table"
_NAME = "kofn.questions.name"


def show_table(shown: Shown, chosen: QuestionFilter, rows: NDArray[np.intp], view: View) -> None:
    """Show the listed questions; a click opens one, or orders by a column."""
    listed = identify(shown, chosen)
    at = find_open(shown.a, chosen, rows)
    count = Text("{count} question", "{count} questions", count=len(rows))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{say(count)}**", width="stretch")
        choice = st.empty()
        copied = st.container(horizontal=True, width="content")
    container = st.container()
    page, pages = page_of(chosen, at, len(rows)), count_pages(len(rows))
    if pages > 1:
        st.pagination(pages, **tie_widget(QuestionFilter, "page", page))
    start, end = first_of(page), first_of(page + 1)
    window = rows[start:end]
    with copied:
        download_table(
            lambda: LISTED.frame([_card(shown, chosen, rows, view)]),
            "questions",
            lambda: QUESTIONS.cited([_card(shown, chosen, window, view)], view),
        )
    with choice:
        _choose(shown, window, chosen)
    key = f"{_TABLE}.{start}.{listed}"
    marked = [at - start] if start <= at < end else []
    st.session_state[key] = {"selection": {"rows": marked, "columns": [], "cells": []}}
    container.dataframe(
        _window(listed, start, shown, window),
        key=key,
        height=HEIGHT if len(window) > 7 else "auto",
        hide_index=True,
        column_config=dict(_columns(shown, chosen)),
        on_select=lambda: _select(key, shown, chosen, window),
        selection_mode=["single-row", "single-column", "single-cell"],
        placeholder="",
        alt=plain(Text("Questions of {run}", run=shown.a.key)),
    )
    soft = any(each.outcomes.scores is not None for each in shown.runs)
    strip = (
        _("A bar up is a right sample and its score, a bar down a wrong one and what it lacks.")
        if soft
        else _("A bar up is a right sample, a bar down a wrong one, a gap a failed request.")
    )
    click = _("Click a question to read it, or the name of a column to sort by it.")
    container.caption(run_on([strip, click]))


def _card(shown: Shown, chosen: QuestionFilter, rows: NDArray[np.intp], view: View) -> ListCard:
    return Card(shown.a.key, shown.a.run, view, chosen, ListedQuestions(shown.a, rows))


def _choose(shown: Shown, window: NDArray[np.intp], chosen: QuestionFilter) -> None:
    """Let the visitor open a question by its name, as who has no mouse must."""
    names = [shown.a.names[row] for row in window]
    st.session_state[_NAME] = chosen.open if chosen.open in names else None
    st.selectbox(
        _("Question"),
        names,
        index=None,
        format_func=shorten,
        key=_NAME,
        on_change=lambda: open_question(st.session_state[_NAME] or ""),
        label_visibility="collapsed",
        placeholder=_("Read a question"),
        width=200,
    )


def _select(key: str, shown: Shown, chosen: QuestionFilter, window: NDArray[np.intp]) -> None:
    selection = st.session_state[key].selection
    rows = [*(row for row, _column in selection.cells), *selection.rows]
    if selection.columns:
        column = selection.columns[0]
        sort = f"right{column[len(_STRIP) :]}" if column.startswith(_STRIP) else column
        choose(QuestionFilter, sort=sort, down=sort != chosen.sort or not chosen.down)
        st.rerun()
    if rows:
        open_question(shown.a.names[window[rows[0]]])


@remember(4)
def _window(listed: str, start: int, _shown: Shown, _chosen: NDArray[np.intp]) -> pa.Table:
    return pa.table(dict(_cells(_shown, _chosen)))


def _cells(shown: Shown, chosen: NDArray[np.intp]) -> Iterator[tuple[str, pa.Array]]:
    a = shown.a
    values = {name: make()[chosen] for name, make in a.columns.items()}
    yield "question", pa.array(values["question"], pa.string())
    yield _STRIP, _strips(a, chosen)
    yield "right", _fractions(a, chosen)
    if "answer" in values:
        marks = np.where(values["answer_right"], "✓ ", "✗ ").tolist()
        answers = values["answer"].tolist()
        yield (
            "answer",
            pa.array(
                [
                    None if answer is None else mark + shorten(answer)
                    for mark, answer in zip(marks, answers, strict=True)
                ],
                pa.string(),
            ),
        )
    if "agreed" in values:
        yield "agreed", pa.array(values["agreed"], from_pandas=True)
    for b in shown.others:
        places = a.places(b)[chosen]
        yield f"{_STRIP}.{b.key}", _strips(b, places)
        yield f"right.{b.key}", _fractions(b, places)
    for name in ("soft", "gap", "failed", "tokens_out"):
        if name in values and (name != "failed" or a.known.statistics.failed.any()):
            column = np.round(values[name], 2) + 0.0 if name == "gap" else values[name]  # no -0.00
            yield name, pa.array(column, from_pandas=True)
    for name in values:
        if name.startswith("segment."):
            yield name, _texts(values[name])


def _texts(values: Iterable[Any]) -> pa.Array:
    return pa.array([printable(value) for value in values], pa.string())


def _strips(questions: RunQuestions, places: NDArray[np.intp]) -> pa.Array:
    """Return the samples of each question as a list of numbers, empty where it has none."""
    marks = questions.marks(np.maximum(places, 0)).astype(np.float32)
    marks[places < 0] = np.nan
    asked = ~np.isnan(marks)
    ends = np.append(0, np.cumsum(asked.sum(axis=1))).astype(np.int32)
    kind = np.int8 if questions.outcomes.scores is None else np.float32
    return pa.ListArray.from_arrays(ends, pa.array(marks[asked].astype(kind)))


def _fractions(questions: RunQuestions, places: NDArray[np.intp]) -> pa.Array:
    found = questions.known.statistics
    pairs = zip(places.tolist(), found.c[places].tolist(), found.n[places].tolist(), strict=True)
    return pa.array([f"{c}/{n}" if place >= 0 else None for place, c, n in pairs], pa.string())


def _columns(shown: Shown, chosen: QuestionFilter) -> Iterator[tuple[str, ColumnConfig]]:
    def label(name: str, sort: str = "") -> str:
        arrow = " ↓" if chosen.down else " ↑"
        return column_label(name) + (arrow if chosen.sort == (sort or name) else "")

    columns = st.column_config
    yield "question", columns.TextColumn(label("question"), pinned=True, width=90)
    several = len(shown.others) > 0
    for each in shown.runs:
        suffix = "" if each is shown.a else f".{each.key}"
        model = printable(each.run.model) if several else _("Samples")
        name = _STRIP + suffix
        wide = min(max(110, _BAR * each.outcomes.shape[1]), 400)
        yield name, columns.BarChartColumn(model, y_min=-1, y_max=1, color="blue", width=wide)
        heading = label("right" + suffix) if not suffix else _arrow(chosen, "right" + suffix)
        yield "right" + suffix, columns.TextColumn(heading, width=64)
    yield (
        "answer",
        columns.TextColumn(label("answer"), help=_("✓: most samples that give it are right.")),
    )
    yield "agreed", columns.NumberColumn(label("agreed"), format="percent", width=90)
    yield "soft", columns.NumberColumn(label("soft"), format="%.2f", width=90)
    yield "gap", columns.NumberColumn(label("gap"), format="%+.2f", width=90)
    yield "failed", columns.NumberColumn(label("failed"), width=70)
    yield (
        "tokens_out",
        columns.NumberColumn(
            label("tokens_out"), format="%.0f", help=_("Mean over the samples."), width=80
        ),
    )
    for name in shown.a.columns:
        if name.startswith("segment."):
            yield name, columns.TextColumn(label(name))


def _arrow(chosen: QuestionFilter, name: str) -> str:
    arrow = "↓" if chosen.down else "↑"
    return _("Right") + (f" {arrow}" if chosen.sort == name else "")
