"""What it takes to show more: questions against samples, for a difference, a width and a budget."""

from __future__ import annotations

from typing import Any

import streamlit as st

from charts.contours import contours
from kofn.card import Card
from kofn.plan.choices import LARGEST, PlanChoices
from kofn.plan.columns import columns_of, lines_to_read
from kofn.plan.command import PLAN
from kofn.plan.figures import drawn
from kofn.plan.words import answer_of, contours_words, describe_contours
from pages.results.compare.choosing import CompareSheet
from pages.results.compare.data import plan_once
from pages.shared.choices import current_choices, tie_widget
from pages.shared.showing.charts import draw
from pages.shared.showing.tables import show_table, take_away
from pages.shared.translating import _, say


def show_plan(sheet: CompareSheet) -> None:
    """Say what these questions show and what more takes."""
    assert sheet.contest.base is not None
    goals = current_choices(PlanChoices)
    room = st.container()
    _choose_goals(goals)
    other = None if sheet.pair is None else sheet.pair.other
    with st.spinner(_("Planning"), show_time=True):
        found, reason = plan_once(sheet.contest, sheet.runs, other, sheet.view, goals)
    key = other or sheet.contest.base
    card = Card(key, sheet.runs[key], sheet.view, goals, found, reason)
    room.markdown(say(answer_of(card)))
    if found is None:
        return
    shown = drawn(found, goals)
    draw(contours(*shown, words=contours_words()), describe_contours(*shown), "compare.plan")
    show_table(columns_of(card), lines_to_read(card), _("Questions and samples"))
    take_away(PLAN, [card], "plan")


def _choose_goals(goals: PlanChoices) -> None:
    """Ask for the goals, and for what questions and samples cost."""
    points: dict[str, Any] = {"min_value": 0.0, "format": "%.4g", "width": 150}
    costs: dict[str, Any] = points | {"max_value": LARGEST}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            _("Difference, in points"),
            value=None,
            placeholder=_("round ones"),
            max_value=99.0,
            **points,
            **tie_widget(PlanChoices, "difference", _hundredfold(goals.difference), _fraction),
        )
        st.number_input(
            _("Interval, in points wide"),
            value=None,
            placeholder=_("not given"),
            max_value=199.0,
            **points,
            **tie_widget(PlanChoices, "width", _hundredfold(goals.width), _fraction),
        )
        st.number_input(
            _("Bill"),
            value=None,
            placeholder=_("not given"),
            help=_("What questions and samples of both runs may cost together."),
            **costs,
            **tie_widget(PlanChoices, "total", goals.total, _above_nothing),
        )
        st.number_input(
            _("Cost of a question"),
            **costs,
            **tie_widget(PlanChoices, "question", goals.question),
        )
        st.number_input(
            _("Cost of a sample"),
            **costs,
            **tie_widget(PlanChoices, "sample", goals.sample, lambda shown: shown or 1.0),
        )


def _hundredfold(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 6)


def _fraction(shown: float | None) -> float | None:
    return round(shown / 100, 6) if shown else None


def _above_nothing(shown: float | None) -> float | None:
    return shown or None
