"""All models over all datasets: the answer, a picture, and a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from charts.differences import describe_differences, differences
from kofn.choices.focus import Focus, by_dataset
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.compare.answer import of_suite
from kofn.compare.contest import metric_and_k
from kofn.compare.forests import OFFERED
from kofn.compare.suite import COLUMNS, gap_title, gaps, lines
from kofn.standings.pairs import match_so_far
from kofn.standings.suite import Suite
from metrics.data.words import Text
from pages.shared.choices import current
from pages.shared.controls.datasets import choose_datasets
from pages.shared.controls.metric import choose_metric
from pages.shared.memory import session
from pages.shared.showing.answers import link_to_wins, show_answer
from pages.shared.showing.charts import draw
from pages.shared.showing.standings import remembered_standing, remembered_suite
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, plain, say
from reports.run.report import Run


def find_all(runs: Mapping[str, Run], view: View) -> Suite | None:
    """Set models against one another over all datasets; None where that cannot be."""
    shown = shown_runs(runs, view.runs)
    if len(by_dataset(shown)) < 2:
        return None
    with st.spinner(_("Comparing"), show_time=True):
        return remembered_suite(shown, _plain(view), *metric_and_k(shown, view))


def is_whole(runs: Mapping[str, Run]) -> bool:
    """Return whether no dataset is chosen."""
    return current(Focus).dataset not in by_dataset(runs)


def show_suite(suite: Suite, runs: Mapping[str, Run], view: View) -> None:
    """Show the answer, what can be chosen, and each model behind the first."""
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = choose_datasets(runs, view)
        metric, k = metric_and_k(shown, view)
        choose_metric(metric, OFFERED, view, shown)
    _same, leaders = remembered_standing(shown, view, match_so_far, metric, k)
    with place:
        show_answer(of_suite(suite, leaders), shown)
        link_to_wins(shown)
    rows = gaps(suite, shown, session.numbers())
    if rows:
        figure = differences(rows, gap_title(suite), plain)
        draw(figure, describe_differences(rows), "compare.suite")
        told = Text(
            "Filled where the {level:.4g}% interval leaves out 0. Datasets count equally; choose "
            "one above.",
            level=100 * view.level,
        )
        st.caption(say(told))
    show_table(COLUMNS, lines(suite), _("Each model over all datasets"))


def _plain(view: View) -> View:
    return replace(view, runs=(), metric=None, k=())
