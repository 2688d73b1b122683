"""What to do with a model, by AISBench's scenarios and decision matrix."""

from functools import partial

import streamlit as st

from kofn.choices.focus import Focus
from kofn.guidance.analysis import Goals
from kofn.guidance.choices import InDetail
from kofn.guidance.command import GUIDANCE
from kofn.guidance.words import answer
from kofn.leaderboard.lines import cards_over_datasets
from pages.behaviour.guidance.showing import (
    guide_all,
    judged_runs,
    show_advice,
    show_one,
    show_places,
    show_targets,
    tell_unplaced,
)
from pages.behaviour.guidance.targets import choose_targets, explain_guidance
from pages.shared.controls.datasets import choose_suite
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import go_on, require_runs
from pages.shared.showing.answers import show_leaders
from pages.shared.showing.leaderboard import remembered_winner
from pages.shared.showing.parts import Part, show_parts
from pages.shared.showing.tables import take_away_found
from pages.shared.translating import _

st.title(_("Guidance"), anchor=False)
runs = require_runs(Focus, Goals, InDetail)
view = choose_view(runs, ("run", "k", "segment", "level", "missing"))
first = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    shown = choose_suite(runs, view)
    targets = choose_targets()
cards = guide_all(shown, view, targets)
with first:
    show_leaders(answer(cards, remembered_winner), shown)
cards = tuple(cards_over_datasets(cards)) or cards
show_places(cards)
tell_unplaced(cards)
parts: dict[str, Part] = {}
if judged_runs(cards):
    parts = {
        "advice": (_("What to do"), partial(show_advice, cards)),
        "targets": (_("Targets met"), partial(show_targets, cards)),
        "one": (_("One run in detail"), partial(show_one, cards)),
    }
meaning = _("What the metrics, scenarios and rows are")
parts["meaning"] = meaning, partial(explain_guidance, cards, targets)
show_parts(parts, partial(take_away_found, GUIDANCE, cards, "guidance-scenarios"))
if judged_runs(cards):
    go_on("pages/results/choose_n/page.py", _("Go on to the choice of n"))
