"""The runs between two axes, in a figure, in words and as a table."""

from __future__ import annotations

import streamlit as st

from charts.order import order
from charts.plane import CROSSES, plane
from kofn.leaderboard.lines import numbers_of_cards
from kofn.leaderboard.words import along_in_words
from kofn.run_columns import name_of_run as named_so
from kofn.trade_offs.analysis import TradeCard, front
from kofn.trade_offs.choices import TradeChoices
from kofn.trade_offs.columns import COLUMNS, TradeLine, remarks
from kofn.trade_offs.figures import axes, climbs, dots
from kofn.trade_offs.numbers import is_cost
from kofn.trade_offs.words import (
    BEATEN_BY_NONE,
    describe_order,
    describe_plane,
    names_of,
    order_words,
)
from metrics.data.words import Text, printable
from pages.results.trade_offs.choosing import TradeSheet
from pages.shared.choices import choose, tie_widget
from pages.shared.memory import session
from pages.shared.showing.charts import draw, pick
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, run_on, say


def show_trade(sheet: TradeSheet) -> None:
    """Draw the runs between both axes."""
    drawn = dots(sheet.cards, numbers_of_cards(sheet.cards, session.numbers()))
    if not drawn:
        return
    keys = [card.key for card in sheet.cards if card.found is not None]
    chosen = keys.index(sheet.choices.detail) if sheet.choices.detail in keys else None
    both = axes(sheet.cards)
    figure = plane(drawn, both, chosen, front=BEATEN_BY_NONE)
    shown = (sheet.view, sheet.choices, sheet.pricing, tuple(keys))
    caption = _explain(sum(dot.best for dot in drawn))
    described = describe_plane(drawn, both)
    picked = pick(figure, described, "trade-offs", (), "", *shown, caption=caption)
    if picked is not None and keys[picked] != sheet.choices.detail:
        choose(TradeChoices, detail=keys[picked])
        st.rerun()
    called, crossed = names_of(sheet.cards), None if chosen is None else keys[chosen]
    if len(drawn) > CROSSES:
        st.selectbox(
            _("Cross of"),
            keys,
            index=None,
            format_func=lambda key: printable(called[key]),
            placeholder=_("Click a run, or choose one"),
            width=330,
            **tie_widget(TradeChoices, "detail", crossed, lambda key: key or ""),
        )


def show_order(sheet: TradeSheet) -> None:
    """Draw the place of each run as k grows, and say who leads where and which passes which."""
    called, numbers = names_of(sheet.cards), session.numbers()
    for along in sheet.alongs:
        heading = Text("Places by {metric}", metric=along.metric)
        st.markdown(f"**{say(heading)}**")
        drawn = climbs(along, called, numbers)
        picked = sheet.choices.detail
        chosen = along.keys.index(picked) if picked in along.keys else None
        figure = order(drawn, along.k, chosen, words=order_words())
        caption = _(
            "A star: it is surely better than each other on the same questions. The pointer shows "
            "the places that a run may have; of the run clicked above they are drawn."
        )
        named = f"places-{along.metric}"
        draw(figure, describe_order(drawn, along.k, along.metric), named, caption)
        for text in along_in_words(along, called):
            st.markdown(say(text))


def _explain(best: int) -> str:
    sentences = [_("The crosses say how far the numbers may be off.")]
    if best > 1:
        sentences.append(
            _("The grey line joins the runs that no other beats on both, as measured.")
        )
    return run_on(sentences)


def list_trade(sheet: TradeSheet) -> None:
    """List both numbers of each run, the best first."""
    best, called = [card.key for card in front(sheet.cards)], names_of(sheet.cards)
    ordered = sorted(sheet.cards, key=lambda card: _rank(card, best))
    show_table(
        [named_so(called), *COLUMNS[1:]],
        [TradeLine(card, card.key in best) for card in ordered],
        _("Both numbers of each run"),
    )


def remarks_on(sheet: TradeSheet) -> dict[Text, list[str]]:
    """Return what must be known of these numbers, with the names of the runs it is of."""
    called = names_of(sheet.cards)
    known: dict[Text, list[str]] = {}
    for card in sheet.cards:
        sentences = [card.reason] if card.reason is not None else remarks(TradeLine(card, False))
        for text in dict.fromkeys(sentences):
            known.setdefault(text, []).append(called[card.key])
    return known


def _rank(card: TradeCard, best: list[str]) -> tuple[bool, float]:
    if card.found is None:
        return True, float("inf")
    value = card.found.y.value
    return card.key not in best, value if is_cost(card.settings.y) else -value
