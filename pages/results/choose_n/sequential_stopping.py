"""Votes that end early, compared with votes of all samples in a chart and a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from charts.tradeoff import tradeoff
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.columns import rule_columns, rules
from kofn.choose_n.figures import votes
from kofn.choose_n.words import BEST_FOR_COST, describe_sequential, in_orders, not_told
from metrics.data.words import Text
from pages.shared.controls.ending import choose_ending
from pages.shared.showing.charts import draw
from pages.shared.showing.remarks import tell_counted
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, plain, say


def show_sequential(chosen: Sequence[ChoiceCard]) -> None:
    """Draw and list what votes take that end early, beside votes of all samples."""
    choose_ending()
    one = next((one for one in chosen if one.found and one.found.sequential[0]), None)
    if one is None or one.found is None:
        for said in filter(
            None, (not_told(each.found.sequential) for each in chosen if each.found)
        ):
            st.markdown(say(said))
        tell_counted(Text("Votes that end early"), {each.key: each.run for each in chosen})
        return
    choice, priced, (sequential, _why) = one.found.choice, one.found.priced, one.found.sequential
    assert sequential is not None
    axes = (
        Text("Cost of a question on average, in {unit}", unit=priced.unit),
        Text("Answered right, in percent"),
    )
    figure = tradeoff(
        votes(sequential, choice, priced, plain), [], axes, None, plain, best=BEST_FOR_COST
    )
    told = Text(
        "Each point is a maximum number of samples for a vote; diamonds are votes of up to "
        "{cap}. A rule pays where its line lies left of the line of full votes.",
        cap=sequential.cap,
    )
    draw(figure, describe_sequential(sequential), "votes that end early", say(told))
    show_table(rule_columns(priced), rules(one), _("What each rule takes and saves"))
    for drawn_at_random in in_orders(sequential):
        st.caption(say(drawn_at_random))
