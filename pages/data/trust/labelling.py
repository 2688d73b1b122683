"""Label samples by click or by key, and see the resulting number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from kofn.trust.doubts import DoubtCard
from kofn.trust.labels import (
    WORTH,
    columns_of,
    correct,
    labelling_list,
    labels_of,
    with_filled_lists,
)
from kofn.trust.labels import labels_needed as plan_labels
from kofn.trust.labels import table_to_label as table_of
from kofn.trust.result import TrustCard, doubtful
from kofn.trust.words import correction_in_words, plan_in_words
from kofn.writing.layout import csv_text
from metrics import Labelled, SpotCheck
from metrics.data.words import Text, printable
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from pages.shared.texts.reading import show_text
from pages.shared.translating import _, say
from reports import LoadError, load
from reports.readings.audit import Audit
from reports.run.report import Run

_KEY = "kofn.trust.labels"
_SHORTCUTS = dict(zip(WORTH, ("1", "2", "3"), strict=True))


def label_samples(found: Mapping[str, DoubtCard]) -> None:
    """Let the visitor say of samples drawn at random by kind whether they are right."""
    keys = list(found)
    key = st.selectbox(_("Run"), keys, format_func=printable, width=340, key=f"{_KEY}.run")
    card = found[key]
    assert card.found is not None
    _label(card, card.found.audit)


def runs_with_texts(cards: Sequence[TrustCard]) -> dict[str, DoubtCard]:
    """Return the runs whose texts are read, by their keys."""
    return {card.key: card for card in doubtful(cards) if card.found and card.found.audit.read}


def _label(card: DoubtCard, audit: Audit) -> None:
    made = session.labels(card.run)
    run = replace(card.run, columns={**card.run.columns, **columns_of(card.run, made)})
    view = card.view
    labelled, _reason = correct(run, audit, view)
    if labelled is not None:
        _tell(labelled)
    if more := plan_in_words(plan_labels(run, audit, view)):
        st.caption(say(more))
    order = _spot_check(session.identity(card.key, card.run), view.segment, card, audit)
    todo = _first_open(run, order)
    st.caption(
        say(
            Text(
                "{done} of {all} listed samples are labelled. Each kind is drawn at random, so you "
                "may stop at any number.",
                done=len(order.sample) - todo[1],
                all=len(order.sample),
            )
        )
    )
    if todo[0] is not None:
        _ask(card.run, *todo[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if made:
            st.button(
                _("Take the last label back"),
                key=f"{_KEY}.back",
                on_click=partial(_take_back, made),
                type="tertiary",
                shortcut="0",
            )
        st.download_button(
            _("Download the list"),
            data=lambda: csv_text(table_of({card.key: (run, audit)}, view)).encode(),
            file_name="samples to label.csv",
            mime="text/csv",
            on_click="ignore",
            help=_(
                "With texts, and the labels made so far. Fill in human (1 right, 0 wrong), or "
                "human_unsure (1) where you cannot tell, and load it again, here or on Reports."
            ),
        )
    _load(card)


def _tell(found: Labelled) -> None:
    st.markdown(f"**{say(correction_in_words(found))}**")
    st.dataframe(
        [
            {
                _("Kind"): each.name,
                _("Samples"): each.samples,
                _("Labelled"): each.labels,
                _("Right"): each.right,
                _("Wrong"): each.wrong,
                _("Cannot tell"): each.unsure,
            }
            for each in found.strata
        ],
        hide_index=True,
        alt=_("Labels of each kind"),
    )
    for caveat in found.estimate.caveats:
        st.caption(say(caveat))


@remember(50)
def _spot_check(
    identity: str, segment: tuple[str, str] | None, _card: DoubtCard, _audit: Audit
) -> SpotCheck:
    return labelling_list(_card.run, _audit, _card.view)


def _first_open(run: Run, order: SpotCheck) -> tuple[tuple[str, int] | None, int]:
    """Return the first listed sample without a label, and how many there are."""
    assert run.outcomes is not None
    rows = run.outcomes.questions.places(order.question_id.tolist())
    human, unsure = (run.columns[name][rows, order.sample] for name in ("human", "human_unsure"))
    places = np.flatnonzero(np.isnan(human) & (unsure != 1))
    if not len(places):
        return None, 0
    return (str(order.question_id[places[0]]), int(order.sample[places[0]])), len(places)


def _ask(run: Run, question: str, sample: int) -> None:
    """Show a sample, not what was said of it, and ask whether it is right."""
    try:
        texts = run.texts(question)
    except LoadError as error:
        st.error(say(error.text))
        return
    name = Text("Question {name}, sample {number}", name=question, number=sample + 1)
    st.markdown(f"**{say(name)}**")
    if texts.prompt:
        show_text(texts.prompt[-1].text, f"{_KEY}.prompt.{question}")
    st.markdown(f"**{_('Reference')}**")
    show_text(texts.reference or "", f"{_KEY}.reference.{question}")
    st.markdown(f"**{_('The model wrote')}**")
    show_text(texts.predictions[sample] or "", f"{_KEY}.text.{question}.{sample}")
    words = {"right": _("Right"), "wrong": _("Wrong"), "cannot tell": _("Cannot tell")}
    with st.container(horizontal=True):
        for label, word in words.items():
            st.button(
                word,
                key=f"{_KEY}.{label}",
                on_click=partial(_take, run, question, sample, label),
                shortcut=_SHORTCUTS[label],
            )


def _take(run: Run, question: str, sample: int, label: str) -> None:
    session.labels(run)[question, sample] = label


def _take_back(made: dict[tuple[str, int], str]) -> None:
    made.popitem()


def _load(card: DoubtCard) -> None:
    """Take in a list that was filled in."""
    given = st.file_uploader(_("Load a list that was filled in"), key=f"{_KEY}.file")
    if given is None:
        return
    try:
        report = load((given.name, given.getvalue()))
        lists = [each for each in report.calibrations if each.spot_check]
        if not lists:
            st.error(say(Text("{name} is not a list of samples with labels.", name=given.name)))
            return
        run = with_filled_lists({card.key: card.run}, lists)[card.key]
    except LoadError as error:
        st.error(say(error.text))
        return
    new = {
        at: label for at, label in labels_of(run).items() if session.labels(run).get(at) != label
    }
    if new:
        session.labels(run).update(new)
        st.rerun()
