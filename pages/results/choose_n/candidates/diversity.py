"""How much the candidates of a run differ."""

from __future__ import annotations

import streamlit as st

from kofn.candidates.analysis import CandidateCard
from kofn.candidates.columns import DIVERSITY
from kofn.candidates.diversity import measure_diversity
from kofn.candidates.words import diversity_remarks, target_remarks
from kofn.card import attempt
from kofn.writing.estimates import NA
from metrics.analyses.diversity.diversity import ASSOCIATION
from pages.shared.showing.folds import fold
from pages.shared.showing.tables import show_table
from pages.shared.texts.comparing import compare_texts
from pages.shared.translating import _, say


def show_diversity(card: CandidateCard) -> None:
    """Show how much the candidates differ, once asked for; texts are compared beside the page."""
    if card.found is None:
        return
    label = _("How much candidates differ")

    def show() -> None:
        texts, unread = compare_texts(card.key, card.run) if card.run.has_texts else (None, None)
        found, reason = attempt(measure_diversity, card.run, card.view, texts)
        if unread is not None:
            st.caption(say(unread))
        if found is None:
            st.write(say(reason or NA))
            return
        show_table(DIVERSITY, found.measures, label)
        caveats = (
            text for each in found.measures if each.estimate for text in each.estimate.caveats
        )
        like_these = target_remarks(
            card.view, [_("Solved where less"), _("Solved where more"), _("Difference")]
        )
        for text in dict.fromkeys([*diversity_remarks(found), ASSOCIATION, *like_these, *caveats]):
            st.caption(say(text))

    fold(st.expander, label, "candidates.diversity", show)
