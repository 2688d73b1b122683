"""How much the candidates of a run differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kofn.apart.reading import watched
from kofn.candidates.analysis import CandidateCard
from kofn.candidates.diversity import differ, measure_texts
from kofn.candidates.readings import of_diversity
from kofn.candidates.sentences import of_target
from kofn.card import Finding, attempt
from kofn.writing.estimates import percent
from metrics.analyses.diversity.diversity import ASSOCIATION, Measure, Split
from metrics.analyses.diversity.texts import TextDiversity
from metrics.data.results import UNIT
from metrics.data.words import Text
from pages.results.choose_n.candidates.cells import difference_cell, estimate_cell
from pages.shared.memory import session
from pages.shared.translating import _, plain, say
from pages.shared.waiting import wait_for
from reports.files.progress import Progress

_COMPARED = "kofn.candidates.compared"


def show_diversity(card: CandidateCard) -> None:
    """Show how much the candidates differ, once asked for; texts are compared beside the page."""
    if card.found is None:
        return
    label = _("How much candidates differ")
    fold = st.expander(label, key="kofn.candidates.diversity", on_change="rerun")
    if not fold.open:
        return
    with fold:
        texts = _texts(card) if card.run.has_texts else None
        found, reason = attempt(differ, card.run, card.view, texts)
        if found is None:
            st.write(say(reason or Text("N/A")))
            return
        table = [
            {
                _("Number"): each.name,
                _("Mean"): _mean(each),
                **_split(each.split),
                _("What it says"): plain(each.sentence),
            }
            for each in found.measures
        ]
        st.dataframe(pd.DataFrame(table), hide_index=True, alt=label)
        caveats = (
            text for each in found.measures if each.estimate for text in each.estimate.caveats
        )
        like_these = of_target(
            card.view, [_("Solved where less"), _("Solved where more"), _("Difference")]
        )
        for text in dict.fromkeys([*of_diversity(found), ASSOCIATION, *like_these, *caveats]):
            st.caption(say(text))


def is_compared(card: CandidateCard) -> bool:
    """Return whether the texts of a run are compared already."""
    known: dict[str, Finding[TextDiversity]] = st.session_state.get(_COMPARED, {})
    found, _reason = known.get(session.identity(card.key, card.run), (None, None))
    return found is not None


def _split(found: Split | None) -> dict[str, str]:
    return {
        _("Solved where less"): estimate_cell(found.less if found else None),
        _("Solved where more"): estimate_cell(found.more if found else None),
        _("Difference"): difference_cell(found.difference if found else None),
    }


def _texts(card: CandidateCard) -> TextDiversity | None:
    """Compare the texts of a run; what was found before stays."""
    run = card.run
    known: dict[str, Finding[TextDiversity]] = st.session_state.setdefault(_COMPARED, {})
    key = session.identity(card.key, run)
    if key not in known:

        def compare(progress: Progress) -> Finding[TextDiversity]:
            return attempt(measure_texts, watched(run, progress), progress)

        known[key] = wait_for(_COMPARED, key, _("Comparing the texts"), compare)
    found, reason = known[key]
    if reason is not None:
        st.caption(say(reason))
    return found


def _mean(measure: Measure) -> str:
    found = measure.estimate
    if found is None:
        return plain(percent(None))
    if found.bounds == UNIT:
        return estimate_cell(found)
    low, high = found.interval or (None, None)
    if low is None or high is None:
        return f"{found.value:.2f}"
    return plain(
        Text("{value:.2f} ({low:.2f} to {high:.2f})", value=found.value, low=low, high=high)
    )
