"""Ways to get one answer out of the same samples, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard, joint_choice
from kofn.choose_n.answer_ways import AskedWay, mean_ways, ways_of
from kofn.choose_n.columns import WAYS
from kofn.choose_n.prices import with_basis
from kofn.choose_n.words import ways_in_words
from kofn.writing.estimates import NA
from metrics.data.words import Text, printable
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.remarks import tell_counted
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, say
from reports.run.report import Run


def show_ways(chosen: Sequence[ChoiceCard], runs: Mapping[str, Run], view: View) -> None:
    """Set ways to get one answer side by side, of the run to take or another."""
    joint = joint_choice(chosen)
    cards = {card.key: card for card in chosen if card.found is not None}
    first = joint.cards[joint.chosen].key if joint.chosen else next(iter(cards))
    key = first
    if len(cards) > 1:
        key = st.selectbox(
            _("Run"),
            list(cards),
            index=list(cards).index(first),
            format_func=printable,
            width=330,
            key=f"kofn.choose_n.answer_ways.{first}",
        )
    found = cards[key].found
    assert found is not None
    own = {name: runs[name] for name in cards[key].over or (key,)}
    asked = AskedWay(with_basis(cards[key].settings, runs.values()), found.n_of_ways)
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    with st.spinner(_("Estimating"), show_time=True):
        each = [remember_findings(ways_of)(name, run, settings, asked) for name, run in own.items()]
    if any(run.counts is not None for run in own.values()):
        tell_counted(Text("Ways side by side"), own)
        return
    if (reason := next((why or NA for found, why in each if found is None), None)) is not None:
        st.write(say(reason))
        return
    ways = mean_ways([found for found, _why in each if found is not None])
    show_table(WAYS, ways, _("Ways to get one answer out of the same samples"))
    for sentence in ways_in_words(ways):
        st.markdown(f"- {say(sentence)}", width=900)
