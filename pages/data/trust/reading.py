"""Look for what may have moved the numbers of runs, while the visitor waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice

import streamlit as st

from kofn.card import Finding, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.leaderboard.pairs import match_so_far
from kofn.references.analysis import References, check, one_each
from kofn.trust.analysis import trust, trust_without_references
from kofn.trust.doubts import Claim, claims
from kofn.trust.result import TrustCard, doubtful
from metrics.data.words import Text
from pages.shared.controls.datasets import choose_dataset
from pages.shared.memory import session
from pages.shared.memory.cached import remember, remember_findings
from pages.shared.translating import _, say
from pages.shared.waiting import wait_for
from reports import LoadError, audit
from reports.files.progress import Progress
from reports.run.report import Run

MOST = 30
"""Runs that are read at once; of more, those of one dataset."""


def choose_audited(runs: Mapping[str, Run], view: View) -> dict[str, Run]:
    """Return the runs of a View; of too many with texts those of a dataset that is chosen."""
    shown = shown_runs(runs, view.runs)
    if sum(map(_keeps_texts, shown.values())) <= MOST:
        return shown
    chosen = choose_dataset(runs, view, _keeps_texts, _keeps_texts)
    read = dict(islice(chosen.items(), MOST))
    if len(read) < len(chosen):
        sentence = Text(
            "Here are {shown} of {all} runs; choose runs on the left to see others.",
            shown=len(read),
            all=len(chosen),
        )
        st.info(say(sentence))
    return read


def _keeps_texts(run: Run) -> bool:
    return run.has_texts


def look_at_runs(runs: Mapping[str, Run], view: View) -> tuple[TrustCard, ...]:
    """Read the texts of runs, unless that was done, and find what may have moved their numbers."""
    unread = {key: run for key, run in runs.items() if run.has_texts and not run.audited.known}

    def read(progress: Progress) -> None:
        for done, run in enumerate(unread.values()):
            progress(done, len(unread))
            with suppress(LoadError):
                audit(run)

    if unread:
        asked = tuple(session.identity(key, run) for key, run in unread.items())
        wait_for("audit", asked, _("Reading the final answers"), read)
    plain = view.plain
    return trust(runs, plain, find=remember_findings(trust_without_references), check=check_once)


def check_once(runs: Mapping[str, Run], view: View) -> dict[str, Finding[References]]:
    """Look for references worth checking in every dataset of several models, unless known."""
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    groups = {name: one_each(group) for name, group in runs_by_dataset(runs).items()}
    return {name: _checked(group, settings) for name, group in groups.items() if len(group) > 1}


@remember(50)
def _checked(models: Mapping[str, Run], view: View) -> Finding[References]:
    return attempt(check, models, view, match_so_far)


def compare_readings(cards: Sequence[TrustCard]) -> tuple[Claim, ...]:
    """Compare every two models by each reading, unless that was done."""
    return _compared(cards, cards[0].view) if cards else ()


@remember(20)
def _compared(cards: Sequence[TrustCard], view: View) -> tuple[Claim, ...]:
    return tuple(claims(doubtful(cards)))
