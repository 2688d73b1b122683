"""What is compared with what, by which metric, on which dataset; and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.contest import Contest, key_of_name, name_across_datasets
from kofn.compare.over_datasets import OverDatasets
from kofn.compare.pair import OFFERED, ComparedPair
from kofn.compare.words import answer_to
from kofn.leaderboard.pairs import match_so_far
from kofn.writing.layout import short_name
from metrics.data.words import Text
from pages.results.compare.data import contend_once, datasets_once, pair_once
from pages.shared.choices import current_choices, tie_widget
from pages.shared.controls.datasets import choose_dataset, choose_datasets
from pages.shared.controls.metric import choose_metric
from pages.shared.showing.answers import show_answer
from pages.shared.translating import _, say
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class CompareSheet:
    """What the page shows: the runs of one dataset."""

    view: View  # With metric and k.
    choices: CompareChoices
    runs: Mapping[str, Run]  # Of the dataset.
    everywhere: Mapping[str, Run]  # Of all datasets.
    contest: Contest
    pair: ComparedPair | None  # The baseline and the run in detail.
    together: OverDatasets | None  # The same on all datasets that both ran.


def choose_comparison(runs: Mapping[str, Run], view: View, several: bool) -> CompareSheet:
    """Let the visitor choose dataset, baseline, metric and k; compare, and show the answer.

    several: Whether all datasets together can be chosen, too.
    """
    container = st.container()
    choices = current_choices(CompareChoices)
    everywhere, plain = shown_runs(runs, view.runs), replace(view, runs=())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = choose_datasets(runs, view) if several else choose_dataset(runs, view)
        meant = key_of_name(choices.base, shown)
        with st.spinner(_("Comparing"), show_time=True):
            base = None if meant is None else choices.base
            contest = contend_once(shown, plain, base, match_so_far)
        _choose_base(choices.base, meant, contest, shown)
        choose_metric(contest.metric, OFFERED, view, shown)
    with st.spinner(_("Comparing"), show_time=True):
        pair, together = None, None
        if contest.ranking is not None:
            wanted = key_of_name(choices.other, shown)
            other = wanted if wanted in contest.others else contest.others[0]
            pair = pair_once(contest, shown, other, plain)
        if pair is not None:
            together = datasets_once(everywhere, pair, plain)
    with container:
        show_answer(answer_to(contest, pair, together), shown)
    return CompareSheet(plain, choices, shown, everywhere, contest, pair, together)


def _choose_base(chosen: str, meant: str | None, contest: Contest, runs: Mapping[str, Run]) -> None:
    """Let the visitor choose the baseline by how it is called on every dataset."""
    if len(runs) < 2:
        return
    names = [name_across_datasets(key, run) for key, run in runs.items()]
    if chosen and meant is None:
        missing = Text(
            "{name} has no run here, so another run is the baseline.", name=short_name(chosen)
        )
        st.info(say(missing))
    base = meant or contest.base or next(iter(runs))
    shown = name_across_datasets(base, runs[base])
    st.selectbox(_("Baseline"), names, width=220, **tie_widget(CompareChoices, "base", shown))


def choose_other(sheet: CompareSheet) -> None:
    """Let the visitor choose the run that is set against the baseline in detail."""
    contest = sheet.contest
    if sheet.pair is None or len(contest.others) < 2:
        return
    names = {name_across_datasets(key, sheet.runs[key]): key for key in contest.others}
    shown = name_across_datasets(sheet.pair.other, sheet.runs[sheet.pair.other])
    st.selectbox(_("In detail"), list(names), **tie_widget(CompareChoices, "other", shown))
