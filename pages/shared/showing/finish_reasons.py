"""How the samples of runs ended: a bar for each run, and how far that leaves its score open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from charts.shares import shares
from kofn.card import make_one_each
from kofn.choices.view import View, coverage_in_words
from kofn.citing.methods import methods_of
from kofn.citing.papers import cite_tables
from kofn.finish_reasons.analysis import EndedCard, count_finish_reasons
from kofn.finish_reasons.columns import ENDED, used
from kofn.finish_reasons.figures import bars, least_settled
from kofn.finish_reasons.words import NAMES, describe_shares, heading, in_words, shares_words
from kofn.writing.layout import short_name
from metrics.data.words import Text, plain
from pages.shared.memory.cached import remember_findings
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.showing.parts import Part
from pages.shared.translating import _, escape, say
from reports.run.report import Run

TOLD = 5
"""The most runs of which it is told in words; the table has all."""


def look_at_ends(runs: Mapping[str, Run], view: View) -> tuple[EndedCard, ...]:
    """Look how the samples of some runs ended, unless that is known."""
    return make_one_each(
        remember_findings(count_finish_reasons), runs, replace(view, runs=()), None
    )


def states_of(cards: Sequence[EndedCard]) -> dict[str, Part]:
    """Return how the samples of some runs ended, where that is known, as a part of a page."""
    if not any(card.found for card in cards):
        return {}
    return {"ended": (_("How samples ended"), lambda: _show(cards))}


def _show(cards: Sequence[EndedCard]) -> None:
    st.markdown(say(heading([card.found for card in cards if card.found])))
    drawn = bars(cards)
    names = tuple(NAMES.values())
    if drawn.wholes:
        figure = shares(drawn.wholes, names, words=shares_words())
        draw(figure, describe_shares(drawn.wholes, names), "states")
    if drawn.left_out:
        left_out = Text(
            "{count} run with fewer unsettled samples is in the table only.",
            "{count} runs with fewer unsettled samples are in the table only.",
            count=drawn.left_out,
        )
        st.caption(say(left_out))
    for card in least_settled(cards, TOLD):
        if card.found:
            name = f"**{escape(short_name(card.key))}** " if len(cards) > 1 else ""
            st.markdown(f":small[{name}{say(in_words(card.found))}]")
    st.caption(
        _("A sample that was cut is shown as cut whatever its verdict, which stays as it is.")
    )
    view = cards[0].view
    runs = [card.run for card in cards if card.found]
    download_table(
        lambda: ENDED.frame(cards),
        "states",
        lambda: cite_tables(
            [ENDED.written(cards)],
            methods_of(runs, view, used(cards)),
            plain(heading([card.found for card in cards if card.found])),
            plain(coverage_in_words(view)),
        ),
    )
