"""What to do with each run: the decision matrix, the scenarios, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from charts.matrix import describe_matrix, matrix
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.guidance.analysis import Goals, GuidanceCard, cards_found, guide, guide_runs
from kofn.guidance.sentences import (
    IMPOSSIBLE,
    LEVEL_NAMES,
    PRINCIPLES,
    RULE_OF_THUMB,
    STATUS_NAMES,
    bias_words,
    pitfalls,
    target_words,
    verdict,
)
from kofn.guidance.tables import board, cell_frame, target_frame
from kofn.writing.estimates import percent
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import BIAS, DIMENSIONS, PROFILES, Dimension, Profile
from metrics.analyses.guidance.precision import Status
from metrics.analyses.guidance.targets import Verdict
from metrics.data.words import Text
from pages.widgets.shared import session
from pages.widgets.shared.charts import draw
from pages.widgets.shared.choices import current, tied
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.findings import remembered
from pages.widgets.shared.translating import _, escape, escape_name, plain, say, translations
from reports.run.report import Run

SHOWN = 6
"""The most runs whose matrices are drawn at once."""
_COLOURS: Mapping[Status, str] = {"met": "green", "not met": "red", "undecided": "orange"}
_METRICS: Mapping[Dimension, str] = {"pass": "pass@k", "avg": "avg@n", "cons": "cons@k"}


def choose_targets() -> Goals:
    """Show the controls of levels and targets and return what is chosen."""
    targets = current(Goals)
    with st.expander(_("Levels and targets")):
        st.caption(
            _("The defaults are those of AISBench's document, which calls them hypothetical.")
        )
        with st.container(horizontal=True):
            _choose(targets, "low", _("Low below, in percent"))
            _choose(targets, "high", _("High above, in percent"))
        for scenario in targets.scenarios:
            st.markdown(f"**{say(scenario.name)}** :gray[{say(scenario.uses)}]")
            with st.container(horizontal=True):
                for dimension in scenario.targets:
                    above = Text("{metric} above, in percent", metric=_METRICS[dimension])
                    _choose(targets, f"{scenario.key}_{dimension}", plain(above))
    if targets != Goals():
        st.caption(_("Levels or targets are your own, not AISBench's."))
    return targets


def _choose(targets: Goals, field: str, label: str) -> None:
    st.number_input(
        label,
        min_value=0.0,
        max_value=100.0,
        step=5.0,
        format="%.4g",
        width=220,
        **tied(Goals, field, 100 * getattr(targets, field), lambda shown: round(shown / 100, 6)),
    )


def guide_all(runs: Mapping[str, Run], view: View, targets: Goals) -> tuple[GuidanceCard, ...]:
    """Place the runs of a View in the matrix; those placed before come from a cache."""
    shown = shown_runs(runs, view.runs)
    settings = replace(view, runs=(), metric=None, target="population")
    with st.spinner(_("Estimating"), show_time=True):
        return guide_runs(shown, settings, targets, remembered(guide))


def explain_guidance() -> None:
    """Say what the three metrics are for."""
    st.markdown(
        _(
            "Three metrics together say what to do with a model. The levels, targets and advice "
            "are AISBench's; how sure they are is computed from the questions of each run, for "
            "questions like these."
        )
    )
    lines = (
        f"- **{escape(_METRICS[dimension])}** {say(text)}" for dimension, text in PRINCIPLES.items()
    )
    st.markdown("\n".join(lines))


def show_scenarios(cards: Sequence[GuidanceCard]) -> None:
    """Show side by side whether the runs meet the targets of each scenario."""
    found = list(cards_found(cards))
    if found:
        st.subheader(_("Scenarios"), anchor=False)
        st.caption(
            _(
                "A target is met where the whole interval of its metric lies above it, not met "
                "where none of it does, and undecided otherwise. The percentage is the chance that "
                "all targets of a scenario are met at once."
            )
        )
        table = [
            {_("Run"): _name(card, each), **dict(_scenario_cells(each))} for card, each in found
        ]
        st.table(pd.DataFrame(table), border="horizontal")
    for card in cards:
        if card.reason is not None:
            st.caption(f"**{escape_name(card.key)}** {say(card.reason)}")


def _badge(found: Verdict) -> str:
    return f":{_COLOURS[found.status]}-badge[{say(STATUS_NAMES[found.status])}]"


def _scenario_cells(found: Guidance) -> list[tuple[str, str]]:
    return [
        (plain(each.scenario.name), f"{_badge(each)} {each.probability:.0%}")
        for each in found.verdicts
    ]


def _scenario_lines(found: Guidance) -> list[str]:
    return [
        f"**{say(each.scenario.name)}** {_badge(each)} "
        f"{'; '.join(say(target_words(found, target)) for target in each.targets)}"
        for each in found.verdicts
    ]


def show_matrices(cards: Sequence[GuidanceCard]) -> None:
    """Draw the decision matrix of each run, with advice and pitfalls."""
    found = list(cards_found(cards))
    if not found:
        return
    st.subheader(_("Decision matrix"), anchor=False)
    st.caption(
        _(
            "How likely each combination of levels is, from joint draws over the questions: see "
            "the bar at the left of a cell. A dot marks the estimates, a thick outline a row of "
            "AISBench's table, a dash what no data can reach."
        )
    )
    numbers = session.numbers()
    for card, each in found[:SHOWN]:
        st.markdown(f"**{_name(card, each)}**")
        st.caption(_values(each))
        drawn = board(each, numbers[card.key])
        draw(matrix(drawn, plain), describe_matrix(drawn), f"{card.key}.{each.k}.{each.voted}")
        st.markdown(" ".join(map(say, verdict(each))))
        st.markdown("\n".join(f"- {line}" for line in _scenario_lines(each)))
        for pitfall in pitfalls(each):
            st.markdown(f":material/warning: {say(pitfall)}")
    st.caption(say(RULE_OF_THUMB))
    if len(found) > SHOWN:
        left_out = Text(
            "{count} more run is not drawn; choose runs on the left. The downloads have all.",
            "{count} more runs are not drawn; choose runs on the left. The downloads have all.",
            count=len(found) - SHOWN,
        )
        st.info(say(left_out))


def _values(found: Guidance) -> str:
    def value(dimension: Dimension) -> Text:
        estimate = found.estimates[dimension]
        return Text(
            "{metric} {value}",
            metric=found.label(dimension),
            value=percent(estimate.value, *(estimate.interval or ())),
        )

    return ", ".join(say(value(dimension)) for dimension in DIMENSIONS)


def show_profiles(cards: Sequence[GuidanceCard]) -> None:
    """Show AISBench's rows with its advice, and the chance that each is the place of each run."""
    found = list(cards_found(cards))
    if not found:
        return
    st.subheader(_("AISBench's table"), anchor=False)
    rows = [
        [
            _levels(profile),
            say(profile.status),
            say(IMPOSSIBLE if profile == BIAS else profile.advice),
        ]
        for profile in PROFILES
    ]
    rows.append([_("the third with agreement, not cons@k"), say(BIAS.status), say(BIAS.advice)])
    heads = [_("Levels"), _("The model"), _("What to do")]
    st.table(pd.DataFrame(rows, columns=heads), border="horizontal")
    st.caption(_("How likely each of its rows is the place of a run:"))
    reachable = [profile for profile in PROFILES if profile != BIAS]
    chances = [
        {
            _("Run"): _name(card, each),
            **{say(one.status): f"{each.probability[one.cell]:.0%}" for one in reachable},
            plain(Text("{status}, by agreement", status=BIAS.status)): say(bias_words(each)),
        }
        for card, each in found
    ]
    st.table(pd.DataFrame(chances), border="horizontal")


def _levels(profile: Profile) -> str:
    return ", ".join(
        f"{_METRICS[dimension]} {plain(LEVEL_NAMES[level])}"
        for dimension, level in zip(DIMENSIONS, profile.cell, strict=True)
    )


def download_guidance(cards: Sequence[GuidanceCard]) -> None:
    """Offer scenarios and matrices in full precision."""
    catalogue = translations()
    if any(card.found for card in cards):
        st.markdown(f"**{_('Scenarios')}**")
        download_table(lambda: target_frame(cards, catalogue), "guidance-scenarios")
        st.markdown(f"**{_('Decision matrix')}**")
        download_table(lambda: cell_frame(cards, catalogue), "guidance-matrix")


def _name(card: GuidanceCard, found: Guidance) -> str:
    return escape_name(card.key) if found.voted else f"{escape_name(card.key)}, k = {found.k}"
