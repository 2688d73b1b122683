"""What candidates are worth: a chart, the numbers by k, and all runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from charts.best_of_n import best_of_n
from kofn.candidates.analysis import CandidateCard
from kofn.candidates.choices import CommandFurther
from kofn.candidates.columns import rows_by_k, run_columns, worth_columns
from kofn.candidates.command import CANDIDATES
from kofn.candidates.details import WholeCard
from kofn.candidates.figures import axis_title, courses
from kofn.candidates.words import CANDIDATES_AXIS, answer, describe_best_of_n, remarks
from kofn.card import are_counted
from kofn.choices.view import View
from kofn.questions.filters import QuestionFilter
from pages.results.choose_n.candidates.choosing import choose_picking, examine_candidates
from pages.results.choose_n.candidates.details import (
    show_lists,
    show_nested,
    show_rivals,
    show_trust,
)
from pages.results.choose_n.candidates.diversity import show_diversity
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.charts import draw
from pages.shared.showing.folds import fold
from pages.shared.showing.tables import show_table, take_away_later
from pages.shared.translating import _, say
from reports.run.report import Run


def show_best_of_n(runs: Mapping[str, Run], view: View) -> None:
    """Show what a signal gains that picks one of n samples, and what lies behind that."""
    container = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picking = choose_picking(runs)
        cards, card = examine_candidates(runs, view, picking)
    container.markdown(f"**{say(answer(cards, card.key))}**", width=900)
    if are_counted(cards):
        return
    _show_candidates(card)
    _list_candidates(card)
    show_nested(card)
    _list_pickers(cards)
    show_rivals(card)
    show_trust(card)
    show_lists(card)
    show_diversity(card)
    _explain_candidates()
    _download_candidates(card, runs)


def _show_candidates(card: CandidateCard) -> None:
    """Draw quality against the number of candidates, by who picks."""
    drawn = courses(card)
    if card.found is None or card.found.k == 1:
        return
    figure = best_of_n(drawn, axis_title(card), k_axis=CANDIDATES_AXIS)
    draw(figure, describe_best_of_n(drawn), f"candidates of {card.key}")


def _list_candidates(card: CandidateCard) -> None:
    """Show the numbers of the run by k, with what k candidates take."""
    if card.found is None or card.found.k == 1:
        return
    lines = rows_by_k(card.found)
    show_table(worth_columns(card.found), lines, _("What k candidates are worth, by who picks"))
    for text in dict.fromkeys(remarks(card.found)):
        st.caption(say(text))
    if card.found.signal is not None:
        chosen = QuestionFilter(a=card.key, kind="picked-wrong", signal=card.settings.signal)
        label = _("The questions that it loses though some sample is right")
        link_to_questions(label, chosen, card.view)


def _list_pickers(cards: Sequence[CandidateCard]) -> None:
    """Set every run beside the others, where there are several."""
    if len(cards) > 1:
        st.markdown(f"**{_('Every run')}**")
        show_table(run_columns(cards), cards, _("What picking gains for each run"))


def _download_candidates(card: CandidateCard, runs: Mapping[str, Run]) -> None:
    """Offer the numbers of runs at every k, picked as one of them is; they are made when wanted."""

    def found() -> Sequence[WholeCard]:
        return CANDIDATES.compute(runs, card.view, card.settings, CommandFurther())

    take_away_later(CANDIDATES, found, card.view, "candidates")


def _explain_candidates() -> None:
    """Say what each number is."""
    meanings = _(
        "- **An oracle** picks a right candidate where there is one: pass@k, the most that "
        "any way of picking can reach.\n"
        "- **The pick** is the candidate with the highest signal, exactly over all sets of "
        "k samples of a question; candidates with the same value share it.\n"
        "- **A majority vote** takes the most common answer, or more than half of the "
        "verdicts where answers are not known.\n"
        "- **One sample** is what a candidate is worth on average.\n\n"
        "Of what is possible: (pick − one sample) / (oracle − one sample). 0% says "
        "nothing, 100% is an oracle, less than 0% harms."
    )
    fold(st.expander, _("What each line is"), "lines", partial(st.markdown, meanings))
