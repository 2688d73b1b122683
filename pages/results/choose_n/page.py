"""Which model and which n to pay for."""

import streamlit as st

from kofn.choices.focus import Focus
from kofn.choices.runs import has_tokens
from kofn.choose_n.early.ending import Ending
from kofn.choose_n.pricing import Pricing
from pages.results.choose_n.choosing import (
    answer_choices,
    choose_samples,
    explain_choices,
    list_choices,
    list_lines,
    show_margins,
    show_tradeoff,
    tell_reasons,
    tell_remarks,
)
from pages.results.choose_n.early import show_early
from pages.shared.controls.datasets import choose_dataset
from pages.shared.controls.pricing import ask_pricing
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.translating import _

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
    go_on("pages/results/choose_n/budgets/page.py", _("Go on to budgets"))
go_on("pages/behaviour/guidance/page.py", _("Go on to guidance"))
