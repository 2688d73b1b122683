"""Questions of datasets whose reference is worth checking, according to all models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from kofn.choices.view import View
from kofn.citing.methods import methods_of
from kofn.citing.papers import cite_tables
from kofn.questions.filters import QuestionFilter
from kofn.references.analysis import References, with_and_without
from kofn.references.columns import SUSPECTS, WITHOUT, lines
from kofn.references.words import NAMES, answer, exclusions, remarks
from kofn.trust.result import TrustCard
from kofn.writing.columns import frame, written
from metrics.analyses.references.label_errors import REASONS
from metrics.data.words import Text, plain, printable
from pages.shared.memory.language import spoken
from pages.shared.showing.answers import link_to_questions
from pages.shared.showing.downloads import download_table
from pages.shared.showing.parts import Part
from pages.shared.showing.tables import show_table
from pages.shared.translating import _, escape, say
from reports.run.report import Run

_TABLE = "kofn.questions.references"


def references_of(cards: Sequence[TrustCard], view: View) -> dict[str, Part]:
    """Return the questions that are worth checking, where there are some, as a part of a page."""
    runs = {card.key: card.run for card in cards}
    found = {
        card.run.dataset: card.found.references
        for card in cards
        if card.found and card.found.references and card.found.references.suspects.questions
    }
    if not found:
        return {}
    return {"references": (plain(_label(found.values())), lambda: _show(found, runs, view))}


def _label(found: Collection[References]) -> Text:
    """Count the questions of which more is known than that nobody solves them, or else those."""
    if listed := sum(len(each.listed) for each in found):
        return Text(
            "References worth checking: {count} question",
            "References worth checking: {count} questions",
            count=listed,
        )
    return Text(
        "{count} question that no model solves",
        "{count} questions that no model solves",
        count=sum(len(each.suspects.questions) for each in found),
    )


def _show(found: Mapping[str, References], runs: Mapping[str, Run], view: View) -> None:
    """Show the questions of a dataset that are worth checking, and the metrics without them."""
    dataset = next(iter(found))
    if len(found) > 1:
        dataset = st.selectbox(
            _("Dataset"), list(found), format_func=printable, key="kofn.trust.references.of"
        )
    of_dataset = found[dataset]
    models = {key: runs[key] for key in of_dataset.names}
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    st.markdown(say(answer(of_dataset)))
    if of_dataset.suspects.questions:
        _list(of_dataset, models, settings)
    for remark in remarks(of_dataset):
        st.caption(say(remark))


@st.fragment
@spoken
def _list(found: References, models: Mapping[str, Run], view: View) -> None:
    counts = {reason: len(found.suspects.of({reason})) for reason in REASONS}
    there = [reason for reason in REASONS if counts[reason]]
    chosen = st.pills(
        _("Why"),
        there,
        default=[reason for reason in found.strong if counts[reason]],
        format_func=lambda reason: plain(
            Text("{why} ({count})", why=NAMES[reason], count=counts[reason])
        ),
        selection_mode="multi",
        key="kofn.questions.reasons",
    )
    listed = lines(found, found.suspects.of(chosen))
    if not listed:
        return
    clicked = show_table(
        SUSPECTS,
        listed,
        _("Questions whose reference is worth checking"),
        key=f"{_TABLE}.{'.'.join(chosen)}",
        on_select="rerun",
        selection_mode="single-row",
    )
    for row in clicked["selection"]["rows"]:
        question = printable(listed[row].suspect.question)
        label = Text("Read question {name} in each model's words", name=escape(question))
        link_to_questions(say(label), QuestionFilter(a=next(iter(models)), open=question), view)
    without = with_and_without(found, models, view, chosen)
    show_table(WITHOUT, without, _("Metrics with and without these questions"))
    st.caption(say(exclusions(chosen)))
    download_table(
        lambda: frame(SUSPECTS, listed),
        "check-the-reference",
        lambda: cite_tables(
            [written(SUSPECTS, listed, "paper"), written(WITHOUT, without, "paper")],
            methods_of([*models.values()], view, ()),
            plain(exclusions(chosen)),
        ),
    )
