"""Short answers or long ones for the same tokens, and how long one waits."""

import streamlit as st

from kofn.budgets.choices import BudgetChoices
from kofn.card import are_counted
from kofn.choices.focus import Focus
from pages.widgets import (
    _,
    choose_budgets,
    choose_one,
    choose_view,
    download_budgets,
    explain_budgets,
    explain_intervals,
    go_on,
    list_budgets,
    list_rivals,
    require_runs,
    show_budgets,
    show_one_budget,
)

st.title(_("Budgets"), anchor=False)
runs = require_runs(Focus, BudgetChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
sheet = choose_budgets(runs, view)
if not are_counted(sheet.cards):
    show_budgets(sheet)
    list_rivals(sheet)
    list_budgets(sheet)
    show_one_budget(choose_one(sheet))
    explain_budgets()
    explain_intervals(view, runs)
    download_budgets(sheet)
go_on("pages/decide/choose_n.py", _("Go on to the choice of n"))
