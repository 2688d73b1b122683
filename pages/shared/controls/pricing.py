"""Three questions before n is chosen: who picks an answer, what is paid, and what the aim is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from kofn.choices.signals import LOWEST, made_to_pick, signal_name, signals_of
from kofn.choose_n.prices import spelling_of, with_basis
from kofn.choose_n.pricing import LARGEST, SMALLEST, Pricing
from metrics.data.words import Text, plain
from pages.shared.choices import choose, current_choices, options, tie_widget
from pages.shared.controls.prices import choose_costs
from pages.shared.showing.folds import fold
from pages.shared.translating import _, say
from reports.run.report import Run

OFFERED = 3
"""The most signals that stand beside a check and a vote."""


def ask_pricing(runs: Mapping[str, Run]) -> Pricing:
    """Ask who chooses an answer, what is paid for these runs, and what the aim is."""
    pricing = current_choices(Pricing)
    _choose_way(pricing, runs)
    choose_costs(runs)
    label = plain(Text("Aim or budget: {aim}", aim=_aim_in_words(pricing, runs)))
    fold(st.popover, label, "aim", partial(_choose_aim, pricing, runs))
    return pricing


def _choose_way(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    """Ask who says which of n answers counts; signals are offered where there are any."""
    signals = _signals(pricing, runs)
    names = {"check": _("checked"), "vote": _("voted")} | {
        f"by {signal}": plain(Text("picked by {signal}", signal=_spelled(signal, runs)))
        for signal in signals
    }
    now = "check" if pricing.verifier else "vote"
    if pricing.picked_by:
        now = f"by {pricing.picked_by}"
    key = "kofn.Pricing.way"
    st.session_state[key] = now

    def change() -> None:
        way = st.session_state[key]
        picked = way.removeprefix("by ") if way.startswith("by ") else ""
        choose(Pricing, verifier=way != "vote", picked_by=picked)

    st.segmented_control(
        _("How is the answer chosen?"),
        **options(names),
        required=True,
        help=_(
            "Checked: tests, a proof or a known answer tell a right one, and sampling stops at it. "
            "Voted: the most common of n answers. Picked: the one with the highest signal."
        ),
        key=key,
        on_change=change,
    )


def _signals(pricing: Pricing, runs: Mapping[str, Run]) -> list[str]:
    """Return the signals to offer: those that are there to pick, and the chosen one."""
    names = dict.fromkeys(name for run in runs.values() for name in made_to_pick(run))
    chosen = [pricing.picked_by] if pricing.picked_by else []
    return list(dict.fromkeys([*list(names)[:OFFERED], *chosen]))


def _spelled(signal: str, runs: Mapping[str, Run]) -> Text:
    names = {name for run in runs.values() for name in signals_of(run)}
    lowest = signal not in names and signal.startswith(LOWEST)
    return signal_name(signal, signal.removeprefix(LOWEST) if lowest else signal)


def _aim_in_words(pricing: Pricing, runs: Mapping[str, Run]) -> str:
    """Name the aim in a few words."""
    amount, _unit = spelling_of(with_basis(pricing, runs.values()))
    if pricing.value is not None:
        return plain(Text("worth {amount}", amount=amount(pricing.value)))
    if pricing.budget is not None:
        return plain(Text("at most {amount}", amount=amount(pricing.budget)))
    if pricing.total is not None:
        return plain(Text("at most {amount} in all", amount=amount(pricing.total)))
    if pricing.quality is not None:
        return plain(Text("{percent:.6g}% solved", percent=_hundredfold(pricing.quality)))
    return plain(Text("{percent:.6g}% of the best", percent=_hundredfold(pricing.reach)))


def _choose_aim(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    """Ask for one aim; what is given above another goes before it."""
    _spell, unit = spelling_of(with_basis(pricing, runs.values()))
    limits: dict[str, Any] = {"min_value": 0.0, "max_value": LARGEST, "format": "%.6g"}
    st.number_input(
        say(Text("A solved question is worth, in {unit}", unit=unit)),
        value=None,
        placeholder=_("not given"),
        help=_(
            "Samples are added as long as an additional question solved costs no more than that."
        ),
        **limits,
        **tie_widget(Pricing, "value", pricing.value, _above_nothing),
    )
    given = pricing.value is not None
    st.number_input(
        say(Text("Or pay at most, a question, in {unit}", unit=unit)),
        value=None,
        placeholder=_("no budget"),
        help=_("What a question may cost on average."),
        disabled=given,
        **limits,
        **tie_widget(Pricing, "budget", pricing.budget, _above_nothing),
    )
    given = given or pricing.budget is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            say(Text("Or for all questions, in {unit}", unit=unit)),
            value=None,
            placeholder=_("no budget"),
            disabled=given,
            width=220,
            **limits,
            **tie_widget(Pricing, "total", pricing.total, _above_nothing),
        )
        st.number_input(
            _("Questions"),
            value=None,
            placeholder=_("these"),
            help=_("How many they are, such as those of a month. By default, those of the data."),
            min_value=1,
            max_value=int(LARGEST),
            width=140,
            **tie_widget(Pricing, "questions", pricing.questions),
        )
    given = given or pricing.total is not None
    percents: dict[str, Any] = {"max_value": 100.0, "step": 1.0, "format": "%.4g"}
    st.number_input(
        _("Or solve at least, in percent"),
        value=None,
        placeholder=_("not given"),
        min_value=0.0,
        disabled=given,
        **percents,
        **tie_widget(Pricing, "quality", _hundredfold(pricing.quality), _share_or_none),
    )
    st.number_input(
        _("Or reach, in percent of the best"),
        min_value=1.0,
        help=_("Of the most that any run here solves with its samples."),
        disabled=given or pricing.quality is not None,
        **percents,
        **tie_widget(Pricing, "reach", 100 * pricing.reach, lambda shown: round(shown / 100, 6)),
    )


def _hundredfold(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 4)


def _share_or_none(shown: float | None) -> float | None:
    return None if shown is None or shown < 1 else round(shown / 100, 6)


def _above_nothing(amount: float | None) -> float | None:
    return amount if amount is not None and amount >= SMALLEST else None
