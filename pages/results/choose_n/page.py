"""How many tries, with which model, and how to choose one of the answers."""

from functools import partial

import streamlit as st

from kofn.budgets.choices import BudgetChoices
from kofn.candidates.choices import Picking
from kofn.choices.focus import Focus
from kofn.choose_n.command import CHOOSE_N
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending
from kofn.leaderboard.lines import first_group, runs_averaged
from pages.results.choose_n.choosing import answer_choices, choose_samples
from pages.results.choose_n.details import detail_parts
from pages.results.choose_n.showing import remarks_on, show_tradeoff
from pages.shared.controls.datasets import choose_suite
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.prices import list_prices
from pages.shared.controls.pricing import ask_pricing
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.parts import show_parts
from pages.shared.showing.tables import take_away
from pages.shared.translating import _

st.title(_("Choose n"), anchor=False)
runs = require_runs(Focus, Pricing, Ending, Picking, BudgetChoices)
view = choose_view(runs, ("run", "segment", "level", "missing"))
first = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    shown = choose_suite(runs, view)
    pricing = ask_pricing(runs_averaged(shown))
list_prices(runs_averaged(shown))
chosen = choose_samples(shown, view, pricing)
opened = first_group(chosen)
with first:
    answer_choices(opened, chosen)
show_tradeoff(opened)
show_parts(
    detail_parts(opened, shown, view, pricing),
    partial(take_away, CHOOSE_N, opened, "choice of n"),
    partial(tell_notes, view, shown, remarks_on(opened), [one.key for one in opened]),
)
go_on("pages/behaviour/guidance/page.py", _("Go on to guidance"))
