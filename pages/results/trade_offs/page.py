"""Any metric or cost of every run against any other."""

from functools import partial

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choose_n.pricing import Pricing
from kofn.trade_offs.choices import TradeChoices
from kofn.trade_offs.command import TRADE_OFFS
from kofn.trade_offs.words import names_of
from pages.results.trade_offs.choosing import choose_trade, costs_of
from pages.results.trade_offs.showing import (
    list_trade,
    remarks_on,
    show_order,
    show_trade,
)
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.parts import Part, show_parts
from pages.shared.showing.tables import take_away
from pages.shared.translating import _

st.title(_("Trade-offs"), anchor=False)
runs = require_runs(Focus, TradeChoices, Pricing)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
trade = choose_trade(runs, view)
show_trade(trade)
parts: dict[str, Part] = {"table": (_("Each run"), partial(list_trade, trade))}
if trade.alongs:
    parts["places"] = _("Places as k grows"), partial(show_order, trade)
show_parts(
    parts | costs_of(trade),
    partial(take_away, TRADE_OFFS, trade.cards, "trade-offs"),
    partial(tell_notes, view, runs, remarks_on(trade), list(names_of(trade.cards).values())),
)
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
