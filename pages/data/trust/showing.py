"""What doubtful verdicts do to each number, and which samples they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, cast

import pandas as pd
import streamlit as st

from charts.readings import describe_readings, readings
from kofn.card import are_counted
from kofn.questions.filters import Kind, QuestionFilter
from kofn.trust.analysis import Claim, TrustCard
from kofn.trust.answer import MEANINGS, VERDICTS, about, in_words
from kofn.trust.command import TRUST
from kofn.trust.figures import rows_of
from kofn.trust.tables import frame, samples
from kofn.writing.estimates import percent, points
from kofn.writing.rendering import printable
from metrics.data.words import Text
from pages.data.trust.marking import show_marked
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.showing.links import link_to_questions
from pages.shared.texts.reading import show_text
from pages.shared.translating import _, escape_name, plain, say
from reports import LoadError
from reports.readings.kinds import KINDS

LISTED = 200
"""Doubtful samples that are listed; the download has all."""
_SAMPLES = "kofn.trust.samples"


def show_readings(cards: Sequence[TrustCard], claimed: Sequence[Claim]) -> None:
    """Draw each number by each reading, and say how many samples are of each kind."""
    found = [card for card in cards if card.found]
    if found:
        rows = rows_of(found)
        figure = readings(rows, found[0].view.level, plain)
        draw(figure, describe_readings(rows), "readings")
        st.dataframe(_kinds(found), hide_index=True, alt=_("How many verdicts are of each kind"))
        for card in found:
            guessed = about(card.found)[1:] if card.found else []
            for said in guessed:
                st.caption(f"**{escape_name(card.key)}** {say(said)}")
        _show_comparisons(claimed)
    for card in () if are_counted(cards) else cards:
        if card.reason is not None:
            st.caption(f"**{escape_name(card.key)}** {say(card.reason)}")


def _kinds(cards: Sequence[TrustCard]) -> pd.DataFrame:
    rows = []
    for card in cards:
        assert card.found is not None
        counts, read = card.found.audit.counts, max(1, card.found.audit.read)
        shares = {
            kind: f"{count:,} ({plain(percent(count / read))})" for kind, count in counts.items()
        }
        rows.append({_("Run"): card.key, **shares})
    return pd.DataFrame(rows)


def _show_comparisons(claimed: Sequence[Claim]) -> None:
    compared = [
        {
            _("Models"): plain(in_words(claim)),
            _("As judged"): plain(points(claim.judged.value, *(claim.judged.interval or ()))),
            _("As read"): plain(points(claim.read.value, *(claim.read.interval or ()))),
            _("The difference"): plain(VERDICTS[claim.verdict]),
        }
        for claim in claimed
    ]
    if compared:
        st.markdown(f"**{_('Which model is better')}**")
        st.dataframe(pd.DataFrame(compared), hide_index=True, alt=_("Which model is better"))


def show_doubtful(cards: Sequence[TrustCard]) -> None:
    """List the samples whose verdicts are doubtful, of one run and one kind."""
    found = {card.key: card for card in cards if card.found and card.found.audit.doubtful.any()}
    if not found:
        return
    fold = st.expander(_("The samples, one by one"), key=_SAMPLES, on_change="rerun")
    if not fold.open:
        return
    with fold, st.container(horizontal=True):
        chosen = found[st.selectbox(_("Run"), list(found), format_func=printable, width=340)]
        kinds = [kind for kind in KINDS[1:] if chosen.found and chosen.found.audit.counts[kind]]
        kind = st.selectbox(_("Kind"), kinds, width=220)
    with fold:
        _list(chosen, kind)


def _list(card: TrustCard, kind: str) -> None:
    found = [*islice(samples([card], (kind,)), LISTED)]
    rows = [
        {
            _("Question"): row["question"],
            _("Sample"): row["sample"] + 1,
            _("Judged"): _("right") if row["correct"] else _("wrong"),
            _("The text states"): row["stated"] or "",
            _("Reference"): row["reference"] or "",
            _("The tool extracted"): row["extracted"] or "",
        }
        for row in found
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
        format_func=lambda place: _called(found[place]),
        placeholder=_("Or click one in the table"),
        width=340,
    )
    if chosen is not None:
        _read(card, found[chosen])
    link_to_questions(
        _("See their questions and texts"),
        QuestionFilter(a=card.key, kind=cast(Kind, kind)),
        card.view,
    )


def _called(row: Mapping[str, Any]) -> str:
    name = Text("Question {name}, sample {number}", name=row["question"], number=row["sample"] + 1)
    return plain(name)


def _read(card: TrustCard, row: Mapping[str, Any]) -> None:
    """Show a sample with every place marked that a reading took."""
    assert card.found is not None
    try:
        texts, _reference, stated = card.found.audit.readings(row["id"])
    except LoadError as error:
        st.error(say(error.text))
        return
    if texts.prompt:
        st.markdown(f"**{_('Question')}**")
        show_text(texts.prompt[-1].text, f"{_SAMPLES}.prompt")
    beside = ((_("Reference"), texts.reference), (_("The tool extracted"), row["extracted"]))
    for column, (label, text) in zip(st.columns(2), beside, strict=True):
        with column:
            st.markdown(f"**{label}**")
            show_text(text or _("nothing"), f"{_SAMPLES}.{label}")
    st.markdown(f"**{_('The model wrote')}**")
    show_marked(texts.predictions[row["sample"]] or "", stated[row["sample"]])


def explain_kinds() -> None:
    """Say how texts are read, and what each kind is."""
    with st.expander(_("How the texts are read")):
        st.markdown(
            _(
                "Each text is read for its final answer by rules that are independent of the "
                "tool's own extraction: phrases such as *the answer is*, *答案是* or *####*, "
                "boxes, and a last line that is nothing but an answer. Thoughts, guesses and what "
                "a text takes back do not count. No verdict is changed anywhere."
            )
        )
        table = [{_("Kind"): kind, _("It is"): say(MEANINGS[kind])} for kind in KINDS]
        st.table(pd.DataFrame(table), border="horizontal")


def download_trust(cards: Sequence[TrustCard]) -> None:
    """Offer the doubtful samples as a table."""
    if any(card.found for card in cards):
        view = cards[0].view
        download_table(lambda: frame(cards), "trust", lambda: TRUST.cited(cards, view))
