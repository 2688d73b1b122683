"""The replicas of one run, and whether chance explains how they differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from charts.replicas import describe_replicas, replicas
from kofn.citing.methods import methods_of
from kofn.citing.papers import cited
from kofn.consistency.analysis import VoteCard
from kofn.consistency.replicas import MADE, in_words, table
from metrics.data.words import Text
from pages.shared.memory import session
from pages.shared.showing.charts import draw
from pages.shared.showing.counted import tell_counted
from pages.shared.showing.downloads import download_table
from pages.shared.translating import _, plain, say


def show_replicas(card: VoteCard) -> None:
    """Draw the average of each replica over what chance gives, and name those that stand out."""
    tell_counted(Text("Run to run"), {card.key: card.run})
    found = card.found.replicas if card.found else None
    if found is None:
        return
    st.markdown(f"**{_('Run to run')}**")
    st.markdown(say(in_words(found)))
    number = session.numbers()[card.key]
    figure = replicas(
        found.replica,
        found.accuracy,
        (found.low, found.high),
        found.standing_out,
        number,
        plain,
    )
    draw(figure, describe_replicas(found.accuracy, found.standing_out), "replicas")
    st.caption(
        _(
            "A replica is the n-th sample of every question. Grey is where all of them lie at once "
            "if only chance tells them apart, and any sample could be that of any replica."
        )
    )
    download_table(
        lambda: pd.DataFrame(found.to_frame()),
        "replicas",
        lambda: cited(
            [table(found)],
            methods_of([card.run], card.view, [MADE], has_intervals=False),
            plain(in_words(found)),
        ),
    )
