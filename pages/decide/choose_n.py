"""Which model and which n to pay for."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choices.runs import has_tokens
from kofn.choose_n.early.ending import Ending
from kofn.choose_n.pricing import Pricing
from pages.widgets import (
    _,
    answer_choices,
    ask_pricing,
    choose_dataset,
    choose_samples,
    choose_view,
    explain_choices,
    go_on,
    list_choices,
    list_lines,
    require_runs,
    show_early,
    show_margins,
    show_tradeoff,
    tell_reasons,
    tell_remarks,
)

st.title(_("Choose n"), anchor=False)
runs = require_runs(Focus, Pricing, Ending)
view = choose_view(runs, ("run", "segment", "level", "missing"))
first = st.container()
shown = choose_dataset(runs, view, most=None)
pricing = ask_pricing(shown)
chosen = choose_samples(shown, view, pricing)
with first:
    answer_choices(chosen)
    tell_reasons(chosen)
if any(one.found for one in chosen):
    show_tradeoff(chosen)
    list_lines(chosen)
    tell_remarks(chosen)
    show_early(chosen)
    show_margins(chosen, pricing)
    list_choices(chosen)
    explain_choices(chosen)
if any(map(has_tokens, shown.values())):
    go_on("pages/decide/budgets.py", _("Go on to budgets"))
go_on("pages/decide/guidance.py", _("Go on to guidance"))
