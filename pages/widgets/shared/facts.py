"""What is known of a run before anything is estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kofn.card import verified
from metrics.data.outcomes import ABSENT, FAILED, Outcomes, Segment
from metrics.data.words import Text
from pages.widgets.shared import session
from pages.widgets.shared.translating import say
from reports.run.report import Run

SEGMENT_LABELS = 200
"""An attribute with more labels than this names questions rather than groups them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts and segments of one run.

    Attributes
    ----------
    questions : int
        All questions, gradable or not.
    ungradable : int
        Questions without any gradable sample.
    n_min, n_max : int
        Fewest and most samples of a gradable question; 0 where there is none.
    failed : int
        Samples that failed.
    segments : tuple of (attribute, label)
        That a View may choose.
    """

    questions: int
    ungradable: int
    n_min: int
    n_max: int
    failed: int
    segments: tuple[Segment, ...]


def run_facts(key: str, run: Run) -> Facts | None:
    """Return the facts of a run; None where it has no outcomes."""
    if run.outcomes is None:
        return None
    return _facts(session.identity(key, run), run.outcomes)


def describe_run(key: str, run: Run) -> str:
    """Say how large a run is, what is missing and whether it is verified, in a line."""
    facts = run_facts(key, run)
    if facts is None:
        return ""
    parts = [
        Text("{count} question", "{count:,} questions", count=facts.questions),
        Text("{count} sample each", "{count} samples each", count=facts.n_max)
        if facts.n_min == facts.n_max
        else Text("{fewest} to {most} samples each", fewest=facts.n_min, most=facts.n_max),
    ]
    if facts.failed:
        parts.append(
            Text("{count} failed request", "{count:,} failed requests", count=facts.failed)
        )
    if facts.ungradable:
        parts.append(
            Text(
                "{count} question not gradable",
                "{count:,} questions not gradable",
                count=facts.ungradable,
            )
        )
    if (checked := verified(run)) is not None:
        parts.append(checked)
    return " · ".join(map(say, parts))


@st.cache_resource(scope="session", max_entries=200, show_spinner=False)
def _facts(identity: str, _outcomes: Outcomes) -> Facts:
    n = np.count_nonzero(_outcomes.correct != ABSENT, axis=1)
    return Facts(
        questions=len(n),
        ungradable=int(np.count_nonzero(n == 0)),
        n_min=int(n[n > 0].min(initial=n.max())),
        n_max=int(n.max()),
        failed=int(np.count_nonzero(_outcomes.correct == FAILED)),
        segments=tuple(
            (attribute, str(label))
            for attribute, labels in _outcomes.segments.items()
            for label in _labels(labels)
        ),
    )


def _labels(labels: NDArray[np.str_]) -> NDArray[np.str_]:
    found = np.unique(labels)
    return found if len(found) <= SEGMENT_LABELS else found[:0]
