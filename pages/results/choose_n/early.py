"""Votes that end early: asked for, drawn beside votes of all samples, and listed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from charts.tradeoff import tradeoff
from kofn.choose_n.analysis import ChoiceCard
from kofn.choose_n.command import CHOOSE_N
from kofn.choose_n.early.figures import describe, offers
from kofn.choose_n.early.sentences import in_orders
from kofn.choose_n.early.tables import Line, frame, lines, written
from kofn.choose_n.prices import SAMPLES
from metrics.data.words import Text
from pages.shared.showing.charts import draw
from pages.shared.showing.counted import tell_counted
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, plain, say, translations


def show_early(chosen: Sequence[ChoiceCard]) -> None:
    """Draw and list what votes take that end early, beside votes of all samples."""
    found = [one for one in chosen if one.found and one.found.early[0]]
    if not found:
        voting = {one.key: one.run for one in chosen if one.found and one.found.choice.votes}
        tell_counted(Text("Votes that end early"), voting)
        return
    fold = st.expander(_("Votes that end early"), key="kofn.choose_n.early", on_change="rerun")
    if fold.open:
        with fold:
            _show(found[0])


def _show(one: ChoiceCard) -> None:
    assert one.found is not None
    choice, priced, (early, _why) = one.found.choice, one.found.priced, one.found.early
    assert early is not None
    drawn = offers(early, choice, priced, plain)
    axes = (
        Text("Cost of a question on average, in {unit}", unit=priced.unit),
        Text("Answered right, in percent"),
    )
    draw(tradeoff(drawn, [], axes, None, plain), describe(early), "votes that end early")
    told = Text(
        "Each point is the most samples of a vote; diamonds are votes of up to {cap}. A rule pays "
        "where its line lies left of that of votes of all.",
        cap=early.cap,
    )
    st.caption(say(told))
    table = pd.DataFrame([_row(line) for line in lines(early)])
    if priced.unit == SAMPLES:
        table = table.drop(columns=_("Cost"))
    st.dataframe(
        table, hide_index=True, placeholder="\N{EN DASH}", alt=_("What each rule takes and saves")
    )
    for drawn_at_random in in_orders(early):
        st.caption(say(drawn_at_random))
    catalogue = translations()
    download_table(
        lambda: frame(early, catalogue),
        "votes that end early",
        lambda: CHOOSE_N.cited([one], one.view, [written(early, counted=priced.unit == SAMPLES)]),
    )


def _row(line: Line) -> dict[str, object]:
    return {
        _("Rule"): plain(line.rule),
        _("Samples"): plain(line.samples),
        _("Saves"): plain(line.saved),
        _("Cost"): plain(line.cost),
        _("Solves"): plain(line.right),
        _("Beyond a vote of all"): plain(line.gain),
        _("As good a fixed n"): line.as_accurate,
        _("Note"): plain(line.note),
    }
