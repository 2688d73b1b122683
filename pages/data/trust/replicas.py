"""The replicas of one run, and whether chance explains how they differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from charts.replicas import replicas
from kofn.citing.methods import methods_of
from kofn.citing.papers import cite_tables
from kofn.consistency.words import (
    MADE,
    describe_replicas,
    heading,
    in_words,
    replica_rows,
    replicas_words,
)
from kofn.trust.result import TrustCard
from metrics import Replicas
from metrics.data.words import plain
from pages.shared.memory import session
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.showing.parts import Part
from pages.shared.translating import _, escape_name, say


def replicas_of(card: TrustCard | None) -> dict[str, Part]:
    """Return each replica of a run against what chance gives, where there are some, as a part."""
    found = card.found.replicas if card and card.found else None
    if card is None or found is None:
        return {}
    return {"replicas": (plain(heading(found)), lambda: _show(card, found))}


def _show(card: TrustCard, found: Replicas) -> None:
    """Draw the average of each replica over what chance gives, and name those that stand out."""
    st.markdown(f"**{escape_name(card.key)}** {say(in_words(found))}")
    number = session.numbers()[card.key]
    figure = replicas(
        found.replica,
        found.accuracy,
        (found.low, found.high),
        found.standing_out,
        number,
        words=replicas_words(),
    )
    caption = _(
        "A replica is the n-th sample of every question. Grey is where all of them lie at once if "
        "only chance tells them apart, and any sample could be that of any replica."
    )
    draw(figure, describe_replicas(found.accuracy, found.standing_out), "replicas", caption)
    download_table(
        lambda: pd.DataFrame(found.to_frame()),
        "replicas",
        lambda: cite_tables(
            [replica_rows(found)],
            methods_of([card.run], card.view, [MADE], has_intervals=False),
            plain(in_words(found)),
        ),
    )
