"""The questions won, tied and lost, each a link; and what else differs besides the models."""

from __future__ import annotations

import streamlit as st

from kofn.compare.words import power_in_words, settings_in_words
from kofn.questions.filters import Kind, QuestionFilter
from kofn.questions.kinds import select
from metrics.data.words import Text
from pages.results.compare.choosing import CompareSheet, choose_other
from pages.shared.memory.known import questions_of
from pages.shared.showing.answers import link_to_questions
from pages.shared.translating import say


def show_pair(sheet: CompareSheet) -> None:
    """Say of the two runs in detail which questions part them, and what else does."""
    pair = sheet.pair
    if pair is None:
        return
    choose_other(sheet)
    names = sheet.contest.names
    st.markdown(say(Text("{other} against {base}", other=names[pair.other], base=names[pair.base])))
    if pair.match and all(sheet.runs[key].outcomes for key in (pair.base, pair.other)):
        _link_questions(sheet)
    elif pair.difference.paired:
        _count_questions(sheet)
    st.caption(say(power_in_words(pair)))
    st.caption(say(settings_in_words(pair.settings)))


def _count_questions(sheet: CompareSheet) -> None:
    """Say how many questions part two runs whose samples stay elsewhere, where no list is."""
    assert sheet.pair is not None
    found = sheet.pair.difference
    lines = (
        (Text("Better on"), found.wins),
        (Text("As good on"), found.ties),
        (Text("Worse on"), found.losses),
    )
    with st.container(gap=None):
        for name, number in lines:
            if number is not None:
                st.caption(say(Text("{name}: {number}", name=name, number=number)))


def _link_questions(sheet: CompareSheet) -> None:
    pair = sheet.pair
    assert pair is not None
    lists: tuple[tuple[Kind, str, str, Text], ...] = (
        ("a-above-b", pair.other, pair.base, Text("Better on")),
        ("a-equals-b", pair.other, pair.base, Text("As good on")),
        ("a-above-b", pair.base, pair.other, Text("Worse on")),
        ("a-beats-b", pair.other, pair.base, Text("Right, baseline wrong")),
        ("a-beats-b", pair.base, pair.other, Text("Wrong, baseline right")),
    )
    found = {key: questions_of(key, sheet.runs[key], sheet.view) for key in (pair.base, pair.other)}
    with st.container(gap=None):
        for kind, a, b, name in lists:
            chosen = QuestionFilter(a=a, b=b, kind=kind)
            count = len(select(found[a], [found[b]], chosen))
            sentence = Text("{name}: {number}", name=name, number=count)
            if count:
                link_to_questions(say(sentence), chosen, sheet.view)
            else:
                st.caption(say(sentence))
