"""The thresholds and targets of the guidance, and what AISBench's document says about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from kofn.card import cards_found
from kofn.guidance.analysis import Goals, GuidanceCard, run_names
from kofn.guidance.words import (
    IMPOSSIBLE,
    LEVEL_NAMES,
    NO_AGREEMENT,
    PRINCIPLES,
    bias_in_words,
    is_judged,
    limit_text,
)
from kofn.writing.estimates import undefined
from metrics.analyses.guidance.decision_matrix import (
    BIAS,
    DIMENSIONS,
    PROFILES,
    Dimension,
    Profile,
    UseCase,
)
from metrics.data.words import Text, plain
from pages.shared.choices import current_choices, tie_widget
from pages.shared.showing.folds import fold
from pages.shared.translating import _, escape, escape_name, say

METRICS: Mapping[Dimension, str] = {"pass": "pass@k", "avg": "avg@n", "cons": "cons@k"}


def choose_targets() -> Goals:
    """Show the controls of levels and targets and return what is chosen."""
    targets = current_choices(Goals)
    fold(st.popover, _("Levels and targets"), "targets", partial(_choose_each, targets))
    if targets != Goals():
        st.caption(_("Levels or targets are your own, not AISBench's."))
    return targets


def _choose_each(targets: Goals) -> None:
    st.caption(_("The defaults are those of AISBench's document, which calls them hypothetical."))
    with st.container(horizontal=True):
        _choose(targets, "low", _("Low below, in percent"))
        _choose(targets, "high", _("High above, in percent"))
    for scenario in targets.scenarios:
        st.markdown(f"**{say(scenario.name)}** :gray[{say(scenario.uses)}]")
        with st.container(horizontal=True):
            for dimension in scenario.targets:
                above = Text("{metric} above, in percent", metric=METRICS[dimension])
                _choose(targets, f"{scenario.key}_{dimension}", plain(above))


def _choose(targets: Goals, field: str, label: str) -> None:
    st.number_input(
        label,
        min_value=0.0,
        max_value=100.0,
        step=5.0,
        format="%.4g",
        width=220,
        **tie_widget(
            Goals, field, 100 * getattr(targets, field), lambda shown: round(shown / 100, 6)
        ),
    )


def explain_guidance(cards: Sequence[GuidanceCard], goals: Goals) -> None:
    """Show what the metrics are for, the scenarios, and AISBench's rows with their chances."""
    lines = (
        f"- **{escape(METRICS[dimension])}** {say(text)}" for dimension, text in PRINCIPLES.items()
    )
    st.markdown("\n".join(lines))
    st.markdown(f"**{_('Scenarios')}**")
    st.table(pd.DataFrame(list(map(_scenario, goals.scenarios))), border="horizontal")
    st.caption(
        _(
            "A target is met where the whole interval of its metric lies above it, not met "
            "where none of it does, and undecided otherwise."
        )
    )
    st.markdown(f"**{_('Rows of the decision matrix')}**")
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
    _show_chances(cards)


def _scenario(scenario: UseCase) -> dict[str, str]:
    targets = (
        f"{METRICS[dimension]} > {limit_text(limit)}"
        for dimension, limit in scenario.targets.items()
    )
    return {
        _("Scenario"): say(scenario.name),
        _("Such as"): say(scenario.uses),
        _("Core metric"): METRICS[scenario.core],
        _("Auxiliary"): ", ".join(METRICS[each] for each in scenario.auxiliary),
        _("Targets"): escape(", ".join(targets)),
    }


def _show_chances(cards: Sequence[GuidanceCard]) -> None:
    reachable = [profile for profile in PROFILES if profile != BIAS]
    judged = {
        name: found
        for name, (_card, found) in zip(names_of_found(cards), cards_found(cards), strict=True)
        if is_judged(found)
    }
    chances = [
        {
            _("Run"): escape_name(name),
            **{say(one.status): f"{found.probability[one.cell]:.0%}" for one in reachable},
            plain(Text("{status}, by agreement", status=BIAS.status)): say(bias_in_words(found)),
        }
        for name, found in judged.items()
    ]
    if chances:
        st.caption(_("How likely each of its rows is the place of a run:"))
        st.table(pd.DataFrame(chances), border="horizontal")
    if any(found.bias is None for found in judged.values()):
        st.caption(say(undefined(NO_AGREEMENT)))


def names_of_found(cards: Sequence[GuidanceCard]) -> list[str]:
    """Name the runs that have guidance."""
    return [name for name, card in zip(run_names(cards), cards, strict=True) if card.found]


def _levels(profile: Profile) -> str:
    return ", ".join(
        f"{METRICS[dimension]} {plain(LEVEL_NAMES[level])}"
        for dimension, level in zip(DIMENSIONS, profile.cell, strict=True)
    )
