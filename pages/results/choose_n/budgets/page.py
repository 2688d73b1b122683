"""Short answers or long ones for the same tokens, and how long one waits."""

import streamlit as st

from kofn.budgets.choices import BudgetChoices
from kofn.card import are_counted
from kofn.choices.focus import Focus
from pages.results.choose_n.budgets.choosing import choose_budgets, choose_one
from pages.results.choose_n.budgets.showing import (
    download_budgets,
    explain_budgets,
    list_budgets,
    list_rivals,
    show_budgets,
    show_one_budget,
)
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.translating import _

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
go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
