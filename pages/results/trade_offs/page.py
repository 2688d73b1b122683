"""Any metric or cost of every run against any other."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choose_n.pricing import Pricing
from kofn.trade_offs.choices import TradeChoices
from pages.results.trade_offs.choosing import ask_trade_costs, choose_trade
from pages.results.trade_offs.showing import download_trade, list_trade, show_order, show_trade
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.translating import _

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
go_on("pages/results/compare/page.py", _("Compare the runs"))
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
