"""Which model to use, over all datasets or on one: who wins by what, and what is wrong."""

from functools import partial

import streamlit as st

from kofn.card import runs_of
from kofn.choices.focus import Focus
from kofn.overview.analysis import ended_runs
from kofn.overview.choices import BoardChoices
from kofn.overview.words import scope, who_leads
from kofn.scorecard.choices import ScoreChoices
from pages.results.overview.board import meaning_of, show_board, take_away_board
from pages.results.overview.data import find_best_with_checks, find_wins_once, summarize_all
from pages.results.overview.datasets import dataset_parts, show_wins, tell_scope
from pages.results.overview.details import marks
from pages.results.overview.report_download import offer_report
from pages.shared.controls.datasets import choose_datasets
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs, tell_waiting
from pages.shared.showing.answers import show_answer
from pages.shared.showing.finish_reasons import states_of
from pages.shared.showing.matching import check_questions
from pages.shared.showing.parts import show_parts
from pages.shared.translating import _

st.title(_("Overview"), anchor=False)
runs = require_runs(Focus, BoardChoices, ScoreChoices)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"), warn=False)
first = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    shown = choose_datasets(runs, view)
cards = summarize_all(shown, view)
with first:
    show_answer(who_leads(cards, find_best_with_checks(shown, view)), runs_of(cards))
    tell_scope(scope(cards), cards)
    check_questions()
    tell_waiting()
    show_wins(find_wins_once(shown, view))
sheet = show_board(shown, cards, view, controls)
show_parts(
    dataset_parts(cards, view) | states_of(list(ended_runs(cards))) | meaning_of(sheet),
    partial(offer_report, view),
    partial(take_away_board, sheet, cards, view),
    partial(tell_notes, view, shown, marks(cards), list(shown)),
)
