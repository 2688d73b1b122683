"""Votes that end early, compared with votes of all samples in a chart and a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from charts.tradeoff import tradeoff
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.columns import rule_columns, rules
from kofn.choose_n.figures import votes
from kofn.choose_n.sequential_stopping import MOST, Ending
from kofn.choose_n.words import (
    BEST_FOR_COST,
    RULES,
    describe_sequential,
    orders_in_words,
    why_none_ends_early,
)
from metrics.data.words import Text, plain
from pages.shared.choices import current_choices, options, tie_widget
from pages.shared.showing.charts import draw
from pages.shared.showing.remarks import tell_counted
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, say


def show_sequential(chosen: Sequence[ChoiceCard]) -> None:
    """Draw and list what votes take that end early, beside votes of all samples."""
    _choose_ending()
    one = next((one for one in chosen if one.found and one.found.sequential[0]), None)
    if one is None or one.found is None:
        for sentence in filter(
            None, (why_none_ends_early(each.found.sequential) for each in chosen if each.found)
        ):
            st.markdown(say(sentence))
        tell_counted(Text("Votes that end early"), {each.key: each.run for each in chosen})
        return
    choice, priced, (sequential, _why) = one.found.choice, one.found.priced, one.found.sequential
    assert sequential is not None
    axes = (
        Text("Cost of a question on average, in {unit}", unit=priced.unit),
        Text("Answered right, in percent"),
    )
    figure = tradeoff(votes(sequential, choice, priced), [], axes, None, best=BEST_FOR_COST)
    caption = Text(
        "Each point is a maximum number of samples for a vote; diamonds are votes of up to "
        "{cap}. A rule pays where its line lies left of the line of full votes.",
        cap=sequential.cap,
    )
    draw(figure, describe_sequential(sequential), "votes that end early", say(caption))
    show_table(rule_columns(priced), rules(one), _("What each rule takes and saves"))
    for drawn_at_random in orders_in_words(sequential):
        st.caption(say(drawn_at_random))


def _choose_ending() -> None:
    """Ask when a vote ends before all of its samples are drawn."""
    ending = current_choices(Ending)
    named = {"best": _("By the rule that pays most")} | {
        name: plain(called) for name, called in RULES.items()
    }
    st.selectbox(
        _("Votes may end early"), **options(named), **tie_widget(Ending, "rule", ending.rule)
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            _("Leader likely, in percent"),
            min_value=50.0,
            max_value=99.99,
            format="%.4g",
            width=190,
            help=_("Adaptive-Consistency: how likely the leader must be to stay ahead."),
            **tie_widget(
                Ending, "confidence", 100 * ending.confidence, lambda shown: round(shown / 100, 6)
            ),
        )
        st.number_input(
            _("Equal answers in a row"),
            min_value=2,
            max_value=MOST,
            width=190,
            help=_("Early-stopping self-consistency: the width of its windows."),
            **tie_widget(Ending, "window", ending.window),
        )
        st.number_input(
            _("Most samples"),
            min_value=1,
            max_value=MOST,
            value=None,
            placeholder=_("the n to use"),
            width=190,
            **tie_widget(Ending, "cap", ending.cap),
        )
