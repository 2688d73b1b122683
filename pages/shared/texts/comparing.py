"""How much the texts of a run differ, compared on request and kept for the visit."""

from __future__ import annotations

import streamlit as st

from kofn.candidates.diversity import measure_texts
from kofn.card import Finding, attempt
from kofn.workers.reading import ended_by
from metrics.analyses.diversity.texts import TextDiversity
from pages.shared.memory import session
from pages.shared.translating import _
from pages.shared.waiting import wait_for
from reports.files.progress import Progress
from reports.run.report import Run

_COMPARED = "kofn.candidates.compared"


def compare_texts(key: str, run: Run) -> Finding[TextDiversity]:
    """Compare the texts of a run beside the page; what was found before stays."""
    known: dict[str, Finding[TextDiversity]] = st.session_state.setdefault(_COMPARED, {})
    name = session.identity(key, run)
    if name not in known:

        def compare(progress: Progress) -> Finding[TextDiversity]:
            return attempt(measure_texts, ended_by(run, progress), progress)

        known[name] = wait_for(_COMPARED, name, _("Comparing the texts"), compare)
    return known[name]


def are_compared(key: str, run: Run) -> bool:
    """Return whether the texts of a run are compared already."""
    known: dict[str, Finding[TextDiversity]] = st.session_state.get(_COMPARED, {})
    found, _reason = known.get(session.identity(key, run), (None, None))
    return found is not None
