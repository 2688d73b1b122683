"""A line for each dataset: who leads, what is wrong, what to be careful of, where to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kofn.choices.view import View
from kofn.overview.analysis import Field, GlanceCard, fields_of
from kofn.overview.next_steps import Goal, next_step
from kofn.overview.sentences import careful, stated_in, told, wrong
from metrics.data.words import Text
from pages.widgets.shared.translating import escape_name, say

SHOWN = 5
"""The most datasets that are told at once."""
PAGES: Mapping[Goal, str] = {
    "choose_n": "pages/decide/choose_n.py",
    "guidance": "pages/decide/guidance.py",
    "inventory": "pages/data/inventory.py",
    "questions": "pages/data/questions.py",
    "scorecard": "pages/measure/scorecard.py",
}


def show_scope(scope: Text) -> None:
    """Say what is looked at."""
    st.caption(say(scope))


def show_datasets(cards: Sequence[GlanceCard], view: View) -> None:
    """Say of each dataset what to know of it, and link to what comes next.

    What the answer says of a single one is not said again.
    """
    fields = fields_of(cards)
    with st.container(gap="xsmall"):
        for field in fields[:SHOWN]:
            _show(field, fields, view)
    rest = fields[SHOWN:]
    if rest:
        label = Text("{count} more dataset", "{count} more datasets", count=len(rest))
        with st.expander(say(label), type="compact"):
            for field in rest:
                _show(field, fields, view)


def _show(field: Field, fields: Sequence[Field], view: View) -> None:
    step = next_step(field)
    said = [f"**{escape_name(field.dataset)}**"]
    if len(fields) > 1:
        said += map(say, told(field, fields))
        said += [f":orange[{say(text)}]" for text in wrong(stated_in(field), worst=False)]
    said += [f":gray[{say(text)}]" for text in careful(field, view)]
    words, onward = st.columns([7, 1], gap="small", vertical_alignment="center")
    words.markdown(f":small[{' '.join(said)}]")
    onward.page_link(
        PAGES[step.goal],
        label=f":small[{say(step.label)}]",
        icon=":material/arrow_forward:",
        query_params=step.query,
    )
