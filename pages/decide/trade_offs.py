"""Any metric or cost of every run against any other."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choose_n.pricing import Pricing
from kofn.trade_offs.choices import TradeChoices
from pages.widgets import (
    _,
    ask_trade_costs,
    choose_trade,
    choose_view,
    download_trade,
    explain_intervals,
    go_on,
    list_trade,
    require_runs,
    show_order,
    show_trade,
)

st.title(_("Trade-offs"), anchor=False)
runs = require_runs(Focus, TradeChoices, Pricing)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
trade = choose_trade(runs, view)
show_trade(trade)
list_trade(trade)
show_order(trade)
ask_trade_costs(trade)
explain_intervals(view, runs)
download_trade(trade)
go_on("pages/decide/compare.py", _("Compare the runs"))
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
