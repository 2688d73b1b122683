"""What doubtful verdicts do to each number, and which samples they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pandas as pd
import streamlit as st

from charts.readings import describe_readings, readings
from kofn.card import are_counted
from kofn.questions.filters import QuestionFilter
from kofn.trust.analysis import Claim, TrustCard
from kofn.trust.answer import MEANINGS, VERDICTS, about, in_words
from kofn.trust.command import TRUST
from kofn.trust.figures import rows_of
from kofn.trust.tables import frame, samples
from kofn.writing.estimates import percent, points
from kofn.writing.rendering import printable
from pages.widgets.shared.charts import draw
from pages.widgets.shared.downloads import download_table
from pages.widgets.shared.links import link_to_questions
from pages.widgets.shared.translating import _, escape_name, plain, say
from reports.readings.kinds import KINDS

LISTED = 200
"""Doubtful samples that are listed; the download has all."""


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
    fold = st.expander(_("The samples, one by one"), key="kofn.trust.samples", on_change="rerun")
    if not fold.open:
        return
    with fold, st.container(horizontal=True):
        chosen = found[st.selectbox(_("Run"), list(found), format_func=printable, width=340)]
        kinds = [kind for kind in KINDS[1:] if chosen.found and chosen.found.audit.counts[kind]]
        kind = st.selectbox(_("Kind"), kinds, width=220)
    with fold:
        _list(chosen, kind)


def _list(card: TrustCard, kind: str) -> None:
    rows = [
        {
            _("Question"): row["question"],
            _("Sample"): row["sample"] + 1,
            _("Judged"): _("right") if row["correct"] else _("wrong"),
            _("The text states"): row["stated"] or "",
            _("Reference"): row["reference"] or "",
            _("The tool extracted"): row["extracted"] or "",
        }
        for row in islice(samples([card], (kind,)), LISTED)
    ]
    st.caption(say(MEANINGS[kind]))
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt=_("Samples with doubtful verdicts"))
    link_to_questions(_("See their questions and texts"), QuestionFilter(a=card.key), card.view)


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
