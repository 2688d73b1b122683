"""Which dataset is shown, or all."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

import streamlit as st

from kofn.choices.focus import Focus, largest, runs_by_dataset
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.leaderboard.lines import whole_lines
from metrics.data.words import Text, printable
from pages.shared.choices import current_choices, tie_widget
from pages.shared.translating import _, say
from reports.run.report import Run


def choose_datasets(
    runs: Mapping[str, Run], view: View, offered: Callable[[Run], bool] = lambda run: True
) -> dict[str, Run]:
    """Let the visitor choose a dataset or all, and return its runs of a View that are `offered`."""
    focus = current_choices(Focus)
    shown = shown_runs(runs, view.runs)
    _tell_missing(focus, runs_by_dataset(shown))
    shown = {key: run for key, run in shown.items() if offered(run)}
    groups = runs_by_dataset(shown)
    chosen = focus.dataset if focus.dataset in groups else None
    if len(groups) > 1:
        st.selectbox(
            _("Dataset"),
            list(groups),
            index=None,
            format_func=printable,
            placeholder=_("All datasets"),
            width=200,
            **tie_widget(Focus, "dataset", chosen, lambda name: name or ""),
        )
    return shown if chosen is None else groups[chosen]


def choose_suite(
    runs: Mapping[str, Run],
    view: View,
    offered: Callable[[Run], bool] = lambda run: True,
) -> dict[str, Run]:
    """Let the visitor choose all datasets, where models share several, or one; as `choose_dataset`.

    All of them are shown unless one is chosen.
    """
    known = {key: run for key, run in shown_runs(runs, view.runs).items() if offered(run)}
    if whole_lines(known) is None:
        return choose_dataset(runs, view, offered)
    return choose_datasets(runs, view, offered)


def _tell_missing(focus: Focus, groups: Container[str]) -> None:
    if focus.dataset and focus.dataset not in groups:
        missing = Text(
            "The link names a dataset that is not among the runs: {name}.", name=focus.dataset
        )
        st.info(say(missing))


def choose_dataset(
    runs: Mapping[str, Run],
    view: View,
    offered: Callable[[Run], bool] = lambda run: True,
    preferred: Callable[[Run], bool] = lambda run: True,
) -> dict[str, Run]:
    """Let the visitor choose a dataset, and return its runs of a View.

    Only datasets with a run that is `offered` can be chosen, if there is one. The largest with a
    run that is `preferred` is shown unless another is chosen.
    """
    focus = current_choices(Focus)
    groups = runs_by_dataset(shown_runs(runs, view.runs))
    _tell_missing(focus, groups)
    groups = {
        name: group for name, group in groups.items() if any(map(offered, group.values()))
    } or groups
    suited = {name: group for name, group in groups.items() if any(map(preferred, group.values()))}
    chosen = focus.dataset if focus.dataset in groups else largest(suited or groups)
    if len(groups) > 1:
        st.selectbox(
            _("Dataset"),
            list(groups),
            format_func=printable,
            width=200,
            **tie_widget(Focus, "dataset", chosen),
        )
    return groups[chosen]
