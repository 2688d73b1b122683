"""What samples cost: what is counted, and a table of prices by model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from kofn.choose_n.price_list import AMOUNTS, Row, price_rows, with_rows
from kofn.choose_n.prices import spelling_of, with_basis
from kofn.choose_n.pricing import LARGEST, Basis, Pricing
from kofn.writing.columns import first_capital
from metrics.data.words import Text, plain, printable
from pages.shared.choices import choose, chosen, current_choices, options, tie_widget
from pages.shared.showing.folds import fold
from pages.shared.translating import _, say
from reports.run.report import Run

_ASKED = "kofn.prices.asked"
"""Keeps whether prices are asked for though there are none yet."""
_KEPT = "kofn.prices.kept"
"""Keeps prices while something else is counted."""
_FIRST = "kofn.prices.first"
"""Keeps what a table of prices began with, and how many there were before it."""
MONEY = "money"


def choose_costs(runs: Mapping[str, Run]) -> None:
    """Ask what is counted as cost: what the runs have, or money by prices."""
    pricing = with_basis(current_choices(Pricing), runs.values())
    counted = _countable(runs, pricing.basis)
    now = MONEY if _is_priced(pricing) and pricing.basis != "recorded" else pricing.basis
    names = counted | {MONEY: _("Money, by prices")}
    key = "kofn.Pricing.cost"
    st.session_state[key] = now

    def change() -> None:
        kind = st.session_state[key]
        st.session_state[_ASKED] = kind == MONEY
        if kind == MONEY:
            basis = "tokens" if pricing.basis == "recorded" else pricing.basis
            choose(Pricing, basis=basis, **st.session_state.get(_KEPT, {}))
            return
        if pricing.has_prices:
            fields = ("token_prices", "second_prices", "sample_prices")
            st.session_state[_KEPT] = {name: getattr(pricing, name) for name in fields}
        unpriced = dict.fromkeys(("token_prices", "second_prices", "sample_prices"), ())
        choose(Pricing, basis=kind, **unpriced)

    st.selectbox(_("Cost in"), **options(names), width=190, key=key, on_change=change)


def _countable(runs: Mapping[str, Run], now: Basis) -> dict[str, str]:
    """Return what can be counted of some runs, and what it is called."""
    columns = {name for run in runs.values() for name in run.columns}
    offered: dict[Basis, tuple[str, bool]] = {
        "tokens": (_("Tokens"), "tokens_out" in columns),
        "seconds": (_("Seconds"), "latency_s" in columns),
        "samples": (_("Samples"), True),
        "lengths": (_("Tokens, from the texts"), any(run.has_texts for run in runs.values())),
        "typed": (_("Tokens, as typed"), True),
        "recorded": (_("Costs in the file"), "cost" in columns),
    }
    return {basis: name for basis, (name, known) in offered.items() if known or basis == now}


def _is_priced(pricing: Pricing) -> bool:
    return pricing.has_prices or bool(st.session_state.get(_ASKED))


def _are_asked(pricing: Pricing) -> bool:
    return pricing.basis == "typed" or (pricing.basis != "recorded" and _is_priced(pricing))


def list_prices(runs: Mapping[str, Run]) -> None:
    """Show the table of prices, or of typed tokens, where one of them counts."""
    pricing = with_basis(current_choices(Pricing), runs.values())
    if not _are_asked(pricing):
        return
    asked = bool(st.session_state.get(_ASKED))
    fold(st.expander, _("Prices by model"), "prices", partial(_list, pricing, runs), opened=asked)


def _list(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choose_priced(pricing, runs)
        st.text_input(
            _("Currency"),
            placeholder=_("not said"),
            width=120,
            **tie_widget(Pricing, "currency", pricing.currency, str.strip),
        )
    _edit(pricing, list(dict.fromkeys(run.model for run in runs.values())))
    if not pricing.has_prices:
        _spell, unit = spelling_of(pricing)
        st.caption(say(Text("Nothing has a price yet, so costs are counted in {unit}.", unit=unit)))


def _choose_priced(pricing: Pricing, runs: Mapping[str, Run]) -> None:
    """Ask what has a price; that of another thing is dropped."""
    names = {basis: name for basis, name in _countable(runs, pricing.basis).items()}
    names.pop("recorded", None)
    key = "kofn.Pricing.priced"
    st.session_state[key] = pricing.basis

    def change() -> None:
        st.session_state[_ASKED] = True
        choose(Pricing, basis=st.session_state[key])

    st.selectbox(_("Price of"), **options(names), width=190, key=key, on_change=change)


def _edit(pricing: Pricing, models: list[str]) -> None:
    """Let the visitor type or paste prices, a row for each model."""
    first, key = _begun(pricing, models)
    asked = AMOUNTS[pricing.basis]
    heads = {each.key: first_capital(plain(each.label)) for each in asked}

    def change() -> None:
        rows = _changed(first, st.session_state[key]["edited_rows"])
        now = with_rows(chosen(Pricing).changed(basis=pricing.basis), models, rows)
        fields = {each.field: getattr(now, each.field) for each in asked}
        choose(Pricing, basis=pricing.basis, **fields)

    table = pd.DataFrame(first, columns=list(heads), dtype="Float64")
    table.insert(0, "model", [printable(model) for model in models])
    st.data_editor(
        table,
        hide_index=True,
        disabled=["model"],
        column_config={
            "model": st.column_config.TextColumn(_("Model")),
            **{
                name: st.column_config.NumberColumn(head, min_value=0.0, max_value=LARGEST)
                for name, head in heads.items()
            },
        },
        key=key,
        on_change=change,
        alt=_("Prices by model"),
    )
    st.caption(_("Type prices, or paste columns of a price list into the first cell."))


def _begun(pricing: Pricing, models: list[str]) -> tuple[list[Row], str]:
    """Return what the table began with, and its key; anew where prices came from elsewhere.

    A table keeps what is typed as changes of what it began with, which must stay for that.
    """
    about = pricing.basis, tuple(models)
    rows = price_rows(pricing, models)
    kept: Any = st.session_state.get(_FIRST)
    if kept is not None:
        subject, first, count = kept
        key = f"kofn.prices.{count}"
        edited = st.session_state.get(key, {}).get("edited_rows", {})
        if subject == about and _plain(_changed(first, edited)) == _plain(rows):
            return first, key
    count = 0 if kept is None else kept[2] + 1
    st.session_state[_FIRST] = about, rows, count
    return rows, f"kofn.prices.{count}"


def _changed(first: list[Row], edited: Mapping[Any, Mapping[str, Any]]) -> list[Row]:
    return [row | dict(edited.get(place, {})) for place, row in enumerate(first)]


def _plain(rows: list[Row]) -> list[Row]:
    return [{name: amount or None for name, amount in row.items()} for row in rows]


def ask_costs(runs: Mapping[str, Run]) -> None:
    """Ask what samples of these runs cost, and nothing else."""
    choose_costs(runs)
    pricing = with_basis(current_choices(Pricing), runs.values())
    if pricing.basis != "recorded":
        _list(pricing, runs)
