"""Ordered runs of the dataset, such as checkpoints, and what surely changed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from charts.series import series
from kofn.card import Card, attempt
from kofn.run_columns import name_of_run
from kofn.series.analysis import Followed, SeriesCard, orders_of
from kofn.series.choices import Against, SeriesChoices
from kofn.series.columns import COLUMNS
from kofn.series.command import SERIES
from kofn.series.figures import reference, stops, titles
from kofn.series.words import adjustment, answer_of, describe_series
from metrics.data.words import Text, printable
from pages.results.compare.choosing import CompareSheet
from pages.results.compare.data import follow_once
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.showing.charts import draw
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table, take_away
from pages.shared.translating import _, say
from reports.run.ordering import Order


def series_of(sheet: CompareSheet) -> dict[str, Part]:
    """Return the metric along runs that names, settings or times put in an order, as a part."""
    choices = current_choices(SeriesChoices)
    orders, reason = attempt(orders_of, sheet.runs, choices.along)
    if not orders and not choices.along:
        return {}
    orders = orders or orders_of(sheet.runs)
    label = _("Along the series")
    return {"series": (label, lambda: _show(sheet, choices, orders, reason))}


def _show(
    sheet: CompareSheet,
    choices: SeriesChoices,
    orders: tuple[Order, ...],
    reason: Text | None,
) -> None:
    container = st.container()
    if reason is not None:
        st.info(say(reason))
    if not orders:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = _choose_order(orders)
        _choose_reference(choices.against)
    with st.spinner(_("Comparing"), show_time=True):
        found, reason = follow_once(sheet.runs, order, sheet.view, choices.against)
    with container:
        if reason is not None:
            st.info(say(reason))
        if found is not None:
            st.markdown(say(answer_of(found)))
    if found is not None:
        drawn = stops(found)
        figure = series(drawn, titles(found), reference(found))
        caption = _("Filled points surely differ from what they are set against.")
        draw(figure, describe_series(drawn), "series", caption)
        settings = SeriesChoices(found.order.along, found.against)
        cards = [
            Card(key, sheet.runs[key], sheet.view, settings, found) for key in found.order.keys
        ]
        _list(found, cards)
        take_away(SERIES, cards, "series")


def _choose_order(orders: tuple[Order, ...]) -> Order:
    if len(orders) == 1:
        return orders[0]

    def named(place: int) -> str:
        order = orders[place]
        return printable(f"{order.along}: {order.keys[0]} … {order.keys[-1]}")

    place = st.selectbox(
        _("Series"), range(len(orders)), format_func=named, width=360, key="kofn.series.order"
    )
    return orders[place]


def _choose_reference(chosen: Against) -> None:
    names = {"first": _("the first"), "previous": _("the one before"), "best": _("the best")}
    st.selectbox(
        _("Each set against"),
        **options(names),
        width=180,
        **tie_widget(SeriesChoices, "against", chosen),
    )


def _list(found: Followed, cards: Sequence[SeriesCard]) -> None:
    show_table([name_of_run(found.names), *COLUMNS[1:]], cards, _("The runs along the series"))
    st.caption(say(adjustment(found)))
    left_out = len(found.order.left_out)
    if left_out:
        sentence = Text(
            "{count} run has no place in this order.",
            "{count} runs have no place in this order.",
            count=left_out,
        )
        st.caption(say(sentence))
