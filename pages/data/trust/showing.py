"""How doubtful verdicts affect each number, and which samples they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import cast

import pandas as pd
import streamlit as st

from charts.causes import causes
from charts.readings import readings
from kofn.card import are_counted
from kofn.questions.filters import Kind, QuestionFilter
from kofn.trust.checks import Check
from kofn.trust.columns import COMPARED, EXPECTED, SUMMARY, samples
from kofn.trust.doubts import DoubtCard
from kofn.trust.figures import drawn, rows_of
from kofn.trust.result import TrustCard, doubtful
from kofn.trust.words import (
    MEANINGS,
    causes_words,
    contradictions_in_words,
    describe_causes,
    describe_readings,
    doubtful_in_words,
    readings_words,
    settings_in_words,
)
from metrics.data.words import Text, plain, printable
from pages.data.trust.marking import show_marked
from pages.data.trust.reading import compare_readings
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.charts import draw
from pages.shared.showing.folds import fold
from pages.shared.showing.tables import show_table
from pages.shared.texts.reading import show_text
from pages.shared.translating import _, escape_name, say
from reports import LoadError
from reports.readings.kinds import KINDS

LISTED = 200
"""Doubtful samples that are listed; the download has all."""
_SAMPLES = "kofn.trust.samples"


def show_causes(cards: Sequence[TrustCard], card: TrustCard | None) -> None:
    """Draw what may have moved the number of a run, and list what is expected."""
    if card is None:
        for each in cards:
            if each.reason is not None:
                st.caption(f"**{escape_name(each.key)}** {say(each.reason)}")
        return
    card = next((each for each in cards if each.key == card.key), card)
    assert card.found is not None
    check = next((check for check in card.found.checks if check.found), None)
    bars, value = drawn(card, check)
    expected = check.found.stated.value if check and check.found else None
    caption = _(
        "Filled: moves the number surely. Outlined: could move it, up to so many points. No "
        "verdict is changed."
    )
    draw(
        causes(bars, value, expected, words=causes_words()),
        describe_causes(bars),
        "causes",
        caption,
    )
    for sentence in settings_in_words(check) if check else ():
        st.markdown(f":material/tune: {say(sentence)}")
    lines = list(EXPECTED.lines(cards))
    if len(lines) > 1 or (check and check.same):
        show_table(EXPECTED.columns, lines, _("Expected numbers"))
    _show_changed(card, check)


def _show_changed(card: TrustCard, check: Check | None) -> None:
    """Offer the samples whose verdicts another rule changed."""
    if check is None or check.same is None or not check.same.changed:
        return
    same = check.same

    def show() -> None:
        found = [("right", each) for each in same.to_right]
        found += [("wrong", each) for each in same.to_wrong]
        rows = [
            {
                _("Question"): printable(each.question),
                _("Sample"): each.b + 1,
                _("Here"): _("right") if became == "right" else _("wrong"),
                _("There"): _("wrong") if became == "right" else _("right"),
            }
            for became, each in found
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt=_("Verdicts that changed"))
        chosen = st.selectbox(
            _("Read a sample"),
            range(len(found)),
            index=None,
            format_func=lambda place: _called(found[place][1].question, found[place][1].b),
            placeholder=_("Choose one"),
            width=340,
        )
        if chosen is not None:
            read = doubtful([card])[0]
            if read.found is not None:
                question, sample = found[chosen][1].question, found[chosen][1].b
                _show_reading(read, question, sample, None)

    fold(st.expander, _("The verdicts that the rule changed"), "changed", show)


def show_readings(cards: Sequence[TrustCard]) -> None:
    """Draw each number by each reading, and say how many samples are of each kind."""
    read = doubtful(cards)
    found = [card for card in read if card.found]
    if found:
        st.markdown(say(contradictions_in_words(found)))
        rows = rows_of(found)
        figure = readings(rows, found[0].view.level, words=readings_words())
        draw(figure, describe_readings(rows), "readings")
        show_table(SUMMARY.columns, cards, _("How many verdicts are of each kind"))
        for card in found:
            guessed = doubtful_in_words(card.found)[1:] if card.found else []
            for sentence in guessed:
                st.caption(f"**{escape_name(card.key)}** {say(sentence)}")
        claimed = compare_readings(cards)
        if claimed:
            st.markdown(f"**{_('Which model is better')}**")
            show_table(COMPARED.columns, claimed, _("Which model is better"))
    for card in () if are_counted(read) else read:
        if card.reason is not None:
            st.caption(f"**{escape_name(card.key)}** {say(card.reason)}")


def runs_with_doubts(cards: Sequence[TrustCard]) -> dict[str, DoubtCard]:
    """Return the runs of which verdicts are doubtful, by their keys."""
    return {
        card.key: card for card in doubtful(cards) if card.found and card.found.audit.doubtful.any()
    }


def show_doubtful(found: Mapping[str, DoubtCard]) -> None:
    """List the samples whose verdicts are doubtful, of one run and one kind."""
    with st.container(horizontal=True):
        chosen = found[st.selectbox(_("Run"), list(found), format_func=printable, width=340)]
        kinds = [kind for kind in KINDS[1:] if chosen.found and chosen.found.audit.counts[kind]]
        kind = st.selectbox(_("Kind"), kinds, width=220)
    _list(chosen, kind)


def _list(card: DoubtCard, kind: str) -> None:
    found = [*islice(samples([card], (kind,)), LISTED)]
    rows = [
        {
            _("Question"): printable(each.question or ""),
            _("Sample"): (each.sample or 0) + 1,
            _("Judged"): _("right") if each.correct else _("wrong"),
            _("The text states"): each.stated or "",
            _("Reference"): each.reference or "",
            _("The tool extracted"): each.extracted or "",
        }
        for each in found
    ]
    st.caption(say(MEANINGS[kind]))
    clicked = st.dataframe(
        pd.DataFrame(rows),
        key=f"{_SAMPLES}.table.{card.key}.{kind}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        alt=_("Samples with doubtful verdicts"),
    )
    chosen = st.selectbox(
        _("Read a sample"),
        range(len(found)),
        index=next(iter(clicked["selection"]["rows"]), None),
        format_func=lambda place: _called(found[place].question or "", found[place].sample or 0),
        placeholder=_("Or click one in the table"),
        width=340,
    )
    if chosen is not None:
        each = found[chosen]
        _show_reading(card, each.question or "", each.sample or 0, each.extracted)
    link_to_questions(
        _("See their questions and texts"),
        QuestionFilter(a=card.key, kind=cast(Kind, kind)),
        card.view,
    )


def _called(question: str, sample: int) -> str:
    return plain(Text("Question {name}, sample {number}", name=question, number=sample + 1))


def _show_reading(card: DoubtCard, question: str, sample: int, extracted: str | None) -> None:
    """Show a sample with every place marked that a reading took."""
    assert card.found is not None
    try:
        texts, _reference, stated = card.found.audit.readings(question)
    except LoadError as error:
        st.error(say(error.text))
        return
    if texts.prompt:
        st.markdown(f"**{_('Question')}**")
        show_text(texts.prompt[-1].text, f"{_SAMPLES}.prompt")
    beside = ((_("Reference"), texts.reference), (_("The tool extracted"), extracted))
    for column, (label, text) in zip(st.columns(2), beside, strict=True):
        with column:
            st.markdown(f"**{label}**")
            show_text(text or _("nothing"), f"{_SAMPLES}.{label}")
    st.markdown(f"**{_('The model wrote')}**")
    show_marked(texts.predictions[sample] or "", stated[sample])


def explain_kinds() -> None:
    """Say how texts are read, and what each kind is."""
    st.markdown(
        _(
            "Each text is read for its final answer by rules that are independent of the tool's "
            "own extraction: phrases such as *the answer is*, *答案是* or *####*, boxes, and a "
            "last line that is nothing but an answer. Thoughts, guesses and what a text takes back "
            "do not count. No verdict is changed anywhere."
        )
    )
    table = [{_("Kind"): kind, _("It is"): say(MEANINGS[kind])} for kind in KINDS]
    st.table(pd.DataFrame(table), border="horizontal")
