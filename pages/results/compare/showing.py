"""Models over all datasets, or the runs of one against a baseline."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kofn.choices.view import View
from kofn.leaderboard.unnamed_datasets import as_one_dataset
from pages.results.compare.choosing import choose_comparison
from pages.results.compare.listing import download_comparison, list_comparison, remarks_on
from pages.results.compare.pictures import show_picture
from pages.results.compare.plan import show_plan
from pages.results.compare.questions import show_pair
from pages.results.compare.series import series_of
from pages.results.compare.suite import find_all, is_whole, show_suite
from pages.shared.controls.notes import tell_notes
from pages.shared.showing.matching import check_questions
from pages.shared.showing.parts import Part, show_parts
from pages.shared.translating import _
from reports.run.report import Run


def show_comparison(runs: Mapping[str, Run], view: View) -> None:
    """Compare over all datasets first; the runs of one where a person chooses it."""
    runs = as_one_dataset(runs)
    suite = find_all(runs, view)
    if suite is not None and is_whole(runs):
        show_suite(suite, runs, view)
        check_questions()
        return
    compared = choose_comparison(runs, view, suite is not None)
    checked = st.container()
    picture, pair = st.container(key="kofn.beside").columns([14, 5], gap="medium")
    with picture:
        show_picture(compared)
    with pair:
        show_pair(compared)
    contest = compared.contest
    parts: dict[str, Part] = {}
    if contest.estimates:
        parts["table"] = _("Each run"), lambda: list_comparison(compared)
    if contest.base is not None:
        parts["plan"] = _("What it takes to show more"), lambda: show_plan(compared)
    show_parts(
        parts | series_of(compared),
        lambda: download_comparison(compared),
        lambda: tell_notes(view, runs, remarks_on(contest), list(contest.names.values())),
    )
    with checked:
        check_questions()
