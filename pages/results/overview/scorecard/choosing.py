"""Which datasets, metrics and options the scorecard has, and the scores of what is in view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from kofn.choices.focus import Focus, datasets_that_fit, runs_by_dataset
from kofn.choices.runs import has_scores, shown_runs
from kofn.choices.view import View
from kofn.scorecard.analysis import ScoreCard, score_run, score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.suites import pool_suites
from kofn.scorecard.table import ScoreTable, lay_out
from metrics.data.words import plain
from metrics.scoring.registry import METRICS
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.controls.settings import choose_ks
from pages.shared.memory import session
from pages.shared.memory.cached import remember_findings
from pages.shared.translating import _, say
from reports.run.report import Run

ROWS = 40
"""More runs than these are shown by dataset."""
LEADING = ("avg@n", "soft", "pass@k", "pass^k", "maj@k")
"""The metrics that are shown unless others are chosen; soft where all have soft scores."""
_PROBLEM = "kofn.scorecard.problem"


@dataclass(frozen=True, eq=False)
class Sheet:
    """What the page shows."""

    view: View
    choices: ScoreChoices
    runs: Mapping[str, Run]  # All that the View names.
    table: ScoreTable  # Of the datasets in view.
    elsewhere: Mapping[str, int]  # The other datasets, and how many runs they have.


def choose_scores(runs: Mapping[str, Run], view: View) -> Sheet:
    """Let the visitor choose datasets, metrics, their options and an order; score what is in view.

    Only whole datasets are in view, the first that fit or the one that is chosen. Suites are
    datasets of their own.
    """
    choices, focus = current_choices(ScoreChoices), current_choices(Focus)
    shown = shown_runs(runs, view.runs)
    groups = _group(shown)
    sizes = {name: len(group) for name, group in groups.items()}
    inside = [focus.dataset] if focus.dataset in groups else datasets_that_fit(sizes, ROWS)
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        names = choices.names or _usual(
            [shown[key] for name in inside for key in groups[name] if key in shown]
        )
        st.multiselect(
            _("Metrics"),
            list(METRICS),
            width=430,
            **tie_widget(ScoreChoices, "names", list(names), tuple),
        )
        choose_ks(view, shown, shared=True)
    _choose_options(choices, names, view)
    cards = _score(shown, groups, inside, view, replace(choices, names=tuple(names)))
    table = lay_out(cards, view, choices.sort)
    with controls:
        _choose_order(table)
    elsewhere = {name: size for name, size in sizes.items() if name not in inside}
    return Sheet(view, choices, shown, table, elsewhere)


def _group(shown: Mapping[str, Run]) -> dict[str, list[str]]:
    """Group runs by their dataset, and suites of which all runs are shown by their name."""
    groups = {name: list(group) for name, group in runs_by_dataset(shown).items()}
    there = {id(run) for run in shown.values()}
    for key, suite in session.loaded_suites().items():
        if all(id(run) in there for run in suite.runs):
            groups.setdefault(suite.name, []).append(key)
    return groups


def _usual(runs: Sequence[Run]) -> tuple[str, ...]:
    judged = [run for run in runs if run.known is not None]
    soft = bool(judged) and all(map(has_scores, judged))
    return tuple(name for name in LEADING if soft or name != "soft")


def _score(
    shown: Mapping[str, Run],
    groups: Mapping[str, Sequence[str]],
    inside: Sequence[str],
    view: View,
    choices: ScoreChoices,
) -> list[ScoreCard]:
    """Score the runs of some datasets, and of suites those that they are means of."""
    wanted = {key for name in inside for key in groups[name]}
    suites = {key: suite for key, suite in session.loaded_suites().items() if key in wanted}
    members = {id(run) for suite in suites.values() for run in suite.runs}
    scored = {key: run for key, run in shown.items() if key in wanted or id(run) in members}
    cards = score_runs(
        scored, replace(view, runs=()), replace(choices, sort=""), find=remember_findings(score_run)
    )
    own = [card for card in cards if card.key in wanted]
    if not suites:
        return own
    pooled = pool_suites(session.shown_reports()[0], cards)
    return [*own, *(card for card in pooled if card.key in wanted)]


def _choose_order(table: ScoreTable) -> None:
    headings = {column.key: plain(column.heading) for column in table.columns}
    if len(table.lines) > 1 and headings:
        st.selectbox(
            _("Sort by"),
            **options(headings),
            width=200,
            **tie_widget(ScoreChoices, "sort", table.sort),
        )


def _choose_options(choices: ScoreChoices, names: Sequence[str], view: View) -> None:
    """Ask for the options that the chosen metrics have."""
    wanted = {option for name in names for option in METRICS[name].options}
    problem = st.session_state.pop(_PROBLEM, None)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if "tau" in wanted:
            _ask_list("taus", "tau", _("Tau: the share of the tries that must be right"), choices)
        if "weights" in wanted:
            _ask_list("weights", "weights", _("Weights of 1, 2 … k right tries"), choices)
        if "w" in wanted:
            _ask_list("rewards", "rewards", _("Rewards of a wrong and a right sample"), choices)
        if "R0" in wanted:
            _ask_list("prior", "prior", _("Prior: outcomes of each question before"), choices)
        if view.target == "benchmark" and any(METRICS[name].payoff for name in names):
            _ask_list(
                "posterior", "posterior", _("Posterior: alpha and beta of each rate"), choices
            )
        for field, option, label, most in (
            ("lam", "lam", _("Lambda: the weight of pass@k"), 1.0),
            ("pass_power", "pass_power", _("Power of pass@k"), 100.0),
            ("unanimous_power", "unanimous_power", _("Power of pass^k"), 100.0),
        ):
            if option in wanted:
                st.number_input(
                    label,
                    min_value=0.0,
                    max_value=most,
                    step=0.1,
                    format="%.4g",
                    width=200,
                    **tie_widget(ScoreChoices, field, getattr(choices, field)),
                )
    if problem is not None:
        st.error(say(problem))


def _ask_list(field: str, key: str, label: str, choices: ScoreChoices) -> None:
    before = getattr(choices, field)
    st.text_input(
        label,
        placeholder=_EXAMPLES[field],
        width=280,
        **tie_widget(
            ScoreChoices,
            field,
            ", ".join(f"{each:.12g}" for each in before),
            _reader(field, key, before),
        ),
    )


_EXAMPLES = {
    "taus": "0.25, 0.5, 0.75, 1",
    "weights": "0.5, 0.5",
    "rewards": "0, 1",
    "prior": "1, 0",
    "posterior": "1, 1",
}


def _reader(field: str, key: str, before: Any) -> Callable[[str], object]:
    """Return a reader that keeps what was before, and the reason, where a text cannot be used."""

    def read(text: str) -> object:
        if not text.strip():
            return getattr(ScoreChoices(), field)
        found, problems = ScoreChoices.from_query({key: text})
        if problems:
            st.session_state[_PROBLEM] = problems[0]
            return before
        return getattr(found, field)

    return read
