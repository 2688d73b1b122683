"""The shape of runs: which questions are easy, which hard, and which samples failed."""

from __future__ import annotations

import streamlit as st

from charts.heat import heat
from kofn.questions.figures import Picture, lay_out
from kofn.questions.words import describe_heat, heat_words
from pages.data.questions.data import Shown
from pages.shared.memory.cached import remember
from pages.shared.showing.charts import draw
from pages.shared.translating import _


def show_shape(shown: Shown) -> None:
    """Draw a heat map of all questions by samples, of each run that is shown."""
    with st.spinner(_("Laying out every sample"), show_time=True):
        drawn = _picture(shown.identity, shown)
        figure = heat(drawn.panels, drawn.questions, words=heat_words(drawn.soft))
    description = describe_heat(drawn.panels, len(shown.a.ids))
    caption = _(
        "A column is a question, a row a sample. Magenta: the request failed. Of many questions, "
        "neighbours by difficulty share a column and show their mean."
    )
    draw(figure, description, "questions by samples", caption)


@remember(4)
def _picture(identity: str, _shown: Shown) -> Picture:
    return lay_out(_shown.runs)
