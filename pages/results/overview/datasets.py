"""A line for each dataset: who leads, what is wrong, what to be careful about, where to go next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kofn.choices.view import View
from kofn.leaderboard.words import field_in_words
from kofn.overview.analysis import Dataset, GlanceCard, datasets_of
from kofn.overview.next_steps import Goal, next_steps
from kofn.overview.wins import Win
from kofn.overview.words import cautions, in_words, stated_in, stated_of, wrong_numbers
from metrics.data.words import Text
from pages.shared.showing.answers import place_beside_title
from pages.shared.showing.parts import Part
from pages.shared.translating import _, escape_name, say

PAGES: Mapping[Goal, str] = {
    "budgets": "pages/results/choose_n/page.py",
    "choose_n": "pages/results/choose_n/page.py",
    "compare": "pages/results/compare/page.py",
    "consistency": "pages/behaviour/consistency/page.py",
    "guidance": "pages/behaviour/guidance/page.py",
    "inventory": "pages/data/reports/page.py",
    "questions": "pages/data/questions/page.py",
    "saturation": "pages/behaviour/saturation/page.py",
    "soft_hard": "pages/behaviour/soft_vs_hard/page.py",
}


def tell_scope(scope: Text, cards: Sequence[GlanceCard]) -> None:
    """Say what came in, and lead to it, to numbers that are wrong, and to what may be."""
    place_beside_title().caption(say(scope))
    onward = {PAGES["inventory"]: _("Reports"), "pages/data/trust/page.py": _("Trust")}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for sentence in wrong_numbers(stated_of(cards)):
            st.markdown(f":small[:orange[:material/warning: {say(sentence)}]]", width="content")
        for page, name in onward.items():
            st.page_link(page, label=f":small[{name}]", icon=":material/arrow_forward:")


def dataset_parts(cards: Sequence[GlanceCard], view: View) -> dict[str, Part]:
    """Return what to know of each dataset, with links to what comes next, as a part of the page.

    What the answer says of a single one is not said again.
    """

    def show() -> None:
        datasets = datasets_of(cards)
        for dataset in datasets:
            _show(dataset, datasets, view)

    return {"datasets": (_("Each dataset"), show)}


def show_wins(wins: Sequence[Win]) -> None:
    """Say who wins by what, each with the page that shows why."""
    if not wins:
        return
    names = {
        "compare": _("Compare"),
        "consistency": _("Consistency"),
        "guidance": _("Guidance"),
        "choose_n": _("Choose n"),
        "saturation": _("Saturation"),
        "soft_hard": _("Soft vs hard"),
    }
    with st.container(key="kofn-wins", gap="xxsmall"):
        st.markdown(f"**{_('Who wins by what')}**")
        for win in wins:
            goal = win.criterion.goal
            with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
                st.page_link(
                    PAGES[goal],
                    label=f":small[**{say(win.name)}** :gray[→ {names[goal]}]]",
                    query_params=_query(win),
                    width=330,
                )
                st.markdown(f":small[{say(in_words(win))}]", width="stretch")


def _query(win: Win) -> dict[str, list[str]]:
    """Return what to choose on the page that shows a line, where it opens with something else."""
    if win.criterion.goal == "choose_n":
        return {"more": ["short-answers"]}
    if win.criterion.goal == "saturation" and win.assumed is not None:
        return {"metric": [win.standing.metric]}
    return {}


def _show(dataset: Dataset, datasets: Sequence[Dataset], view: View) -> None:
    sentences = [f"**{escape_name(dataset.name)}**"]
    if len(datasets) > 1:
        sentences += map(say, field_in_words(dataset.field))
        sentences += [
            f":orange[{say(text)}]" for text in wrong_numbers(stated_in(dataset), worst=False)
        ]
    sentences += [f":gray[{say(text)}]" for text in cautions(dataset, view)]
    words, onward = st.columns([6, 1], gap="small", vertical_alignment="center")
    words.markdown(f":small[{' '.join(sentences)}]")
    for step in next_steps(dataset):
        onward.page_link(
            PAGES[step.goal],
            label=f":small[{say(step.label)}]",
            icon=":material/arrow_forward:",
            query_params=step.query,
        )
