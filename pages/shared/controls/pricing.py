"""Three questions before n is chosen: what the aim is, what samples cost, who checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from kofn.choices.signals import LOWEST, called, default_signal, signals_of
from kofn.choose_n.pricing import LARGEST, SMALLEST, Basis, PerModel, Pricing
from metrics.data.words import Text
from pages.shared.choices import choose, chosen, current, tied
from pages.shared.controls.ending import choose_ending
from pages.shared.translating import _, escape_name, plain, say
from reports.run.report import Run

_PRICES: Mapping[Basis, tuple[str, int]] = {
    "samples": ("sample_prices", 1),
    "tokens": ("token_prices", 2),
    "lengths": ("token_prices", 2),
    "typed": ("token_prices", 2),
    "seconds": ("second_prices", 1),
}
"""The field of the prices that belong to a basis, and how many there are of a model."""


def ask_pricing(runs: Mapping[str, Run]) -> Pricing:
    """Ask for the aim, for what a sample of these runs costs, and who checks; closed at first."""
    pricing = current(Pricing)
    models = list(dict.fromkeys(run.model for run in runs.values()))
    with st.expander(_("Aim, prices and how answers are checked")):
        aim, cost, check = st.columns(3, gap="medium")
        with aim:
            st.markdown(f"**{_('What is the aim?')}**")
            _choose_aim(pricing)
        with cost:
            st.markdown(f"**{_('What does a sample cost?')}**")
            _choose_basis(pricing, runs)
            _choose_prices(pricing, models)
        with check:
            st.markdown(f"**{_('Can answers be checked automatically?')}**")
            _choose_check(pricing, runs)
    return pricing


def _choose_basis(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    columns = {name for run in runs.values() for name in run.columns}
    offered: dict[Basis, tuple[str, bool]] = {
        "samples": (_("Count samples"), True),
        "tokens": (_("Tokens, as measured"), "tokens_out" in columns),
        "lengths": (_("Tokens, from the texts"), any(run.has_texts for run in runs.values())),
        "typed": (_("Tokens, typed means"), True),
        "seconds": (_("Seconds, as measured"), "latency_s" in columns),
        "recorded": (_("Costs in the file"), "cost" in columns),
    }
    st.selectbox(
        _("Costs rest on"),
        [basis for basis, (_name, known) in offered.items() if known or basis == pricing.basis],
        format_func=lambda basis: offered[basis][0],
        **tied(Pricing, "basis", pricing.basis),
    )


def _choose_aim(pricing: Pricing) -> None:
    """Ask for one aim; what is given above another goes before it."""
    unit = _unit(pricing)
    limits: dict[str, Any] = {"min_value": 0.0, "max_value": LARGEST, "format": "%.6g"}
    st.number_input(
        say(Text("A solved question is worth, in {unit}", unit=unit)),
        placeholder=_("not given"),
        help=_("Samples are added as long as a further solved question costs no more than that."),
        **limits,
        **tied(Pricing, "value", pricing.value, _above_nothing),
    )
    given = pricing.value is not None
    st.number_input(
        say(Text("Or pay at most, a question, in {unit}", unit=unit)),
        placeholder=_("no budget"),
        help=_("What a question may cost on average."),
        disabled=given,
        **limits,
        **tied(Pricing, "budget", pricing.budget, _above_nothing),
    )
    given = given or pricing.budget is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            say(Text("Or for all questions, in {unit}", unit=unit)),
            placeholder=_("no budget"),
            disabled=given,
            width=220,
            **limits,
            **tied(Pricing, "total", pricing.total, _above_nothing),
        )
        st.number_input(
            _("Questions"),
            placeholder=_("these"),
            help=_("How many they are, such as those of a month. By default, those of the data."),
            min_value=1,
            max_value=int(LARGEST),
            width=140,
            **tied(Pricing, "questions", pricing.questions),
        )
    given = given or pricing.total is not None
    percents: dict[str, Any] = {"max_value": 100.0, "step": 1.0, "format": "%.4g"}
    st.number_input(
        _("Or solve at least, in percent"),
        placeholder=_("not given"),
        min_value=0.0,
        disabled=given,
        **percents,
        **tied(Pricing, "quality", _hundredfold(pricing.quality), _share_or_none),
    )
    st.number_input(
        _("Or reach, in percent of the best"),
        min_value=1.0,
        help=_("Of the most that any run here solves with its samples."),
        disabled=given or pricing.quality is not None,
        **percents,
        **tied(Pricing, "reach", 100 * pricing.reach, lambda shown: round(shown / 100, 6)),
    )


def _hundredfold(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 4)


def _share_or_none(shown: float | None) -> float | None:
    return None if shown is None or shown < 1 else round(shown / 100, 6)


def _above_nothing(amount: float | None) -> float | None:
    return amount if amount is not None and amount >= SMALLEST else None


def _unit(pricing: Pricing) -> Text:
    field, _count = _PRICES.get(pricing.basis, ("", 0))
    if not field or getattr(pricing, field):
        return Text("your currency")
    if pricing.basis == "samples":
        return Text("samples")
    return Text("seconds") if pricing.basis == "seconds" else Text("tokens")


def _choose_check(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    """Ask who says which of n answers counts; signals are offered where there are any."""
    names = list(dict.fromkeys(name for run in runs.values() for name in signals_of(run)))
    first = next(filter(None, map(default_signal, runs.values())), next(iter(names), ""))
    kinds = {
        "check": (
            _("Yes"),
            _("Tests, a proof, a known answer: sampling stops at the first right one."),
        ),
        "vote": (
            _("No, they vote"),
            _("All n samples vote, since nobody could tell which one is right."),
        ),
        "pick": (
            _("No, a signal picks"),
            _("The best of n by a reward model, a judge or a log-probability."),
        ),
    }
    now = "pick" if pricing.picked_by else "check" if pricing.verifier else "vote"
    offered = [kind for kind in kinds if kind != "pick" or names or now == "pick"]
    key = "kofn.Pricing.check"
    st.session_state[key] = now

    def change() -> None:
        kind = st.session_state[key]
        choose(Pricing, verifier=kind != "vote", picked_by=first if kind == "pick" else "")

    st.radio(
        _("Can answers be checked automatically?"),
        offered,
        format_func=lambda kind: kinds[kind][0],
        captions=[kinds[kind][1] for kind in offered],
        label_visibility="collapsed",
        key=key,
        on_change=change,
    )
    if now == "vote" and any(run.answers is not None for run in runs.values()):
        choose_ending()
    if now == "pick":
        signals = [*names, *(f"{LOWEST}{name}" for name in names)]
        st.selectbox(
            _("Signal"),
            list(dict.fromkeys([*signals, pricing.picked_by])),
            format_func=lambda signal: _spelled(signal, names),
            **tied(Pricing, "picked_by", pricing.picked_by),
        )


def _spelled(signal: str, names: Sequence[str]) -> str:
    lowest = signal not in names and signal.startswith(LOWEST)
    return plain(called(signal, signal.removeprefix(LOWEST) if lowest else signal))


def _choose_prices(pricing: Pricing, models: list[str]) -> None:
    """Ask for the prices of each model, a line a model."""
    asked: list[tuple[str, str, int, int]] = []
    if pricing.basis == "typed":
        asked += [
            (_("Mean tokens in"), "typed_tokens", 0, 2),
            (_("Mean tokens out"), "typed_tokens", 1, 2),
        ]
    if pricing.basis in _PRICES:
        field, count = _PRICES[pricing.basis]
        labels = {
            "sample_prices": [_("Price of a sample")],
            "second_prices": [_("Price of a second")],
            "token_prices": [_("Price of 1M tokens in"), _("Price of 1M tokens out")],
        }[field]
        asked += [(label, field, place, count) for place, label in enumerate(labels)]
    if not asked:
        return
    for model in models:
        if len(models) > 1:
            st.markdown(escape_name(model))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for label, field, place, count in asked:
                st.number_input(
                    label,
                    min_value=0.0,
                    max_value=LARGEST,
                    format="%.6g",
                    placeholder=_("none"),
                    width=190,
                    **_tied_amount(pricing, field, model, place, count),
                )


def _tied_amount(
    pricing: Pricing, field: str, model: str, place: int, count: int
) -> dict[str, Any]:
    """Tie a widget to one of the amounts of one model."""
    key = f"kofn.Pricing.{field}.{place}.{model}"
    known = _amounts(getattr(pricing, field), field, model, count)
    st.session_state[key] = known[place] or None

    def change() -> None:
        entries: PerModel = getattr(chosen(Pricing), field)
        amounts = list(_amounts(entries, field, model, count))
        amounts[place] = st.session_state[key] or 0.0
        changed = {**dict(entries), model: tuple(amounts)}
        kept = tuple((name, each) for name, each in changed.items() if sum(each) > 0)
        choose(Pricing, **{field: kept})

    return {"key": key, "on_change": change}


def _amounts(entries: PerModel, field: str, model: str, count: int) -> tuple[float, ...]:
    """Return the amounts of a model; of two a single one is both prices, or the tokens out."""
    found = dict(entries).get(model, dict(entries).get("", ()))
    missing = count - len(found)
    if not found:
        return (0.0,) * count
    return ((0.0,) * missing if field == "typed_tokens" else found * missing) + found


def ask_costs(runs: Mapping[str, Run]) -> None:
    """Ask what samples of these runs cost, and nothing else."""
    pricing = current(Pricing)
    _choose_basis(pricing, runs)
    _choose_prices(pricing, list(dict.fromkeys(run.model for run in runs.values())))
